"""Reading game files. Imported when a game is read, as pydantic takes its time."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, ValidationInfo

from scorer.datafile import Problem
from scorer.editions import EditionError
from scorer.polaris.board import SkyBoard
from scorer.polaris.edition import EDITIONS, Edition, load_edition
from scorer.polaris.game import (
    FEWEST_PLAYERS,
    MOST_PLAYERS,
    PHASES,
    Game,
    GameFileError,
    Phase,
    Player,
    Snapshot,
    sky_from_data,
)
from scorer.validation import (
    FileModel,
    FileName,
    Id,
    Name,
    context_of,
    invalid,
    not_among,
    validate,
)


def _space(value: str, info: ValidationInfo) -> str:
    if value in context_of(info, SkyBoard).star_spaces:
        return value
    raise invalid(f"the sky has no star space {value}")


def _link(value: list[str], info: ValidationInfo) -> list[str]:
    if len(value) != 2:
        raise invalid("must be the two ends of a link, such as [1a1, 1a2]")
    if context_of(info, SkyBoard).link_between(*value) is None:
        raise invalid(f"the sky has no link space between {value[0]} and {value[1]}")
    return value


def _sector(value: int, info: ValidationInfo) -> int:
    if value in context_of(info, SkyBoard).sectors:
        return value
    raise invalid(f"the sky has no sector {value}")


SpaceId = Annotated[Id, AfterValidator(_space)]
LinkEnds = Annotated[list[Id], AfterValidator(_link)]
Sector = Annotated[int, AfterValidator(_sector)]
Count = Annotated[int, Field(ge=0, le=1000)]


class _Sky(FileModel):
    photo: FileName | None = None
    stars: dict[SpaceId, Name] | None = None
    links: list[LinkEnds] | None = None
    neutral: list[SpaceId] | None = None
    new_moon: Sector | None = None

    @property
    def written(self) -> bool:
        """Whether the pieces that players placed are written out."""
        return self.stars is not None or self.links is not None


class _Phase(_Sky):
    card: Name = ""
    telescope: Name = ""


class _Player(FileModel):
    name: Name = ""
    colour: Name = ""
    shooting: Count | None = None
    personal: Name | None = None
    marker: Count | None = None


class _File(_Sky):
    format: Literal[1] = 1
    game: Literal["polaris"] = "polaris"
    edition: FileName = "standard"
    players: list[_Player] = Field(default_factory=list)
    phases: list[_Phase] = Field(default_factory=list)


@dataclass(frozen=True)
class _Found:
    """A game file as far as it is right, and the data that it came from."""

    file: _File
    edition: Edition
    data: Mapping[str, Any]


def read_game(data: object, board: SkyBoard, folder: Path | None) -> Game:
    """The game of a game file's data; see `game_from_data`."""
    if not isinstance(data, Mapping):
        raise GameFileError([("", "a game file holds keys and values, such as `players`")])
    file, problems = validate(_File, data, board)
    edition = load_edition("standard")
    try:
        edition = EDITIONS.named_in(folder, file.edition)
    except EditionError as error:
        problems += [("edition", "; ".join(reason for _, reason in error.problems))]
    told = {key for key, _ in problems}
    found = _Found(file, edition, data)
    problems += [problem for problem in _players_checks(found) if problem[0] not in told]
    seated = not any(key.startswith("players") for key, _ in problems)
    problems += [problem for problem in _skies_checks(found, seated) if problem[0] not in told]
    if problems:
        raise GameFileError(problems)
    return Game(
        players=tuple(
            Player(player.name, player.colour, player.shooting, player.personal, player.marker)
            for player in file.players
        ),
        end=_snapshot(file, board),
        phases=tuple(
            Phase(phase.card, phase.telescope, _snapshot(_with_neutral(phase, file), board))
            for phase in file.phases
        ),
        edition=edition,
        board=board,
    )


def _with_neutral(phase: _Phase, file: _File) -> _Phase:
    """A phase with the game's neutral stars, where it names none: they lie from the start (P14)."""
    if phase.neutral is not None or file.neutral is None:
        return phase
    lying = [space for space in file.neutral if space not in (phase.stars or {})]
    return phase.model_copy(update={"neutral": lying})


def _snapshot(written: _Sky, board: SkyBoard) -> Snapshot:
    sky = sky_from_data(written.model_dump(), board) if written.written else None
    return Snapshot(sky, written.photo)


def _players_checks(found: _Found) -> Iterator[Problem]:
    file, data = found.file, found.data
    if "players" not in data:
        yield "players", "missing"
    elif isinstance(data["players"], list):
        count = len(data["players"])
        if not FEWEST_PLAYERS <= count <= MOST_PLAYERS:
            reason = f"a game has {FEWEST_PLAYERS} to {MOST_PLAYERS} players, not {count}"
            yield "players", reason
    for place, player in enumerate(file.players):
        yield from _player_checks(found, place, player, _entry(data, "players", place))


def _skies_checks(found: _Found, seated: bool) -> Iterator[Problem]:
    """What is wrong with phases and skies; `seated`: the players are right.

    Otherwise nobody knows whose a star or the telescope may be, and nothing is told of that.
    """
    file = found.file
    colours = tuple(player.colour for player in file.players) if seated else None
    yield from _phases_checks(found, colours)
    yield from _sky_checks("", file, colours)
    if not (file.photo or file.written or _told_by_phases(file)):
        yield "", "needs `stars` and `links`, or a `photo` to read them from"


def _told_by_phases(file: _File) -> bool:
    """Whether the fifth phase has the sky of the end."""
    return len(file.phases) == PHASES and bool(file.phases[-1].photo or file.phases[-1].written)


def _entry(data: Mapping[str, Any], key: str, place: int) -> Mapping[str, Any]:
    """What stands at a place of a list in the file, if it holds keys and values at all."""
    entry = data[key][place] if isinstance(data.get(key), list) else None
    return entry if isinstance(entry, Mapping) else {}


def _player_checks(
    found: _Found, place: int, player: _Player, written: Mapping[str, Any]
) -> Iterator[Problem]:
    key, others = f"players[{place}]", found.file.players[:place]
    edition = found.edition
    for required in ("name", "colour"):
        if written and required not in written:
            yield f"{key}.{required}", "missing"
    if player.name and player.name in [other.name for other in others]:
        yield f"{key}.name", f"{player.name} is the name of an earlier player too"
    if player.colour and player.colour not in edition.colours:
        yield f"{key}.colour", not_among(player.colour, "no colour of a player", edition.colours)
    elif player.colour and player.colour in [other.colour for other in others]:
        yield f"{key}.colour", f"{player.colour} is the colour of an earlier player too"
    if player.personal and player.personal not in edition.personal:
        ids = tuple(edition.personal)
        reason = f"{player.personal} is not one of the personal cards {ids[0]} to {ids[-1]}"
        yield f"{key}.personal", reason


def _phases_checks(found: _Found, colours: tuple[str, ...] | None) -> Iterator[Problem]:
    file, edition = found.file, found.edition
    if len(file.phases) > PHASES:
        yield "phases", f"a game has {PHASES} scoring phases, not {len(file.phases)}"
    names = tuple(player.name for player in file.players if player.name)
    cards: list[str] = []
    for place, phase in enumerate(file.phases):
        key = f"phases[{place}]"
        written = _entry(found.data, "phases", place)
        for required in ("card", "telescope"):
            if written and required not in written:
                yield f"{key}.{required}", "missing"
        if phase.card and phase.card not in edition.common:
            ids = tuple(edition.common)
            reason = f"{phase.card} is not one of the common cards {ids[0]} to {ids[-1]}"
            yield f"{key}.card", reason
        elif phase.card and phase.card in cards:
            yield (
                f"{key}.card",
                f"{phase.card} was scored in an earlier phase; each card is scored once (P13)",
            )
        cards.append(phase.card)
        if colours and phase.telescope and phase.telescope not in names:
            yield f"{key}.telescope", not_among(phase.telescope, "no player", names)
        is_last = place == PHASES - 1 and (file.photo or file.written)
        if written and not (phase.photo or phase.written or is_last):
            yield key, "needs `stars` and `links`, or a `photo` to read them from"
        yield from _sky_checks(f"{key}.", phase, colours)


def _sky_checks(key: str, sky: _Sky, colours: tuple[str, ...] | None) -> Iterator[Problem]:
    for space, colour in (sky.stars or {}).items():
        if colours and colour not in colours:
            yield f"{key}stars.{space}", not_among(colour, "no player's colour", colours)
    neutral = sky.neutral or []
    for space in sorted({space for space in neutral if neutral.count(space) > 1}):
        yield f"{key}neutral", f"{space} is written twice"
    for space in sorted(set(neutral) & set(sky.stars or {})):
        yield f"{key}neutral", f"{space} holds a player's star too"
    seen: set[frozenset[str]] = set()
    for place, ends in enumerate(sky.links or []):
        if frozenset(ends) in seen:
            yield f"{key}links[{place}]", f"{' and '.join(ends)} are joined by an earlier link"
        seen.add(frozenset(ends))

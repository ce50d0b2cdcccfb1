"""Read game files. Imported only then, as pydantic is slow to import."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, ValidationInfo

from scorer.datafile import DataFileError, Problem
from scorer.polaris.board import STANDARD_SKY, SkyBoard
from scorer.polaris.edition import EDITIONS, Edition
from scorer.polaris.game import FEWEST_PLAYERS, PHASES, Game, Phase, Player, Snapshot, sky_from_data
from scorer.validation import (
    FileModel,
    FileName,
    Id,
    Name,
    context_of,
    invalid,
    on_board,
    seat_problems,
    unknown,
    validate,
    with_further,
)


def _link(value: list[str], info: ValidationInfo) -> list[str]:
    if len(value) != 2:
        raise invalid("must be the two ends of a link, such as [1a1, 1a2]")
    if context_of(info, SkyBoard).link_between(*value) is None:
        raise invalid(f"the sky has no link space between {value[0]} and {value[1]}")
    return value


SpaceId = Annotated[
    Id, on_board(SkyBoard, lambda sky: sky.star_spaces, "the sky has no star space {value}")
]
LinkEnds = Annotated[list[Id], AfterValidator(_link)]
Sector = Annotated[
    int, on_board(SkyBoard, lambda sky: sky.sectors, "the sky has no sector {value}")
]
Count = Annotated[int, Field(ge=0, le=1000)]
NO_SKY = "needs `stars` and `links`, or a `photo` to read them from"


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

    @property
    def has_sky(self) -> bool:
        return self.written or self.photo is not None


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


def game_from_data(
    data: object, board: SkyBoard = STANDARD_SKY, folder: Path | None = None
) -> Game:
    """The game of a game file's data. Raise DataFileError with every mistake in it.

    The owner's editions are looked for in `folder`, and only if one is given: data from the network
    must not make the program read files.
    """
    if not isinstance(data, Mapping):
        raise DataFileError([("", "a game file holds keys and values, such as `players`")])
    file, problems = validate(_File, data, board)
    edition = EDITIONS.of_file(file.edition, problems, folder)
    found = [*_players_problems(file, edition)]
    seated = not any(key.startswith("players") for key, _ in (*problems, *found))
    found += _skies_problems(file, edition, seated)
    if problems := with_further(problems, found):
        raise DataFileError(problems)
    return Game(
        players=tuple(Player(**player.model_dump()) for player in file.players),
        end=_snapshot(file, board),
        phases=tuple(
            Phase(phase.card, phase.telescope, _snapshot(_with_neutral(phase, file), board))
            for phase in file.phases
        ),
        edition=edition,
        board=board,
    )


def _with_neutral(phase: _Phase, file: _File) -> _Phase:
    """A phase with the game's neutral stars unless it has its own: they are never moved (P14)."""
    if phase.neutral is not None or file.neutral is None:
        return phase
    neutral = [space for space in file.neutral if space not in (phase.stars or {})]
    return phase.model_copy(update={"neutral": neutral})


def _snapshot(written: _Sky, board: SkyBoard) -> Snapshot:
    sky = sky_from_data(written.model_dump(), board) if written.written else None
    return Snapshot(sky, written.photo)


def _players_problems(file: _File, edition: Edition) -> Iterator[Problem]:
    yield from seat_problems(file.players, edition.colours, FEWEST_PLAYERS)
    for place, player in enumerate(file.players):
        if player.personal is not None:
            key = f"players[{place}].personal"
            yield from unknown(key, player.personal, "no personal card", (*edition.personal,))


def _skies_problems(file: _File, edition: Edition, seated: bool) -> Iterator[Problem]:
    """Problems with phases and skies; `seated`: the players are valid.

    Otherwise the owners of stars and of the telescope cannot be checked.
    """
    players = file.players if seated else ()
    colours, names = ([getattr(own, key) for own in players] for key in ("colour", "name"))
    if len(file.phases) > PHASES:
        yield "phases", f"a game has {PHASES} scoring phases, not {len(file.phases)}"
    cards = [phase.card for phase in file.phases]
    for place, phase in enumerate(file.phases):
        key = f"phases[{place}]"
        if not phase.card:
            yield f"{key}.card", "missing"
        elif phase.card in cards[:place]:
            reason = "was scored in an earlier phase; each card is scored once (P13)"
            yield f"{key}.card", f"{phase.card} {reason}"
        else:
            yield from unknown(f"{key}.card", phase.card, "no common card", (*edition.common,))
        if not phase.telescope:
            yield f"{key}.telescope", "missing"
        elif seated:
            yield from unknown(f"{key}.telescope", phase.telescope, "no player", names)
        if not (phase.has_sky or (place == PHASES - 1 and file.has_sky)):
            yield key, NO_SKY
        yield from _sky_problems(f"{key}.", phase, colours)
    yield from _sky_problems("", file, colours)
    if not (file.has_sky or (len(file.phases) == PHASES and file.phases[-1].has_sky)):
        yield "", NO_SKY


def _sky_problems(key: str, sky: _Sky, colours: Sequence[str]) -> Iterator[Problem]:
    for space, colour in (sky.stars or {}).items() if colours else ():
        yield from unknown(f"{key}stars.{space}", colour, "no player's colour", colours)
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

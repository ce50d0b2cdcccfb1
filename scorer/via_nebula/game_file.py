"""Game files of Via Nebula, converted to and from plain files.

Boards may also be written as in any plain game, as `boards`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from scorer.datafile import DataFileError, Problem
from scorer.plain import PHOTO, PlainBoard, PlainFile, PlainGame, PlainPosition, Seat, Shown
from scorer.validation import (
    MOST,
    Count,
    Few,
    FileModel,
    Id,
    Ids,
    Name,
    among,
    at_most,
    seat_problems,
    unknown,
    validate,
)
from scorer.via_nebula.board import (
    BUILDING,
    GUILD,
    SITE,
    VALLEY,
    Element,
    Exploitation,
    ValleyPieces,
    guild_pieces,
    on_guild,
    pieces_on,
    valley_pieces,
)
from scorer.via_nebula.edition import (
    COLOURS,
    EDITIONS,
    MEADOW,
    PILES,
    RESOURCES,
    RUIN,
    SIDES,
    Edition,
)
from scorer.via_nebula.game import VIA_NEBULA

Goods = dict[Annotated[Id, among("no resource", RESOURCES)], Count]
Counts = Annotated[list[Count], at_most(MOST)]
YesOrNo = Annotated[bool, BeforeValidator(lambda own: own == 1 if own in (0, 1) else own)]
"""Accepts 0 and 1, as the question is asked as a number."""


class _Exploitation(FileModel):
    resource: Id = ""
    count: Count = 0
    craftsman: Id | None = None


class _Element(FileModel):
    what: Literal["site", "building"] = SITE
    colour: Id = ""
    resources: Goods = Field(default_factory=dict)


class _Player(FileModel):
    name: Name = ""
    colour: Id = ""
    piles: Counts | None = None
    storage: Goods | None = None
    tokens: Ids | None = None
    contracts: Ids | None = None
    token_points: Counts | None = None
    contract_points: Counts | None = None
    end_card: YesOrNo | None = None
    photo: str | None = None


class _File(FileModel):
    format: Annotated[int, Field(ge=1, le=1)] = 1
    game: Literal["via_nebula"] = "via_nebula"
    edition: Id = "standard"
    side: Annotated[Id, among("no side of the board", SIDES)] = SIDES[0]
    photo: str | None = None
    tiles: Ids | None = None
    tokens: Annotated[dict[Id, Id], Few] | None = None
    exploitations: Annotated[dict[Id, _Exploitation], Few] | None = None
    ruins: Annotated[dict[Id, Annotated[list[_Element], Few]], Few] | None = None
    collected: bool = False
    players: Annotated[list[_Player], at_most(len(COLOURS))] = Field(default_factory=list)


ON_VALLEY = ("tiles", "tokens", "exploitations", "ruins")
ANSWERS = ("colour", "tokens", "contracts", "token_points", "contract_points", "end_card")
ON_GUILD = ("piles", "storage")
"""Answers that override the photograph of a guild board."""


def read_game(data: object, board: PlainBoard = VALLEY, folder: Path | None = None) -> PlainFile:
    """The game of a file's data. Raise DataFileError with every mistake."""
    given = data if isinstance(data, Mapping) else {}
    file, problems = validate(_File, given)
    edition = EDITIONS.of_file(file.edition, problems)
    boards = given.get("boards")
    problems += [*_problems(file, edition), *(_unshown(file) if boards is None else [])]
    if problems:
        raise DataFileError(problems)
    seats = tuple(
        _seat(own, keep_guild=boards is not None or own.photo is not None) for own in file.players
    )
    keys = ("edition", "side", "collected")
    answers = {key: getattr(file, key) for key in keys if given.get(key) is not None}
    if boards is not None:
        instances = VIA_NEBULA.table.instances(len(seats))
        shown = (VIA_NEBULA.read_board(own.id, at, boards, own.standard) for own, at in instances)
        return PlainFile(seats, tuple(shown), answers)
    lies = None
    if file.photo is None or any(getattr(file, key) is not None for key in ON_VALLEY):
        lies = PlainPosition(VALLEY, valley_pieces(_valley_pieces(file)))
    valley = Shown(VALLEY.kind, None, lies, file.photo or "")
    guilds = (_guild(number, own) for number, own in enumerate(file.players))
    return PlainFile(seats, (valley, *guilds), answers)


def _seat(own: _Player, keep_guild: bool) -> Seat:
    keys = (*ANSWERS, *ON_GUILD) if keep_guild else ANSWERS
    answers = {key: value for key in keys if (value := getattr(own, key)) is not None}
    return Seat(own.name, answers)


def _guild(number: int, own: _Player) -> Shown:
    lies = None
    if own.piles is not None and (own.storage is not None or own.photo is None):
        lies = PlainPosition(GUILD, guild_pieces(own.piles, own.storage or {}))
    return Shown(GUILD.kind, number, lies, own.photo or "")


def _valley_pieces(file: _File) -> ValleyPieces:
    return ValleyPieces(
        frozenset(file.tiles or ()),
        file.tokens or {},
        {
            at: Exploitation(own.resource, own.count, own.craftsman or "")
            for at, own in (file.exploitations or {}).items()
        },
        {
            ruin: tuple(Element(own.what, own.colour, own.resources) for own in standing)
            for ruin, standing in (file.ruins or {}).items()
        },
    )


# problems


def _unshown(file: _File) -> Iterator[Problem]:
    for number, own in enumerate(file.players):
        if own.piles is None and own.photo is None:
            yield f"players[{number}].piles", "missing; or a `photo` of the guild board"


def _problems(file: _File, edition: Edition) -> Iterator[Problem]:
    """Problems that prevent reading the game, key by key."""
    yield from _valley_problems(file, edition)
    yield from seat_problems(file.players, COLOURS, fewest=2)
    for number, own in enumerate(file.players):
        yield from _player_problems(f"players[{number}]", own, edition)


def _valley_problems(file: _File, edition: Edition) -> Iterator[Problem]:
    valley = edition.valleys[SIDES[0]]  # meadows and ruins are the same on both sides
    meadows, ruins = valley.of(MEADOW), valley.of(RUIN)
    colours = [own.colour for own in file.players if own.colour in COLOURS]
    for number, at in enumerate(file.tiles or ()):
        yield from unknown(f"tiles[{number}]", at, "no hexagon", valley.spaces)
    for at, token in (file.tokens or {}).items():
        yield from unknown(f"tokens.{at}", at, "no meadow", meadows)
        yield from unknown(f"tokens.{at}", token, "no token", _ordinary(edition))
    for at, own in (file.exploitations or {}).items():
        key = f"exploitations.{at}"
        yield from unknown(key, at, "no meadow", meadows)
        yield from unknown(f"{key}.resource", own.resource, "no resource", RESOURCES)
        if own.craftsman is not None:
            yield from unknown(f"{key}.craftsman", own.craftsman, "nobody's colour", colours)
    for ruin, standing in (file.ruins or {}).items():
        yield from unknown(f"ruins.{ruin}", ruin, "no ruin", ruins)
        for number, element in enumerate(standing):
            key = f"ruins.{ruin}[{number}]"
            yield from unknown(f"{key}.colour", element.colour, "nobody's colour", colours)
            if element.what == BUILDING and element.resources:
                yield f"{key}.resources", "there are none on a building"


def _player_problems(key: str, own: _Player, edition: Edition) -> Iterator[Problem]:
    if own.piles is not None and len(own.piles) != PILES:
        yield f"{key}.piles", f"must be {PILES} piles, not {len(own.piles)}"
    for token in own.tokens or ():
        yield from unknown(f"{key}.tokens", token, "no token", _ordinary(edition))
    for card in own.contracts or ():
        yield from unknown(f"{key}.contracts", card, "no contract", (*edition.contracts,))
    for cards, points in (("tokens", "token_points"), ("contracts", "contract_points")):
        if getattr(own, cards) is not None and getattr(own, points) is not None:
            yield f"{key}.{points}", f"either these or `{cards}`"


def _ordinary(edition: Edition) -> tuple[str, ...]:
    return tuple(name for name, own in edition.tokens.items() if not own.special)


# writing


def write_game(game: PlainFile) -> dict[str, Any]:
    """The data of a file, as `read_game` reads it; as any plain game's where it needs `boards`."""
    plain = PlainGame.game_data(VIA_NEBULA, game)
    valley, *guilds = game.boards
    written = {**plain, "players": [dict(own) for own in plain["players"]]}
    del written["boards"]
    if valley.photo:
        written[PHOTO] = valley.photo
    if valley.lies is not None:
        written |= valley_data(pieces_on(valley.lies))
    for own, guild in zip(written["players"], guilds, strict=True):
        if guild.photo:
            own[PHOTO] = guild.photo
        if guild.lies is not None and not {*ON_GUILD} & own.keys():
            piles, storage = on_guild(guild.lies)
            own |= {"piles": list(piles), "storage": dict(storage)}
    try:
        again = read_game(written)
    except DataFileError:
        again = None
    alike = again is not None and again.seats == game.seats and _same(again.boards, game.boards)
    return written if alike else plain


def _same(some: Sequence[Shown], others: Sequence[Shown]) -> bool:
    return [replace(one, flags=()) for one in some] == [replace(one, flags=()) for one in others]


def valley_data(pieces: ValleyPieces) -> dict[str, Any]:
    """The contents of the valley, by the keys of a game file."""
    return {
        "tiles": sorted(pieces.tiles),
        "tokens": dict(pieces.tokens),
        "exploitations": {
            at: {
                "resource": own.resource,
                "count": own.count,
                "craftsman": own.craftsman or None,
            }
            for at, own in pieces.exploitations.items()
        },
        "ruins": {
            ruin: [
                {
                    "what": own.what,
                    "colour": own.colour,
                    **({"resources": dict(own.holds)} if own.holds else {}),
                }
                for own in standing
            ]
            for ruin, standing in pieces.ruins.items()
        },
    }

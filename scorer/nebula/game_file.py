"""Read game files. Imported only then, as pydantic is slow to import."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from scorer.datafile import DataFileError, Problem
from scorer.nebula.board import STANDARD_BOARD, GalaxyBoard
from scorer.nebula.card import Deck, of_deck
from scorer.nebula.edition import EDITIONS, Edition
from scorer.nebula.galaxy import Galaxy
from scorer.nebula.game import MOST_PLAYERS, SLOTS, Game, Marker, Mode, Player, Values
from scorer.nebula.result import CARDS_ON_TABLE, MARKERS_OF_A_PLAYER
from scorer.nebula.words import BLACK, COLOURS, CONSTELLATIONS, say
from scorer.sentence import Verbatim
from scorer.validation import (
    FileModel,
    FileName,
    Id,
    Name,
    among,
    at_most,
    invalid,
    on_board,
    validate,
    with_further,
)


def _card_of(deck: Deck) -> Callable[[str], str]:
    ids = (*of_deck(deck),)

    def check(value: str) -> str:
        if value in ids:
            return value
        raise invalid(f"{value} is not one of the {deck} cards {ids[0]} to {ids[-1]}")

    return check


Colour = Annotated[Id, among("no colour of a value token", COLOURS)]
Star = Annotated[Id, among("no colour of a star", (*COLOURS, BLACK), ", ".join(COLOURS))]
Constellation = Annotated[Id, among("no constellation", CONSTELLATIONS)]
Slot = Annotated[Id, among("no slot", SLOTS)]
Personal = Annotated[Id, AfterValidator(_card_of("personal"))]
Career = Annotated[Id, AfterValidator(_card_of("career"))]
Advanced = Annotated[Id, AfterValidator(_card_of("advanced"))]
SpaceId = Annotated[
    Id, on_board(GalaxyBoard, lambda board: board.spaces, "the board has no space {value}")
]
FOUR_CARDS = at_most(CARDS_ON_TABLE, "{most} cards lie on the table, not {count}")
SOME_PLAYERS = at_most(MOST_PLAYERS, "a game has 1 to {most} players, not {count}")
SOME = at_most(100)  # more than a board has spaces, or a deck cards


class _Values(FileModel):
    colours: Annotated[list[Colour], SOME] = Field(default_factory=list)
    constellations: Annotated[list[Constellation], SOME] = Field(default_factory=list)
    advanced: Annotated[list[Slot], SOME] = Field(default_factory=list)


class _Player(FileModel):
    name: Name = ""
    photo: FileName | None = None
    stars: Annotated[dict[SpaceId, Star] | None, SOME] = None
    black: Annotated[int, Field(ge=0, le=1000)] = 0
    personal: Personal | None = None
    career: Annotated[dict[Career, Marker] | None, SOME] = None


class _File(FileModel):
    format: Literal[1] = 1
    game: Literal["nebula"] = "nebula"
    mode: Mode = "full"
    edition: FileName = "standard"
    career: Annotated[list[Career], FOUR_CARDS] = Field(default_factory=list)
    advanced: Annotated[list[Advanced], FOUR_CARDS] = Field(default_factory=list)
    values: _Values | None = None
    players: Annotated[list[_Player], SOME_PLAYERS] = Field(default_factory=list)


def game_from_data(
    data: object, board: GalaxyBoard = STANDARD_BOARD, folder: Path | None = None
) -> Game:
    """The game of a game file's data. Raise DataFileError with every mistake in it.

    The owner's editions are looked for in `folder`, and only if one is given: data from the network
    must not make the program read files.
    """
    if not isinstance(data, Mapping):
        raise DataFileError([("", "a game file holds keys and values, such as `players`")])
    file, problems = validate(_File, data, board)
    edition = EDITIONS.of_file(file.edition, problems, folder).printed_on(board)
    values = file.values.model_dump().values() if file.values else None
    if problems := with_further(problems, _cross_checks(file, edition, data)):
        raise DataFileError(problems)
    return Game(
        players=tuple(_player(player, board) for player in file.players),
        mode=file.mode,
        career=tuple(file.career),
        advanced=tuple(file.advanced),
        values=None if values is None else Values(*map(tuple, values)),
        edition=edition,
        board=board,
    )


def _player(written: _Player, board: GalaxyBoard) -> Player:
    galaxy = None
    if written.stars is not None:
        galaxy = Galaxy(written.stars, written.black, board)
    return Player(written.name, galaxy, written.photo, written.personal, written.career)


def _cross_checks(file: _File, edition: Edition, data: Mapping[str, Any]) -> Iterator[Problem]:
    """Problems of the valid part of a file, given the data that it came from."""
    for key, cards in (("career", file.career), ("advanced", file.advanced)):
        yield from _repeated(key, cards)
    if file.values:
        for key, leaders in file.values.model_dump().items():
            yield from _repeated(f"values.{key}", leaders)
    if "players" not in data:
        yield "players", "missing"
    elif data["players"] == []:
        yield "players", f"a game has 1 to {MOST_PLAYERS} players, not 0"
    for place, player in enumerate(file.players):
        if isinstance(data["players"][place], Mapping):
            yield from _player_checks(place, player, edition, data)
    names = [player.name for player in file.players]
    for place, name in enumerate(names):
        if name and name in names[:place]:
            yield f"players[{place}].name", say("file_same_name", name=Verbatim(name))
    yield from _two_firsts(file)


def _repeated(key: str, names: list[str]) -> Iterator[Problem]:
    for name, times in Counter(names).items():
        if times > 1:
            yield key, say("file_repeated", name=name, times=times)


def _player_checks(
    place: int, player: _Player, edition: Edition, data: Mapping[str, Any]
) -> Iterator[Problem]:
    key, written, on_table = f"players[{place}]", data["players"][place], data.get("career", [])
    if "name" not in written:
        yield f"{key}.name", "missing"
    if written.get("stars") is None and written.get("photo") is None:
        yield key, "needs `stars`, or a `photo` to read them from"
    spaces = edition.track_spaces
    if player.black > spaces:
        yield f"{key}.black", say("file_track", black=player.black, spaces=spaces)
    is_known = isinstance(on_table, list) and len(on_table) <= CARDS_ON_TABLE
    for card in player.career or {}:
        if is_known and card not in on_table:
            yield f"{key}.career.{card}", say("file_not_on_table")
    if len(player.career or {}) > MARKERS_OF_A_PLAYER:
        markers = len(player.career or {})
        yield f"{key}.career", say("file_markers", most=MARKERS_OF_A_PLAYER, markers=markers)


def _two_firsts(file: _File) -> Iterator[Problem]:
    first: dict[str, str] = {}
    for place, player in enumerate(file.players):
        for card, marker in (player.career or {}).items():
            if marker == "first" and card in first:
                reason = say("file_two_firsts", name=Verbatim(first[card]))
                yield f"players[{place}].career.{card}", reason
            elif marker == "first":
                first[card] = player.name

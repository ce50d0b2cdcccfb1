"""Game files of Ptolemaeus, converted to and from plain files and positions.

The board may also be written as in any plain game, as `spaces` and `regions`.
"""

from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from scorer.datafile import DataFileError, Problem
from scorer.plain import PHOTO, PlainBoard, PlainFile, PlainPosition, Seat, Shown
from scorer.ptolemaeus.board import BOARD, held_on_board, pieces_on_board, sky_data
from scorer.ptolemaeus.edition import COMET, EDITIONS, PLANETS, PLAYERS, ZODIAC, Edition
from scorer.ptolemaeus.ephemeris import sky_of
from scorer.ptolemaeus.game import PTOLEMAEUS
from scorer.validation import (
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

Planet = Annotated[Id, among("no planet", PLANETS)]
Constellation = Annotated[Id, among("no constellation", ZODIAC)]
Somewhere = Annotated[Id, among("no constellation", ("", *ZODIAC), ", ".join(ZODIAC))]


class _Comet(FileModel):
    at: Somewhere = ""
    start: Somewhere = ""


class _Player(FileModel):
    name: Name = ""
    colour: Id = ""
    studied: Annotated[list[Planet], Few] | None = None
    asteroids: Count | None = None
    nova: Count | None = None
    secret: Id | Ids | None = None
    pieces: dict[Constellation, Count] | None = None


class _File(FileModel):
    format: Annotated[int, Field(ge=1, le=1)] = 1
    game: Literal["ptolemaeus"] = "ptolemaeus"
    edition: Id = "standard"
    date: Id | None = None
    photo: str | None = None
    planets: dict[Planet, Constellation] | None = None
    comet: _Comet | None = None
    asteroids: Annotated[list[Constellation], Few] | None = None
    claimed: Name | None = None
    players: Annotated[list[_Player], at_most(len(PLAYERS))] = Field(default_factory=list)
    spaces: dict[Id, Id] | None = None
    regions: dict[Id, dict[Id, Count]] | None = None


ANSWERS = ("colour", "secret", "nova")
ON_BOARD = ("studied", "asteroids", "pieces")
"""A player's answers, and keys that may come from a photograph instead."""


def read_game(data: object, board: PlainBoard = BOARD, folder: Path | None = None) -> PlainFile:
    """The game of a file's data. Raise DataFileError with every mistake."""
    given = data if isinstance(data, Mapping) else {}
    file, problems = validate(_File, given)
    problems += [*_problems(file, EDITIONS.of_file(file.edition, problems))]
    if problems:
        raise DataFileError(problems)
    seats = tuple(
        Seat(
            own.name,
            {
                key: value
                for key in (*ANSWERS, *ON_BOARD)
                if (value := getattr(own, key)) is not None
            },
        )
        for own in file.players
    )
    answers = {key: value for key in ("edition", "date", "claimed") if (value := given.get(key))}
    written = file.spaces is not None or file.regions is not None
    lies = None
    if written:
        try:
            own = {"spaces": file.spaces or {}, "regions": file.regions or {}}
            lies = PTOLEMAEUS.position_from_data(board, own)
        except ValueError as error:
            raise DataFileError([("regions", str(error))]) from None
    elif file.photo is None:
        lies = PlainPosition(BOARD, _pieces(file))
    shown = Shown("", None, lies, file.photo or "")
    return PlainFile(seats, (shown,), answers)


def _pieces(file: _File) -> dict[Any, str]:
    comet = file.comet or _Comet()
    areas = {
        own.colour: (own.pieces or {}, own.studied or (), own.asteroids or 0)
        for own in file.players
    }
    bodies = {**(file.planets or {}), COMET: comet.at}
    return pieces_on_board(bodies, comet.start, file.asteroids or (), areas)


def _problems(file: _File, edition: Edition) -> Iterator[Problem]:
    """Problems that prevent reading the game, key by key."""
    if file.date is not None:
        try:
            sky_of(date.fromisoformat(file.date))
        except ValueError as error:
            yield "date", f"must be a day such as 1969-07-20: {error}"
    names = [own.name for own in file.players]
    if file.claimed is not None:
        yield from unknown("claimed", file.claimed, "no player", names)
    yield from seat_problems(file.players, PLAYERS)
    for number, own in enumerate(file.players):
        yield from _player_problems(f"players[{number}]", own, edition)


def _player_problems(key: str, own: _Player, edition: Edition) -> Iterator[Problem]:
    if isinstance(own.secret, str):
        known = (*edition.secrets,)
        yield from unknown(f"{key}.secret", own.secret, "no secret objective", known)
    elif own.secret is not None:
        for planet in own.secret:
            yield from unknown(f"{key}.secret", planet, "no planet", PLANETS)
        if len({*own.secret}) != 3:
            yield f"{key}.secret", "must be a card, or three planets"


def write_game(game: PlainFile) -> dict[str, Any]:
    """The data of a file, as `read_game` reads it."""
    shown = game.boards[0]
    data: dict[str, Any] = {"format": 1, "game": "ptolemaeus", **game.answers}
    data["players"] = [{"name": seat.name, **seat.answers} for seat in game.seats]
    if shown.photo:
        data[PHOTO] = shown.photo
    if shown.lies is None:
        return data
    written = {**data, **sky_data(shown.lies)}
    written["players"] = [
        {"name": seat.name, **seat.answers, **held_on_board(seat, shown.lies)}
        for seat in game.seats
    ]
    if not shown.photo and read_game(written).boards == game.boards:
        return written
    spots = shown.lies.on("spot")
    regions = {plot: dict(own) for plot in BOARD.plots if (own := shown.lies.counted(plot))}
    return {**data, "spaces": spots, "regions": regions}

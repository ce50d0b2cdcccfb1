"""Our board: constellations as regions; asteroids, study areas and the turn track as spots."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from scorer.places import Place, in_region
from scorer.plain import PlainBoard, PlainPosition, Seat
from scorer.ptolemaeus.edition import COMET, PLANETS, PLAYERS, ZODIAC

ASTEROID, START, TURN = "asteroid", "start", "turn"
"""Pieces besides players' and bodies: asteroids, the comet's start, the turn marker."""
TURN_TRACK = ("turn_1", "turn_2", "turn_3")


def asteroid_space(constellation: str) -> str:
    """The space of a constellation's asteroid (T6)."""
    return f"asteroid_{constellation}"


def study_space(colour: str, planet: str) -> str:
    """A planet's space in a player's study area (T7)."""
    return f"{colour}_{planet}"


def tray(colour: str) -> str:
    """The region for the asteroids of a player."""
    return f"{colour}_asteroids"


BOARD = PlainBoard(
    (
        *map(asteroid_space, ZODIAC),
        *(study_space(colour, planet) for colour in PLAYERS for planet in PLANETS),
        *TURN_TRACK,
    ),
    (),
    plots=(*ZODIAC, *map(tray, PLAYERS)),
)
Area = tuple[Mapping[str, int], Iterable[str], int]
"""A player's pieces by constellation, the planets studied, and the number of asteroids taken."""


def pieces_on_board(
    bodies: Mapping[str, str],
    start: str,
    asteroids: Collection[str],
    areas: Mapping[str, Area],
    turn: int = 0,
) -> dict[Place, str]:
    """The pieces on the board, given `areas` by colour; `start` is "" if unknown."""
    placed: dict[Place, str] = {}
    for at in ZODIAC:
        held = {body: 1 for body, where in bodies.items() if where == at}
        held |= {colour: pieces.get(at, 0) for colour, (pieces, _, _) in areas.items()}
        placed |= in_region(at, {**held, **({START: 1} if start == at else {})})
    placed |= {Place(asteroid_space(at)): ASTEROID for at in ZODIAC if at in asteroids}
    for colour, (_pieces, studied, taken) in areas.items():
        placed |= {Place(study_space(colour, planet)): colour for planet in studied}
        placed |= in_region(tray(colour), {ASTEROID: taken})
    return placed | ({Place(TURN_TRACK[turn - 1]): TURN} if turn else {})


def held_on_board(seat: Seat, lies: PlainPosition) -> dict[str, Any]:
    """What a player has on the board, by the game file, otherwise by the position."""
    colour = seat.answers["colour"]
    on = lies.on("spot")
    read = {
        "studied": [planet for planet in PLANETS if on.get(study_space(colour, planet)) == colour],
        "asteroids": lies.counted(tray(colour))[ASTEROID],
        "pieces": {at: n for at in ZODIAC if (n := lies.counted(at)[colour])},
    }
    return {key: seat.answers.get(key, own) for key, own in read.items()}


def sky_data(lies: PlainPosition) -> dict[str, Any]:
    """The planets, comet and asteroids of a board, by the keys of a game file."""
    where = {piece: at for at in ZODIAC for piece in lies.counted(at)}
    comet = {"at": where.get(COMET, ""), "start": where.get(START, "")}
    on = lies.on("spot")
    return {
        "planets": {planet: where[planet] for planet in PLANETS if planet in where},
        "comet": {key: at for key, at in comet.items() if at},
        "asteroids": [at for at in ZODIAC if asteroid_space(at) in on],
    }

"""Tables of Via Nebula for tests: a game that is laid out, and then changed."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from scorer.datafile import parse_yaml
from scorer.via_nebula.board import SITE, Element, Exploitation, ValleyPieces
from scorer.via_nebula.edition import MEADOW, STANDARD
from scorer.via_nebula.state import Action, State
from scorer.via_nebula.turns import TURNS
from tests.scorer.lines_of_turns import Lines

LINES = Lines(TURNS)
did, why_not, legal = LINES.did, LINES.why_not, LINES.legal


def table(
    players: int = 4,
    tokens: Mapping[str, str] | None = None,
    exploitations: Mapping[str, tuple[Any, ...]] | None = None,
    ruins: Mapping[str, tuple[Element, ...]] | None = None,
    tiles: str = "",
    open: str = "N1 N2 N3 N11",
) -> State:
    """A first turn of which the valley is told; the seats are blue, black, white, red."""
    state = TURNS.start({"players": players})
    pieces = ValleyPieces(
        frozenset(tiles.split()),
        tokens or {},
        {at: Exploitation(*own) for at, own in (exploitations or {}).items()},
        ruins or {},
    )
    state = replace(
        state, ready=True, boxed="food-special", open=tuple(open.split()), pieces=pieces
    )
    for number, seat in enumerate(state.seats):
        hand = (f"X{2 * number + 1}", f"X{2 * number + 2}")
        sites = len(pieces.sites(seat.colour))
        owned = [own for own in pieces.exploitations.values() if own.craftsman == seat.colour]
        built = [
            own
            for _at, own in pieces.elements()
            if (own.what, own.colour) == ("building", seat.colour)
        ]
        state = state.with_seat(
            number,
            hand=hand,
            sites=seat.sites - sites,
            craftsmen=seat.craftsmen - len(owned),
            buildings=seat.buildings - len(built),
        )
    return state


def site(colour: str, **holds: int) -> Element:
    """A building site with resources."""
    return Element(SITE, colour, holds)


def played_at_random(players: int, seed: int, **set_up: str) -> list[tuple[State, Action | None]]:
    """A whole game: each state with what was done in it; with the last one nothing."""
    luck = Random(f"{players}/{seed}")
    state = TURNS.start({"players": players, **set_up})
    found: list[tuple[State, Action | None]] = []
    while not state.over:
        action = TURNS.drawn(state, luck) or luck.choice(TURNS.actions(state))
        found.append((state, action))
        state = TURNS.after(state, action)
    return [*found, (state, None)]


def layout() -> dict[str, Any]:
    """The printed valley as a layout file has it."""
    path = Path("calibration/profiles/via_nebula/standard/layout.yaml")
    return parse_yaml((Path(__file__).parents[2] / path).read_text(encoding="utf-8"))


MEADOWS = STANDARD.valleys["standard"].of(MEADOW)

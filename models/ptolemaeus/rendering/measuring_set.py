"""Labelled photographs of printed zodiacs at the end of a game, to measure a reader on.

python -m models.ptolemaeus.rendering.measuring_set --out DIR --count 20
"""

from __future__ import annotations

import random
from collections.abc import Mapping

from calibration.ptolemaeus.solids import HEIGHT_MM, SIDE_MM, top
from models.rendering.printed_games import Make, PrintedGame, command
from scorer.game import Piece
from scorer.places import Place
from scorer.ptolemaeus.game import BODIES
from scorer.ptolemaeus.turns import TURNS

KITS = ("paper", "solids", "wood", "solids", "wood")
"""In turn: discs of paper; folded bodies; those with wooden discs as the players' pieces."""
WOOD_MM = 4.0


def make(kit: str, piece: Piece) -> Make:
    """How a kit has a piece."""
    if kit != "paper" and piece.id in BODIES:
        return Make(HEIGHT_MM, SIDE_MM, top)
    return Make(WOOD_MM, painted=True) if kit == "wood" and piece.owner else Make()


def end_state(rng: random.Random) -> Mapping[Place, str]:
    """What lies on the board at the end of a random game."""
    state = TURNS.dealt(TURNS.start({"players": rng.choice((2, 3, 4))}), rng)
    while actions := TURNS.actions(state):
        state = TURNS.dealt(TURNS.after(state, rng.choice(actions)), rng)
    return dict(TURNS.positions(state)[0].pieces)


ZODIAC = PrintedGame("ptolemaeus/standard", KITS, make, end_state)

if __name__ == "__main__":
    command(ZODIAC, __doc__)

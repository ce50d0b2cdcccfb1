"""Labelled photographs of printed valleys in the course of a game, to measure a reader on.

python -m models.via_nebula.rendering.measuring_set --out DIR --count 20 [--kits folded wood]
"""

import random
from collections.abc import Mapping

from calibration.via_nebula.solids import BOXES_MM, net
from models.rendering.printed_games import Make, PrintedGame, command
from models.via_nebula.hands import lay
from scorer.places import Place
from scorer.table import Piece
from scorer.via_nebula.board import CRAFTSMAN, TILE
from scorer.via_nebula.edition import RESOURCES
from scorer.via_nebula.game import VIA_NEBULA
from scorer.via_nebula.state import State
from scorer.via_nebula.turns import TURNS

CUBE_MM, CRAFTSMAN_MM = 8.0, 6.0
"""The height of cubes, and of the discs that stand for craftsmen."""
KITS = ("paper", "folded", "wood", "plastic")
"""Paper discs; elements folded into boxes; wooden or plastic resources and elements."""
SIZES = {piece.id: piece.diameter_mm or 0.0 for piece in VIA_NEBULA.pieces}


def make(kit: str, piece: Piece) -> Make:
    """How a kit makes a piece; tiles and tokens are always paper."""
    if piece.id == TILE:
        return Make(corners=6)
    what = piece.id.partition("_")[0]
    if kit == "paper" or not (piece.owner or piece.id in RESOURCES):
        return Make()
    if kit == "folded":
        return Make(BOXES_MM[what][1], BOXES_MM[what][0], net) if piece.owner else Make()
    if what == CRAFTSMAN:
        return Make(CRAFTSMAN_MM, painted=True, material=kit)
    side, height = BOXES_MM.get(what, (CUBE_MM, CUBE_MM))
    return Make(height, side, painted=True, material=kit)


def played_moment(rng: random.Random) -> State:
    """A random moment of a random game; the end in two games of five."""
    state = TURNS.start({"players": rng.choice((2, 3, 4))})
    moments = [state]
    while not state.over:
        action = TURNS.drawn(state, rng) or rng.choice(TURNS.actions(state))
        state = TURNS.after(state, action)
        moments += [state] if state.ready else []
    return state if rng.random() < 0.4 else rng.choice(moments[1:])


def moment(rng: random.Random) -> Mapping[Place, str]:
    """The pieces in the valley at such a moment, largest first.

    Smaller ones are put on top of larger ones if there is no room.
    """
    lying = TURNS.positions(played_moment(rng))[0].pieces
    return dict(sorted(lying.items(), key=lambda one: -SIZES[one[1]]))


VALLEY = PrintedGame("via_nebula/standard", KITS, make, moment, lay, 2.4)

if __name__ == "__main__":
    command(VALLEY, __doc__)

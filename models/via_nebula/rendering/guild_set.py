"""Labelled photographs of printed guild boards in the course of a game, to measure a reader on.

python -m models.via_nebula.rendering.guild_set --out DIR --count 8
"""

import random
from collections.abc import Mapping

from calibration import Profile
from models.rendering.printed_games import PrintedGame, command
from models.via_nebula.hands import lay
from models.via_nebula.rendering.measuring_set import make, played_moment
from scorer.places import Place, Point
from scorer.via_nebula.board import TILE
from scorer.via_nebula.turns import TURNS

KITS = ("paper", "wood", "plastic")
_ASKEW_MM = 0.8
"""Standard deviation of a tile's offset from the one below it in a pile."""


def moment(rng: random.Random) -> Mapping[Place, str]:
    """The pieces on a player's board at a random moment of a random game."""
    state = played_moment(rng)
    return rng.choice(TURNS.positions(state)[1:]).pieces


def lay_guild(
    rng: random.Random, profile: Profile, pieces: Mapping[Place, str]
) -> dict[Place, Point]:
    """The positions of pieces: tiles of a pile on top of each other, the rest side by side."""
    first = {at: one for at, one in pieces.items() if one != TILE or at.slot == 0}
    spots = lay(rng, profile, first)
    below = {at.whole: own for at, own in spots.items()}
    return {
        at: spots.get(at)
        or (rng.gauss(below[at.whole][0], _ASKEW_MM), rng.gauss(below[at.whole][1], _ASKEW_MM))
        for at in pieces
    }


GUILD_BOARD = PrintedGame("via_nebula/standard-guild", KITS, make, moment, lay_guild, 1.5)

if __name__ == "__main__":
    command(GUILD_BOARD, __doc__)

"""Labelled photographs of printed zodiacs at the end of a game, to measure a reader on.

python -m models.ptolemaeus.rendering.measuring_set --out DIR --count 20 [--bumped 0.5]
"""

import math
import random
from collections import Counter
from collections.abc import Mapping

import numpy as np

from calibration import Profile
from calibration.drawing import Point
from calibration.ptolemaeus.solids import HEIGHT_MM, SIDE_MM, net
from models.rendering.printed_games import Make, PrintedGame, command
from models.synthesis.position import region_spots
from scorer.places import Place, inside
from scorer.ptolemaeus.board import tray
from scorer.ptolemaeus.edition import PLAYERS
from scorer.ptolemaeus.game import BODIES
from scorer.ptolemaeus.turns import TURNS
from scorer.table import Piece

KITS = ("paper", "solids", "wood", "solids", "wood")
"""The kits in turn: paper discs; folded bodies; folded bodies with wooden players' pieces."""
WOOD_MM = 4.0
HEAPED, APART_MM = 0.5, (1.0, 7.0)
"""The share of trays with a heap of asteroids, and the distance of each from an earlier one."""


def make(kit: str, piece: Piece) -> Make:
    if kit != "paper" and piece.id in BODIES:
        return Make(HEIGHT_MM, SIDE_MM, net=net)
    return Make(WOOD_MM, painted=True) if kit == "wood" and piece.owner else Make()


def end_state(rng: random.Random) -> Mapping[Place, str]:
    """The pieces on the board at the end of a random game."""
    state = TURNS.dealt(TURNS.start({"players": rng.choice((2, 3, 4))}), rng)
    while actions := TURNS.actions(state):
        state = TURNS.dealt(TURNS.after(state, rng.choice(actions)), rng)
    return dict(TURNS.positions(state)[0].pieces)


def lay(rng: random.Random, profile: Profile, pieces: Mapping[Place, str]) -> Mapping[Place, Point]:
    """The positions of pieces in regions, in mm: side by side, except for heaps of asteroids."""
    held = Counter(place.whole for place in pieces if place.kind == "region")
    numbers, trays = np.random.default_rng(rng.randrange(2**32)), {*map(tray, PLAYERS)}
    at = dict[Place, Point]()
    for region, many in sorted(held.items()):
        spots = region_spots(numbers, profile, region, many)[:many]
        if region.id in trays and rng.random() < HEAPED:
            spots = spots[:1]
            while len(spots) < many:
                (x, y), away = rng.choice(spots), rng.uniform(*APART_MM)
                way = rng.uniform(0, math.tau)
                spot = x + away * math.cos(way), y + away * math.sin(way)
                if inside(profile.places[region], spot):
                    spots.append(spot)
        at |= {Place(region.id, "region", slot): spot for slot, spot in enumerate(spots)}
    return at


ZODIAC = PrintedGame("ptolemaeus/standard", KITS, make, end_state, lay)

if __name__ == "__main__":
    command(ZODIAC, __doc__)

"""Pieces on a rendered guild board."""

import random
from itertools import combinations
from math import dist

from calibration import load_profile
from models.via_nebula.rendering.guild_set import lay_guild
from scorer.places import Place
from scorer.via_nebula.board import TILE


def test_tiles_of_a_pile_lie_on_each_other_and_resources_side_by_side() -> None:
    pile = [Place("pile_1", "region", slot) for slot in range(3)]
    storage = [Place("storage", "region", slot) for slot in range(4)]
    pieces = {**dict.fromkeys(pile, TILE), **dict.fromkeys(storage, "wood")}
    profile = load_profile("via_nebula/standard-guild")
    at = lay_guild(random.Random(5), profile, pieces)
    assert all(dist(at[one], at[pile[0]]) < 6 for one in pile)
    assert all(dist(at[one], at[other]) > 8 for one, other in combinations(storage, 2))
    assert all(dist(at[one], at[pile[0]]) > 8 for one in storage)

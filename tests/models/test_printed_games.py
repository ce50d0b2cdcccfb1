"""Printed games on the table: boxes that a hand bumped into, pieces that lie on one another."""

from pathlib import Path
from random import Random

import pytest

from calibration import load_profile
from models.ptolemaeus.rendering.measuring_set import lay
from models.rendering.kits import load_sets
from models.rendering.printed_games import bumped
from models.rendering.random_scenes import across_regions
from models.rendering.scene import PlacedPiece, TokenSet
from scorer.places import Bar, Place

BOX = TokenSet(bar=(15, 15), height=12, folded=True, faces={"sol": Path("sol.png")})
DISC = TokenSet(points=0, radius=5, height=4, paints={"red": "#d03030"})
TOKENS = TokenSet(others={"sol": BOX, "red": DISC})


def test_a_piece_that_reaches_over_others_lies_on_the_highest() -> None:
    pieces = [PlacedPiece("red", at) for at in ((0, 0), (3, 0), (6, 0), (30, 0))]
    assert [one.up for one in bumped(Random(1), pieces, TOKENS, 1.0)] == [0, 4, 8, 0]


def test_a_piece_on_one_of_another_region_hides_both_places() -> None:
    lying = (("F6", 0, 0), ("F6", 3, 0), ("F6b", 30, 0), ("F6", 33, 0), ("F6b", 60, 0))
    places = [Place(region, "region") for region, *_ in lying]
    pieces = [PlacedPiece("red", (x, y)) for _, x, y in lying]
    placed = [*bumped(Random(1), pieces, TOKENS, 0.0)]
    assert {*across_regions(places, placed)} == {2, 3}


def test_only_boxes_lean_and_some_lie_on_a_side() -> None:
    pieces = [PlacedPiece(one, (40.0 * n, 0)) for n, one in enumerate(["sol"] * 20 + ["red"] * 5)]
    leans = [one.lean for one in bumped(Random(1), pieces, TOKENS, 1.0)]
    assert all(leans[:20]) and not any(leans[20:])
    assert {one == 90 for one in leans[:20]} == {True, False}
    assert not any(one.lean for one in bumped(Random(1), pieces, TOKENS, 0.0))


def test_asteroids_of_a_heap_lie_on_one_another() -> None:
    profile = load_profile("ptolemaeus/standard")
    tray = [Place("red_asteroids", "region", slot) for slot in range(4)]
    lying = (lay(Random(seed), profile, dict.fromkeys(tray, "asteroid")) for seed in range(9))
    wide = [max(at[one][0] for one in tray) - min(at[one][0] for one in tray) for at in lying]
    assert min(wide) < 10 < max(wide), "in a heap, or beside one another"


def test_fitted_pieces_are_shares_of_the_boards_places(tmp_path: Path) -> None:
    profile = load_profile("polaris/standard")
    kit = load_sets("models.polaris.rendering")["stars"]
    fitted = kit.tokens_for(profile, {}, tmp_path)
    smallest = min(space.radius for space in profile.spaces.values())
    bar = next(shape for shape in profile.places.values() if isinstance(shape, Bar))
    assert fitted.radius == pytest.approx(0.97 * smallest)
    link = fitted.others["link"].bar
    assert link == pytest.approx((0.96 * bar.size[0], 0.85 * bar.size[1]))
    with pytest.raises(ValueError, match="no bars"):
        kit.tokens_for(load_profile("standard"), {}, tmp_path)

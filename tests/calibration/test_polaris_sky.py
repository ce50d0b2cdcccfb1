"""The printed night sky: where the specification has everything, and one drawing for all."""

import math
from collections import Counter
from collections.abc import Callable

import cv2
import numpy as np
import pytest

from calibration import PX_PER_MM, Profile, ProfileError, draw_board
from calibration.layout import layout_from_data
from calibration.polaris.artwork import DIAMETER_MM, LINK_MM, disc_radius, token_set
from scorer.places import Bar, Place
from scorer.polaris.printed import frame_radii

ORBITS = (70, 95, 120, 145)


@pytest.fixture(scope="module")
def drawn(sky: Profile) -> np.ndarray:
    return draw_board(sky)


def test_spaces_lie_on_spokes_and_orbits(sky: Profile) -> None:
    assert sky.size_mm == (360, 360) and len(sky.spaces) == 81
    assert sky.spaces["polaris"].at == (180, 180) and sky.spaces["polaris"].radius == 12
    spokes = [f"{sector}{spoke}" for sector in range(1, 6) for spoke in "abcr"]
    for k, spoke in enumerate(spokes):
        turn = math.radians(18 * (k - 1))
        for orbit, radius in enumerate(ORBITS, start=1):
            at = (180 + radius * math.sin(turn), 180 - radius * math.cos(turn))
            space = sky.spaces[f"{spoke}{orbit}"]
            assert space.at == pytest.approx(at, abs=0.006) and space.radius == 6


def test_link_spaces_are_bars_in_the_middle_along_their_line(sky: Profile) -> None:
    bars = {place.id: bar for place, bar in sky.places.items() if isinstance(bar, Bar)}
    assert len(bars) == 145 and {bar.size for bar in bars.values()} == {(9, 5)}
    for name, link in sky.board.link_spaces.items():
        (x0, y0), (x1, y1) = sky.spaces[link.a].at, sky.spaces[link.b].at
        assert bars[name].at == pytest.approx(((x0 + x1) / 2, (y0 + y1) / 2))
        along = math.degrees(math.atan2(y1 - y0, x1 - x0))
        assert (bars[name].turn - along) % 180 == pytest.approx(0, abs=1e-6)
    assert bars["polaris-1b1"].at == pytest.approx((180, 145))


def test_the_frame_is_a_ring_with_a_region_for_each_sector(sky: Profile) -> None:
    assert frame_radii(sky.places) == (160, 178) and disc_radius(sky.layout) == 158
    for sector in range(1, 6):
        turn = math.radians(72 * (sector - 1))
        at = (180 + 169 * math.sin(turn), 180 - 169 * math.cos(turn))
        region = sky.places[Place(str(sector), "dial")]
        assert region.at == pytest.approx(at, abs=0.01) and region.radius == pytest.approx(9)


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        ({"inner": 150, "outer": 178}, "spaces.1b4: overlaps frame.1"),
        ({"inner": 170, "outer": 160}, "more than 170"),
        ({"inner": 160}, "frame.outer"),
        ({"inner": 165, "outer": 190}, "reaches over"),
        ([160, 178], "must be {inner: radius, outer: radius}"),
    ],
)
def test_a_wrong_frame_is_refused_with_a_reason(sky: Profile, frame: object, message: str) -> None:
    with pytest.raises(ProfileError, match=message):
        layout_from_data({**sky.layout.to_data(), "frame": frame})


def test_a_sky_without_a_frame_is_a_sky(sky: Profile) -> None:
    data = sky.layout.to_data()
    assert layout_from_data(data).places == sky.places
    del data["frame"]
    bare = layout_from_data(data)
    assert {place.kind for place in bare.places} == {"spot", "edge"}
    assert "frame" not in bare.to_data()
    assert disc_radius(bare) == pytest.approx(158, abs=0.01)


def test_reference_is_the_drawing(
    sky: Profile, drawn: np.ndarray, same_picture: Callable[..., None]
) -> None:
    """If this fails after a change of the artwork, run `python -m calibration`."""
    assert sky.reference is not None
    same_picture(sky.reference, drawn, 0.5)


def test_no_turn_looks_alike(drawn: np.ndarray) -> None:
    """A finder has to tell which way is up, and the wheel is the same five times around."""
    small = cv2.resize(cv2.cvtColor(drawn, cv2.COLOR_BGR2GRAY), (360, 360)).astype(float)
    off = np.abs(np.mgrid[:360, :360] - 179.5)
    corners = (np.hypot(*off) > 181) & (off < 173).all(axis=0)  # but for the border
    for turns in (1, 2, 3):
        turned = np.rot90(small, turns)
        assert np.corrcoef(small[corners], turned[corners])[0, 1] < 0.5


def test_kinds_of_spaces_look_different(sky: Profile, drawn: np.ndarray) -> None:
    """Their rims, seen from as far as a camera sees them."""
    board = sky.board
    kinds: dict[str, list[np.ndarray]] = {}
    for name in board.star_spaces:
        space = sky.spaces[name]
        kind = "starred" if name in board.starred else board.kind_of(name)
        turns = np.linspace(0, 2 * np.pi, 60)
        rim = np.array(space.at) + (space.radius - 0.35) * np.c_[np.sin(turns), np.cos(turns)]
        x, y = np.clip((rim * PX_PER_MM).astype(int), 0, 1439).T
        kinds.setdefault(kind, []).append(drawn[y, x].mean(axis=0))
    assert {kind: len(seen) for kind, seen in kinds.items()} == {
        "plain": 40,
        "red": 20,
        "white": 10,
        "starred": 10,
    }
    middles = {kind: np.mean(seen, axis=0) for kind, seen in kinds.items()}
    for kind, seen in kinds.items():
        for one in seen:
            off = {other: np.linalg.norm(one - middle) for other, middle in middles.items()}
            assert min(off, key=off.__getitem__) == kind


def test_pieces_to_cut_out_are_those_of_a_game_and_fit(sky: Profile) -> None:
    stars = dict.fromkeys(("red", "yellow", "blue", "purple"), 35)
    assert Counter(token_set()) == {**stars, "neutral": 10, "link": 80}
    assert 2 * sky.spaces["1a1"].radius > DIAMETER_MM > 10
    assert LINK_MM[0] < 9 and LINK_MM[1] < 5

"""Marks are rendered where and as large as they are described."""

import math

import numpy as np
import pytest

from calibration.drawing import Drawing, Fill, Stroke, arc, dashes, disc, rasterise, strokes
from calibration.lettering import lettering
from calibration.nebula.symbols import SYMBOLS


def covered_mm2(*marks: Fill | Stroke, px_per_mm: float = 4) -> float:
    ground = Fill((((0, 0), (40, 0), (40, 30), (0, 30)),), "#000000")
    image = rasterise(Drawing((40, 30), (ground, *marks)), px_per_mm)
    assert image.shape == (30 * px_per_mm, 40 * px_per_mm, 3)
    return float(image[..., 1].sum() / 255 / px_per_mm**2)


@pytest.mark.parametrize("px_per_mm", [2, 4, 7])
def test_disc_covers_its_area(px_per_mm: float) -> None:
    area = covered_mm2(disc((20, 15), 8, "#ffffff"), px_per_mm=px_per_mm)
    assert area == pytest.approx(math.pi * 64, rel=0.03)


def test_stroke_is_as_wide_as_its_pen() -> None:
    line = Stroke((((5, 15), (35, 15)),), "#ffffff", 0.75)
    assert covered_mm2(line) == pytest.approx(30 * 0.75, rel=0.08)


def test_disc_lies_about_its_centre() -> None:
    image = rasterise(Drawing((40, 30), (disc((12.3, 9.7), 5, "#ffffff"),)), 4)[..., 0]
    ys, xs = np.mgrid[0:120, 0:160]
    weights = image / image.sum()
    assert ((xs + 0.5) * weights).sum() / 4 == pytest.approx(12.3, abs=0.03)
    assert ((ys + 0.5) * weights).sum() / 4 == pytest.approx(9.7, abs=0.03)


def test_opacity_mixes() -> None:
    assert covered_mm2(disc((20, 15), 8, "#ffffff", 0.5)) == pytest.approx(math.pi * 32, rel=0.03)


def test_colours_are_bgr_in_pixels() -> None:
    image = rasterise(Drawing((10, 10), (disc((5, 5), 4, "#ff8000"),)), 4)
    assert image[20, 20].tolist() == [0, 128, 255]


def test_mark_beyond_the_sheet_is_cut_off() -> None:
    assert covered_mm2(disc((0, 0), 8, "#ffffff")) == pytest.approx(math.pi * 16, rel=0.03)
    assert covered_mm2(disc((-50, 0), 8, "#ffffff")) == 0


def test_dashes_begin_and_end_with_a_whole_one() -> None:
    cut = dashes(((0, 0), (30, 0)), 3.2, 2.2)
    assert cut[0][0] == (0, 0)
    assert cut[-1][1] == pytest.approx((30, 0))
    lengths = [math.dist(*dash) for dash in cut]
    assert lengths == pytest.approx([lengths[0]] * len(cut))
    assert len(cut) == 6


def test_arc_runs_clockwise_on_the_board() -> None:
    line = arc((0, 0), 2, 2, 0, 90)
    assert line[0] == (2, 0)
    assert line[-1] == pytest.approx((0, 2))


def test_path_of_strokes() -> None:
    assert strokes("M 0 0 L 1 2 M 3 3 L 4 4") == (((0, 0), (1, 2)), ((3, 3), (4, 4)))


@pytest.mark.parametrize("name", sorted(SYMBOLS))
def test_symbols_fill_their_box(name: str) -> None:
    points = np.array([point for line in SYMBOLS[name] for point in line])
    assert np.abs(points).max() <= 1.1
    assert np.ptp(points, axis=0).min() > 1.2


@pytest.mark.parametrize("character", "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
def test_every_letter_is_as_high_as_asked(character: str) -> None:
    mark = lettering(character, (50, 20), 7, "#ffffff")
    assert isinstance(mark, Stroke)
    ys = [y for line in mark.lines for _, y in line]
    assert min(ys) == pytest.approx(16.5, abs=0.15)
    assert max(ys) == pytest.approx(23.5, abs=0.25)

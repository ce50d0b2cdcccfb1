import numpy as np
import pytest

from vision.decode import EMPTY
from vision.detect import CLASSES
from vision.network import weights
from vision.palette import Palette, fitted_palette, judge_together, star_colours

ORANGE, YELLOW = CLASSES.index("orange"), CLASSES.index("yellow")


@pytest.fixture(scope="module")
def palette() -> Palette:
    return fitted_palette(weights())


def odds(**likely: float) -> np.ndarray:
    """(8,) log odds, -6 but for the colours given."""
    z = np.full(8, -6.0)
    for star, value in likely.items():
        z[CLASSES.index(star)] = value
    return z


def test_the_prior_knows_which_colour_is_which(palette: Palette) -> None:
    """Around the hue circle as in the rainbow; black and white in its middle."""
    around = np.degrees(np.arctan2(*palette.mean.T[::-1]))
    rainbow = [around[CLASSES.index(c)] for c in ("blue", "purple", "red", "orange", "yellow")]
    assert rainbow == sorted(rainbow)
    dull = [np.hypot(*palette.mean[CLASSES.index(c)]) for c in ("white", "black")]
    assert max(dull) < 0.2 < np.hypot(*palette.mean[YELLOW])
    np.linalg.cholesky(palette.covariance)
    np.linalg.cholesky(palette.within)


def test_a_golden_star_beside_orange_ones_is_yellow(palette: Palette) -> None:
    """The rulebooks' colours are told apart side by side; so are these."""
    orange, golden = np.array([0.88, 0.25]), np.array([0.62, 0.55])
    z = np.array([odds(orange=5)] * 4 + [odds(orange=0.4, yellow=0.0)])
    before = z[-1]
    after = judge_together(z, np.array([orange] * 4 + [golden]), palette)[-1]
    assert before[ORANGE] > before[YELLOW]
    assert after[YELLOW] > after[ORANGE]


def test_what_the_detector_is_sure_of_stays(palette: Palette) -> None:
    z = np.array([odds(blue=8)] * 3 + [odds(red=7)])
    white = np.array([0.0, 0.0])
    judged = judge_together(z, np.array([[-0.7, -0.4]] * 3 + [white]), palette)
    assert judged.argmax(axis=1).tolist() == z.argmax(axis=1).tolist()


def test_how_likely_there_is_a_star_at_all_is_not_touched(palette: Palette) -> None:
    rng = np.random.default_rng(0)
    z, colours = rng.normal(0, 3, (35, 8)), rng.normal(0, 0.5, (35, 2))
    judged = judge_together(z, colours, palette)

    def mass(odds: np.ndarray) -> np.ndarray:
        return np.log(np.exp(odds[:, :EMPTY]).sum(axis=1))

    assert mass(judged) == pytest.approx(mass(z))
    assert (judged[:, EMPTY] == z[:, EMPTY]).all()


def test_colours_do_not_depend_on_how_bright_they_are() -> None:
    picture = np.zeros((60, 60, 3), np.uint8)
    picture[:30], picture[30:] = (40, 120, 240), (20, 60, 120)
    bright, dim = star_colours(picture, np.array([[30.0, 15], [30, 45]]))
    assert bright == pytest.approx(dim, abs=0.1)
    assert bright[0] > 0.5 and 0 < bright[1] < 0.75  # between red and yellow


def test_a_mirrored_ceiling_leaves_the_hue() -> None:
    picture = np.zeros((60, 60, 3), np.uint8)
    picture[:30], picture[30:] = (20, 110, 230), (125, 170, 230)
    plain, pastel = star_colours(picture, np.array([[30.0, 15], [30, 45]]))
    assert np.arctan2(*plain) == pytest.approx(np.arctan2(*pastel), abs=0.05)
    assert np.hypot(*pastel) < np.hypot(*plain)


def test_a_star_at_the_very_edge_has_a_colour() -> None:
    assert np.isfinite(
        star_colours(np.full((40, 40, 3), 99, np.uint8), np.array([[0.0, 39]]))
    ).all()

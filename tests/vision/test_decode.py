import numpy as np
import pytest

from scorer.nebula import STANDARD_BOARD
from vision.decode import (
    EMPTY,
    Belief,
    RuleCosts,
    decode_galaxy,
    decode_track,
)
from vision.detect import CLASSES

PLACES = 10


def odds_for(star: str | None, strength: float = 6.0, **others: float) -> np.ndarray:
    """(8,) log odds that favour one hypothesis."""
    z = np.full(8, -strength)
    z[EMPTY if star is None else CLASSES.index(star)] = strength
    for name, value in others.items():
        z[CLASSES.index(name)] = value
    return z


def galaxy(**stars: np.ndarray) -> dict[str, np.ndarray]:
    """Odds for the whole board: empty but for the spaces given."""
    return {space: stars.get(space, odds_for(None)) for space in STANDARD_BOARD.spaces}


def test_what_is_plainly_there_is_read_even_when_it_breaks_a_rule() -> None:
    beliefs = decode_galaxy(galaxy(core=odds_for("red"), ar1=odds_for("red")), STANDARD_BOARD)
    assert beliefs["core"].star == beliefs["ar1"].star == "red"


def test_a_tie_is_settled_by_the_rules() -> None:
    doubtful = odds_for(None, 3.0, red=3.0, orange=2.9)
    doubtful[EMPTY] = -3
    beliefs = decode_galaxy(galaxy(core=odds_for("red"), ar1=doubtful), STANDARD_BOARD)
    assert beliefs["ar1"].star == "orange"
    alone = decode_galaxy(galaxy(core=odds_for("blue"), ar1=doubtful), STANDARD_BOARD)
    assert alone["ar1"].star == "red"


def test_a_star_on_its_own_needs_better_evidence() -> None:
    faint = odds_for(None, 3.0, blue=0.5)
    faint[EMPTY] = 0.0
    alone = decode_galaxy(galaxy(ge6=faint), STANDARD_BOARD)["ge6"]
    beside = decode_galaxy(galaxy(ge6=faint, ge5=odds_for("red")), STANDARD_BOARD)["ge6"]
    assert alone.star is None and beside.star == "blue"


def test_beliefs_are_probabilities() -> None:
    for belief in decode_galaxy(galaxy(core=odds_for("red")), STANDARD_BOARD).values():
        assert belief.probabilities.sum() == pytest.approx(1)
        assert belief.confidence == belief.probabilities.max()


def test_alternatives_are_the_likely_ones_best_first() -> None:
    belief = Belief(np.array([0.55, 0, 0, 0, 0, 0.43, 0.01, 0.01]))
    assert list(belief.alternatives()) == ["red", "orange"]


def track(*stars: str | None) -> np.ndarray:
    return np.array([odds_for(star) for star in (*stars, *[None] * (PLACES - len(stars)))])


@pytest.mark.parametrize("count", range(PLACES + 1))
def test_black_stars_are_counted_from_the_left(count: int) -> None:
    read = decode_track(track(*["black"] * count))
    assert (read.count, read.gap, read.coloured) == (count, False, ())
    assert read.confidence > 0.99


def test_a_doubtful_place_between_black_stars_is_taken() -> None:
    odds = track("black", "black", None, "black", "black")
    odds[2] = odds_for(None, 0.8)
    read = decode_track(odds)
    assert read.count == 5 and not read.gap


def test_a_plain_gap_is_told_and_not_filled() -> None:
    read = decode_track(track("black", None, "black"), RuleCosts(gap=-2))
    assert read.count == 2 and read.gap


def test_a_coloured_star_on_the_track_is_no_black_one() -> None:
    read = decode_track(track("black", "red"))
    assert read.count == 1 and read.coloured == (1,)


def test_an_unclear_end_of_the_track_lowers_the_confidence() -> None:
    odds = track("black", "black", "black")
    odds[3] = odds_for("black")
    odds[3][EMPTY] = odds[3].max()
    read = decode_track(odds)
    assert read.count in (3, 4) and 0.4 < read.confidence < 0.7

"""Topics learned from phrases."""

import pytest

from scorer.topics import Topics

PHRASES = [{"star": 0.8, "black": 0.6}, {"star": 1.0}, {"card": 1.0}, {"card": 0.6, "take": 0.8}]


def scores(groups: list[list[int]], **asked: float) -> list[float]:
    found: list[float] = Topics(PHRASES, [0, 0, 1, 1], groups).scores(asked).tolist()
    return found


def test_a_phrase_is_most_of_the_topic_that_has_its_words() -> None:
    of_stars, of_cards = scores([[0, 1, 2, 3]], black=1.0)
    assert of_stars > 0 and of_cards == pytest.approx(0, abs=1e-6)
    assert scores([[0, 1, 2, 3]], star=0.6, take=0.8)[1] > scores([[0, 1, 2, 3]], star=0.6)[1]
    assert scores([[0, 1, 2, 3]], moon=1.0) == [0, 0], "no phrase has it"


def test_topics_of_other_groups_take_nothing_away() -> None:
    """The third phrase is of another topic, but has a word of the first ones."""
    phrases = [*PHRASES[:2], {"star": 1.0}]
    apart = Topics(phrases, [0, 0, 1], [[0, 1], [2]]).scores({"star": 1.0})
    alone = Topics(phrases[:2], [0, 0], [[0, 1]]).scores({"star": 1.0})
    together = Topics(phrases, [0, 0, 1], [[0, 1, 2]]).scores({"star": 1.0})
    assert apart[0] == pytest.approx(alone[0], abs=1e-6)
    assert together[0] < alone[0] - 0.05


def test_a_topic_of_several_groups_has_the_mean_of_its_scores() -> None:
    one, other = ([0, 2], [1, 3])
    of_one, of_other = (scores([group], star=1.0)[0] for group in (one, other))
    assert scores([one, other], star=1.0)[0] == pytest.approx((of_one + of_other) / 2, abs=1e-6)

"""How the rules weigh what may lie in a region."""

import numpy as np
import pytest

from vision.region_chances import RegionCount, weigh_rules

SURE, NONE = np.array([0.0, 1.0]), np.array([1.0])


def chances(*each: float) -> np.ndarray:
    """Of none, one, two and so on."""
    return np.array(each)


def test_what_is_seen_of_a_larger_piece_is_that_where_rules_forbid_the_small_one() -> None:
    """A building with goods on it cannot be: what goods leave to be seen is a site's."""
    held = {"building": SURE, "site": NONE, "wood": SURE}

    def broken(pieces: object) -> int:
        assert isinstance(pieces, dict)
        return int("wood" in pieces and "site" not in pieces)

    by_itself = weigh_rules(RegionCount(held), broken)
    assert by_itself.pieces == {"building": 1, "wood": 1}
    weighed = weigh_rules(RegionCount(held, larger={"building": "site"}), broken)
    assert weighed.pieces == {"site": 1, "wood": 1}
    assert weighed.confidence < 0.9, "it is asked about"


def test_a_small_piece_that_no_rule_forbids_stays_one() -> None:
    count = RegionCount({"building": SURE, "site": NONE}, larger={"building": "site"})
    assert weigh_rules(count, lambda _pieces: 0).pieces == {"building": 1}


def test_what_was_seen_and_rules_forbid_is_asked_about() -> None:
    """A token may be what goods are taken for: the rules choose, a person is asked all the same."""
    count = RegionCount({"token": np.array([0.0, 1.0]), "wood": SURE, "clay": np.array([0.5, 0.5])})
    allowed = weigh_rules(count, lambda pieces: 3 * int("clay" in pieces))
    assert allowed.pieces == count.pieces and allowed.confidence > 0.99
    doubted = RegionCount({"token": np.array([0.1, 0.9]), "wood": SURE})
    weighed = weigh_rules(doubted, lambda pieces: 3 * int("token" in pieces))
    assert weighed.pieces == {"wood": 1} and 0.5 < weighed.confidence < 0.9


def test_a_count_that_breaks_rules_without_an_alternative_is_asked_about() -> None:
    """A cube that was laid over the seam seems to be where there is no site."""
    weighed = weigh_rules(RegionCount({"wood": SURE, "clay": NONE}), len)
    assert weighed.pieces == {"wood": 1} and 0.5 < weighed.confidence < 0.9
    assert weigh_rules(RegionCount({"wood": SURE}), lambda _pieces: 0).confidence == 1


def test_what_rules_add_is_asked_about() -> None:
    """A site that was hardly seen is there for certain only by the rules."""
    count = RegionCount({"wood": SURE, "site": np.array([0.7, 0.3])})
    weighed = weigh_rules(count, lambda pieces: 3 * int("site" not in pieces))
    assert count.pieces == {"wood": 1} and weighed.pieces == {"wood": 1, "site": 1}
    assert 0.5 < weighed.confidence < 0.9


def test_one_piece_comes_at_a_time_and_what_looks_as_before_is_as_before() -> None:
    """A clay that is half hidden was said to be there; then a food is laid, over a stone."""
    before = RegionCount({"clay": chances(0.7, 0.3), "stone": chances(0, 0.15, 0.85), "food": NONE})
    after = RegionCount(
        {
            "clay": chances(0.65, 0.35),
            "stone": chances(0, 0.42, 0.53, 0.05),
            "food": chances(0, 0.83, 0.17),
        }
    )
    held = {"clay": 1, "stone": 2}
    seen = after.carried(held, before)
    assert seen.pieces == {"clay": 1, "stone": 2, "food": 1} and seen.confidence > 0.9
    assert after.carried(held, None).confidence < 0.9, "nothing is known of how they looked"
    assert after.pieces == {"stone": 2, "food": 1}
    assert before.carried(held, before).confidence == pytest.approx(1.0)


@pytest.mark.parametrize(("sure", "told"), [(0.9, False), (0.99, True)])
def test_several_at_once_are_reported_only_when_very_sure(sure: float, told: bool) -> None:
    now = RegionCount({"plum": chances(0, 1 - sure, 0, sure)})
    assert (now.carried({}, RegionCount({"plum": NONE})).confidence > 0.9) == told


def test_all_that_may_well_be_there_is_offered() -> None:
    count = RegionCount({"plum": chances(0.1, 0.6, 0.3), "pear": chances(0.95, 0.05)})
    supply = {"plum": 5, "pear": 5}
    assert count.likeliest(6, supply) == [{"plum": 1}, {"plum": 2}, {}]
    assert count.likeliest(1, supply) == [{"plum": 1}]
    assert count.likeliest(6, {**supply, "plum": 1}) == [{"plum": 1}, {}], "there is but one"


@pytest.mark.parametrize(
    ("then", "now"),
    [((0, 0.5, 0.5), (0, 0.17, 0.83)), ((0, 0.3, 0.7), (0, 0.09, 0.91))],
    ids=["tie", "contradiction"],
)
def test_what_never_looked_as_it_was_known_to_be_is_asked_about(
    then: tuple[float, ...], now: tuple[float, ...]
) -> None:
    """A person said that there is one plum: that it looks even more like two proves nothing."""
    before, after = (RegionCount({"plum": chances(*each)}) for each in (then, now))
    assert after.carried({"plum": 1}, before).confidence < 0.9


@pytest.mark.parametrize(
    ("now", "told"), [((0, 0.18, 0.82), False), ((0, 0.17, 0.83), False), ((0, 0.09, 0.91), True)]
)
def test_a_slight_change_of_a_sure_count_is_asked_about(now: tuple[float, ...], told: bool) -> None:
    for right in (chances(0, 1, 0), chances(0, 0.95, 0.05)):
        seen = RegionCount({"plum": chances(*now)}).carried(
            {"plum": 1}, RegionCount({"plum": right})
        )
        assert (seen.confidence > 0.9) == told


def test_one_piece_exchanged_for_another_is_reported() -> None:
    one, none = chances(0.03, 0.97), chances(0.97, 0.03)
    before = RegionCount({"pear": one, "quince": none, "plum": none})
    seen = RegionCount({"pear": none, "quince": one, "plum": chances(0.6, 0.4)})
    exchanged = seen.carried({"pear": 1}, before)
    assert exchanged.pieces == {"quince": 1}
    assert exchanged.chances["pear"][0] * exchanged.chances["quince"][1] > 0.9
    assert exchanged.chances["plum"][0] > 0.9, "a third kind has hardly changed as well"


def test_a_kind_that_is_not_counted_stays() -> None:
    plum = RegionCount({"plum": SURE})
    assert plum.carried({"plum": 1, "pear": 2}, plum).pieces == {"plum": 1, "pear": 2}


def test_no_more_of_a_kind_are_counted_than_there_are() -> None:
    seen = RegionCount({"plum": chances(0, 0.1, 0.3, 0.6), "pear": chances(0, 0, 0, 1)})
    count = seen.within({"plum": 2, "pear": 1})
    assert count.chances["plum"].tolist() == pytest.approx([0, 0.25, 0.75])
    assert count.pieces == {"plum": 2, "pear": 1}
    assert seen.within({"plum": 3, "pear": 3}).chances["plum"] is seen.chances["plum"]

"""What a galaxy lacks for a card, against whole games that are played at random."""

import random

import pytest

from scorer.nebula.card import CARDS, Card
from scorer.nebula.fulfillable import lack, with_lack
from scorer.nebula.galaxy import Galaxy
from scorer.nebula.result import ALONE
from scorer.nebula.words import COLOURS

COLOURED = [card for card in CARDS.values() if lack(card, Galaxy({})) is not None]


def test_it_is_known_of_all_cards_that_ask_for_colours_in_places() -> None:
    assert [card.id for card in COLOURED] == [
        *(f"O{number}" for number in range(1, 19)),
        *(f"V{number}" for number in (1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15)),
    ]


@pytest.mark.parametrize("seed", range(3))
def test_a_star_takes_away_one_at_most_and_none_is_left_once_it_is_fulfilled(seed: int) -> None:
    """By induction, no fewer stars and no fewer replacements can fulfil it."""
    luck, galaxy = random.Random(seed), Galaxy({})
    before = {card.id: lack(card, galaxy) for card in COLOURED}
    for _ in range(40):
        colour = luck.choice(COLOURS)
        if open_to := sorted(galaxy.open_to(colour)):
            space = luck.choice(open_to)
            replaces = space in galaxy.stars
            galaxy = galaxy.place(space, colour)
            for card in COLOURED:
                old, now = before[card.id], lack(card, galaxy)
                assert old is not None and now is not None
                assert now.pieces >= old.pieces - 1
                assert now.replacing >= old.replacing - replaces
                assert (now == (0, 0)) == card.check(galaxy).fulfilled == (now.pieces == 0)
                before[card.id] = now


@pytest.mark.parametrize("card", COLOURED[::3], ids=lambda card: card.id)
def test_no_placement_at_all_brings_a_card_nearer_by_more_than_a_star(card: Card) -> None:
    luck, galaxy = random.Random(card.id), Galaxy({})
    for _ in range(6):
        before = lack(card, galaxy)
        assert before is not None
        ways = [(space, colour) for colour in COLOURS for space in galaxy.open_to(colour)]
        for space, colour in ways:
            after = lack(card, galaxy.place(space, colour))
            assert after is not None and after.pieces >= before.pieces - 1
            assert after.replacing >= before.replacing - (space in galaxy.stars)
        galaxy = galaxy.place(*luck.choice(ways))


def test_one_star_that_lacks_fulfils_it_where_it_may_be_placed() -> None:
    stars = {"core": "white", "ar1": "blue", "ar2": "red", "ta1": "red", "ta2": "yellow"}
    galaxy = Galaxy(stars | {"ge1": "orange", "ge2": "blue"})
    assert lack(CARDS["V7"], galaxy) == (1, 0)
    counted = str(with_lack(CARDS["V7"], galaxy, ALONE).calculation)
    head, _colon, named = counted.partition("; 1 more star: ")
    assert named.endswith(" on a space of Cancer on orbit 2") and head
    fit = [one for one in COLOURS if galaxy.illegal("ca2", one) is None]
    then_ = [galaxy.place("ca2", one) for one in fit]
    fulfilling = [one for one, then in zip(fit, then_, strict=True) if CARDS["V7"].check(then).met]
    assert {*named.partition(" on ")[0].split(", ")} == {*fulfilling}
    spoilt = galaxy.place("ca1", "purple").place("ca2", "yellow")
    assert lack(CARDS["V7"], spoilt) == (1, 1)
    over = str(with_lack(CARDS["V7"], spoilt, ALONE).calculation)
    assert "purple, white, orange on a space of Taurus on orbit 2 (laid over yellow)" in over
    fulfilled = with_lack(CARDS["V7"], spoilt.place("ca2", "white"), ALONE)
    assert "more" not in str(fulfilled.calculation)


def test_stars_and_those_replaced_are_said_of_one_plan() -> None:
    """With the fewest stars two are replaced; only with one star more is it one."""
    aries = ("purple", "orange", "yellow", "red", "orange", "yellow")
    stars = {"core": "red", "ta3": "purple", "ta4": "blue", "ta5": "red", "ta6": "orange"}
    stars |= {f"ar{n}": one for n, one in enumerate(aries, start=1)}
    galaxy = Galaxy(stars | {"ge2": "purple", "ge6": "blue", "ca2": "white", "ca5": "yellow"})
    assert lack(CARDS["V14"], galaxy) == (3, 1)
    counted = str(with_lack(CARDS["V14"], galaxy, ALONE).calculation)
    assert counted.endswith("at least 3 more stars, 2 of them laid over others")


def test_a_star_that_the_rules_refuse_fulfils_nothing_by_itself() -> None:
    """Of the two spaces of Gemini on orbit 3 the purple one on orbit 2 shuts the bright one."""
    stars = {"core": "orange", "ar1": "red", "ar2": "blue", "ar3": "purple", "ar6": "purple"}
    stars |= {"ar5": "red", "ar4": "blue", "ta1": "purple", "ta4": "blue", "ta5": "purple"}
    galaxy = Galaxy(stars | {"ta2": "orange", "ge2": "purple"})
    assert lack(CARDS["V14"], galaxy) == (1, 0)
    none = with_lack(CARDS["V14"], galaxy, ALONE)
    assert str(none.calculation).endswith("; at least 2 more stars")
    assert none.lack == (2, 0), "no single star may be placed that fulfils it"
    reached = with_lack(CARDS["V14"], galaxy.place("ge1", "red"), ALONE)
    named = "1 more star: purple on a space of Gemini on orbit 3 without a bright rim"
    assert str(reached.calculation).endswith(named) and reached.lack == (1, 0)

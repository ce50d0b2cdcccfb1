"""What is still to come in a game of Polaris."""

from scorer.polaris.edition import load_edition
from scorer.polaris.sky import Sky
from tests.webapp.polaris_skies import CARDS, COLOURS, LINKS, NAMES, STARS
from webapp.games.polaris.phase_lines import cards_now


def test_of_the_cards_to_be_scored_the_first_is_next() -> None:
    colours = dict(zip(NAMES, COLOURS, strict=False))
    sky = Sky(STARS, LINKS)
    left = cards_now(sky, CARDS, 2, colours, load_edition("standard"))
    assert [(one.card.id, one.phase, one.is_next) for one in left] == [
        (CARDS[2], 3, True),
        (CARDS[3], 4, False),
        (CARDS[4], 5, False),
    ]


def test_more_stars_bring_the_next_tier_and_what_the_most_gets() -> None:
    stars = {"1a1": "red", "1a2": "red", "1b1": "red", "1b2": "blue", "1b3": "blue"}
    colours, edition = {"Ana": "red", "Eva": "blue", "Iva": "yellow"}, load_edition("standard")
    (card,) = cards_now(Sky(stars), ["C1"], 0, colours, edition)
    assert [(one.tier, one.bonus, one.result.to_next) for one in card.scores] == [
        (1, 3, 1),
        (1, 0, 2),
        (-2, 0, 2),
    ]
    assert card.with_more == [3 + 3, 3 + 3, 1]
    full = {f"1{spoke}{orbit}": "red" for spoke in "abc" for orbit in range(1, 4)}
    (card,) = cards_now(Sky(full), ["C1"], 0, colours, edition)
    assert card.with_more == [None, 1, 1]

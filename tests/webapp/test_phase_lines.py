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

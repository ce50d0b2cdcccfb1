"""A player's secrets in a guided game: the personal cards, and their present count."""

from collections.abc import Sequence

from scorer.nebula.card import Card
from scorer.nebula.result import Table
from scorer.nebula.turns.state import CARD_BACK, State
from scorer.objective import CardResult


def secret_shown(state: State, seat: int) -> Sequence[tuple[Card, CardResult]]:
    """The card that was kept, otherwise those dealt, in a state as the player knows it."""
    hand, galaxies = state.hands[seat], [one.galaxy for one in state.seats]
    table = Table.of(galaxies, seat, len(state.claims_of(seat)))
    cards = (hand.personal,) if hand.personal else hand.dealt
    known = [state.rules.edition.cards[card] for card in cards if card != CARD_BACK]
    return [(card, card.check(galaxies[seat], table)) for card in known]

"""Setup, in the rulebooks' order: clusters, boosted star, cards, personal cards, reserves."""

from collections.abc import Sequence
from dataclasses import replace

from scorer.flags import RuleBreak
from scorer.nebula.card import Deck
from scorer.nebula.edition import Edition
from scorer.nebula.galaxy import Galaxy
from scorer.nebula.result import CARDS_ON_TABLE
from scorer.nebula.turns.actions import ChoosePersonal, Deal, Draw
from scorer.nebula.turns.state import CARD_BACK, CLUSTERS, Hand, Phase, Rules, Seat, State
from scorer.nebula.turns.step import BagDraw, Step
from scorer.nebula.values_board import ValuesBoard
from scorer.nebula.words import refuse

PERSONAL_DEALT = 2


def new_game(rules: Rules) -> State:
    """The state before anything is drawn: every star in the bag, no card dealt.

    >>> new_game(Rules(players=4)).bag.black
    20
    """
    spaces = rules.edition.cluster_spaces
    return State(
        rules=rules,
        phase=Phase.FILL,
        bag=rules.all_stars,
        box=rules.spare_stars,
        clusters=((None,) * spaces,) * CLUSTERS,
        hours=(0,) * CLUSTERS,
        seats=(Seat(Galaxy({}, board=rules.board)),) * rules.players,
        hands=(Hand(),) * rules.players,
        values=ValuesBoard(rules.edition.value_squares),
    )


def reserve_size(player: int) -> int:
    """How many stars a player draws before the first turn: none, 1, 2, 3 in turn order."""
    return player


def cards_of(edition: Edition, deck: Deck) -> tuple[str, ...]:
    """The numbers of a deck's cards."""
    return tuple(card.id for card in edition.cards.values() if card.deck == deck)


class Fill(BagDraw):
    """The clusters' spaces are filled from the bag, and then the boosted star is drawn."""

    def after(self, state: State, action: Draw) -> State:
        """Lay the star on the next space."""
        state = state.but(bag=state.bag.minus(action.star))
        for cluster, own in enumerate(state.clusters):
            if None in own:
                space = own.index(None)
                own = (*own[:space], action.star, *own[space + 1 :])
                clusters = (*state.clusters[:cluster], own, *state.clusters[cluster + 1 :])
                return state.but(clusters=clusters)
        return state.but(boosted=action.star, phase=Phase.DEAL)


class DealCards(Step[Deal]):
    """Four career cards, in the full mode four advanced ones, and two personal ones a player."""

    takes = (Deal,)

    def outcomes(self, state: State) -> Sequence[tuple[Deal, float]]:
        """Return every card of the deck that is dealt from, but those that are out."""
        out = _out(state)
        cards = cards_of(state.rules.edition, next_deck(state))
        still_in = [card for card in cards if card not in out]
        return [(Deal(card), 1 / len(still_in)) for card in still_in]

    def illegal(self, state: State, action: Deal) -> RuleBreak | None:
        """Refuse a card of another deck, and one that is out.

        A personal card may be dealt face down: whoever keeps the table's state does not see it.
        """
        deck = next_deck(state)
        if deck == "personal" and action.card == CARD_BACK:
            return None
        cards = cards_of(state.rules.edition, deck)
        if action.card in cards and action.card not in _out(state):
            return None
        rule = "personal" if deck == "personal" else f"{deck}_cards"
        phrase = "card_out" if action.card in cards else "card_of_deck"
        return refuse(rule, phrase, card=action.card, first=cards[0], last=cards[-1])

    def after(self, state: State, action: Deal) -> State:
        """Lay the card on the table, or before the next player."""
        deck = next_deck(state)
        if deck == "career":
            return state.but(career=(*state.career, action.card), markers=(*state.markers, ()))
        if deck == "advanced":
            return state.but(advanced=(*state.advanced, action.card))
        hands = list(state.hands)
        player = next(n for n, hand in enumerate(hands) if len(hand.dealt) < PERSONAL_DEALT)
        hands[player] = Hand((*hands[player].dealt, action.card))
        all_dealt = len(hands[-1].dealt) == PERSONAL_DEALT
        return state.but(hands=tuple(hands), phase=Phase.CHOOSE if all_dealt else Phase.DEAL)


def next_deck(state: State) -> Deck:
    """The deck from which the next card is dealt."""
    if len(state.career) < CARDS_ON_TABLE:
        return "career"
    if state.rules.has_values and len(state.advanced) < CARDS_ON_TABLE:
        return "advanced"
    return "personal"


def _out(state: State) -> frozenset[str]:
    """The cards that lie on the table or before the players."""
    return frozenset(state.career + state.advanced).union(*[hand.dealt for hand in state.hands])


class Choose(Step[ChoosePersonal]):
    """Each player keeps one of the two personal cards."""

    takes = (ChoosePersonal,)

    def actions(self, state: State) -> Sequence[ChoosePersonal]:
        """Return the two cards."""
        return [ChoosePersonal(card) for card in state.hands[state.player].dealt]

    def illegal(self, state: State, action: ChoosePersonal) -> RuleBreak | None:
        """Refuse a card that the player was not dealt."""
        dealt = state.hands[state.player].dealt
        if action.card in dealt:
            return None
        return refuse("personal", "personal_not_dealt", card=action.card, cards=dealt)

    def after(self, state: State, action: ChoosePersonal) -> State:
        """Keep the card."""
        hands = list(state.hands)
        hands[state.player] = replace(hands[state.player], personal=action.card)
        state = state.but(hands=tuple(hands))
        return _reserves(state) if all(hand.personal for hand in hands) else state


class Reserves(BagDraw):
    """The players draw their first stars, in turn order."""

    def after(self, state: State, action: Draw) -> State:
        """Give the star to the player who still lacks one."""
        seats = list(state.seats)
        player = short_of_stars(state)
        seats[player] = seats[player].but(reserve=seats[player].reserve.plus(action.star))
        return _reserves(state.but(seats=tuple(seats), bag=state.bag.minus(action.star)))


def short_of_stars(state: State) -> int:
    """The player who draws the next star into a reserve; -1 when all have theirs."""
    short = (n for n, seat in enumerate(state.seats) if seat.reserve.total < reserve_size(n))
    return next(short, -1)


def _reserves(state: State) -> State:
    if short_of_stars(state) >= 0:
        return state.but(phase=Phase.RESERVES)
    return state.but(turn=1, phase=Phase.COLLECT)

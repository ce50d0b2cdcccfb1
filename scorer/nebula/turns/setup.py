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
    """The state before anything is drawn or dealt.

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
    """The number of stars that a player draws before the first turn: 0 to 3 in turn order."""
    return player


def cards_of(edition: Edition, deck: Deck) -> tuple[str, ...]:
    """The numbers of a deck's cards."""
    return tuple(card.id for card in edition.cards.values() if card.deck == deck)


class Fill(BagDraw):
    """The spaces of the clusters are filled from the bag, then the boosted star is drawn."""

    def after(self, state: State, action: Draw) -> State:
        """Put the star on the next space."""
        state = state.but(bag=state.bag.minus(action.star))
        for cluster, own in enumerate(state.clusters):
            if None in own:
                space = own.index(None)
                own = (*own[:space], action.star, *own[space + 1 :])
                clusters = (*state.clusters[:cluster], own, *state.clusters[cluster + 1 :])
                return state.but(clusters=clusters)
        return state.but(boosted=action.star, phase=Phase.DEAL)


class DealCards(Step[Deal]):
    """Deal four career cards, four advanced ones in full mode, and two personal ones a player."""

    takes = (Deal,)

    def outcomes(self, state: State) -> Sequence[tuple[Deal, float]]:
        """Every card of the current deck that has not been dealt."""
        out = _out(state)
        cards = cards_of(state.rules.edition, next_deck(state))
        still_in = [card for card in cards if card not in out]
        return [(Deal(card), 1 / len(still_in)) for card in still_in]

    def illegal(self, state: State, action: Deal) -> RuleBreak | None:
        """Refuse a card of another deck, and one that was dealt before.

        A personal card may be dealt face down, as the keeper of the table's state does not see it.
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
        """Put the card on the table, or deal it to the next player."""
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
    if len(state.career) < CARDS_ON_TABLE:
        return "career"
    if state.rules.has_values and len(state.advanced) < CARDS_ON_TABLE:
        return "advanced"
    return "personal"


def _out(state: State) -> frozenset[str]:
    """The cards dealt so far."""
    return frozenset(state.career + state.advanced).union(*[hand.dealt for hand in state.hands])


class Choose(Step[ChoosePersonal]):
    """Each player keeps one of two personal cards."""

    takes = (ChoosePersonal,)

    def actions(self, state: State) -> Sequence[ChoosePersonal]:
        return [ChoosePersonal(card) for card in state.hands[state.player].dealt]

    def illegal(self, state: State, action: ChoosePersonal) -> RuleBreak | None:
        dealt = state.hands[state.player].dealt
        if action.card in dealt:
            return None
        return refuse("personal", "personal_not_dealt", card=action.card, cards=dealt)

    def after(self, state: State, action: ChoosePersonal) -> State:
        hands = list(state.hands)
        hands[state.player] = replace(hands[state.player], personal=action.card)
        state = state.but(hands=tuple(hands))
        return _reserves(state) if all(hand.personal for hand in hands) else state


class Reserves(BagDraw):
    """The players draw their first stars, in turn order."""

    def after(self, state: State, action: Draw) -> State:
        """Give the star to the first player with too few."""
        seats = list(state.seats)
        player = short_of_stars(state)
        seats[player] = seats[player].but(reserve=seats[player].reserve.plus(action.star))
        return _reserves(state.but(seats=tuple(seats), bag=state.bag.minus(action.star)))


def short_of_stars(state: State) -> int:
    """The player who draws the next star for a reserve; -1 if none does."""
    short = (n for n, seat in enumerate(state.seats) if seat.reserve.total < reserve_size(n))
    return next(short, -1)


def _reserves(state: State) -> State:
    if short_of_stars(state) >= 0:
        return state.but(phase=Phase.RESERVES)
    return state.but(turn=1, phase=Phase.COLLECT)

"""The course of a game (T10 to T68); `legal` has legality, `effects` the results of actions.

Actions are divided into steps: `State.todo` has the pending tasks, the next one first. The pieces
of a configuration are paid for and placed one by one, in an order of the player's choice. A bonus
card without any effect may not be played; one with some is carried out as far as possible.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from random import Random
from types import MappingProxyType
from typing import Any, ClassVar

from scorer.flags import RuleBreak
from scorer.places import Place as BoardPlace
from scorer.plain import PlainBoard, PlainPosition
from scorer.ptolemaeus.board import BOARD, pieces_on_board
from scorer.ptolemaeus.edition import (
    COMET,
    ECLIPSIS,
    EDITIONS,
    NOBODY,
    NOVA,
    PLANETS,
    PLAYERS,
    ZODIAC,
    onward,
)
from scorer.ptolemaeus.effects import begun, done, settled, turn_of
from scorer.ptolemaeus.ephemeris import comet_of, free_from, sky_of
from scorer.ptolemaeus.legal import main_actions, rule_break, standing, steps, studies, unpaid
from scorer.ptolemaeus.score import PtolemaeusSheet, score_table
from scorer.ptolemaeus.sky import is_frugal, sorted_cards
from scorer.ptolemaeus.state import (
    HIDDEN,
    OPEN,
    Action,
    Bonus,
    Claim,
    Discard,
    Draw,
    End,
    Event,
    Lift,
    Move,
    Objective,
    Observe,
    Pay,
    Place,
    Play,
    Reveal,
    Rob,
    Seat,
    State,
    Steal,
    Study,
    Swap,
    Take,
    Task,
    Trade,
    Travel,
    without,
)
from scorer.ptolemaeus.words import forbidden, say
from scorer.sentence import Sentence, Verbatim
from scorer.turns import SetUp, Turns

CARDS_AT_START = 2
CHANCE: Mapping[str, type[Objective | Draw | Reveal | Bonus | Steal | Event]] = {
    "objective": Objective,
    "draw": Draw,
    "reveal": Reveal,
    "bonus": Bonus,
    "steal": Steal,
    "event": Event,
}
STEPS: Mapping[str, type] = {
    "take": Take,
    "pay": Pay,
    "lift": Lift,
    "home": Lift,
    "study": Study,
    "swap": Swap,
    "move": Move,
    "place": Place,
    "rob": Rob,
    "discard": Discard,
}
"""The class of action for the next step of a task."""
OF_A_SEAT = {*STEPS, "objective", "draw", "bonus", "steal"}
"""The tasks of a particular player, regardless of whose turn it is."""


class PtolemaeusTurns(Turns[State, Action]):
    players: ClassVar[range] = range(1, 5)
    options: ClassVar[Mapping[str, Sequence[str]]] = MappingProxyType({"date": ()})

    def start(self, set_up: SetUp, board: PlainBoard | None = None) -> State:
        """The sky of a `date` (T10 to T15) for players of `colours`. ValueError for a bad date."""
        edition = EDITIONS.load(set_up.get("edition") or "standard")
        planets, _unsure = sky_of(date.fromisoformat(set_up.get("date") or edition.start))
        comet = comet_of(planets)
        colours = set_up.get("colours") or PLAYERS[: set_up["players"]]
        seats = range(len(colours))
        todo = (
            *(Task("objective", seat) for seat in seats),
            *(Task("draw", seat) for seat in seats for _ in range(CARDS_AT_START)),
            *[Task("reveal")] * OPEN,
            Task("event"),
        )
        return State(
            tuple(map(Seat, colours)),
            tuple(planets[planet] for planet in PLANETS),
            comet,
            comet,
            todo,
            deck=edition.deck,
            bonus_deck=edition.bonus_deck,
            events=(*edition.events, ECLIPSIS),
            edition=edition,
        )

    # legal actions

    def player(self, state: State) -> int | None:
        """The player of the pending task, otherwise the player to move."""
        if state.over:
            return None
        task = state.todo[0] if state.todo else None
        return task.seat if task and task.kind in OF_A_SEAT else state.mover

    def outcomes(self, state: State) -> Sequence[tuple[Action, float]]:
        """What is dealt, drawn or turned next, or what moves."""
        if state.over or not state.todo or state.todo[0].kind in STEPS:
            return ()
        task = state.todo[0]
        if task.kind == "travel":
            return [(_travel(state, body), 1 / len(task.places)) for body in task.places]
        cards = Counter(_source(state, task))
        make = CHANCE[task.kind]
        return [(make(card), count / cards.total()) for card, count in cards.items()]

    def seen_by(self, state: State, player: int | None) -> State:
        """Nothing is hidden any more once the game is over (T67)."""
        return state if state.over else super().seen_by(state, player)

    def ending(self, state: State, names: Sequence[str]) -> Sentence:
        """Who or what ended it, and everybody's secret objective where it is known."""
        claimed = state.claimed
        by_comet = say("ended_by_comet")
        why = by_comet if claimed is None else say("ended_by_claim", name=Verbatim(names[claimed]))
        ending = say("ended_with", why=why)
        for name, seat in zip(names, state.seats, strict=True):
            if planets := state.edition.secrets.get(seat.secret or ""):
                why = ending = say("secret_of", ending=ending, name=Verbatim(name), planets=planets)
        return why

    def actions(self, state: State) -> Sequence[Action]:
        return [one for one in self._candidates(state) if self._rule_break(state, one) is None]

    def offered(self, state: State) -> Sequence[Action]:
        """Legal steps without wasteful payments; between tasks also illegal actions."""
        if state.todo or state.over:
            return [
                action
                for action in self.actions(state)
                if not isinstance(action, Pay)
                or is_frugal(state.edition, action.at, sorted_cards(action.cards))
            ]
        return list(self._candidates(state))

    def _candidates(self, state: State) -> Iterator[Action]:
        """Everything worth considering, legal or not."""
        if state.over or self.outcomes(state):
            return
        task = state.todo[0] if state.todo else None
        if task is not None:
            yield from steps(state, task)
            return
        yield from main_actions(state)
        yield from studies(state, state.mover)
        seat = state.seats[state.mover]
        yield from (Play(card) for card in dict.fromkeys(seat.bonus) if card != NOVA)
        yield from (Trade(), Claim(), End())

    def illegal(self, state: State, action: Action) -> RuleBreak | None:
        """The rule that forbids an action, in words; None if it is legal."""
        broken = self._rule_break(state, action)
        if broken is not None and broken.kind == "T28" and isinstance(action, Observe):
            return unpaid(state, action.what, action.at)
        return broken

    def _rule_break(self, state: State, action: Action) -> RuleBreak | None:
        """`illegal` without the cards that are lacking, which take a while to find."""
        if state.over:
            return forbidden("T68", "over")
        outcomes = [outcome for outcome, _odds in self.outcomes(state)]
        is_chance = isinstance(action, (*CHANCE.values(), Travel))
        if outcomes or is_chance:
            known = action in outcomes
            return None if known else forbidden("T20", "chance" if outcomes else "not_drawn")
        task = state.todo[0] if state.todo else None
        if task is not None and not isinstance(action, STEPS[task.kind]):
            return forbidden("T21", f"first_{task.kind}")
        seat = state.mover if task is None else task.seat
        return rule_break(state, seat, task, action)

    def turn(self, state: State) -> object:
        """Whoever acts last in a round may begin the next; between rounds it is nobody's turn."""
        return (state.round, state.acted) if state.event else None

    def by_itself(self, state: State) -> Action | None:
        """The only possible step with cards, or the end of a turn with nothing left to do.

        A piece that can only go to one place is still moved by a player.
        """
        if state.over or self.outcomes(state) or (state.actions and not state.todo):
            return None
        ways = self.offered(state) if state.todo else self.actions(state)
        is_card_step = len(ways) == 1 and isinstance(ways[0], Pay | Take | Discard | End)
        return ways[0] if is_card_step else None

    # effects

    def after_legal(self, state: State, action: Action) -> State:
        if not state.todo:
            return settled(begun(state, state.mover, action))
        task, rest = state.todo[0], replace(state, todo=state.todo[1:])
        return settled(done(rest, task, action))

    # views

    def positions(self, state: State) -> Sequence[PlainPosition]:
        seats = {
            seat.colour: (
                {at: seat.on(at) for at in ZODIAC if seat.on(at)},
                seat.studied,
                seat.asteroids,
            )
            for seat in state.seats
        }
        pieces = pieces_on_board(state.bodies, state.start, state.asteroids, seats, turn_of(state))
        return (PlainPosition(BOARD, pieces),)

    def placing(self, state: State, place: BoardPlace, piece: str) -> Action | None:
        """The arrival of a body on a constellation."""
        known = place.kind == "region" and piece in (*PLANETS, COMET)
        return Travel(piece, place.id) if known else None

    def score(self, state: State, names: Sequence[str] = ()) -> PtolemaeusSheet:
        """The score of the table as it stands; what others hide counts nothing."""
        named = names or [seat.colour for seat in state.seats]
        standings = [
            standing(state, number, name) for number, name in enumerate(named[: len(state.seats)])
        ]
        claimed = None if state.claimed is None else named[state.claimed]
        there = len(state.asteroids)
        return score_table(
            standings, claimed, state.edition, still_there=there, goes_on=not state.over
        )

    def answers(self, state: State) -> Mapping[str, Any]:
        """Secret objectives, Nova Constellatio, and who claimed the game."""
        players = [
            {"colour": seat.colour, "secret": seat.secret, "nova": seat.bonus.count(NOVA)}
            for seat in state.seats
        ]
        claimed = NOBODY if state.claimed is None else state.seats[state.claimed].colour
        return {"claimed": claimed, "players": players}

    def imagined(self, state: State, rng: Random) -> State:
        """Hidden cards are sampled from those that the player does not see."""
        edition = state.edition
        cards = _unseen(
            edition.deck,
            (*state.open, *state.discarded, *(c for own in state.seats for c in own.hand)),
            rng,
        )
        bonus = _unseen(
            edition.bonus_deck, (*state.played, *(c for s in state.seats for c in s.bonus)), rng
        )
        secrets = _unseen(tuple(edition.secrets), [s.secret or "" for s in state.seats], rng)
        for number, seat in enumerate(state.seats):
            state = state.with_seat(
                number,
                hand=_filled(seat.hand, cards),
                bonus=_filled(seat.bonus, bonus),
                secret=secrets.pop() if seat.secret == HIDDEN else seat.secret,
            )
        deck, bonus_deck = _filled(state.deck, cards), _filled(state.bonus_deck, bonus)
        return replace(state, deck=deck, bonus_deck=bonus_deck)


def _unseen(every: Sequence[str], seen: Iterable[str], rng: Random) -> list[str]:
    left = list(without(tuple(every), *seen))
    rng.shuffle(left)
    return left


def _filled(cards: tuple[str, ...], pool: list[str]) -> tuple[str, ...]:
    return tuple(pool.pop() if card == HIDDEN else card for card in cards)


def _source(state: State, task: Task) -> Sequence[str]:
    """The cards from which chance draws one."""
    match task.kind:
        case "objective":
            dealt = [seat.secret for seat in state.seats]
            return [card for card in state.edition.secrets if card not in dealt]
        case "bonus":
            return state.bonus_deck
        case "steal":
            return state.seats[task.of].hand
        case "event":  # the first one turned is not Eclipsis (T17)
            return [card for card in state.events if state.round or card != ECLIPSIS]
    return state.pile


def _travel(state: State, body: str) -> Travel:
    """The next movement of a body (T60, T62)."""
    at = onward(state.bodies[body])
    return Travel(body, free_from(at, state.standing) if body == COMET else at)


TURNS = PtolemaeusTurns()

"""The course of a game (T10 to T68): what may be done, what forbids it, and what follows.

An action of a player's is done step by step: what it begins stands in `State.todo`, its next step
first. Of a configuration each piece is paid and put by itself, in an order of choice. A bonus card
that would change nothing is not played; of what it does, as much is done as can be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from itertools import combinations_with_replacement as multisets
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
    SEXTANT,
    STANDARD,
    ZODIAC,
    onward,
)
from scorer.ptolemaeus.ephemeris import comet_of, free_from, sky_of
from scorer.ptolemaeus.score import PtolemaeusSheet, Standing, points, score_table
from scorer.ptolemaeus.sky import (
    ASPECTS,
    MOST_AT_REST,
    Aspect,
    SkyPieces,
    can_pay,
    can_place,
    first_of,
    is_frugal,
    is_offered,
    offered,
    payments,
    pays,
    places_of,
    placings,
    sorted_cards,
)
from scorer.ptolemaeus.state import (
    DECK,
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
from scorer.sentence import Sentence
from scorer.turns import SetUp, Turns

TURNS_A_ROUND = 3
CARDS_AT_START = 2
CARDS_TAKEN = 2
WIPED = 5
"""So many open cards of one colour are discarded with the others (T24)."""
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
"""The action that does the next step of what was begun."""
OF_A_SEAT = {*STEPS, "objective", "draw", "bonus", "steal"}
"""The tasks that are a player's, whoever's turn it is."""


class PtolemaeusTurns(Turns[State, Action]):
    """Ptolemaeus as a state that moves."""

    kinds: ClassVar[tuple[type, ...]] = (
        *(Objective, Draw, Reveal, Bonus, Steal, Event, Travel),
        *(Take, Observe, Pay, Lift, Study, Play, Swap, Move, Place, Rob, Discard),
        *(Trade, Claim, End),
    )
    players: ClassVar[range] = range(1, 5)
    options: ClassVar[Mapping[str, Sequence[str]]] = MappingProxyType({"date": ()})

    def start(self, set_up: SetUp, board: PlainBoard | None = None) -> State:
        """The sky of a `date` (T10 to T15); `colours` are the players'. ValueError for no date."""
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

    # who acts, and what may be done

    def player(self, state: State) -> int | None:
        """Who does the next step, or whose turn it is."""
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

    def actions(self, state: State) -> Sequence[Action]:
        """Every legal action."""
        return [one for one in self._candidates(state) if self.illegal(state, one) is None]

    def offered(self, state: State) -> Sequence[Action]:
        """All that is legal, but payments of which a card could be kept; what T39 forbids, too."""
        if state.todo or state.over:
            return [
                action
                for action in self.actions(state)
                if not isinstance(action, Pay)
                or is_frugal(state.edition, action.at, sorted_cards(action.cards))
            ]
        return list(self._candidates(state))

    def _candidates(self, state: State) -> Iterator[Action]:
        """Everything that is worth looking at, legal or not."""
        if state.over or self.outcomes(state):
            return
        task = state.todo[0] if state.todo else None
        if task is not None:
            yield from self._steps(state, task)
            return
        yield from _main_actions(state)
        yield from _studies(state, state.mover)
        seat = state.seats[state.mover]
        yield from (Play(card) for card in dict.fromkeys(seat.bonus) if card != NOVA)
        yield from (Trade(), Claim(), End())

    def _steps(self, state: State, task: Task) -> Iterator[Action]:
        """What may do the next step of something, or be worth looking at."""
        seat = state.seats[task.seat]
        occupied = [at for at in ZODIAC if seat.on(at)]
        rivals = [state.seats[n] for n in state.others(task.seat)]
        match task.kind:
            case "take":
                yield from _takes(state)
            case "pay":
                for at in dict.fromkeys(task.places):
                    yield from (Pay(at, own) for own in payments(state.edition, at, seat.hand))
            case "lift" | "home":
                yield from map(Lift, occupied)
            case "study":
                yield from map(Study, state.planets_at(task.places[0], task.seat))
            case "swap":
                yield from (Swap(at, own.colour) for own in rivals for at in ZODIAC if own.on(at))
            case "move":
                own = [at for at in occupied if seat.on(at) > task.places.count(at)]
                yield from (Move(start, at) for start in own for at in ZODIAC if at != start)
            case "place":
                yield from map(Place, task.places)
            case "rob":
                yield from (Rob(own.colour) for own in rivals)
            case "discard":
                yield from map(Discard, dict.fromkeys(sorted_cards(seat.hand)))

    def illegal(self, state: State, action: Action) -> RuleBreak | None:
        """The rule that forbids an action, in words; None where it is legal."""
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
        return _illegal(state, seat, task, action)

    def by_itself(self, state: State) -> Action | None:
        """The end of a turn in which nothing can be done any more."""
        if state.over or state.todo or state.actions or self.outcomes(state):
            return None
        legal = self.actions(state)
        return legal[0] if len(legal) == 1 else None

    # what follows

    def after_legal(self, state: State, action: Action) -> State:
        """The state after a legal action."""
        if not state.todo:
            return _settled(_begun(state, state.mover, action))
        task, rest = state.todo[0], replace(state, todo=state.todo[1:])
        return _settled(_done(rest, task, action))

    def drawn(self, state: State, rng: Random) -> Action | None:
        """One of the outcomes by their probabilities; None where chance has nothing to do."""
        if state.over or not state.todo or state.todo[0].kind in STEPS:
            return None
        task = state.todo[0]
        if task.kind == "travel":
            return _travel(state, rng.choice(task.places))
        return CHANCE[task.kind](rng.choice(_source(state, task)))

    # what is seen of it

    def positions(self, state: State) -> Sequence[PlainPosition]:
        """The board, which is everybody's."""
        seats = {
            seat.colour: (
                {at: seat.on(at) for at in ZODIAC if seat.on(at)},
                seat.studied,
                seat.asteroids,
            )
            for seat in state.seats
        }
        turn = min(state.acted // len(state.seats), TURNS_A_ROUND - 1) + 1
        pieces = pieces_on_board(state.bodies, state.start, state.asteroids, seats, turn)
        return (PlainPosition(BOARD, pieces),)

    def format_action(self, action: Action) -> Sentence | str:
        """A study by choice tells its other pieces, a card of planets what it names."""
        if isinstance(action, Event) and action.card in STANDARD.events:
            return say("do_event_planets", planets=STANDARD.events[action.card])
        if isinstance(action, Objective) and action.card in STANDARD.secrets:
            return say("objective", card=action.card, planets=STANDARD.secrets[action.card])
        if isinstance(action, Study) and action.others:
            return say("do_study_others", planet=action.planet, others=action.others)
        return super().format_action(action)

    def placing(self, state: State, place: BoardPlace, piece: str) -> Action | None:
        """A body that has come to a constellation."""
        known = place.kind == "region" and piece in (*PLANETS, COMET)
        return Travel(piece, place.id) if known else None

    def score(self, state: State, names: Sequence[str] = ()) -> PtolemaeusSheet:
        """As the table stands; what others hide counts nothing."""
        named = names or [seat.colour for seat in state.seats]
        standings = [
            standing(state, number, name) for number, name in enumerate(named[: len(state.seats)])
        ]
        claimed = None if state.claimed is None else named[state.claimed]
        return score_table(standings, claimed, state.edition, still_there=len(state.asteroids))

    def answers(self, state: State) -> Mapping[str, Any]:
        """Secret objectives, Nova Constellatio, and who claimed the game."""
        players = [{"secret": seat.secret, "nova": seat.bonus.count(NOVA)} for seat in state.seats]
        claimed = NOBODY if state.claimed is None else state.seats[state.claimed].colour
        return {"claimed": claimed, "players": players}

    def imagined(self, state: State, rng: Random) -> State:
        """Hidden cards are any of those that the player does not see."""
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


def standing(state: State, number: int, name: str) -> Standing:
    """What a player of a state has that counts."""
    seat = state.seats[number]
    return Standing(
        name,
        seat.colour,
        seat.studied,
        seat.asteroids,
        seat.bonus.count(NOVA),
        state.edition.secrets.get(seat.secret or ""),
        {at: seat.on(at) for at in ZODIAC if seat.on(at)},
    )


def _unseen(every: Sequence[str], seen: Iterable[str], rng: Random) -> list[str]:
    left = list(without(tuple(every), *seen))
    rng.shuffle(left)
    return left


def _filled(cards: tuple[str, ...], pool: list[str]) -> tuple[str, ...]:
    return tuple(pool.pop() if card == HIDDEN else card for card in cards)


def _source(state: State, task: Task) -> Sequence[str]:
    """The cards of which chance brings one."""
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
    """Where a body moves on to (T60, T62)."""
    at = onward(state.bodies[body])
    return Travel(body, free_from(at, state.standing) if body == COMET else at)


def _takes(state: State) -> Iterator[Take]:
    yield Take(DECK)
    yield from map(Take, dict.fromkeys(sorted_cards(state.open)))


def _main_actions(state: State) -> Iterator[Action]:
    """Actions A, B and C, as far as there is something to take or to observe (T21)."""
    yield from _takes(state)
    yield from (Observe(what, at) for what, at in offered(state.bodies))


def _studies(state: State, number: int) -> Iterator[Study]:
    """Studies by choice, as far as pieces lie there for them (T43)."""
    seat = state.seats[number]
    for planet, at in zip(PLANETS, state.planets, strict=True):
        if seat.on(at) < MOST_AT_REST or planet in seat.studied:
            continue
        others = [other for other in ZODIAC if other != at and seat.on(other)]
        for two in multisets(others, 2):
            if all(seat.on(other) >= two.count(other) for other in two):
                yield Study(planet, two)


# what is forbidden


def _illegal(state: State, number: int, task: Task | None, action: Action) -> RuleBreak | None:
    seat = state.seats[number]
    if task is None and isinstance(action, Swap | Move | Place | Rob | Discard | Lift):
        return forbidden("T21", "not_begun")
    match action:
        case Take(card):
            return _illegal_take(state, task, card)
        case Observe(what, at):
            return _illegal_observe(state, number, what, at)
        case Pay(at, cards):
            return _illegal_pay(state, seat, task, at, cards)
        case Lift(at):
            return _illegal_lift(state, seat, task, at)
        case Study(planet, others):
            return _illegal_study(state, seat, task, planet, others)
        case Play(card):
            return _illegal_play(state, number, card)
        case Trade() | Claim() | End():
            return _illegal_free(state, number, action)
    assert task is not None, "a card or an action has begun it"
    return _illegal_step(state, task, action)


def _illegal_free(state: State, number: int, action: Action) -> RuleBreak | None:
    """What is done without an action: asteroids given, the game claimed, the turn ended."""
    match action:
        case Trade():
            if state.seats[number].asteroids < 2:
                return forbidden("T49", "two_asteroids")
            return None if state.bonus_deck else forbidden("T46", "no_bonus")
        case Claim():
            wins = state.edition.wins
            own = sum(points(state.edition, standing(state, number, "")))
            return None if own >= wins else forbidden("T67", "too_few", n=wins)
    main = _main_actions(state) if state.actions else ()
    if any(_illegal(state, number, None, one) is None for one in main):
        return forbidden("T21", "act_first")
    return None


def _illegal_step(state: State, task: Task, action: Action) -> RuleBreak | None:
    """A step of a bonus card, or of Eclipsis."""
    number, seat = task.seat, state.seats[task.seat]
    match action:
        case Swap(at, of):
            if at not in ZODIAC or not _opponents(state, number, of):
                return forbidden("T51", "no_opponent")
            if not any(one.on(at) for one in _opponents(state, number, of)):
                return forbidden("T51", "no_piece", at, at=at)
            return _from_reserve(state, number, at, "T51")
        case Move(start, at):
            if not {start, at} <= {*ZODIAC} or start == at:
                return forbidden("T55", "no_place")
            if not seat.on(start):
                return forbidden("T55", "no_piece", start, at=start)
            if seat.on(start) <= task.places.count(start):
                return forbidden("T55", "moved", start, at=start)
            return _no_room(state, number, at)
        case Place(at):
            if at not in task.places:
                return forbidden("T59", "other_sign")
            return _from_reserve(state, number, at, "T59")
        case Rob(of) if not any(one.hand for one in _opponents(state, number, of)):
            return forbidden("T57", "no_opponent")
        case Discard(card) if card not in seat.hand:
            return forbidden("T26", "not_held", card=card)
    return None


def _opponents(state: State, number: int, colour: str) -> list[Seat]:
    """The opponent of a colour; nobody where none has it."""
    return [own for n in state.others(number) if (own := state.seats[n]).colour == colour]


def _illegal_take(state: State, task: Task | None, card: str) -> RuleBreak | None:
    if task is None and not state.actions:
        return forbidden("T21", "acted")
    if card == DECK:
        return None if state.pile else forbidden("T25", "deck_empty")
    if card not in state.open:
        return forbidden("T22", "not_open", card=card)
    if card == SEXTANT and task is not None and task.left:
        return forbidden("T23", "sextant_second")
    return None


def _illegal_observe(state: State, number: int, what: Aspect, at: str) -> RuleBreak | None:
    if not state.actions:
        return forbidden("T21", "acted")
    if what not in ASPECTS or at not in ZODIAC:
        return forbidden("T32", "no_place")
    if first_of(what, at) != at:
        return forbidden("T32", "named_by", at, at=first_of(what, at))
    if not is_offered(what, at, state.bodies):
        rule = {"constellation": "T27", "conjunction": "T33", "opposition": "T34"}
        rule |= {"trine": "T35", "square": "T36"}
        return forbidden(rule[what], f"no_{what}", at, at=at)
    places = places_of(what, at)
    numbers = tuple(map(ZODIAC.index, places))
    if not can_place(_sky_pieces(state, number), numbers, numbers):
        full = [p for p in dict.fromkeys(places) if _no_room(state, number, p)] or [at]
        return forbidden("T39", "third_piece", *full, at=tuple(full))
    if not can_pay(state.edition, places, state.seats[number].hand):
        return forbidden("T28", "cannot_pay", at, n=len(places))
    return None


def _illegal_pay(
    state: State, seat: Seat, task: Task | None, at: str, cards: Sequence[str]
) -> RuleBreak | None:
    if task is None or at not in task.places:
        return forbidden("T32", "not_observed", at, at=at)
    lacking = Counter(cards) - Counter(seat.hand)
    if lacking:
        return forbidden("T26", "not_held", card=next(iter(lacking)))
    if not pays(state.edition, at, cards):
        return forbidden("T28", "no_payment", at, at=at)
    rest = list(task.places)
    rest.remove(at)
    if not can_pay(state.edition, rest, without(seat.hand, *cards)):
        return forbidden("T32", "rest_unpaid", *rest)
    numbers, observed = tuple(map(ZODIAC.index, rest)), tuple(map(ZODIAC.index, task.observed))
    ways = placings(_sky_pieces(state, task.seat), ZODIAC.index(at), observed)
    if not any(can_place(after, numbers, observed) for _source, after in ways):
        return forbidden("T39", "third_piece", at, at=at)
    return None


def _illegal_lift(state: State, seat: Seat, task: Task | None, at: str) -> RuleBreak | None:
    assert task is not None, "nothing is taken up of itself"
    if at not in ZODIAC or not seat.on(at):
        return forbidden("T38", "no_piece", at=at)
    if task.kind == "home":
        return None
    (target,) = task.places
    if at in task.observed:
        return forbidden("T38", "same_place", at, at=at)
    later = state.todo[1:2]
    rest = tuple(map(ZODIAC.index, later[0].places)) if later and later[0].kind == "pay" else ()
    observed = tuple(map(ZODIAC.index, task.observed))
    for source, after in placings(_sky_pieces(state, task.seat), ZODIAC.index(target), observed):
        if source == ZODIAC.index(at) and can_place(after, rest, observed):
            return None
    return forbidden("T39", "third_piece", at, at=at)


def _illegal_study(
    state: State, seat: Seat, task: Task | None, planet: str, others: Sequence[str]
) -> RuleBreak | None:
    if planet not in PLANETS:
        return forbidden("T40", "no_planet")
    at = state.bodies[planet]
    if planet in seat.studied:
        return forbidden("T40", "studied", at, planet=planet)
    if task is not None:
        if at not in task.places or others:
            return forbidden("T42", "other_planet", *task.places, at=task.places[0])
        return None
    if not state.acting:
        return forbidden("T43", "act_first")
    if seat.on(at) < MOST_AT_REST:
        return forbidden("T43", "two_there", at, planet=planet, at=at)
    wanted = Counter(others)
    wrong = any(one not in ZODIAC or seat.on(one) < n for one, n in wanted.items())
    if len(others) != MOST_AT_REST or wrong or at in wanted:
        return forbidden("T43", "two_others", at)
    return None


def _illegal_play(state: State, number: int, card: str) -> RuleBreak | None:
    if card not in state.seats[number].bonus or card not in state.edition.bonus:
        return forbidden("T50", "not_held", card=card)
    if card == NOVA:
        return forbidden("T58", "kept")
    tasks = _bonus_tasks(state, number, card)
    if state.edition.bonus[card].does != "act" and not any(
        _possible(state, task) for task in tasks
    ):
        return forbidden("T50", "nothing_done", card=card)
    return None


def _no_room(state: State, number: int, at: str) -> RuleBreak | None:
    """T39: a third piece needs a planet there that is not studied; a piece comes from somewhere."""
    if state.seats[number].on(at) < MOST_AT_REST or state.planets_at(at, number):
        return None
    return forbidden("T39", "third_piece", at, at=at)


def _from_reserve(state: State, number: int, at: str, rule: str) -> RuleBreak | None:
    """A bonus card's piece is one of the reserve; T38 is for observations."""
    if not state.seats[number].reserve:
        return forbidden(rule, "reserve_empty")
    return _no_room(state, number, at)


def _sky_pieces(state: State, number: int) -> SkyPieces:
    seat = state.seats[number]
    unstudied = tuple(len(state.planets_at(at, number)) for at in ZODIAC)
    return seat.pieces, len(seat.studied), unstudied


# what follows


def _begun(state: State, number: int, action: Action) -> State:
    """The state after a player began an action, or did one of a single step."""
    match action:
        case Take(card):
            left = 0 if card == SEXTANT else CARDS_TAKEN - 1
            more = [Task("take", number, left=left)] if left else []
            return _taken(_acted(state).first_do(*more), number, card)
        case Observe(what, at):
            places = places_of(what, at)
            return _acted(state).first_do(Task("pay", number, places, observed=places))
        case Study(planet, others):
            at = state.bodies[planet]
            gone = Counter(others) + Counter({at: MOST_AT_REST})
            return _studied(state, number, planet, gone)
        case Play(card):
            return _played(state, number, card)
        case Trade():
            own = state.seats[number].asteroids - 2
            return state.with_seat(number, asteroids=own).first_do(Task("bonus", number))
        case Claim():
            return replace(state, claimed=number, over=True)
    return _ended(state)


def _acted(state: State) -> State:
    return replace(state, actions=state.actions - 1, acting=True)


def _done(state: State, task: Task, action: Action) -> State:
    """The state after a step of what was begun; the step is off the list already."""
    number, seat = task.seat, state.seats[task.seat]
    match action:
        case Take(card):
            return _taken(state, number, card)
        case Pay(at, cards):
            rest = list(task.places)
            rest.remove(at)
            more = [replace(task, places=tuple(rest))] if rest else []
            state = state.with_seat(number, hand=without(seat.hand, *cards))
            state = replace(state, discarded=(*state.discarded, *cards))
            return _put(state.first_do(*more), number, at, task.observed)
        case Lift(at):
            state = state.with_seat(number, seat.shifted({at: -1}))
            return state if task.kind == "home" else _put(state, number, task.places[0])
        case Study(planet):
            return _studied(state, number, planet, {task.places[0]: MOST_AT_REST + 1})
        case Swap(at, of):
            other = state.seat_of(of)
            assert other is not None, "a legal swap is with somebody"
            state = state.with_seat(other, state.seats[other].shifted({at: -1}))
            return _put(state, number, at)
        case Move(start, at):
            if state.todo and state.todo[0].kind == "move":
                again = replace(state.todo[0], places=(*task.places, at))
                state = replace(state, todo=(again, *state.todo[1:]))
            return _put(state.with_seat(number, seat.shifted({start: -1})), number, at)
        case Place(at):
            return _put(state, number, at)
        case Rob(of):
            return state.first_do(Task("steal", number, of=state.seat_of(of) or 0))
        case Discard(card):
            state = state.with_seat(number, hand=without(seat.hand, card))
            return replace(state, discarded=(*state.discarded, card))
    return _happened(state, task, action)


def _happened(state: State, task: Task, action: Action) -> State:
    """The state after what chance brought, or what moves by itself."""
    number, seat = task.seat, state.seats[task.seat]
    match action:
        case Objective(card):
            return state.with_seat(number, secret=card)
        case Draw(card):
            state = _off_the_pile(state, card)
            return state.with_seat(number, hand=sorted_cards([*seat.hand, card]))
        case Reveal(card):
            state = _off_the_pile(state, card)
            return replace(state, open=(*state.open, card))
        case Bonus(card):
            state = replace(state, bonus_deck=without(state.bonus_deck, card))
            return state.with_seat(number, bonus=tuple(sorted([*seat.bonus, card])))
        case Steal(card):
            victim = state.seats[task.of]
            state = state.with_seat(task.of, hand=without(victim.hand, card))
            return state.with_seat(number, hand=sorted_cards([*seat.hand, card]))
        case Event(card):
            return _turned(state, card)
        case Travel(body, at):
            return _travelled(state, task, body, at)
    raise AssertionError(action)


def _off_the_pile(state: State, card: str) -> State:
    """A card off the deck, which is made anew of the discard pile where it is empty (T25)."""
    if state.deck:
        return replace(state, deck=without(state.deck, card))
    return replace(state, deck=tuple(sorted(without(state.discarded, card))), discarded=())


def _taken(state: State, number: int, card: str) -> State:
    if card == DECK:
        return state.first_do(Task("draw", number))
    hand = sorted_cards([*state.seats[number].hand, card])
    state = state.with_seat(number, hand=hand)
    return state.first_do(Task("reveal"), open=without(state.open, card))


def _put(state: State, number: int, at: str, observed: tuple[str, ...] = ()) -> State:
    """A piece onto a constellation (T38); with the third one a planet is studied (T42)."""
    seat = state.seats[number]
    if not seat.reserve:
        return state.first_do(Task("lift", number, (at,), observed))
    state = state.with_seat(number, seat.shifted({at: 1}))
    if seat.on(at) < MOST_AT_REST:
        return state
    return state.first_do(Task("study", number, (at,)))


def _studied(state: State, number: int, planet: str, gone: Mapping[str, int]) -> State:
    """A planet is studied: pieces leave the sky, the asteroid and a bonus card come (T46)."""
    at, seat = state.bodies[planet], state.seats[number]
    seat = seat.shifted({place: -count for place, count in gone.items()})
    found = at in state.asteroids
    state = state.with_seat(
        number, seat, studied=(*seat.studied, planet), asteroids=seat.asteroids + found
    )
    left = tuple(own for own in state.asteroids if own != at)
    return state.first_do(Task("bonus", number), asteroids=left)


def _bonus_tasks(state: State, number: int, card: str) -> list[Task]:
    """What a bonus card begins; nothing where it gives turns (T56)."""
    own = state.edition.bonus[card]
    times = 2 if own.planet in state.seats[number].studied else 1
    everybody = [seat for seat in state.others(number) for _ in range(times)]
    match own.does:
        case "home" | "discard":
            return [Task(own.does, seat) for seat in everybody]
        case "place":
            return [Task("place", number, state.edition.of_colour[own.colour])]
        case "draw":
            return [Task("take", number)] * times
        case "act":
            return []
    return [Task(own.does, number)] * times


def _played(state: State, number: int, card: str) -> State:
    own, seat = state.edition.bonus[card], state.seats[number]
    tasks = _bonus_tasks(state, number, card)
    state = state.with_seat(number, bonus=without(seat.bonus, card))
    state = state.first_do(*tasks, played=(*state.played, card))
    if own.does == "act":
        more = 2 if own.planet in seat.studied else 1
        state = replace(state, actions=state.actions + more)
    return state


def _possible(state: State, task: Task) -> bool:
    """Whether a step can be done at all: who has less than asked for gives what there is."""
    match task.kind:
        case "bonus":
            return bool(state.bonus_deck)
        case "draw":
            return bool(state.pile)
        case "reveal":
            return bool(state.pile) and len(state.open) < OPEN
        case "steal":
            return bool(state.seats[task.of].hand)
        case "take" | "home" | "discard" | "swap" | "move" | "place" | "rob":
            steps = TURNS._steps(state, task)
            return any(_illegal(state, task.seat, task, step) is None for step in steps)
    return True


def _settled(state: State) -> State:
    """The state with nothing to be done next that cannot be, and no six cards of a colour."""
    while not state.over:
        if state.todo and not _possible(state, state.todo[0]):
            state = replace(state, todo=state.todo[1:])
        elif _is_crowded(state):
            discarded = (*state.discarded, *state.open)
            state = state.first_do(*[Task("reveal")] * OPEN, open=(), discarded=discarded)
        else:
            break
    return state


def _is_crowded(state: State) -> bool:
    """T24, where there are other cards to be turned: it would never end otherwise."""
    if state.todo and state.todo[0].kind == "reveal":
        return False
    colours = Counter(state.edition.colour(card) for card in state.open if card != SEXTANT)
    if not colours or max(colours.values()) < WIPED:
        return False
    (most, _count), *_others = colours.most_common(1)
    every = (*state.open, *state.deck, *state.discarded)
    return sum(state.edition.colour(card) != most for card in every) > OPEN - WIPED


# rounds


def _ended(state: State) -> State:
    """After a turn: the next one, or the end of the round (T20)."""
    state = replace(state, acted=state.acted + 1, actions=1, acting=False)
    if state.acted < TURNS_A_ROUND * len(state.seats):
        return state
    moving = state.edition.events[state.event]
    return state.first_do(Task("travel", places=moving), Task("travel", places=(COMET,)))


def _travelled(state: State, task: Task, body: str, at: str) -> State:
    if body != COMET:
        planets = list(state.planets)
        planets[PLANETS.index(body)] = at
        left = tuple(own for own in task.places if own != body)
        more = [replace(task, places=left)] if left else []
        return state.first_do(*more, planets=tuple(planets))
    steps = (ZODIAC.index(at) - ZODIAC.index(state.comet)) % len(ZODIAC) or len(ZODIAC)
    state = _swept(replace(state, comet=at, travelled=state.travelled + steps, event=""), [at])
    if state.travelled >= len(ZODIAC):
        return replace(state, over=True)
    return state.first_do(Task("event"))


def _swept(state: State, places: Sequence[str]) -> State:
    """Without the pieces on some constellations (T64, T65)."""
    for number, seat in enumerate(state.seats):
        gone = {at: -seat.on(at) for at in places}
        state = state.with_seat(number, seat.shifted(gone))
    return state


def _turned(state: State, card: str) -> State:
    """An event card: a new round, or Eclipsis (T65, T66)."""
    state = replace(state, events=without(state.events, card))
    if card == ECLIPSIS:
        state = _swept(state, [at for at in ZODIAC if at not in state.planets])
        order = [(state.first + n) % len(state.seats) for n in range(len(state.seats))]
        discards = [Task("discard", seat) for seat in order for _ in range(2)]
        return state.first_do(*discards, Task("event"))
    first = (state.first + 1) % len(state.seats) if state.round else 0
    return replace(state, event=card, round=state.round + 1, first=first, acted=0)


TURNS = PtolemaeusTurns()

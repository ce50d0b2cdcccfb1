"""Effects of actions: cards, pieces and studies, the end of a round and of the game."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from scorer.ptolemaeus.edition import COMET, ECLIPSIS, PLANETS, SEXTANT, ZODIAC, onward
from scorer.ptolemaeus.ephemeris import free_from
from scorer.ptolemaeus.legal import bonus_tasks, possible
from scorer.ptolemaeus.sky import MOST_AT_REST, places_of, sorted_cards
from scorer.ptolemaeus.state import (
    DECK,
    HIDDEN,
    OPEN,
    Action,
    Bonus,
    Claim,
    Discard,
    Draw,
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

TURNS_A_ROUND = 3
CARDS_TAKEN = 2
WIPED = 5
"""The number of open cards of one colour at which all are discarded (T24)."""


def begun(state: State, number: int, action: Action) -> State:
    """The state after a player starts an action, or completes one of a single step."""
    match action:
        case Take(card):
            left = 0 if card == SEXTANT else CARDS_TAKEN - 1
            more = [Task("take", number, left=left)] if left else []
            return _taken(_acted(state).with_tasks(*more), number, card)
        case Observe(what, at):
            places = places_of(what, at)
            return _acted(state).with_tasks(Task("pay", number, places, observed=places))
        case Study(planet, others):
            at = state.bodies[planet]
            gone = Counter(others) + Counter({at: MOST_AT_REST})
            return _studied(state, number, planet, gone)
        case Play(card):
            return _played(state, number, card)
        case Trade():
            own = state.seats[number].asteroids - 2
            return state.with_seat(number, asteroids=own).with_tasks(Task("bonus", number))
        case Claim():
            return replace(state, claimed=number, over=True)
    return _ended(state)


def _acted(state: State) -> State:
    return replace(state, actions=state.actions - 1, acting=True)


def done(state: State, task: Task, action: Action) -> State:
    """The state after a step of a task, which has been removed from the list."""
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
            return _put(state.with_tasks(*more), number, at, task.observed)
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
            return state.with_tasks(Task("steal", number, of=state.seat_of(of) or 0))
        case Discard(card):
            state = state.with_seat(number, hand=without(seat.hand, card))
            return replace(state, discarded=(*state.discarded, card))
    return _happened(state, task, action)


def _happened(state: State, task: Task, action: Action) -> State:
    """The state after a chance action, or a body's movement."""
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
    """Remove a card from the deck, which is remade from the discard pile when empty (T25)."""
    if state.deck:
        return replace(state, deck=without(state.deck, card))
    return replace(state, deck=tuple(sorted(without(state.discarded, card))), discarded=())


def _taken(state: State, number: int, card: str) -> State:
    if card == DECK:
        return state.with_tasks(Task("draw", number))
    hand = sorted_cards([*state.seats[number].hand, card])
    state = state.with_seat(number, hand=hand)
    return state.with_tasks(Task("reveal"), open=without(state.open, card))


def _put(state: State, number: int, at: str, observed: tuple[str, ...] = ()) -> State:
    """Put a piece on a constellation (T38); with the third one a planet is studied (T42)."""
    seat = state.seats[number]
    if not seat.reserve:
        return state.with_tasks(Task("lift", number, (at,), observed))
    state = state.with_seat(number, seat.shifted({at: 1}))
    if seat.on(at) < MOST_AT_REST:
        return state
    return state.with_tasks(Task("study", number, (at,)))


def _studied(state: State, number: int, planet: str, gone: Mapping[str, int]) -> State:
    """Study a planet: pieces leave the sky; the asteroid and a bonus card are gained (T46)."""
    at, seat = state.bodies[planet], state.seats[number]
    seat = seat.shifted({place: -count for place, count in gone.items()})
    found = at in state.asteroids
    state = state.with_seat(
        number, seat, studied=(*seat.studied, planet), asteroids=seat.asteroids + found
    )
    left = tuple(own for own in state.asteroids if own != at)
    return state.with_tasks(Task("bonus", number), asteroids=left)


def _played(state: State, number: int, card: str) -> State:
    seat = state.seats[number]
    if card == HIDDEN:  # what it does is not known
        return state.with_seat(number, bonus=without(seat.bonus, card))
    own = state.edition.bonus[card]
    tasks = bonus_tasks(state, number, card)
    state = state.with_seat(number, bonus=without(seat.bonus, card))
    state = state.with_tasks(*tasks, played=(*state.played, card))
    if own.does == "act":
        more = 2 if own.planet in seat.studied else 1
        state = replace(state, actions=state.actions + more)
    return state


def settled(state: State) -> State:
    """The state without impossible tasks at the front, and without a crowded display (T24)."""
    while not state.over:
        if state.todo and not possible(state, state.todo[0]):
            state = replace(state, todo=state.todo[1:])
        elif _is_crowded(state):
            discarded = (*state.discarded, *state.open)
            state = state.with_tasks(*[Task("reveal")] * OPEN, open=(), discarded=discarded)
        else:
            break
    return state


def _is_crowded(state: State) -> bool:
    """T24, unless there are no other cards to turn up, which would never end."""
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
    return state.with_tasks(Task("travel", places=moving), Task("travel", places=(COMET,)))


def coming(state: State) -> Mapping[str, str]:
    """Where the planets of the event, and then the comet, will be after this round (T60, T62)."""
    moving = state.edition.events.get(state.event, ())
    if still := [body for task in state.todo if task.kind == "travel" for body in task.places]:
        moving = tuple(own for own in moving if own in still)
    planets = {own: onward(at) if own in moving else at for own, at in state.standing.items()}
    comet = free_from(onward(state.comet), planets)
    return {**{own: planets[own] for own in moving}, COMET: comet}


def comes_home(state: State) -> bool:
    """Whether the comet will be home, or past it, at the end of this round (T63)."""
    return rounds_left(state) == 0


def rounds_left(state: State) -> int:
    """The most rounds after this one: the comet moves at least one constellation in each (T62)."""
    to_go = _steps(state, coming(state)[COMET]) if state.event else 0  # it has moved already
    return max(0, len(ZODIAC) - state.travelled - to_go)


def turns_left(state: State, number: int) -> int:
    """The most turns that a player can have after the one in progress: the comet may jump."""
    return turns_this_round(state, number) + TURNS_A_ROUND * rounds_left(state)


def turns_this_round(state: State, number: int) -> int:
    """The turns that a player still has in this round, after the one in progress."""
    players = len(state.seats)
    turns = range(state.acted + 1, TURNS_A_ROUND * players)
    return sum((state.first + turn) % players == number for turn in turns)


def turn_of(state: State) -> int:
    """The number of the turn in the round, as the turn marker shows it."""
    return min(state.acted // len(state.seats), TURNS_A_ROUND - 1) + 1


def _steps(state: State, at: str) -> int:
    """How far a constellation is from the comet's."""
    return (ZODIAC.index(at) - ZODIAC.index(state.comet)) % len(ZODIAC) or len(ZODIAC)


def _travelled(state: State, task: Task, body: str, at: str) -> State:
    if body != COMET:
        planets = list(state.planets)
        planets[PLANETS.index(body)] = at
        left = tuple(own for own in task.places if own != body)
        more = [replace(task, places=left)] if left else []
        return state.with_tasks(*more, planets=tuple(planets))
    travelled = state.travelled + _steps(state, at)
    state = _swept(replace(state, comet=at, travelled=travelled, event=""), [at])
    if state.travelled >= len(ZODIAC):
        return replace(state, over=True)
    return state.with_tasks(Task("event"))


def _swept(state: State, places: Sequence[str]) -> State:
    """Without the pieces on some constellations (T64, T65)."""
    for number, seat in enumerate(state.seats):
        gone = {at: -seat.on(at) for at in places}
        state = state.with_seat(number, seat.shifted(gone))
    return state


def _turned(state: State, card: str) -> State:
    """Apply an event card: a new round, or Eclipsis (T65, T66)."""
    state = replace(state, events=without(state.events, card))
    if card == ECLIPSIS:
        state = _swept(state, [at for at in ZODIAC if at not in state.planets])
        order = [(state.first + n) % len(state.seats) for n in range(len(state.seats))]
        discards = [Task("discard", seat) for seat in order for _ in range(2)]
        return state.with_tasks(*discards, Task("event"))
    first = (state.first + 1) % len(state.seats) if state.round else 0
    return replace(state, event=card, round=state.round + 1, first=first, acted=0)

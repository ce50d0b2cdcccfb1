"""Legal actions and reasons against others: observations, payments, studies, bonus cards."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement as multisets

from scorer.flags import RuleBreak
from scorer.ptolemaeus.edition import NOVA, PLANETS, SEXTANT, ZODIAC
from scorer.ptolemaeus.score import Standing, points
from scorer.ptolemaeus.sky import (
    ASPECTS,
    MOST_AT_REST,
    Aspect,
    SkyPieces,
    can_pay,
    can_place,
    first_of,
    is_offered,
    lacking,
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
    Claim,
    Discard,
    End,
    Lift,
    Move,
    Observe,
    Pay,
    Place,
    Play,
    Rob,
    Seat,
    State,
    Study,
    Swap,
    Take,
    Task,
    Trade,
    without,
)
from scorer.ptolemaeus.words import forbidden, say


def standing(state: State, number: int, name: str) -> Standing:
    """The part of a player's seat that counts for the score."""
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


# candidates


def steps(state: State, task: Task) -> Iterator[Action]:
    """Candidates for the next step of a task, legal or worth an explanation."""
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


def _takes(state: State) -> Iterator[Take]:
    yield Take(DECK)
    yield from map(Take, dict.fromkeys(state.open))


def main_actions(state: State) -> Iterator[Action]:
    """Candidates for actions A, B and C: anything there is to take or to observe (T21)."""
    yield from _takes(state)
    yield from (Observe(what, at) for what, at in offered(state.bodies))


def studies(state: State, number: int) -> Iterator[Study]:
    """Optional studies for which there are enough pieces (T43)."""
    seat = state.seats[number]
    for planet, at in zip(PLANETS, state.planets, strict=True):
        if seat.on(at) < MOST_AT_REST or planet in seat.studied:
            continue
        others = [other for other in ZODIAC if other != at and seat.on(other)]
        for two in multisets(others, 2):
            if all(seat.on(other) >= two.count(other) for other in two):
                yield Study(planet, two)


def may_study(state: State, number: int) -> bool:
    """Whether the player to move can study in this turn, whatever hidden cards there are.

    False only if nothing else but an observation could lead to a study, and none does.
    """
    seat = state.seats[number]
    is_free = seat.bonus or (seat.asteroids > 1 and state.bonus_deck)
    if is_free or state.todo or state.actions > 1:
        return True
    for what, at in offered(state.bodies) if state.actions else ():
        if rule_break(state, number, None, Observe(what, at)) is None:
            there = Counter(places_of(what, at))
            if _enough(state, number, seat.shifted(there)):
                return True
    return _enough(state, number, seat)


def _enough(state: State, number: int, seat: Seat) -> bool:
    """Whether pieces on the sky are enough for a study, by either way (T42, T43)."""
    total = sum(seat.pieces)
    most = max((seat.on(at) for at in ZODIAC if state.planets_at(at, number)), default=0)
    return most > MOST_AT_REST or (most == MOST_AT_REST and total >= 2 * MOST_AT_REST)


# legality


def rule_break(state: State, number: int, task: Task | None, action: Action) -> RuleBreak | None:
    """The rule that forbids a player a step of a task, or an action of their turn."""
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
    """Rules for what takes no action: trading asteroids, claiming the game, ending the turn."""
    match action:
        case Trade():
            if state.seats[number].asteroids < 2:
                return forbidden("T49", "two_asteroids")
            return None if state.bonus_deck else forbidden("T46", "no_bonus")
        case Claim():
            wins = state.edition.wins
            seat = state.seats[number]
            own = sum(points(state.edition, standing(state, number, "")))
            own += seat.bonus.count(HIDDEN)  # hidden cards get the benefit of the doubt
            own += max(state.edition.secret) if seat.secret == HIDDEN else 0
            return None if own >= wins else forbidden("T67", "too_few", n=wins)
    main = main_actions(state) if state.actions else ()
    if any(rule_break(state, number, None, one) is None for one in main):
        return forbidden("T21", "act_first")
    return None


def _illegal_step(state: State, task: Task, action: Action) -> RuleBreak | None:
    """Rules for a step of a bonus card, or of Eclipsis."""
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
    """The opponent of a colour, as a list of at most one."""
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
    hand = state.seats[number].hand
    if HIDDEN in hand and len(hand) >= len(places):
        return None  # hidden cards may pay
    if not can_pay(state.edition, places, hand):
        return forbidden("T28", "too_few_cards", at, n=len(places))
    return None


def unpaid(state: State, what: Aspect, at: str) -> RuleBreak:
    """Why the cards of the player to move do not pay for an observation, and which would."""
    hand, places = state.seats[state.mover].hand, places_of(what, at)
    if HIDDEN in hand:
        return forbidden("T28", "too_few_cards", at, n=len(places))
    named, together, more, colours = lacking(state.edition, places, hand)
    phrase = "lacks_cards" if more > 1 else "lacks_card"
    if not named:
        phrase = "lacks_named" if 0 < len(together) < more else "cannot_pay"
    counted = Counter(named or together).items()
    return forbidden(
        "T28",
        phrase,
        at,
        n=len(places),
        places=tuple(dict.fromkeys(places)),
        more=more,
        cards=tuple(
            say("cards_counted", n=count, card=card) if count > 1 else card
            for card, count in counted
        ),
        colours=tuple(colours),
    )


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
    if card == HIDDEN and card in state.seats[number].bonus:
        return None  # a hidden card may be playable
    if card not in state.seats[number].bonus or card not in state.edition.bonus:
        return forbidden("T50", "not_held", card=card)
    if card == NOVA:
        return forbidden("T58", "kept")
    tasks = bonus_tasks(state, number, card)
    if state.edition.bonus[card].does != "act" and not any(possible(state, task) for task in tasks):
        return forbidden("T50", "nothing_done", card=card)
    return None


def _no_room(state: State, number: int, at: str) -> RuleBreak | None:
    """T39: a third piece needs an unstudied planet there."""
    if state.seats[number].on(at) < MOST_AT_REST or state.planets_at(at, number):
        return None
    return forbidden("T39", "third_piece", at, at=at)


def _from_reserve(state: State, number: int, at: str, rule: str) -> RuleBreak | None:
    """A bonus card's piece comes from the reserve; T38 is for observations."""
    if not state.seats[number].reserve:
        return forbidden(rule, "reserve_empty")
    return _no_room(state, number, at)


def _sky_pieces(state: State, number: int) -> SkyPieces:
    seat = state.seats[number]
    unstudied = tuple(len(state.planets_at(at, number)) for at in ZODIAC)
    return seat.pieces, len(seat.studied), unstudied


# bonus cards, and possible tasks


def bonus_tasks(state: State, number: int, card: str) -> list[Task]:
    """The tasks of a bonus card; none if it gives actions (T56)."""
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


def possible(state: State, task: Task) -> bool:
    """Whether a task can be done at all; players with less than asked for give what they have."""
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
            return any(
                rule_break(state, task.seat, task, step) is None for step in steps(state, task)
            )
    return True

"""A greedy computer player with its reasons: it values pieces and cards.

The astronomer considers the sky at its next action, known from the open event card, what its hand
can pay for there, and the number of actions left until the comet returns. Opponents matter only
where a card makes them give something up. Unknown draws get an average value. The apprentice counts
pieces and cards, wherever and whatever they are.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil

from scorer.greedy import GreedyAdvisor
from scorer.ptolemaeus.edition import COMET, PLANETS, SEXTANT, ZODIAC, onward
from scorer.ptolemaeus.effects import TURNS_A_ROUND, comes_home, coming
from scorer.ptolemaeus.ephemeris import free_from
from scorer.ptolemaeus.legal import standing
from scorer.ptolemaeus.sky import (
    MOST_AT_REST,
    Aspect,
    can_pay,
    is_frugal,
    is_offered,
    offered,
    places_of,
    sorted_cards,
)
from scorer.ptolemaeus.state import (
    DECK,
    HIDDEN,
    Action,
    Claim,
    End,
    Move,
    Observe,
    Pay,
    Place,
    Play,
    Seat,
    State,
    Study,
    Swap,
    Take,
    Trade,
)
from scorer.ptolemaeus.turns import TURNS
from scorer.ptolemaeus.words import say
from scorer.sentence import Sentence

APPRENTICE, ASTRONOMER = "apprentice", "astronomer"
DEEPEST = 12
"""The most steps for which an action is followed until it is complete."""
USUAL: Mapping[str, float] = {"draw": 0.16, "bonus": 0.5, "steal": 0.16, "take": 0.2}
"""The value of an unknown card to come, in points, by kind of task."""
LOST: Mapping[str, float] = {"home": 0.3, "discard": 0.1}
"""The value of an opponent's giving up a piece or a card."""
PIECE, WITH_PLANET, PAIR = 0.3, 0.12, 0.35
"""The values of a piece, of one with a planet to study this round, and of two such pieces."""
SWEPT = 0.2
"""The share of a piece's value that is left where the comet will stop."""
BONUS, ASTEROID, ACTION = 0.5, 0.3, 0.7
SECRET = 0.5
"""The value of a studied planet of the secret objective, while one of the three is missing."""
NAMED, CARD, WILD, KEEPS = 0.12, 0.1, 0.25, 0.95
"""The values of a card of a constellation with a planet to study, of another card, of a sextant;
and the value of each further card relative to the one before it."""
PROMISE, PAID = 0.7, 0.2
"""The share of the best affordable observation that counts, and the cost of each payment."""
TIE = 0.01
"""The value of a piece on the sky at the end, of which more decide a tie."""
FULL = 5
"""The number of actions left below which everything but points loses value."""
STRIDE = 1.7
"""How far the comet usually travels in a round."""
FREE = {Study, Play, Trade}
"""What a turn may have besides its action."""


def naive_worth(state: State, number: int) -> float:
    """The apprentice's value of a player's side of a table, in points."""
    own, seat, edition = standing(state, number, ""), state.seats[number], state.edition
    value = float(edition.studied[len(own.studied)] + own.nova)
    value += edition.secret[len({*own.studied} & {*(own.secret or ())})]
    value += 0.2 * own.asteroids + 0.25 * (len(seat.bonus) - own.nova) + PIECE * sum(seat.pieces)
    cards = sorted((0.2 if card == SEXTANT else 0.14 for card in seat.hand), reverse=True)
    value += sum(own * 0.9**n for n, own in enumerate(cards))
    return value + sum(USUAL.get(task.kind, 0.0) for task in state.todo if task.seat == number)


@dataclass(frozen=True)
class Outlook:
    """What is known about a player's next actions.

    `now` are the actions left in the present turn, `this_round` the turns after it in the round;
    `left` estimates all until the end. `planets` and `comet` are the positions in the next round.
    """

    now: int
    this_round: int
    left: int
    planets: tuple[str, ...]
    comet: str
    is_last: bool


def _outlook(state: State, number: int) -> Outlook:
    players = len(state.seats)
    later = range(state.acted + 1, TURNS_A_ROUND * players)
    this_round = sum((state.first + turn) % players == number for turn in later)
    now = state.actions if state.mover == number else 0
    planets, comet, stride = state.planets, state.comet, 0
    if state.event:
        moving = state.edition.events[state.event]
        at = {body: onward(at) if body in moving else at for body, at in state.standing.items()}
        planets, comet = tuple(at.values()), free_from(onward(state.comet), at)
        stride = (ZODIAC.index(comet) - ZODIAC.index(state.comet)) % len(ZODIAC) or len(ZODIAC)
    to_go = len(ZODIAC) - state.travelled - stride
    rounds = max(0, ceil(to_go / STRIDE))
    left = now + this_round + TURNS_A_ROUND * rounds
    return Outlook(now, this_round, left, planets, comet, is_last=to_go <= 0)


def worth(state: State, number: int) -> float:
    """The astronomer's value of a player's side of a table, in points."""
    own, seat, edition = standing(state, number, ""), state.seats[number], state.edition
    secret = len({*own.studied} & {*(own.secret or ())})
    a_point = edition.asteroids_a_point
    points = edition.studied[len(own.studied)] + own.nova + edition.secret[secret]
    points += own.asteroids // a_point
    if state.over:
        return points + TIE * sum(seat.pieces)
    seen = _outlook(state, number)
    scale = min(1.0, seen.left / FULL)
    value = ASTEROID * (own.asteroids % a_point) + BONUS * (len(seat.bonus) - own.nova)
    value += SECRET * secret * (0.5 if secret == len(own.secret or ()) else 1.0)
    in_round = seen.now + seen.this_round > 0
    planets = state.planets if in_round else seen.planets
    open_at = Counter(
        at for planet, at in zip(PLANETS, planets, strict=True) if planet not in own.studied
    )
    pieces = {at: _pieces_worth(seen, at, open_at[at] if in_round else 0) for at in ZODIAC}
    value += sum(pieces[at][count] for at, count in own.pieces.items())
    study = edition.studied[min(len(own.studied) + 1, len(PLANETS))] + BONUS
    study += 0.1 * (3 - secret) - edition.studied[len(own.studied)]
    comet = state.comet if in_round else seen.comet
    promised = _promises(state, seat, (planets, comet), open_at, pieces, study)
    value += PROMISE * max(promised, default=0.0)
    cards = sorted(
        (WILD if card == SEXTANT else NAMED if open_at[card] else CARD for card in seat.hand),
        reverse=True,
    )
    value += sum(card * KEEPS**n for n, card in enumerate(cards))
    value += ACTION * max(0, seen.now - (not state.acting))
    for task in state.todo:
        value += (USUAL if task.seat == number else LOST).get(task.kind, 0.0)
    if not seen.left:  # nothing can be studied any more
        value = TIE * sum(count for at, count in own.pieces.items() if at != seen.comet)
        return points + value
    return points + scale * value


def _pieces_worth(seen: Outlook, at: str, planets: int) -> Sequence[float]:
    """The values of 0 to 3 pieces on a constellation."""
    one = PIECE * (SWEPT if seen.is_last or at == seen.comet else 1.0)
    one += WITH_PLANET * (planets > 0)
    pair = PAIR * (planets > 0)
    return 0.0, one, 2 * one + pair, 3 * one + pair


def _promises(
    state: State,
    seat: Seat,
    sky: tuple[tuple[str, ...], str],
    open_at: Mapping[str, int],
    pieces: Mapping[str, Sequence[float]],
    study: float,
) -> Iterator[float]:
    """The gain of each observation that a hand can pay for; `study` is a planet's value."""
    for places in _offers(*sky):
        if len(places) > len(seat.hand) or not can_pay(state.edition, places, seat.hand):
            continue
        there, left, gain = {at: seat.on(at) for at in places}, dict(open_at), 0.0
        for at in places:
            count = there[at]
            if count < MOST_AT_REST:
                gain += pieces[at][count + 1] - pieces[at][count]
                there[at] += 1
            elif left.get(at):
                gain += study + ASTEROID * (at in state.asteroids) - pieces[at][count]
                there[at], left[at] = 0, left[at] - 1
            else:
                break
        else:
            yield gain - PAID * len(places)


@lru_cache(maxsize=1000)
def _offers(planets: tuple[str, ...], comet: str) -> Sequence[tuple[str, ...]]:
    bodies = {**dict(zip(PLANETS, planets, strict=True)), COMET: comet}
    return [places_of(what, at) for what, at in offered(bodies)]


class Astronomer(GreedyAdvisor[State, Action]):
    def worth_after(self, state: State, action: Action, number: int, strength: str) -> float:
        """The side's value after the action, with the best choice for each further step."""
        return _followed(state, action, number, worth if strength == ASTRONOMER else naive_worth)

    def reason(self, state: State, action: Action) -> Sentence:
        number = state.todo[0].seat if state.todo else state.mover
        match action:
            case Take(card):
                return say(_taking(state), why=_card_for(state, number, card))
            case Observe(what, at):
                why = _observed(state, number, what, at)
                if _is_for_ties(state, action, number):
                    why = say("why_ties", why=why)
                paid = _payments(state, action, number)
                return say("why_paid", why=why, cards=paid) if paid else why
            case Place(at) | Move(_, at):
                return _placed(state, number, (at,))
            case Swap(at):
                return say("why_swap", then=_pieces(state, number, (at,)))
            case Play(card):
                return self._played(state, number, card)
            case Study(planet):
                return _studied(state, number, planet)
            case Pay(_, cards):
                keeps = SEXTANT in state.seats[number].hand and SEXTANT not in cards
                return say("why_pay_keeps" if keeps else "why_pay")
            case Trade():
                return say("why_trade", n=state.edition.asteroids_a_point)
        return say(f"why_{type(action).__name__.lower()}")

    def brings(self, state: State, action: Action) -> Sentence | str:
        """What an action that is not the best would bring, without praise of it as the best."""
        number = state.todo[0].seat if state.todo else state.mover
        match action:
            case Take(card):
                return say("card_unknown") if card == DECK else _card_for(state, number, card)
            case Pay():
                return say("pays_dearer")
            case Observe(what, at):
                return _placed(state, number, places_of(what, at))
            case Place() | Move() | Swap() | Study() | Trade():
                return self.reason(state, action)
            case Play():
                played = self._played(state, number, action.card)
                return "" if played.key == "why_play" else played
        return ""

    def competes(self, state: State, action: Action, other: Action) -> bool:
        """Not a study, trade or bonus card besides something else (T21); the end ends all that."""
        kinds = {type(action), type(other)}
        return bool(state.todo) or len(kinds) == 1 or End in kinds or not kinds & FREE

    def _played(self, state: State, number: int, card: str) -> Sentence:
        """The reason for the first thing that a bonus card lets its player do."""
        own = state.seats[number]
        if HIDDEN in (card, *own.hand, *own.bonus):  # what can follow is not known
            return say("why_play")
        after = TURNS.after_legal(state, Play(card))
        if TURNS.outcomes(after) or TURNS.decides(after) != number:
            return say("why_play")
        steps = _sensible(after, TURNS.actions(after))
        first = max(steps, key=lambda one: _followed(after, one, number, worth))
        if isinstance(first, End | Play):
            return say("why_play")
        do = TURNS.format_action(first)
        return say("why_play_to", card=card, do=do, why=self.reason(after, first))

    def sensible(self, state: State, legal: Sequence[Action]) -> Sequence[Action]:
        return _sensible(state, legal)


def _sensible(state: State, legal: Sequence[Action]) -> Sequence[Action]:
    """Actions worth considering: no payment with a card to spare; claim the game if possible."""
    claim = [one for one in legal if isinstance(one, Claim)]
    edition = state.edition
    return claim or [
        one
        for one in legal
        if not isinstance(one, Pay) or is_frugal(edition, one.at, sorted_cards(one.cards))
    ]


def _followed(
    state: State, action: Action, number: int, rated: Callable[[State, int], float]
) -> float:
    """The value of a side after an action, with the best choice for each of its steps."""
    if isinstance(action, End):
        return rated(state, number)
    after = TURNS.after_legal(state, action)
    for _ in range(DEEPEST):
        if not after.todo or after.over or TURNS.outcomes(after) or TURNS.decides(after) != number:
            break
        steps = _sensible(after, TURNS.actions(after))
        if isinstance(steps[0], Take):
            break
        after = max(
            (TURNS.after_legal(after, step) for step in steps), key=lambda one: rated(one, number)
        )
    return rated(after, number)


def _payments(state: State, action: Observe, number: int) -> tuple[Sentence | str, ...]:
    """The cards that pay best for an observation; none of a hand that is not seen.

    Nor where a study comes between, as nobody knows what bonus card it brings.
    """
    if HIDDEN in state.seats[number].hand:
        return ()
    after, cards = TURNS.after_legal(state, action), list[str]()
    while after.todo and after.todo[0].kind == "pay":
        steps = [one for one in _sensible(after, TURNS.actions(after)) if isinstance(one, Pay)]
        if not steps:
            return ()
        best = max(steps, key=lambda one: worth(TURNS.after_legal(after, one), number))
        after, cards = TURNS.after_legal(after, best), [*cards, *best.cards]
    if any(task.kind == "pay" for task in after.todo):
        return ()
    counted = Counter(cards).items()
    return tuple(say("cards_counted", n=n, card=one) if n > 1 else one for one, n in counted)


def _taking(state: State) -> str:
    """The phrase for a card as one of two, as the second, or as a gift."""
    if not state.todo:
        return "why_take"
    return "why_take_second" if state.todo[0].left else "why_take_gift"


def _card_for(state: State, number: int, card: str) -> Sentence:
    """What a card would pay for; of a hand that is not seen, what anybody may know."""
    seat, edition = state.seats[number], state.edition
    if card == DECK:
        return say("card_deck")
    new = [
        Observe(what, at)
        for what, at in offered(state.bodies)
        if HIDDEN not in seat.hand
        if can_pay(edition, places_of(what, at), (*seat.hand, card))
        if not can_pay(edition, places_of(what, at), seat.hand)
    ]
    by_worth = {one: _gain(state, number, places_of(one.what, one.at)) for one in new}
    if by_worth and max(by_worth.values()):
        best = max(new, key=by_worth.__getitem__)
        places = places_of(best.what, best.at)
        then = _pieces(state, number, places, ahead=_ahead(state, number) - 1)
        return say("card_pays", do=TURNS.format_action(best), then=then)
    if card == SEXTANT:
        return say("card_sextant")
    if planets := state.planets_at(card, number):
        return say("card_planet", card=card, planets=tuple(planets))
    return say("card_colour", colour=edition.colour(card))


def _gain(state: State, number: int, places: Sequence[str]) -> int:
    """How near pieces on some places bring unstudied planets."""
    seat = state.seats[number]
    return sum(
        1 + seat.on(at) for at in dict.fromkeys(places) if state.planets_at(at, number)
    ) * len(places)


def _placed(state: State, number: int, places: Sequence[str]) -> Sentence:
    return say("why_pieces", then=_pieces(state, number, places))


def _observed(state: State, number: int, what: Aspect, at: str) -> Sentence:
    places = places_of(what, at)
    if what == "constellation":
        return _placed(state, number, places)
    then = _pieces(state, number, places)
    return say("why_configuration", what=what, n=len(places), then=then)


def _is_for_ties(state: State, action: Observe, number: int) -> bool:
    """Whether pieces come too late to study with, so that they decide a tie at most."""
    then = _pieces(state, number, places_of(action.what, action.at))
    is_late = bool(state.event) and comes_home(state) and not _ahead(state, number)
    return is_late and not {one.key for one in then} & {"pieces_study", "pieces_two"}


def _ahead(state: State, number: int) -> int:
    """How many actions a player has in this round after the next one."""
    seen = _outlook(state, number)
    return seen.this_round + max(0, seen.now - (not state.acting))


def _pieces(
    state: State, number: int, places: Sequence[str], ahead: int | None = None
) -> tuple[Sentence, ...]:
    """What further pieces make of each constellation, and which planets can be studied there.

    `ahead` is the number of the player's actions after that in this round.
    """
    seat, more = state.seats[number], Counter(places)
    ahead = _ahead(state, number) if ahead is None else ahead
    then = {at: seat.on(at) + n for at, n in more.items()}
    studied = [at for at in then if then[at] > MOST_AT_REST and state.planets_at(at, number)]
    on_sky = sum(seat.pieces) + min(len(places), seat.reserve) - 3 * len(studied)
    found = list[Sentence]()
    for at, count in then.items():
        planets, left = tuple(state.planets_at(at, number)), MOST_AT_REST + 1 - count
        key = "pieces_study" if at in studied else "pieces_planet" if planets else "pieces"
        if count == MOST_AT_REST <= on_sky - count and planets:
            key = "pieces_two"
        elif at not in studied and state.event:
            each = 2 if is_offered("conjunction", at, state.bodies) else 1
            if not planets or left > ahead * each:
                key, planets = _afterwards(state, at, planets)
        if key == "pieces_two" and on_sky < 8 and key in {one.key for one in found}:
            key = "pieces_two_instead"  # four pieces study one planet only
        found.append(say(key, at=at, n=count, planets=planets, left=left))
    if on_sky < 8 and any(one.key == "pieces_two" for one in found):
        for at in (one for one in ZODIAC if one not in then and seat.on(one) == MOST_AT_REST):
            if planets := tuple(state.planets_at(at, number)):
                found.append(say("pieces_two_instead", at=at, planets=planets))
    return tuple(found)


def _afterwards(state: State, at: str, planets: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """The phrase for pieces that study nothing in this round, and the planets that it names."""
    to = coming(state)
    if to[COMET] == at:
        return "pieces_swept", ()
    if not planets:
        return "pieces", ()
    if comes_home(state):
        return "pieces_late", ()
    stay = tuple(one for one in planets if one not in to)
    return ("pieces_planet", stay) if stay else ("pieces_leave", tuple(planets))


def _studied(state: State, number: int, planet: str) -> Sentence:
    """The points of a further planet, and what else it brings."""
    studied, edition = len(state.seats[number].studied), state.edition
    points = edition.studied[studied + 1] - edition.studied[studied]
    key = "why_study_asteroid" if state.bodies[planet] in state.asteroids else "why_study"
    return say(key, planet=planet, n=studied + 1, points=points)


ADVISOR = Astronomer(TURNS)

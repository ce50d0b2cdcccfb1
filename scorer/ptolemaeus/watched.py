"""A table watched by a camera: what bodies and pieces show of the game.

The sky at the start of the round is known, and the open event card is entered. From these `TURNS`
works out where each body belongs at the round's end (T60 to T65). Between rounds no body moves.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from scorer.flags import RuleBreak
from scorer.places import counted
from scorer.plain import PlainPosition
from scorer.ptolemaeus.board import ASTEROID, TURN_TRACK, asteroid_space, study_space, tray
from scorer.ptolemaeus.edition import COMET, ECLIPSIS, PLANETS, SEXTANT, ZODIAC
from scorer.ptolemaeus.sky import MOST_AT_REST, offered, places_of
from scorer.ptolemaeus.state import Event, Observe, State, Study, Task, Travel
from scorer.ptolemaeus.turns import TURNS
from scorer.ptolemaeus.words import say
from scorer.sentence import Sentence

BODIES = (*PLANETS, COMET)
ANY_HAND = (SEXTANT,) * 12
"""A hand that can pay for anything, so that only the board limits actions."""


@dataclass(frozen=True)
class Step:
    """A step to do by hand: a body moves `to` a constellation, or pieces leave it.

    `body` is "" if pieces leave; `at` is where the body is now, "" for nowhere.
    """

    to: str
    body: str = ""
    start: str = ""
    at: str = ""
    done: bool = False

    @property
    def wrong(self) -> bool:
        """Whether the body was moved elsewhere."""
        return bool(self.at) and self.at not in (self.start, self.to)

    @property
    def said(self) -> Sentence:
        """What to do, or what is wrong and where the body belongs."""
        if not self.body:
            return say("pieces_go_home", at=self.to)
        if self.wrong:
            return say("belongs", body=self.body, to=self.to, at=self.at)
        return say("do_travel", body=self.body, at=self.to)


@dataclass(frozen=True)
class Offer:
    """A present configuration, with the reason why the board forbids it to each player, if any."""

    action: Observe
    forbidden: tuple[RuleBreak | None, ...]

    @property
    def places(self) -> tuple[str, ...]:
        """The constellation of each piece to place, each of which is paid for."""
        return places_of(self.action.what, self.action.at)


@dataclass(frozen=True)
class Watched:
    """Observations so far: `rest` has the sky at the start of the round, `seen` is the board now.

    `card` is the open event card, "" until it is entered; `is_set_up`: every body has reached its
    initial place. `studies` are those that were seen, in order: colour, planet and, if illegal, the
    rule.
    """

    rest: State
    seen: PlainPosition
    is_set_up: bool = False
    card: str = ""
    studies: tuple[tuple[str, str, RuleBreak | None], ...] = ()

    @cached_property
    def bodies(self) -> dict[str, str]:
        """The constellation of each body that is seen."""
        return {body: at for at in ZODIAC for body in self.seen.counted(at) if body in BODIES}

    @property
    def turn(self) -> int | None:
        """The number of the turn by its marker; None if it is not on its track."""
        lies = self.seen.on("spot")
        return next((n for n, space in enumerate(TURN_TRACK, 1) if space in lies), None)

    @cached_property
    def after(self) -> State | None:
        """The expected table after the round, or after Eclipsis; None if the card is unknown."""
        if not self.card:
            return None
        if self.card == ECLIPSIS:
            state = replace(self.rest, todo=(Task("event"),), events=(ECLIPSIS,), round=1)
            return TURNS.after(state, Event(ECLIPSIS))
        moving = self.rest.edition.events[self.card]
        todo = (Task("travel", places=moving), Task("travel", places=(COMET,)))
        state = replace(self.rest, todo=todo)
        while isinstance(action := next(iter(TURNS.outcomes(state)), (None,))[0], Travel):
            state = TURNS.after(state, action)
        return state

    @cached_property
    def steps(self) -> Sequence[Step]:
        """The steps to do by hand, in order, for the set-up, the end of the round or Eclipsis."""
        if self.rest.over:
            return ()
        if not self.is_set_up:
            return [self._step(body, "", at) for body, at in self.rest.bodies.items()]
        if self.after is None:
            return [one for body in BODIES if (one := self._step_before_event(body))]
        was, to = self.rest.bodies, self.after.bodies
        moves = [self._step(body, was[body], to[body]) for body in BODIES if was[body] != to[body]]
        lost = [self._step(body, to[body], to[body]) for body in BODIES if was[body] == to[body]]
        swept = [
            at for at in ZODIAC if self._holds(self.rest, at) and not self._holds(self.after, at)
        ]
        return [
            *moves,
            *(one for one in lost if one.wrong),
            *(Step(at, done=not self._pieces(at)) for at in swept),
        ]

    @property
    def is_moving(self) -> bool:
        """Whether a body, or a piece to be swept, has left its place."""
        return any(one.done or one.wrong for one in self.steps)

    @cached_property
    def offers(self) -> Sequence[Offer]:
        """The present configurations, and to whom they are open (T27 to T39)."""
        if {*self.bodies} != {*BODIES}:
            return ()
        state = self._state()
        found = [Observe(what, at) for what, at in offered(self.bodies) if what != "constellation"]
        found += [Observe("constellation", at) for at in ZODIAC if at in self.bodies.values()]
        return [
            Offer(
                action,
                tuple(
                    TURNS.illegal(replace(state, first=seat), action)
                    for seat in range(len(state.seats))
                ),
            )
            for action in dict.fromkeys(found)
        ]

    def moved(self, seen: PlainPosition) -> "Watched":
        """After a change of the board."""
        before, after = self, replace(self, seen=seen)
        if not all(one.done for one in after.steps):
            return after if before.is_moving or after.is_moving else after._with_studies(before)
        if not self.is_set_up:
            return replace(after, rest=after._state(), is_set_up=True)
        if after.after is None:
            return after._with_studies(before)
        rest = replace(after._state(), travelled=after.after.travelled, over=after.after.over)
        number = self.rest.round + (self.card != ECLIPSIS)
        return replace(after, rest=replace(rest, round=number), card="")

    def with_event(self, card: str) -> "Watched":
        """After the open event card was entered, for this round or the one that is ending."""
        return replace(self, card=card).moved(self.seen)

    def _state(self) -> State:
        """The board as a state of the game in which everybody can pay."""
        state = replace(
            self.rest,
            planets=tuple(self.bodies.get(one, at) for one, at in self.rest.standing.items()),
            comet=self.bodies.get(COMET, self.rest.comet),
            asteroids=tuple(
                at for at in ZODIAC if self.seen.on("spot").get(asteroid_space(at)) == ASTEROID
            ),
            todo=(),
            actions=1,
            acted=0,
        )
        for number, seat in enumerate(state.seats):
            spots = self.seen.on("spot")
            state = state.with_seat(
                number,
                pieces=tuple(self.seen.counted(at)[seat.colour] for at in ZODIAC),
                studied=tuple(p for p in PLANETS if study_space(seat.colour, p) in spots),
                asteroids=counted(self.seen.pieces, tray(seat.colour))[ASTEROID],
                hand=ANY_HAND,
            )
        return state

    def _with_studies(self, before: "Watched") -> "Watched":
        """With planets studied since `before`, and the present pieces as those of the round."""
        found = list(self.studies)
        was, now = before._state(), self._state()
        for number, (old, new) in enumerate(zip(was.seats, now.seats, strict=True)):
            for planet in new.studied:
                if planet not in old.studied:
                    found.append((new.colour, planet, self._forbidden(number, planet)))
        rest = self.rest
        for number, (old, new) in enumerate(zip(rest.seats, now.seats, strict=True)):
            if self.turn == before.turn and old.studied == new.studied:
                most = tuple(map(max, old.pieces, new.pieces))  # pieces may be in transit
                new = replace(new, pieces=most)
            rest = rest.with_seat(number, new)
        return replace(self, rest=rest, studies=tuple(found))

    def _forbidden(self, number: int, planet: str) -> RuleBreak | None:
        """Why a planet cannot have been studied; with two pieces there, a third may have come."""
        at = self.rest.bodies[planet]
        state = replace(self.rest, first=number, acted=0, acting=True, todo=())
        if state.seats[number].on(at) >= MOST_AT_REST:
            return None
        return TURNS.illegal(state, Study(planet))

    def _step(self, body: str, start: str, to: str) -> Step:
        at = self.bodies.get(body, "")
        return Step(to, body, start, at, at == to)

    def _step_before_event(self, body: str) -> Step | None:
        """The move of a body that left its place before the event card was entered."""
        was, at = self.rest.bodies[body], self.bodies.get(body, "")
        if at in ("", was):
            return None
        travels = TURNS.outcomes(replace(self.rest, todo=(Task("travel", places=(body,)),)))
        (action, _odds), *_others = travels
        to = at if body == COMET else getattr(action, "at", at)
        return Step(to, body, was, at, at == to)

    def _pieces(self, at: str) -> int:
        there = self.seen.counted(at)
        return sum(there[seat.colour] for seat in self.rest.seats)

    @staticmethod
    def _holds(state: State, at: str) -> bool:
        return any(seat.on(at) for seat in state.seats)


def watched(start: State, nothing: PlainPosition) -> Watched:
    """An empty board, on which the sky of a start is to be set up."""
    return Watched(replace(start, todo=(), round=1), nothing)


def news(before: Watched, after: Watched) -> Iterator[tuple[bool, Sentence | str]]:
    """The events between two observations: whether they break a rule, and their text."""
    done = {(one.body, one.to) for one in before.steps if one.done}
    wrong_before = {(one.body, one.at) for one in before.steps if one.wrong}
    goes_on = before.is_set_up == after.is_set_up and not (before.card and not after.card)
    for one in after.steps if goes_on else replace(before, seen=after.seen).steps:
        was_due = one.body or (one.body, one.to) in {(own.body, own.to) for own in before.steps}
        if one.done and was_due and (one.body, one.to) not in done:
            yield False, one.said
        if one.wrong and (one.body, one.at) not in wrong_before:
            yield True, one.said
    for colour, planet, broken in after.studies[len(before.studies) :]:
        if broken is None:
            yield False, say("has_studied", colour=colour, planet=planet)
        else:
            yield True, broken.reason
    if after.is_set_up and not before.is_set_up:
        yield False, say("sky_stands")
    elif after.rest.over and not before.rest.over:
        yield False, say("comet_is_back")
    elif after.rest.round > before.rest.round:
        yield False, say("round_over", n=before.rest.round)

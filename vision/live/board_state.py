"""The state of a board: when repeated observations amount to a change. Pure functions of values.

A place's star is what the last change said. An observation that says otherwise makes a candidate;
as many agreeing observations as its confidence asks for make a change. A place that no arm came
near asks for many more: stars do not move by themselves, light does.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Any

from scorer.places import Place, in_region
from vision.live.observations import Held, Observation

_READINGS = ((0.9, 2, 0.0), (0.75, 4, 0.6), (0.35, 8, 1.4))
"""From which confidence, how many agreeing readings over how many seconds confirm a candidate."""
_UNTOUCHED = (0.9, 8, 3.0)
_AGREE = 0.6
"""How sure an observation must be to put an end to doubts about a place."""
_COUNTED = 0.9
"""How sure a count of a region must be that was never known, or that a hand may have changed."""
_ASKED_AFTER = (3, 1.0)
"""So many readings of it over so many seconds, and it is to be asked about."""
_POSSIBLE = 0.4
"""What is known to lie there, if it is this likely beside the new star, stays."""
_CLEAR = 0.9
"""Unless an arm was there, and the new star is as sure as this."""


@dataclass(frozen=True)
class Candidate:
    """What may have come to lie on a place; None: nothing."""

    star: Held | None
    since: float
    readings: int
    confidence: float
    """The mean over the readings."""

    def agree(self, confidence: float) -> Candidate:
        """One more reading says the same."""
        mean = (self.confidence * self.readings + confidence) / (self.readings + 1)
        return replace(self, readings=self.readings + 1, confidence=mean)

    def may_be_confirmed(self, touched: bool) -> bool:
        """Whether more readings that are as sure as those so far can confirm it."""
        return any(self.confidence >= least for least, _, _ in _rules(touched))

    def confirmed(self, t: float, touched: bool) -> bool:
        """Whether it has been seen surely, often and long enough."""
        return any(
            self.confidence >= least and self.readings >= count and t - self.since >= seconds
            for least, count, seconds in _rules(touched)
        )


def _rules(touched: bool) -> Sequence[tuple[float, int, float]]:
    return _READINGS if touched else (_UNTOUCHED,)


@dataclass(frozen=True)
class Doubt:
    """A region of which readings do not say surely enough what it holds; it may be ``likeliest``.

    ``asked``: that has lasted for so long that a person is to say it. ``outdated``: somebody may
    have laid a piece there since the question, which is to be asked anew.
    """

    since: float = math.inf
    """When it was read first."""
    readings: int = 0
    likeliest: tuple[Held | None, ...] = ()
    asked: bool = False
    outdated: bool = False

    def again(self, t: float, likeliest: tuple[Held | None, ...]) -> Doubt:
        """The same after one more reading at ``t``, which may yet turn out to end it."""
        since, readings = min(self.since, t), self.readings + 1
        due = readings >= _ASKED_AFTER[0] and t - since >= _ASKED_AFTER[1]
        return Doubt(since, readings, likeliest, self.asked or due, self.outdated and not due)


@dataclass(frozen=True)
class Change:
    """A place now holds ``now`` where ``was`` lay; None is an empty place.

    ``source`` is where ``now`` lay before, of a dial. ``exchanged``: a hand changed
    it, which had lain so for seconds; otherwise ``was`` may have been a misreading.
    """

    place: Place
    was: Held | None
    now: Held | None
    confidence: float
    source: Place | None = None
    exchanged: bool = False


@dataclass(frozen=True)
class BoardState:
    """What is known to lie on a board: stars by place; which places were ever seen; candidates.

    ``mistaken``: what the reader takes for what a person says lies on a place. ``doubts`` are about
    regions that a hand may have changed, or of which it was never known what they hold.
    """

    occupancy: Mapping[Place, Held] = field(default_factory=dict)
    known: frozenset[Place] = frozenset()
    candidates: Mapping[Place, Candidate] = field(default_factory=dict)
    mistaken: Mapping[Place, Held | None] = field(default_factory=dict)
    doubts: Mapping[Place, Doubt] = field(default_factory=dict)

    @property
    def asked(self) -> dict[Place, Doubt]:
        """The doubts that a person is to answer."""
        return {place: doubt for place, doubt in self.doubts.items() if doubt.asked}

    @property
    def pieces(self) -> dict[Place, str]:
        """The pieces one by one, those of a region on slots of their own."""
        found: dict[Place, str] = {}
        for place, held in self.occupancy.items():
            found |= {place: held} if isinstance(held, str) else in_region(place.id, Counter(held))
        return found

    def expected(self, place: Place) -> Held | None:
        """What the reader sees on a place that holds what it is known to hold."""
        return self.mistaken.get(place, self.occupancy.get(place))

    def to_data(self) -> dict[str, Any]:
        """What outlives a restart, as JSON data."""
        return {
            "lying": {str(place): _as_data(held) for place, held in self.occupancy.items()},
            "known": sorted(str(place) for place in self.known),
            "mistaken": {str(place): _as_data(held) for place, held in self.mistaken.items()},
            "asked": sorted(map(str, self.asked)),
        }

    @staticmethod
    def from_data(data: Mapping[str, Any], places: Iterable[Place]) -> BoardState:
        """What `to_data` wrote, of a board of those places; what it no longer has is left out."""
        by_key = {str(place): place for place in places}
        occupancy, mistaken = (
            {
                by_key[key]: tuple(held) if isinstance(held, list) else held
                for key, held in data[part].items()
                if key in by_key
            }
            for part in ("lying", "mistaken")
        )
        known = frozenset(by_key[key] for key in data["known"] if key in by_key)
        asked = (by_key[key] for key in data.get("asked", ()) if key in by_key)
        doubts = {place: Doubt(asked=True, outdated=True) for place in asked}
        return BoardState(occupancy, known, mistaken=mistaken, doubts=doubts)


def _as_data(held: Held | None) -> str | list[str] | None:
    return [*held] if isinstance(held, tuple) else held


def debounce(
    state: BoardState,
    t: float,
    seen: Mapping[Place, Observation],
    touched: Set[Place],
    dials: Set[str] = frozenset(),
) -> tuple[BoardState, tuple[Change, ...], frozenset[Place]]:
    """The state after a reading at ``t`` seconds, the changes it makes, the places now agreed on.

    The pieces of ``dials`` always face some place.

    >>> core = Place("core")
    >>> red = {core: Observation("red", 0.99, reliable=True)}
    >>> once, changes, _ = debounce(BoardState(), 1.0, red, {core})
    >>> changes
    ()
    >>> [(change.was, change.now) for change in debounce(once, 1.1, red, {core})[1]]
    [(None, 'red')]
    """
    occupancy, known, candidates = dict(state.occupancy), set(state.known), dict(state.candidates)
    mistaken, doubts = dict(state.mistaken), dict(state.doubts)
    changes, agreed = [], set()
    for place, observation in seen.items():
        is_counted = place.kind == "region" and (place in touched or place not in known)
        if is_counted or place in doubts:
            doubts[place] = doubts.get(place, Doubt()).again(t, observation.likeliest)
        least = _COUNTED if is_counted else 0.0
        if not observation.reliable or observation.confidence < least:
            continue
        held = occupancy.get(place)
        if place in mistaken and place not in touched and observation.confidence >= _AGREE:
            # Nobody came near since a person said what lies there, so whatever is seen is that.
            mistaken[place] = observation.piece
        as_held = {held, mistaken.get(place, held)}
        if observation.piece in as_held:
            other = candidates.pop(place, None)
            if observation.confidence < max(_AGREE, other.confidence if other else 0.0):
                continue  # what was seen more surely a moment ago may be there all the same
            if observation.piece == held:
                mistaken.pop(place, None)
            agreed.add(place)
            known.add(place)
            continue
        as_known = max(observation.chances.get(star, 0.0) for star in as_held)
        sure = place in touched and observation.confidence >= _CLEAR
        if place in known and not sure and as_known > _POSSIBLE * observation.confidence:
            continue
        candidate = candidates.get(place)
        if candidate is None or candidate.star != observation.piece:
            candidate = Candidate(observation.piece, t, 1, observation.confidence)
        else:
            candidate = candidate.agree(observation.confidence)
        candidates[place] = candidate
        if candidate.confirmed(t, place in touched or place not in known):
            changes.append(
                Change(place, occupancy.pop(place, None), candidate.star, candidate.confidence)
            )
            if candidate.star is not None:
                occupancy[place] = candidate.star
            del candidates[place]
            mistaken.pop(place, None)
            agreed.add(place)
            known.add(place)
    open_ = {place: doubt for place, doubt in doubts.items() if place not in agreed}
    after = BoardState(occupancy, frozenset(known), candidates, mistaken, open_)
    return *_turn_dials(state, after, changes, dials), frozenset(agreed)


def _turn_dials(
    before: BoardState, after: BoardState, changes: Sequence[Change], dials: Set[str]
) -> tuple[BoardState, tuple[Change, ...]]:
    """State and changes where the pieces of ``dials`` always face a place: where they came last.

    >>> one, two = Place("1", "dial"), Place("2", "dial")
    >>> changes = [Change(one, "moon", None, 0.97), Change(two, None, "moon", 0.97)]
    >>> faced = BoardState({one: "moon"}), BoardState({two: "moon"})
    >>> [(told.place.id, told.source.id) for told in _turn_dials(*faced, changes, {"moon"})[1]]
    [('2', '1')]
    """
    faced = {held: place for place, held in before.occupancy.items() if held in dials}
    events = []
    for change in changes:
        if change.now is not None and change.now in dials:
            events.append(replace(change, source=faced.get(change.now)))
            faced[change.now] = change.place
        elif change.was not in dials:
            events.append(change)
    occupancy = {place: piece for place, piece in after.occupancy.items() if piece not in dials}
    occupancy |= {place: piece for piece, place in faced.items()}
    return replace(after, occupancy=occupancy), tuple(events)


def correct(state: BoardState, place: Place, star: Held | None) -> BoardState:
    """The state after a person has said what lies on a place (None: nothing).

    What the reader took it for is kept as its mistake, so that it is not told again: regions are
    read beside how they looked. Nothing changes where the same is known already.

    >>> core = Place("core")
    >>> correct(BoardState({core: "red"}), core, "orange").occupancy[core]
    'orange'
    """
    if state.occupancy.get(place) == star and place not in state.doubts:
        return state
    occupancy, mistaken = dict(state.occupancy), dict(state.mistaken)
    if place.kind != "region":
        mistaken.setdefault(place, occupancy.get(place))
    occupancy.pop(place, None)
    if star is not None:
        occupancy[place] = star
    if mistaken.get(place, star) == star:
        mistaken.pop(place, None)
    return replace(
        drop_candidates(state, {place}),
        occupancy=occupancy,
        known=state.known | {place},
        mistaken=mistaken,
        doubts={at: doubt for at, doubt in state.doubts.items() if at != place},
    )


def reopen(state: BoardState, place: Place, held: Held | None) -> BoardState:
    """The state after a person's word for what a region holds was taken back: it is asked anew.

    Nothing changes where it is asked about already. ``held`` was known before that word.

    >>> basket = Place("basket", "region")
    >>> again = reopen(BoardState({basket: ("plum",)}, frozenset({basket})), basket, None)
    >>> again.occupancy, again.known, again.asked[basket].outdated
    ({}, frozenset(), True)
    """
    if place in state.asked:
        return state
    after = correct(state, place, held)
    doubts = {**after.doubts, place: Doubt(asked=True, outdated=True)}
    return replace(after, known=after.known - {place}, doubts=doubts)


def drop_candidates(state: BoardState, places: Set[Place]) -> BoardState:
    """The state without the candidates of ``places``, where something moved too soon.

    Nor are there doubts about them yet, but those that a person was asked about.
    """
    kept = {place: c for place, c in state.candidates.items() if place not in places}
    open_ = {at: doubt for at, doubt in state.doubts.items() if doubt.asked or at not in places}
    unchanged = (len(kept), len(open_)) == (len(state.candidates), len(state.doubts))
    return state if unchanged else replace(state, candidates=kept, doubts=open_)


def outdate_questions(state: BoardState, places: Set[Place]) -> BoardState:
    """The state where somebody may have laid something on ``places``: they are asked about anew."""
    anew = {place: Doubt(asked=True, outdated=True) for place in state.asked.keys() & places}
    return replace(state, doubts={**state.doubts, **anew}) if anew else state

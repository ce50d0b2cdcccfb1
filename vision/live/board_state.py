"""The state of a board: when repeated observations amount to a change. Pure functions.

A place holds what its last change said. A different observation creates a candidate; enough
agreeing observations for its confidence confirm a change. A place that no arm came near needs many
more: stars do not move by themselves, light does.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Any

from scorer.places import Place, in_region
from vision.live.observations import Held, Observation

_READINGS = ((0.9, 2, 0.0), (0.75, 4, 0.6), (0.35, 8, 1.4))
"""(confidence, agreeing readings, seconds) from which a candidate is confirmed."""
_UNTOUCHED = (0.9, 8, 3.0)
_AGREE = 0.6
"""Confidence of an observation that ends doubts about a place."""
_COUNTED = 0.9
"""Confidence needed for a region's count that was never known or that a hand may have changed."""
_ASKED_AFTER = (3, 1.0)
"""Readings and seconds after which a person is asked."""
_POSSIBLE = 0.4
"""Probability of the known contents, relative to the new star's, from which they are kept."""
_CLEAR = 0.9
"""Confidence of the new star that overrules this where an arm was."""


@dataclass(frozen=True)
class Candidate:
    """What a place may hold now; None for nothing."""

    star: Held | None
    since: float
    readings: int
    confidence: float
    """The mean over the readings."""

    def agree(self, confidence: float) -> "Candidate":
        """The candidate after one more agreeing reading."""
        mean = (self.confidence * self.readings + confidence) / (self.readings + 1)
        return replace(self, readings=self.readings + 1, confidence=mean)

    def may_be_confirmed(self, touched: bool) -> bool:
        """Whether more readings of the same confidence can confirm it."""
        return any(self.confidence >= least for least, _, _ in _rules(touched))

    def confirmed(self, t: float, touched: bool) -> bool:
        """Whether it has been seen with enough confidence, often and long enough."""
        return any(
            self.confidence >= least and self.readings >= count and t - self.since >= seconds
            for least, count, seconds in _rules(touched)
        )


def _rules(touched: bool) -> Sequence[tuple[float, int, float]]:
    return _READINGS if touched else (_UNTOUCHED,)


@dataclass(frozen=True)
class Doubt:
    """A region whose contents are not certain; they may be one of ``likeliest``.

    ``asked``: the doubt has lasted so long that a person is asked. ``outdated``: somebody may have
    placed a piece there since the question, which is to be asked again.
    """

    since: float = math.inf
    """The time of the first reading."""
    readings: int = 0
    likeliest: tuple[Held | None, ...] = ()
    asked: bool = False
    outdated: bool = False

    def again(self, t: float, likeliest: tuple[Held | None, ...]) -> "Doubt":
        """The doubt after one more reading at ``t``, which may yet turn out to end it."""
        since, readings = min(self.since, t), self.readings + 1
        due = readings >= _ASKED_AFTER[0] and t - since >= _ASKED_AFTER[1]
        return Doubt(since, readings, likeliest, self.asked or due, self.outdated and not due)


@dataclass(frozen=True)
class Change:
    """A place now holds ``now`` instead of ``was``; None is an empty place.

    ``source`` is where ``now`` was before, for a dial. ``exchanged``: a hand changed what had been
    there for seconds; otherwise ``was`` may have been a misreading.
    """

    place: Place
    was: Held | None
    now: Held | None
    confidence: float
    source: Place | None = None
    exchanged: bool = False


@dataclass(frozen=True)
class BoardState:
    """The known contents of a board, the places that were ever seen, and candidates.

    ``mistaken``: what the reader sees instead of what a person said. ``doubts`` are about regions
    that a hand may have changed, or whose contents were never known.
    """

    occupancy: Mapping[Place, Held] = field(default_factory=dict)
    known: frozenset[Place] = frozenset()
    candidates: Mapping[Place, Candidate] = field(default_factory=dict)
    mistaken: Mapping[Place, Held | None] = field(default_factory=dict)
    doubts: Mapping[Place, Doubt] = field(default_factory=dict)

    @property
    def asked(self) -> dict[Place, Doubt]:
        """The doubts that a person is to resolve."""
        return {place: doubt for place, doubt in self.doubts.items() if doubt.asked}

    @property
    def pieces(self) -> dict[Place, str]:
        """The individual pieces, those of a region on slots of their own."""
        found: dict[Place, str] = {}
        for place, held in self.occupancy.items():
            found |= {place: held} if isinstance(held, str) else in_region(place.id, Counter(held))
        return found

    def expected(self, place: Place) -> Held | None:
        """What the reader should see on a place, given its known contents."""
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
    def from_data(data: Mapping[str, Any], places: Iterable[Place]) -> "BoardState":
        """The inverse of `to_data`, for a board of these places; others are dropped."""
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
    """The state after a reading at ``t`` seconds, its changes, and the places now agreed on.

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
            # Nobody came near since a person said what is here, so whatever is seen is that.
            mistaken[place] = observation.piece
        as_held = {held, mistaken.get(place, held)}
        if observation.piece in as_held:
            other = candidates.pop(place, None)
            if observation.confidence < max(_AGREE, other.confidence if other else 0.0):
                continue  # what was seen with more confidence a moment ago may still be there
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
    """State and changes in which the pieces of ``dials`` always face a place, the latest one.

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
    """The state after a person has said what is on a place (None: nothing).

    What the reader saw there is kept as its mistake, so that it is not reported again, except for
    regions, which are read relative to their previous looks. Nothing changes if the same is known
    already.

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
    """The state after a person's answer about a region was withdrawn: it is asked again.

    Nothing changes if it is being asked already. ``held`` was known before that answer.

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

    Doubts about them are dropped as well, except those that a person was asked about.
    """
    kept = {place: c for place, c in state.candidates.items() if place not in places}
    open_ = {at: doubt for at, doubt in state.doubts.items() if doubt.asked or at not in places}
    unchanged = (len(kept), len(open_)) == (len(state.candidates), len(state.doubts))
    return state if unchanged else replace(state, candidates=kept, doubts=open_)


def outdate_questions(state: BoardState, places: Set[Place]) -> BoardState:
    """The state after somebody may have placed pieces on ``places``: questions are asked again."""
    anew = {place: Doubt(asked=True, outdated=True) for place in state.asked.keys() & places}
    return replace(state, doubts={**state.doubts, **anew}) if anew else state

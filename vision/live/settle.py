"""Settle: when repeated sightings amount to a change. Pure functions of values.

A place's star is what the last change said. A sighting that says otherwise makes a candidate; as
many agreeing sightings as its confidence asks for make a change. A place that no arm came near
asks for many more: stars do not move by themselves, light does.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, field, replace
from typing import Any

from vision.live.belief import Sighting

_READINGS = ((0.9, 2, 0.0), (0.75, 4, 0.6), (0.35, 8, 1.4))
"""From which confidence, how many agreeing readings over how many seconds settle a place."""
_UNTOUCHED = (0.9, 8, 3.0)
_AGREE = 0.6
"""How sure a sighting must be to put an end to doubts about a place."""
_POSSIBLE = 0.4
"""What is known to lie there, if it is this likely beside the new star, stays."""
_PLAIN = 0.9
"""Unless an arm was there, and the new star is as sure as this."""


@dataclass(frozen=True)
class Candidate:
    """A star (None: an empty place) that may have come to lie on a place."""

    star: str | None
    since: float
    readings: int
    confidence: float
    """The mean over the readings."""

    def agree(self, confidence: float) -> Candidate:
        """One more reading says the same."""
        mean = (self.confidence * self.readings + confidence) / (self.readings + 1)
        return replace(self, readings=self.readings + 1, confidence=mean)

    def settled(self, t: float, touched: bool) -> bool:
        """Whether it has been seen surely, often and long enough."""
        rules = _READINGS if touched else (_UNTOUCHED,)
        return any(
            self.confidence >= least and self.readings >= count and t - self.since >= seconds
            for least, count, seconds in rules
        )


@dataclass(frozen=True)
class Change:
    """A place now holds ``now`` where ``was`` lay; None is an empty place."""

    place: str
    was: str | None
    now: str | None
    confidence: float


@dataclass(frozen=True)
class Settled:
    """What is known to lie on a board: stars by place; which places were ever seen; candidates.

    ``mistaken``: what the eye takes for what a person says lies on a place.
    """

    lying: Mapping[str, str] = field(default_factory=dict)
    known: frozenset[str] = frozenset()
    candidates: Mapping[str, Candidate] = field(default_factory=dict)
    mistaken: Mapping[str, str | None] = field(default_factory=dict)

    def expected(self, place: str) -> str | None:
        """What the eye sees on a place that holds what it is known to hold."""
        return self.mistaken.get(place, self.lying.get(place))

    def to_data(self) -> dict[str, Any]:
        """What outlives a restart, as JSON data."""
        return {
            "lying": dict(self.lying),
            "known": sorted(self.known),
            "mistaken": dict(self.mistaken),
        }

    @staticmethod
    def from_data(data: Mapping[str, Any]) -> Settled:
        """What `to_data` wrote."""
        return Settled(
            dict(data["lying"]), frozenset(data["known"]), mistaken=dict(data["mistaken"])
        )


def settle(
    state: Settled, t: float, seen: Mapping[str, Sighting], touched: Set[str]
) -> tuple[Settled, tuple[Change, ...], frozenset[str]]:
    """The state after a reading at ``t`` seconds, the changes it makes, the places now agreed on.

    >>> red = {"core": Sighting("red", 0.99, plain=True)}
    >>> once, changes, _ = settle(Settled(), 1.0, red, {"core"})
    >>> changes
    ()
    >>> settle(once, 1.1, red, {"core"})[1]
    (Change(place='core', was=None, now='red', confidence=0.99),)
    """
    lying, known, candidates = dict(state.lying), set(state.known), dict(state.candidates)
    mistaken = dict(state.mistaken)
    changes, agreed = [], set()
    for place, sighting in seen.items():
        if not sighting.plain:
            continue
        held = lying.get(place)
        if place in mistaken and place not in touched and sighting.confidence >= _AGREE:
            # Nobody came near since a person said what lies there, so whatever is seen is that.
            mistaken[place] = sighting.star
        as_held = {held, mistaken.get(place, held)}
        if sighting.star in as_held:
            if sighting.confidence < _AGREE:
                continue
            if sighting.star == held:
                mistaken.pop(place, None)
            candidates.pop(place, None)
            agreed.add(place)
            known.add(place)
            continue
        as_known = max(sighting.chances.get(star, 0.0) for star in as_held)
        sure = place in touched and sighting.confidence >= _PLAIN
        if place in known and not sure and as_known > _POSSIBLE * sighting.confidence:
            continue
        candidate = candidates.get(place)
        if candidate is None or candidate.star != sighting.star:
            candidate = Candidate(sighting.star, t, 1, sighting.confidence)
        else:
            candidate = candidate.agree(sighting.confidence)
        candidates[place] = candidate
        if candidate.settled(t, place in touched or place not in known):
            changes.append(
                Change(place, lying.pop(place, None), candidate.star, candidate.confidence)
            )
            if candidate.star is not None:
                lying[place] = candidate.star
            del candidates[place]
            mistaken.pop(place, None)
            agreed.add(place)
            known.add(place)
    after = Settled(lying, frozenset(known), candidates, mistaken)
    return after, tuple(changes), frozenset(agreed)


def correct(state: Settled, place: str, star: str | None) -> Settled:
    """The state after a person has said what lies on a place (None: nothing).

    What the eye took it for is kept as its mistake, so that it is not told again. Nothing changes
    where the same is known already.

    >>> correct(Settled({"core": "red"}), "core", "orange").lying
    {'core': 'orange'}
    """
    if state.lying.get(place) == star:
        return state
    lying, mistaken = dict(state.lying), dict(state.mistaken)
    mistaken.setdefault(place, lying.get(place))
    lying.pop(place, None)
    if star is not None:
        lying[place] = star
    if mistaken[place] == star:
        del mistaken[place]
    return replace(
        withdraw(state, {place}), lying=lying, known=state.known | {place}, mistaken=mistaken
    )


def withdraw(state: Settled, places: Set[str]) -> Settled:
    """The state without the candidates of ``places``: they moved again before they settled."""
    kept = {place: c for place, c in state.candidates.items() if place not in places}
    return state if len(kept) == len(state.candidates) else replace(state, candidates=kept)

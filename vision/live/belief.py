"""From a look to sightings: what is seen on each place, how surely, and on what grounds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from calibration import Profile
from scorer.nebula import BLACK
from vision.decode import EMPTY, Belief, decode_galaxy
from vision.detect import CLASSES
from vision.reader import STAR_SEEN, Look

PRINT_SEEN = 0.25
"""The change up to which the print of an empty space is plainly seen."""
_DRAWING_SEEN = 0.6
"""The likeness from which what is drawn on it is seen; stars reach 0.6 in one of twenty cases."""
_HELD = 14.0
"""Log odds for what is known to lie on a place that cannot be seen now."""


@dataclass(frozen=True)
class Sighting:
    """What one look says of one place.

    ``plain``: there are grounds to see, a star or the bare print. A sleeve over an empty space is
    like neither.
    """

    star: str | None
    confidence: float
    plain: bool
    chances: Mapping[str | None, float] = field(default_factory=dict)
    """How likely each star is, and None for an empty place, as the judge or the detector has it.

    Whoever of them finds it likelier counts: only what both deny is gone.
    """


def place_names(profile: Profile) -> tuple[str, ...]:
    """Every place of a board in the order of looks and glances."""
    return tuple(profile.places)


def sightings(
    look: Look,
    profile: Profile,
    lying: Mapping[str, str],
    visible: np.ndarray,
) -> dict[str, Sighting]:
    """The sightings of the (P,) bool ``visible`` places.

    The others are taken to hold what they are known to hold, ``lying``, so that a covered
    neighbour does not make a star look out of place.
    """
    names = place_names(profile)
    odds = look.odds.copy()
    for row in np.flatnonzero(~visible):
        star = lying.get(names[row])
        odds[row] = 0.0
        odds[row, EMPTY if star is None else CLASSES.index(star)] = _HELD
    by_name = dict(zip(names, odds, strict=True))
    beliefs = decode_galaxy({n: by_name[n] for n in profile.spaces}, profile.board)
    beliefs |= {n: _on_track(by_name[n]) for n in names if n not in profile.spaces}
    seen = {}
    for row in np.flatnonzero(visible):
        belief = beliefs[names[row]]
        if belief.star is None:
            plain = look.change[row] < PRINT_SEEN
            if names[row] in lying:  # a sleeve as dark as the print must not take a star away
                plain = plain and look.likeness[row] > _DRAWING_SEEN
        else:
            plain = look.scores[row].max() > STAR_SEEN
        scores = look.scores[row]
        likely = belief.probabilities.copy()
        likely[:EMPTY] = np.maximum(likely[:EMPTY], scores / max(1.0, scores.sum()))
        chances = dict(zip((*CLASSES, None), likely.tolist(), strict=True))
        seen[names[row]] = Sighting(belief.star, belief.confidence, bool(plain), chances)
    return seen


def _on_track(odds: np.ndarray) -> Belief:
    """A place of the track holds a black star or none."""
    black, empty = odds[CLASSES.index(BLACK)], odds[EMPTY]
    chance = 1 / (1 + np.exp(empty - black))
    probabilities = np.zeros(len(CLASSES) + 1)
    probabilities[CLASSES.index(BLACK)], probabilities[EMPTY] = chance, 1 - chance
    return Belief(probabilities)

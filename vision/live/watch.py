"""Watch one board: where it lies, which of its places are still and free, what came to lie there.

Every frame is glanced at; the detector runs only when a place that changed has become still and
nothing large lies over it. What an arm covers keeps its state.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import cv2
import numpy as np

from calibration import board_corners
from scorer.places import Place
from vision.live.events import LiveEvent, change_events, corners_data
from vision.live.eye import Eye, corners_of
from vision.live.glance import Difference, Glancer, Thing, mean_levels
from vision.live.memory import Memory
from vision.live.observations import Observation, observations
from vision.live.settle import Settled, correct, settle, withdraw
from vision.live.source import Frame
from vision.locate import SAME_BOARD, overlap
from vision.rectify import transform

STEADY = 0.2
"""Seconds for which a place must be still before it is read."""
AGAIN = 0.1
"""Seconds between readings, as until a place that seems to have changed is read once more."""
_LAZY = 0.7
"""Seconds between readings where only the light has changed: no arm came near the place."""
_SURE = 0.9
"""The confidence from which a first observation is worth a second one at once."""
_PATIENCE = (0.2, 4.0)
"""Seconds until an unclear place is read again: at first, and at most."""
CHANGED = 7.0
"""Mean levels by which a place differs when it is worth a reading."""
_RESTLESS = (4.0, 0.06)
"""Mean levels, and share of a place's brightness, by which it differs when it is not still."""
_REFRESH = 1.0
"""Seconds between looks at how a quiet board has come to look, by slow light or a slow drift."""
_QUIET = 0.9
"""The share of a quiet board's places that have been still for so long; a candle may flicker."""
_ABSORB = 1.5
"""Seconds after which something large that lies still may turn out to be light."""
_LONG = 6.0
"""Seconds after which something large that lies still, and lets all be plainly seen, is no arm."""
_LIGHT = 4
"""So many covered places that are seen all the same tell light from fingertips beside a space."""
_MOSTLY = 0.5
"""The share of the board under large things from which it may well lie elsewhere."""
_HURRY = 2.0
"""Seconds of moving on end after which the board is looked for all the same."""
_MOVED_MM = 1.0
"""How far a corner must have moved for the board to be told as moved."""
_DRIFT_MM = 0.55
"""How far the board must seem to have moved for it to be registered anew."""
_CHECK = 1.0
"""Seconds for which a board that was just registered is trusted to lie there."""
_AWAY = 0.5
"""Seconds until a board that was not found where it was is looked for again."""
_MISSES = 3
"""So often in a row the board is not found where it was before it is told to be lost."""


class BoardWatch:
    """Follows one board; `see` takes a frame and tells what happened."""

    def __init__(
        self,
        number: int,
        eye: Eye,
        glancer: Glancer,
        pose: np.ndarray,
        settled: Settled,
        table: Sequence[BoardWatch],
    ) -> None:
        """Begin with a pose, (3, 3) from mm to px, and with what is known to lie there.

        ``table`` are all boards that are followed: their stars are of one set.
        """
        self.number, self.pose, self.settled, self.lost = number, pose, settled, False
        self._eye, self._glancer, self._table = eye, glancer, table
        self._places = tuple(eye.profile.places)
        self._rows = {place: row for row, place in enumerate(self._places)}
        self._memory: Memory | None = None
        self._anchor = np.empty(0)  # what each place looked like when it was last said to be still
        self._misses = 0
        self._looks: dict[
            Place, np.ndarray
        ] = {}  # of the stars: their features when last seen well
        self._read_everything(0.0, np.zeros(len(self._places), bool))

    @property
    def pieces(self) -> dict[Place, str]:
        """What is known to lie on the board."""
        return dict(self.settled.lying)

    @property
    def counts(self) -> dict[str, int]:
        """How many pieces lie on each track."""
        lying = Counter(place.id for place in self.settled.lying if place.kind == "track")
        return {track: lying[track] for track in self._eye.profile.tracks}

    @property
    def in_doubt(self) -> bool:
        """Whether something was touched that has not been read yet."""
        return self._memory is None or bool((self._unsettled & self._touched).any())

    @property
    def has_unread(self) -> bool:
        """Whether there are places in the picture of which it was never known what lies there."""
        return bool(self._among(self._inside) - self.settled.known)

    def _mask(self, places: Iterable[Place]) -> np.ndarray:
        """(P,) bool, true for those places."""
        mask = np.zeros(len(self._places), bool)
        mask[[self._rows[place] for place in places]] = True
        return mask

    def _among(self, mask: np.ndarray) -> set[Place]:
        """The places of a (P,) bool mask."""
        return {self._places[row] for row in np.flatnonzero(mask)}

    def corners(self) -> np.ndarray:
        """(4, 2) px, clockwise from the printed top-left."""
        return corners_of(self._eye.profile, self.pose)

    def to_data(self) -> dict[str, Any]:
        """What outlives a restart, as JSON data."""
        return {"pose": self.pose.tolist(), **self.settled.to_data()}

    def correct(self, place: Place, star: str | None) -> None:
        """Take a person's word for what lies on a place."""
        before, self.settled = self.settled, correct(self.settled, place, star)
        if self._memory is not None and self.settled is not before:
            # Read once more, to learn what the eye takes it for while nobody comes near.
            here = self._mask([place])
            self._unsettled |= here
            self._fresh |= here
            self._touched &= ~here
            self._retry[here] = 0

    def lies_at(self, pose: np.ndarray) -> bool:
        """Whether what lies at a pose is this board, and not another one."""
        there = corners_of(self._eye.profile, pose)
        return not self.lost and overlap(there, self.corners()) >= SAME_BOARD

    def found_at(self, pose: np.ndarray) -> None:
        """Go on at another pose with the same stars; every place is looked at anew."""
        self.pose, self.lost = pose, False
        self._memory, self._misses = None, 0

    def see(self, frame: Frame) -> list[LiveEvent]:
        """What this frame shows to have happened on the board."""
        t = frame.t
        glance = self._glancer.take(frame.image, self.pose)
        if self._memory is None:
            self._begin(frame, glance)
        moving = self._feel(glance, t)
        if float(np.median(t - self._still_since)) >= STEADY:
            self._last_rest = t
        difference = self._compare(glance, t)
        covered = difference.covered | ~self._inside
        restless = covered | moving
        self.settled = withdraw(self.settled, self._among(restless))
        self._touched |= difference.covered
        self._unsettled |= difference.places > CHANGED
        steady = ~covered & (t - self._still_since >= STEADY)
        self._let_be(steady & (difference.places < CHANGED))
        due = self._unsettled & steady & (t >= self._retry)
        if due.any() and t >= self._last_reading + (AGAIN if self._touched[due].any() else _LAZY):
            if not self._drifted(glance, t):
                return self._read(frame, glance, steady)
            return self._find_again(frame) if self._last_rest == t else []
        return self._rest(frame, glance, difference)

    def _begin(self, frame: Frame, glance: np.ndarray) -> None:
        self._memory = Memory(self._glancer, glance, frame.t)
        self._anchor = self._glancer.patches(glance)
        inside = self._glancer.inside(frame.image.shape[:2], self.pose)
        self._read_everything(frame.t, inside)

    def _read_everything(self, t: float, inside: np.ndarray) -> None:
        """From ``t`` on, all is to be read; (P,) bool ``inside`` are the places in the picture."""
        count = len(self._places)
        self._inside = inside
        self._still_since = np.full(count, t)
        self._unsettled = inside.copy()
        self._fresh = np.ones(count, bool)  # remembered looks that no reading has confirmed yet
        self._touched = np.ones(count, bool)
        self._retry = np.zeros(count)
        self._pause = np.full(count, _PATIENCE[0])
        self._last_reading = -_LAZY
        self._last_rest = t
        self._next_check = t
        self._next_refresh = self._next_absorb = t + _REFRESH

    def _feel(self, glance: np.ndarray, t: float) -> np.ndarray:
        """(P,) bool: the places that look other than when they were last said to be still."""
        patches = self._glancer.patches(glance)
        moved = mean_levels(cv2.absdiff(patches, self._anchor))
        level, share = _RESTLESS
        moving = moved > level + share * mean_levels(patches)
        self._anchor[moving] = patches[moving]
        self._still_since[moving] = t
        self._retry[moving], self._pause[moving] = 0, _PATIENCE[0]
        return moving

    def _compare(self, glance: np.ndarray, t: float) -> Difference:
        """How the board differs from what is remembered of it.

        What no reading has confirmed may be an arm that lay there when the board was found: where
        something else lies still now, that is remembered instead.
        """
        assert self._memory is not None
        difference = self._memory.compare(glance)
        doubtful = difference.covered & self._fresh & (t - self._still_since >= STEADY)
        if doubtful.any():
            self._memory.renew(glance, doubtful)
            difference = self._memory.compare(glance)
        return difference

    def _let_be(self, as_remembered: np.ndarray) -> None:
        """An arm passed over these (P,) bool places, and they look as they did: nothing to read."""
        settled = ~self._fresh & ~self._mask(self.settled.candidates)
        self._unsettled &= ~(as_remembered & settled)
        self._touched &= ~(as_remembered & settled)

    def _drifted(self, glance: np.ndarray, t: float) -> bool:
        assert self._memory is not None
        return t >= self._next_check and self._memory.drift(glance) > _DRIFT_MM

    def _find_again(self, frame: Frame) -> list[LiveEvent]:
        """Register the board anew near where it was; tell if it moved, or if it is gone.

        What is remembered of its looks is in the board's own coordinates and stays right.
        """
        pose = self._eye.follow(frame.image, self.pose)
        others = [board for board in self._table if board is not self]
        if pose is None or any(board.lies_at(pose) for board in others):
            self._next_check = frame.t + _AWAY
            self._retry = np.maximum(self._retry, self._next_check)
            self._misses += 1
            if self._misses < _MISSES:
                return []
            self.lost = True
            return [LiveEvent(frame.t, "board_lost", self.number)]
        self._misses = 0
        corners = board_corners(self._eye.profile.size_mm)
        there = transform(np.linalg.inv(self.pose) @ pose, corners)
        moved = float(np.abs(there - corners).max())
        self.pose = pose
        glance = self._glancer.take(frame.image, pose)
        self._anchor = self._glancer.patches(glance)
        self._inside = self._glancer.inside(frame.image.shape[:2], pose)
        assert self._memory is not None
        self._memory.renew_rim(glance)
        if moved < _MOVED_MM:  # and what lay still lies still: light, not the board, has changed
            self._next_check = frame.t + _CHECK
            return []
        self._next_check = frame.t + STEADY  # it may be moving still
        self._still_since[:] = frame.t
        return [LiveEvent(frame.t, "board_moved", self.number, corners_data(self.corners()))]

    def _look(
        self, frame: Frame, visible: np.ndarray
    ) -> tuple[Mapping[Place, np.ndarray], dict[Place, Observation]]:
        """Each place's features, and the observations of the (P,) bool ``visible`` places.

        They are judged beside all other stars of the set that were seen before: on other boards,
        and on places that an arm covers now.
        """
        hidden = self._among(~visible)
        beside = [
            features
            for board in self._table
            for place, features in board._looks.items()
            if board is not self or place in hidden
        ]
        others = np.array(beside, np.float32) if beside else None
        look = self._eye.look(frame.image, self.pose, visible, others)
        features = dict(zip(self._places, look.features, strict=True))
        return features, observations(look, self._eye.profile, self.settled.lying, visible)

    def _read(self, frame: Frame, glance: np.ndarray, steady: np.ndarray) -> list[LiveEvent]:
        self._last_reading = frame.t
        features, seen = self._look(frame, steady)
        before = self.counts
        touched = self._among(self._touched)
        self.settled, changes, agreed = settle(self.settled, frame.t, seen, touched)
        for place in agreed:
            self._looks.pop(place, None)
            if place in self.settled.lying:
                self._looks[place] = features[place]
        self._close(glance, self._mask(agreed))
        for row in np.flatnonzero(self._unsettled & steady):
            candidate = self.settled.candidates.get(self._places[row])
            if candidate is not None and (candidate.readings > 1 or candidate.confidence >= _SURE):
                self._retry[row] = frame.t + AGAIN
            else:
                self._retry[row] = frame.t + self._pause[row]
                self._pause[row] = min(2 * self._pause[row], _PATIENCE[1])
        return change_events(frame.t, self.number, changes, before, self.counts)

    def _close(self, glance: np.ndarray, agreed: np.ndarray) -> None:
        """The (P,) bool ``agreed`` places are as they are known to be: remember how they look."""
        assert self._memory is not None
        self._memory.keep(glance, agreed)
        self._unsettled &= ~agreed
        self._fresh &= ~agreed
        self._touched &= ~agreed
        self._retry[agreed] = 0
        self._pause[agreed] = _PATIENCE[0]

    def _rest(self, frame: Frame, glance: np.ndarray, seen: Difference) -> list[LiveEvent]:
        """Nothing to read: see to slow light, to things that lie still, and to the board itself."""
        assert self._memory is not None
        t = frame.t
        still = t - self._still_since
        at_rest = self._last_rest == t or t - self._last_rest > _HURRY
        if seen.share > _MOSTLY and t >= self._next_check and at_rest:
            return self._find_again(frame)
        if t >= self._next_refresh:
            self._next_refresh = t + _REFRESH
            self._memory.watched(glance, t, _LONG)
            quiet = (still >= _REFRESH)[self._inside].mean() > _QUIET
            if quiet and not seen.covered.any():
                if self._drifted(glance, t):
                    return self._find_again(frame)
                self._memory.follow(glance, t, seen, self._unsettled, _LONG)
        # An arm that lay there when the board was found is a part of its looks until it leaves.
        patience = STEADY if self._fresh.any() else _ABSORB
        if seen.covered.any() and t >= self._next_absorb:
            self._memory.notice(glance, t)
            things = [
                thing for thing in self._glancer.things(seen) if still[thing.places].min() >= STEADY
            ]
            healed = self._memory.heal(glance, things)
            for thing in healed:
                self._read_anew(thing.places)
            if healed:
                return []
            lying = [thing for thing in things if self._lies(thing, t) >= patience]
            if lying:
                self._next_absorb = t + 2 * patience
                self._absorb(frame, glance, ~seen.covered, lying)
        return []

    def _lies(self, thing: Thing, t: float) -> float:
        """For how many seconds a thing, and what can be seen of the places under it, lies still."""
        assert self._memory is not None
        places = float(t - self._still_since[thing.places].max())
        return min(places, self._memory.lying_for(thing, t))

    def _read_anew(self, places: np.ndarray) -> None:
        """The (P,) bool ``places`` are to be read, however much they look as remembered now."""
        self._fresh |= places
        self._unsettled |= places
        self._touched |= places

    def _absorb(
        self, frame: Frame, glance: np.ndarray, free: np.ndarray, things: list[Thing]
    ) -> None:
        """A thing that lets nearly all under it be seen as it was is light: get used to it.

        Or it was an arm that lay there when the board was found: it hid what is seen only now, or
        made something else of it. ``free`` are the (P,) bool places under no thing at all.
        """
        assert self._memory is not None
        under = np.logical_or.reduce([thing.places for thing in things])
        _, seen = self._look(frame, self._inside & (free | under))
        for thing in things:
            long = self._lies(thing, frame.t) >= _LONG
            as_known, new = np.zeros((2, len(self._places)), bool)
            for row in np.flatnonzero(thing.places):
                place = self._places[row]
                observation = seen.get(place)
                if observation is not None and observation.reliable:
                    as_known[row] = observation.piece == self.settled.expected(place)
                    unknown = long or place not in self.settled.known
                    new[row] = unknown and observation.confidence >= _SURE
            if (as_known | new)[thing.places].mean() < 0.8:
                continue
            if long or thing.places.sum() >= _LIGHT:
                before = self._memory.picture.copy()
                self._memory.keep_pixels(glance, thing.pixels)
                self._memory.keep(before, thing.places & ~(as_known | new))
                self._read_anew(new & ~as_known)
                self._close(glance, as_known)

"""Track one board: its pose, which of its places are still and uncovered, and what changes there.

Every frame is compared with the background; the networks run only when a changed place has become
still and nothing large is over it. Places covered by an arm keep their state.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import cv2
import numpy as np

from calibration import board_corners
from scorer.places import Place
from vision.live.agenda import AGAIN, Agenda
from vision.live.background import BackgroundModel
from vision.live.board_state import (
    BoardState,
    correct,
    debounce,
    drop_candidates,
    outdate_questions,
    reopen,
)
from vision.live.change_detector import ChangeDetector, Difference, Occluder, mean_levels
from vision.live.events import LiveEvent, change_events, corners_data, doubt_events
from vision.live.frame_reader import FrameReader, corners_of
from vision.live.moments import Frame
from vision.live.observations import Held, Observation, observations
from vision.locate import SAME_BOARD, overlap
from vision.rectify import transform
from vision.region_chances import RegionCount

STEADY = 0.17
"""Seconds for which a place must be still before it is read: less than two frames at ten a second,
which come unevenly."""
_LAZY = 0.7
"""Seconds between readings if only the light has changed: no arm came near the place."""
_SURE = 0.9
"""Confidence from which a first observation is repeated at once."""
CHANGED = 7.0
"""Mean levels by which a place must differ to be read."""
_RESTLESS = (4.0, 0.06)
"""Mean levels, and share of a place's brightness, from which it is not still."""
_REFRESH = 1.0
"""Seconds between updates of a quiet board's background, for slow light and slow drift."""
_QUIET = 0.9
"""Share of a quiet board's places that have been still as long; a candle may flicker."""
_ABSORB = 1.5
"""Seconds after which something large and still may turn out to be light."""
_ABSORB_ANYHOW = 6.0
"""Seconds after which something large and still, with all places visible, is no arm."""
_LIGHT = 4
"""Number of covered but visible places that distinguish light from fingertips beside a space."""
_MOSTLY = 0.5
"""Share of the board under occluders from which it may have moved."""
_HURRY = 2.0
"""Seconds of continuous motion after which the board is searched for all the same."""
_MOVED_MM = 1.0
"""Movement of a corner from which the board is reported as moved."""
_DRIFT_MM = 0.55
"""Estimated movement from which the board is registered again."""
_CHECK = 1.0
"""Seconds for which a new registration is trusted."""
_AWAY = 0.5
"""Seconds until a board that was not found is searched for again."""
_MISSES = 3
"""Number of consecutive misses after which a board is reported as lost."""


class BoardTracker:
    """Follows one board; `see` takes a frame and returns events."""

    def __init__(
        self,
        number: int,
        reader: FrameReader,
        detector: ChangeDetector,
        pose: np.ndarray,
        state: BoardState,
        table: "Sequence[BoardTracker]",
        elsewhere: Callable[[], Iterable[Held]] = tuple,
    ) -> None:
        """Start with a pose, (3, 3) from mm to px, and the known state.

        ``table`` are all tracked boards of its kind: their stars are of one set. ``elsewhere``
        returns what boards of other kinds hold.
        """
        self.number, self.pose, self.state, self.lost = number, pose, state, False
        self._reader, self._detector, self._table = reader, detector, table
        self._elsewhere = elsewhere
        self._places = tuple(reader.profile.places)
        self._rows = {place: row for row, place in enumerate(self._places)}
        game = reader.profile.game
        self._piece_roles: Mapping[str, str] | None = None
        self._dials = frozenset(piece.id for piece in game.pieces if piece.dial)
        self._turned = self._mask(p for p in self._places if self._dials & {*game.admits(p)})
        self._disputed = self._mask(p for p in self._places if len(game.admits(p)) > 1)
        self._background: BackgroundModel | None = None
        self._anchor = np.empty(0)  # each place when it was last considered still
        self._misses = 0
        self.features: dict[Place, np.ndarray] = {}
        """The classifier's features (F,) of each star when it was last clearly seen."""
        self.samples_left_out = False
        """Whether, when read, pieces looked too unlike their owner's samples to use those."""
        self._previous: Frame | None = None
        """The frame before the present one."""
        self._looks: dict[Place, RegionCount] = {}
        """The count of each region when its contents were last known."""
        self._answered: set[Place] = set()
        """The regions whose contents a person has given, which hold until a hand comes there."""
        self._read_everything(0.0, np.zeros(len(self._places), bool))

    @property
    def pieces(self) -> dict[Place, str]:
        return self.state.pieces

    @property
    def counts(self) -> dict[str, int]:
        """The number of pieces on each track."""
        counts = Counter(place.id for place in self.state.occupancy if place.kind == "track")
        return {track: counts[track] for track in self._reader.profile.tracks}

    @property
    def in_doubt(self) -> bool:
        """Whether something was touched that has not been read yet."""
        return self._background is None or bool((self._agenda.unread & self._agenda.touched).any())

    @property
    def has_unread(self) -> bool:
        """Whether there are visible places whose contents were never known."""
        return bool(self._among(self._inside) - self.state.known - self.state.asked.keys())

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
        return corners_of(self._reader.profile, self.pose)

    def to_data(self) -> dict[str, Any]:
        """What outlives a restart, as JSON data."""
        return {
            "pose": self.pose.tolist(),
            **self.state.to_data(),
            "looks": {str(place): count.to_data() for place, count in self._looks.items()},
            "answered": sorted(str(place) for place in self._answered - self._looks.keys()),
        }

    def resume(self, data: Mapping[str, Any]) -> None:
        """Restore the regions' part of `to_data` after a restart."""
        by_key = {str(place): place for place in self._places}
        looks = data.get("looks", {}).items()
        self._looks = {by_key[at]: RegionCount.from_data(own) for at, own in looks if at in by_key}
        self._answered = {by_key[at] for at in data.get("answered", ()) if at in by_key}

    def correct(self, place: Place, star: Held | None) -> None:
        """Accept what a person says is on a place."""
        before, self.state = self.state, correct(self.state, place, star)
        if self.state is before:
            return
        at = self._mask([place])
        if place.kind == "region":
            self._looks.pop(place, None)
            doubt = before.doubts.get(place)
            if self._background is not None and doubt is not None and doubt.outdated:
                self._agenda.look_anew(at)  # it may hold more than when it was asked
                self._agenda.retries.at_once(at)
                return
            if not self.lost:  # otherwise it is read once the board is back
                self._answered.add(place)
        if self._background is not None:
            # Read it again, to learn what the reader sees there before anybody comes near.
            self._agenda.once_more(at)

    def reopen(self, place: Place, held: Held | None) -> None:
        """Withdraw a person's answer about a region: ``held`` was known before."""
        before, self.state = self.state, reopen(self.state, place, held)
        if self.state is before:
            return
        self._looks.pop(place, None)
        self._answered.discard(place)
        if self._background is not None:
            at = self._mask([place])
            self._agenda.look_anew(at)
            self._agenda.retries.at_once(at)

    def play(self, piece_roles: Mapping[str, str]) -> None:
        """Exclude all other pieces; places known to hold one are read again."""
        self._piece_roles = piece_roles
        known = {piece for piece, counts in piece_roles.items() if piece == counts}
        held = (
            (at, {own} if isinstance(own, str) else {*own})
            for at, own in self.state.occupancy.items()
        )
        strange = {at for at, pieces in held if not pieces <= known}
        self._agenda.look_anew(self._mask(strange))

    def lies_at(self, pose: np.ndarray) -> bool:
        """Whether the board at a (3, 3) pose is this one, and not another."""
        there = corners_of(self._reader.profile, pose)
        return not self.lost and overlap(there, self.corners()) >= SAME_BOARD

    def found_at(self, pose: np.ndarray) -> None:
        """Continue at another (3, 3) pose with the same stars; every place is read again."""
        self.pose, self.lost = pose, False
        self._background, self._previous, self._misses = None, None, 0
        self.samples_left_out = False
        self._may_have_changed()

    def _may_have_changed(self) -> None:
        """Allow for unseen changes: regions are compared with known looks, questions renewed."""
        self._answered -= self._looks.keys()
        self.state = outdate_questions(self.state, {*self._places})

    def see(self, frame: Frame) -> list[LiveEvent]:
        """The events on the board that this frame shows."""
        t = frame.t
        thumbnail = self._detector.rectify(frame.image, self.pose)
        if self._background is None:
            self._begin(frame, thumbnail)
        moving = self._detect_motion(thumbnail, t)
        if float(np.median(t - self._still_since)) >= STEADY:
            self._last_rest = t
        difference = self._compare(thumbnail, t)
        covered = difference.covered | ~self._inside
        previous, self._previous = self._previous, frame
        self._covered_at[difference.covered] = t
        restless = covered | moving
        self.state = drop_candidates(self.state, self._among(restless))
        self._agenda.touched |= difference.covered
        under = self._among(difference.covered)
        self._answered -= under
        self.state = outdate_questions(self.state, under)
        self._agenda.unread |= difference.places > CHANGED
        dial = self._turned & ~covered
        for turned in (self._agenda.touched, self._agenda.unread):
            if (turned & dial).any():  # a hand turns all of it
                turned |= dial
        at_rest = t - np.maximum(self._still_since, self._covered_at)
        steady = ~covered & (at_rest >= STEADY)
        unchanged = steady & (difference.places < CHANGED)
        if not unchanged[dial].all():
            unchanged &= ~dial
        self._clear_unchanged(unchanged)
        due = self._agenda.unread & steady & self._agenda.retries.due(t)
        pause = AGAIN if self._agenda.touched[due].any() else _LAZY
        if due.any() and t >= self._last_reading + pause:
            if not self._drifted(thumbnail, t):
                events = self._read(frame, thumbnail, steady, self._agenda.unread)
                if previous is not None and self._is_free(previous.t):
                    again = steady & (self._still_since <= previous.t) & self._seen_once()
                    if again.any():  # nothing has moved there since, so both show what lies there
                        earlier = Frame(t, previous.image)
                        events += self._read(earlier, thumbnail, steady, again)
                return events
            return self._find_again(frame) if self._last_rest == t else []
        return self._maintain(frame, thumbnail, difference)

    def _begin(self, frame: Frame, thumbnail: np.ndarray) -> None:
        self._background = BackgroundModel(self._detector, thumbnail, frame.t)
        self._anchor = self._detector.patches(thumbnail)
        inside = self._detector.inside(frame.image.shape[:2], self.pose)
        self._read_everything(frame.t, inside)

    def _read_everything(self, t: float, inside: np.ndarray) -> None:
        """Schedule everything from ``t`` on; (P,) bool ``inside`` are the places in the picture."""
        count = len(self._places)
        self._inside = inside
        self._still_since = np.full(count, t)
        self._covered_at = np.full(count, -np.inf)
        self._agenda = Agenda(inside)
        self._last_reading = -_LAZY
        self._last_rest = t
        self._next_check = t
        self._next_refresh = self._next_absorb = t + _REFRESH

    def _detect_motion(self, thumbnail: np.ndarray, t: float) -> np.ndarray:
        """(P,) bool: the places that differ from when they were last considered still."""
        patches = self._detector.patches(thumbnail)
        moved = mean_levels(cv2.absdiff(patches, self._anchor))
        level, share = _RESTLESS
        parts = moved > level + share * mean_levels(patches)
        self._anchor[parts] = patches[parts]
        moving = self._detector.most(parts)
        self._still_since[moving] = t
        self._agenda.retries.at_once(moving)
        return moving

    def _compare(self, thumbnail: np.ndarray, t: float) -> Difference:
        """The difference of the board from its background.

        Anything that no reading has confirmed may be an arm that was there when the board was
        found: where something else is still now, that becomes the background instead.
        """
        assert self._background is not None
        difference = self._background.compare(thumbnail)
        doubtful = difference.covered & self._agenda.unconfirmed & (t - self._still_since >= STEADY)
        if doubtful.any():
            self._background.reset_places(thumbnail, doubtful)
            difference = self._background.compare(thumbnail)
        return difference

    def _clear_unchanged(self, unchanged: np.ndarray) -> None:
        """Drop these (P,) bool places: an arm passed over them, and they look as before."""
        open_ = self._mask({*self.state.candidates, *self.state.doubts})
        undoubted = ~self._agenda.unconfirmed & ~open_
        self._agenda.unchanged(unchanged & undoubted)

    def _drifted(self, thumbnail: np.ndarray, t: float) -> bool:
        assert self._background is not None
        return t >= self._next_check and self._background.drift(thumbnail) > _DRIFT_MM

    def _find_again(self, frame: Frame) -> list[LiveEvent]:
        """Register the board again near its pose; report if it moved, or if it is gone.

        Its background is in the board's own coordinates and stays valid.
        """
        pose = self._reader.follow(frame.image, self.pose)
        others = [board for board in self._table if board is not self]
        if pose is None or any(board.lies_at(pose) for board in others):
            self._next_check = frame.t + _AWAY
            self._agenda.retries.not_before(self._next_check)
            self._misses += 1
            if self._misses < _MISSES:
                return []
            self.lost = True
            return [LiveEvent(frame.t, "board_lost", self.number)]
        self._misses = 0
        corners = board_corners(self._reader.profile.size_mm)
        there = transform(np.linalg.inv(self.pose) @ pose, corners)
        moved = float(np.abs(there - corners).max())
        self.pose = pose
        thumbnail = self._detector.rectify(frame.image, pose)
        self._anchor = self._detector.patches(thumbnail)
        self._inside = self._detector.inside(frame.image.shape[:2], pose)
        assert self._background is not None
        self._background.reset_surroundings(thumbnail)
        if moved < _MOVED_MM:  # the light has changed, not the board; still places stay still
            self._next_check = frame.t + _CHECK
            return []
        self._next_check = frame.t + STEADY  # it may still be moving
        self._still_since[:] = frame.t
        return [LiveEvent(frame.t, "board_moved", self.number, corners_data(self.corners()))]

    def _observe(
        self, frame: Frame, visible: np.ndarray, wanted: np.ndarray
    ) -> tuple[Mapping[Place, np.ndarray], dict[Place, Observation]]:
        """Features by place, and observations of at least the ``wanted`` of ``visible`` places.

        Both are (P,) bool. They are classified jointly with all other stars of the set seen before:
        on other boards, and on places that an arm covers now.
        """
        hidden = self._among(~visible)
        beside = [
            features
            for board in self._table
            for place, features in board.features.items()
            if board is not self or place in hidden
        ]
        others = np.array(beside, np.float32) if beside else None
        observed = self._reader.observe(frame.image, self.pose, visible, wanted, others)
        if (self._disputed if observed.read is None else self._disputed & observed.read).any():
            self.samples_left_out = observed.samples_left_out
        features = dict(zip(self._places, observed.features, strict=True))
        profile, occupancy = self._reader.profile, self.state.occupancy
        looks = {place: self._looks.get(place) for place in self.state.known}
        elsewhere = [
            held
            for board in self._table
            if board is not self
            for held in board.state.occupancy.values()
        ] + [*self._elsewhere()]
        seen = observations(observed, profile, occupancy, self._piece_roles, looks, elsewhere)
        for place in self._answered & seen.keys():
            seen[place] = replace(seen[place], piece=occupancy.get(place), confidence=1.0)
        return features, seen

    def _is_free(self, since: float) -> bool:
        """Whether no arm has been over the board ``since``, long enough for another reading."""
        return self._last_reading - since >= AGAIN and bool((self._covered_at < since).all())

    def _seen_once(self) -> np.ndarray:
        """(P,) bool: where one more reading as sure as the first can confirm a change."""
        return self._mask(
            place
            for place, candidate in self.state.candidates.items()
            if candidate.readings == 1
            and candidate.confidence >= _SURE
            and (self._agenda.touched[self._rows[place]] or place not in self.state.known)
        )

    def _read(
        self, frame: Frame, thumbnail: np.ndarray, steady: np.ndarray, wanted: np.ndarray
    ) -> list[LiveEvent]:
        """Read at least the ``wanted`` of the ``steady`` places, (P,) bool both."""
        assert self._background is not None
        self._last_reading = frame.t
        features, seen = self._observe(frame, steady, wanted)
        before, found = self.counts, self._among(self._agenda.unconfirmed)
        asked = self.state.asked
        by_hand = self._among(self._agenda.touched) - self._answered
        debounced = debounce(self.state, frame.t, seen, by_hand, self._dials)
        self.state, changes, agreed = debounced
        if changes:
            apart, changed = self._background.recoloured(thumbnail), (c.place for c in changes)
            exchanged = self._among(self._agenda.changed(self._mask(changed), apart, frame.t))
            changes = tuple([replace(c, exchanged=c.place in exchanged) for c in changes])
        for place in agreed:
            if (count := seen[place].count) is not None:
                self._looks[place] = count
            self.features.pop(place, None)
            if isinstance(self.state.occupancy.get(place), str):
                self.features[place] = features[place]
        self._confirm(thumbnail, self._mask(agreed))
        for row in np.flatnonzero(wanted & self._agenda.unread & steady):
            place = self._places[row]
            candidate = self.state.candidates.get(place)
            touched = bool(self._agenda.touched[row]) or place not in self.state.known
            again = candidate and candidate.readings > 1 and candidate.may_be_confirmed(touched)
            likely = again or (candidate and candidate.confidence >= _SURE)
            self._agenda.retries.after(int(row), frame.t, bool(likely))
        events = change_events(frame.t, self.number, changes, before, self.counts, found)
        return events + doubt_events(frame.t, self.number, asked, self.state.asked)

    def _confirm(self, thumbnail: np.ndarray, agreed: np.ndarray) -> None:
        """Confirm the (P,) bool ``agreed`` places and how they look."""
        assert self._background is not None
        self._background.update_places(thumbnail, agreed)
        self._agenda.confirm(agreed)

    def _maintain(self, frame: Frame, thumbnail: np.ndarray, seen: Difference) -> list[LiveEvent]:
        """With nothing to read, handle slow light, static occluders and the board's pose."""
        assert self._background is not None
        t = frame.t
        still = t - self._still_since
        at_rest = self._last_rest == t or t - self._last_rest > _HURRY
        if seen.share > _MOSTLY and t >= self._next_check and at_rest:
            return self._find_again(frame)
        if t >= self._next_refresh:
            self._next_refresh = t + _REFRESH
            self._background.advance_motion(thumbnail, t, _ABSORB_ANYHOW)
            quiet = (still >= _REFRESH)[self._inside].mean() > _QUIET
            if quiet and not seen.covered.any():
                if self._drifted(thumbnail, t):
                    return self._find_again(frame)
                self._background.update(thumbnail, t, seen, self._agenda.unread, _ABSORB_ANYHOW)
        # An arm that was there when the board was found is part of the background until it leaves.
        patience = STEADY if self._agenda.unconfirmed.any() else _ABSORB
        if seen.covered.any() and t >= self._next_absorb:
            self._background.update_motion(thumbnail, t)
            occluders = [
                occluder
                for occluder in self._detector.occluders(seen)
                if still[occluder.places].min() >= STEADY
            ]
            ghosts = self._background.clear_ghosts(thumbnail, occluders)
            for occluder in ghosts:
                self._agenda.look_anew(occluder.places)
            if ghosts:
                return []
            static = [
                occluder for occluder in occluders if self._static_seconds(occluder, t) >= patience
            ]
            if static:
                self._next_absorb = t + 2 * patience
                self._absorb(frame, thumbnail, ~seen.covered, static)
        return []

    def _static_seconds(self, occluder: Occluder, t: float) -> float:
        """Seconds for which an occluder, and the visible part of places under it, was still."""
        assert self._background is not None
        places = float(t - self._still_since[occluder.places].max())
        return min(places, self._background.static_seconds(occluder, t))

    def look_anew(self) -> None:
        """Read everything again, however little it has changed: nobody watched it."""
        self._may_have_changed()
        self._agenda.look_anew(self._inside)

    def _absorb(
        self, frame: Frame, thumbnail: np.ndarray, free: np.ndarray, occluders: list[Occluder]
    ) -> None:
        """Adopt occluders as light if nearly all places under them look as they did.

        Or it was an arm that was there when the board was found: it hid places that are visible
        only now, or made them be misread. ``free`` are the (P,) bool places under no occluder.
        """
        assert self._background is not None
        under = np.logical_or.reduce([occluder.places for occluder in occluders])
        _, seen = self._observe(frame, self._inside & (free | under), under)
        for occluder in occluders:
            static = self._static_seconds(occluder, frame.t) >= _ABSORB_ANYHOW
            as_known, new = np.zeros((2, len(self._places)), bool)
            for row in np.flatnonzero(occluder.places):
                place = self._places[row]
                observation = seen.get(place)
                if observation is not None and observation.reliable:
                    as_known[row] = observation.piece == self.state.expected(place)
                    unknown = static or place not in self.state.known
                    new[row] = unknown and observation.confidence >= _SURE
            if (as_known | new)[occluder.places].mean() < 0.8:
                continue
            if static or occluder.places.sum() >= _LIGHT:
                before = self._background.picture.copy()
                self._background.update_pixels(thumbnail, occluder.pixels)
                self._background.update_places(before, occluder.places & ~(as_known | new))
                self._agenda.look_anew(new & ~as_known)
                self._confirm(thumbnail, as_known)

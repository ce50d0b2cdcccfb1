"""The frame worker based on the trackers of `vision`."""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import replace
from time import monotonic
from typing import Any

import cv2
import numpy as np

from calibration import Profile, load_profile
from calibration.profile import table_profiles
from vision import PhotoError, Recogniser, inspect_picture
from vision.cards import CardReading
from vision.live import Frame, Notice, Silence, SourceError, open_source
from vision.live.board_tracker import BoardTracker
from vision.live.market import MarketWatch
from webapp.app.live.kind_tracker import KindTracker
from webapp.app.live.worker import CardSeen, Correction, UnusableSourceError, keep_pace
from webapp.app.reading.colour_samples import ColourSamples

PICTURE_WIDTH = 640
_OUTLINE = {True: (176, 233, 255), False: (140, 140, 140)}
"""The BGR outline colour of boards that are tracked (True) and lost (False)."""
LOOKS_EVERY = 0.5
"""Seconds between attempts to recognise a board among several profiles."""
LARGEST_FRAME = 16_000_000
"""The most pixels in a browser's frame; larger ones are not decoded."""

OTHER_KINDS = "kinds"
"""The memory key of the boards of kinds other than the first."""

Events = Sequence[Mapping[str, Any]]


class VisionFrameWorker:
    """Tracks the boards on a table, of all kinds, with the shipped models."""

    def __init__(
        self,
        profiles: Sequence[str],
        memory: Mapping[str, Any] | None,
        seen: ColourSamples | None = None,
        executor: Executor | None = None,
    ) -> None:
        """Begin to load the models; start from `memory` if given.

        Of several profiles of the table's first kind, the one whose board is seen first is tracked,
        with the profiles of the other kinds that belong to it. `seen` are colour samples of
        recently corrected boards. `executor` searches frames for cards, by default in a thread.
        Raises ProfileError.
        """
        self._seen = seen
        self._profiles = {name: load_profile(name) for name in profiles}
        self._market = MarketWatch(self._find_cards, executor or ThreadPoolExecutor(1))
        self._cards: list[CardSeen] = []
        self._latest: np.ndarray | None = None
        self._receiving = self._unknown = False
        self._kinds: list[KindTracker] = []
        self._piece_roles: Mapping[str, str] | None = None
        self._name: str | None = None
        self._next_look = -np.inf
        first = [name for name, profile in self._profiles.items() if _is_first_kind(profile)]
        if len(first) == 1 or memory:
            self._begin(first[0], memory)
        else:
            self._recogniser = Recogniser.of(list(self._profiles.values()))

    def _begin(self, name: str, memory: Mapping[str, Any] | None) -> None:
        """Track the boards of a profile, and of those that belong to it, from now on."""
        self._name = name
        others = (memory or {}).get(OTHER_KINDS, {})
        for own in table_profiles(name):
            if own in self._profiles:
                profile = self._profiles[own]
                kept = memory if own == name else others.get(profile.layout.kind)
                self._kinds.append(KindTracker(own, profile, kept, self._seen, self._kinds))
        if self._piece_roles is not None:
            self.play(self._piece_roles)

    def process(self, jpeg: bytes, t: float) -> Events:
        """Return the events of a frame; none if it cannot be decoded."""
        image = decoded(jpeg)
        self._receiving = image is not None
        return [] if image is None else self._track(Frame(t, image))

    def follow(self, address: str, proven: bool) -> Iterator[Events]:
        """Yield the events of each frame of a source, none while it is unavailable.

        A `proven` source has worked before, and is waited for if it is unavailable at first. Raises
        UnusableSourceError.
        """
        begun = monotonic()
        try:
            source = open_source(address, proven)
            for moment in source.moments():
                self._receiving = isinstance(moment, Frame)
                if isinstance(moment, Notice):
                    yield [{"kind": moment.kind, "t": moment.t}]
                    continue
                if isinstance(moment, Silence):
                    yield []
                    continue
                if source.recorded:
                    keep_pace(begun, moment.t)
                yield self._track(moment)
        except SourceError as error:
            raise UnusableSourceError(str(error)) from error
        yield [event.to_data() for kind in self._kinds for event in kind.finish()]

    def correct(self, correction: Correction) -> None:
        """Apply the players' corrections to a board."""
        for kind in self._kinds:
            kind.correct(correction)

    def play(self, piece_roles: Mapping[str, str]) -> None:
        """Restrict reports to the pieces in play, each mapped to its role."""
        self._piece_roles = piece_roles
        for kind in self._kinds:
            kind.play(piece_roles)

    def expect(self, market: Mapping[str, int]) -> None:
        """Look for these cards from now on, by id with their counts."""
        self._market.expect(market)

    def cards(self) -> Sequence[CardSeen]:
        """Return the cards that were found or are missing since the last call."""
        news, self._cards = self._cards, []
        return news

    def receiving(self) -> bool:
        """Return whether the latest frame was a picture, and its source is still available."""
        return self._receiving

    def recognised(self) -> str | None:
        """Return the tracked profile's name, "" while only an unknown board is in view."""
        if not self._kinds:
            return "" if self._unknown else None
        return "" if all(kind.sees_unknown for kind in self._kinds) else self._name

    def picture(self) -> bytes | None:
        """Return the latest frame, reduced, with the boards' outlines and numbers (JPEG)."""
        if self._latest is None:
            return None
        height, width = self._latest.shape[:2]
        scale = min(1.0, PICTURE_WIDTH / width)
        size = (round(scale * width), round(scale * height))
        small = cv2.resize(self._latest, size, interpolation=cv2.INTER_AREA)
        for board, number in self._boards():
            outline = (board.corners() * scale).round().astype(np.int32)
            colour = _OUTLINE[not board.lost]
            cv2.polylines(small, [outline], True, colour, 2, cv2.LINE_AA)
            at = outline.mean(axis=0).round().astype(int).tolist()
            cv2.putText(small, str(number), at, cv2.FONT_HERSHEY_SIMPLEX, 1, colour, 2)
        return cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 70])[1].tobytes()

    def close_up(self, board: int, region: str) -> bytes | None:
        """Return a rectified crop of a region in the latest frame (JPEG)."""
        if self._latest is None:
            return None
        for kind in self._kinds:
            shown = kind.close_up(self._latest, board, region)
            if shown is not None:
                return cv2.imencode(".jpg", shown, [cv2.IMWRITE_JPEG_QUALITY, 85])[1].tobytes()
        return None

    def memory(self) -> Mapping[str, Any]:
        """Return the boards' positions and contents, with the first kind's at the top level."""
        if not self._kinds:
            return {}
        first, *others = self._kinds
        of_others = {kind.profile.layout.kind: kind.memory() for kind in others}
        return {**first.memory(), **({OTHER_KINDS: of_others} if others else {})}

    def boards(self) -> Sequence[Mapping[str, Any]]:
        """Return the boards' corners as fractions of the frame."""
        if self._latest is None:
            return []
        height, width = self._latest.shape[:2]
        return [
            {
                "board": board.number,
                "sure": not board.lost,
                "samples_left_out": board.samples_left_out,
                "corners": (board.corners() / (width, height)).round(4).tolist(),
            }
            for board, _number in self._boards()
        ]

    def _boards(self) -> Iterator[tuple[BoardTracker, int]]:
        """Yield the boards seen, with their display numbers within their kind."""
        for kind in self._kinds:
            for number, board in enumerate(kind.boards, start=1):
                yield board, number

    def _track(self, frame: Frame) -> Events:
        self._latest = frame.image
        if not self._kinds:
            self._recognise(frame)
        events = [event.to_data() for kind in self._kinds for event in kind.see(frame)]
        boards = [board.corners() for board, _number in self._boards() if not board.lost]
        self._cards += [CardSeen(*change) for change in self._market.see(frame, boards)]
        return events

    def _find_cards(self, image: np.ndarray, boards: Sequence[np.ndarray]) -> Sequence[CardReading]:
        from calibration.cards import whole_card
        from webapp.app.reading.card_jobs import deck_of  # loads what draws cards, and pages

        deck, is_shown = deck_of(self._name or next(iter(self._profiles)))
        found = deck.find(image, boards)
        if is_shown:
            return found
        return [replace(one, corners=np.array(whole_card(one.corners.tolist()))) for one in found]

    def _recognise(self, frame: Frame) -> None:
        """Recognise the profile of the board in view, and track its boards from then on.

        Only the first kind decides, as boards of other kinds may look the same in several profiles.
        """
        if frame.t < self._next_look:
            return
        self._next_look = frame.t + LOOKS_EVERY
        finds = self._recogniser.recognise(frame.image)
        known = [(find.confidence, find.profile) for find in finds if find.profile is not None]
        self._unknown = bool(finds) and not known
        first = [(sure, profile) for sure, profile in known if _is_first_kind(profile)]
        if first:
            _sure, found = max(first, key=lambda one: one[0])
            self._begin(next(n for n, own in self._profiles.items() if own is found), None)


def _is_first_kind(profile: Profile) -> bool:
    table = profile.game.table
    return table.kind(profile.layout.kind) == table.boards[0]


def decoded(jpeg: bytes) -> np.ndarray | None:
    """Decode a picture to (H, W, 3) uint8 BGR; None if it is invalid or too large."""
    try:
        frame = inspect_picture(jpeg, LARGEST_FRAME)
    except PhotoError:
        return None
    if frame.kind not in ("JPEG", "WebP"):
        return None
    found: np.ndarray | None = cv2.imdecode(np.frombuffer(frame.data, np.uint8), cv2.IMREAD_COLOR)
    return found

"""A frame worker whose frames tell in JSON what lies on the boards: for tests, in a real process.

It obeys the same contract as the one of the vision room (test_frame_worker_contract.py).
"""

import io
import json
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from PIL import Image

from webapp.app.live.worker import CardSeen, Correction, UnusableSourceError

CORNERS = [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]]
TRACK = "track "


class Board:
    """What is known to lie on a board, by place; `mistaken`: what the eye takes for it."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.lying: dict[str, str] = dict(data.get("lying", {}))
        self.mistaken: dict[str, str | None] = dict(data.get("mistaken", {}))

    @property
    def black(self) -> int:
        """How many black stars lie on the track."""
        return sum(place.startswith(TRACK) for place in self.lying)

    def see(self, seen: Mapping[str, str]) -> Iterator[dict[str, Any]]:
        """Tell what has changed; where the eye errs as before, nothing has."""
        before = self.black
        for place in sorted({*self.lying, *self.mistaken, *seen}):
            was, now = self.lying.get(place), seen.get(place)
            if now in (was, self.mistaken.get(place, was)):
                if now == was:
                    self.mistaken.pop(place, None)
                continue
            self.mistaken.pop(place, None)
            self._put(place, now)
            if not place.startswith(TRACK):
                kind = "removed" if now is None else "replaced" if was else "placed"
                stars = {key: star for key, star in (("star", now), ("was", was)) if star}
                yield {"kind": kind, "space": place, **stars}
        steps = range(before + 1, self.black + 1) if self.black > before else [self.black]
        for count in steps if self.black != before else ():
            yield {"kind": "black", "count": count}

    def correct(self, place: str, star: str | None) -> None:
        """Believe it, and know what the eye takes it for."""
        was = self.lying.get(place)
        if was == star:
            return
        if self.mistaken.setdefault(place, was) == star:
            del self.mistaken[place]
        self._put(place, star)

    def _put(self, place: str, star: str | None) -> None:
        self.lying.pop(place, None)
        if star is not None:
            self.lying[place] = star


class FakeFrameWorker:
    """Tells what differs between what a frame says and what was known before, as a tracker does."""

    def __init__(self, profiles: Sequence[str], memory: Mapping[str, Any] | None) -> None:
        self._profiles, self._followed = (
            profiles,
            profiles[0] if len(profiles) == 1 or memory else None,
        )
        known = (memory or {}).get("boards", ())
        self._boards = {number: Board(data) for number, data in enumerate(known)}
        self._in_view: set[int] = set()
        self._piece_roles: Mapping[str, str] | None = None
        self._latest: Mapping[str, Any] | None = None
        self._receiving = False
        self._market: Mapping[str, int] = {}
        self._cards: list[CardSeen] = []

    def process(self, jpeg: bytes, t: float) -> Sequence[Mapping[str, Any]]:
        """Return what changed; a frame may say to "die" then, or wait "until" a file is there."""
        frame = parsed(jpeg)
        self._receiving = frame is not None
        if frame is None:
            return []
        self._latest = frame
        if not self._boards:
            named = frame.get("profile", self._profiles[0])
            self._followed = named if named in self._profiles else ""
            if not self._followed:
                return []
        events: list[dict[str, Any]] = []
        in_view = {int(number): stars for number, stars in frame.get("boards", {}).items()}
        for number, stars in in_view.items():
            board = self._boards.setdefault(number, Board({}))
            if self._piece_roles is not None:
                counts = {at: self._piece_roles.get(piece) for at, piece in stars.items()}
                stars = {at: piece for at, piece in counts.items() if piece is not None}
            black = range(frame.get("black", {}).get(str(number), 0))
            reported = [] if number in self._in_view else [{"kind": "board_found"}]
            reported += board.see({**stars, **{f"{TRACK}{place}": "black" for place in black}})
            events += [{"format": 1, "t": t, "board": number, **event} for event in reported]
        self._in_view = set(in_view)
        told = frame.get("cards", {}).items()
        self._cards += [CardSeen(card, count) for card, count in told if card in self._market]
        if "die" in frame:
            os._exit(1)
        while "until" in frame and not Path(frame["until"]).exists():
            time.sleep(0.02)
        return events

    def receiving(self) -> bool:
        """Say whether the latest frame could be read, and the source is not away since."""
        return self._receiving

    def recognised(self) -> str | None:
        """Return the profile that is followed: of several, the one that a frame names."""
        return self._followed

    def follow(self, address: str, proven: bool) -> Iterator[Sequence[Mapping[str, Any]]]:
        """Give each line of a file as a frame; go on waiting at its end, as a camera does.

        A line may be "lost", "back" or "end". A file that is not there is away, once `proven`.
        """
        if not Path(address).is_file() and not proven:
            raise UnusableSourceError(f"{address} is not there; plug it in")
        done, away = 0, False
        while True:
            there = Path(address).is_file()
            lines = Path(address).read_text().splitlines() if there else ["lost"]
            for line in lines[done:]:
                if line == "end":
                    return
                if line in ("lost", "back"):
                    self._receiving = line == "back"
                    yield [{"kind": f"source_{line}", "t": 0.0}] if there or not away else []
                    away = not there
                else:
                    yield self.process(line.encode(), 0.0)
            done = len(lines) if there else 0
            time.sleep(0.05)
            yield []

    def correct(self, told: Correction) -> None:
        """Believe it, of a board that is known."""
        board = self._boards.get(told.board)
        if board is None:
            return
        for space, star in told.pieces.items():
            board.correct(space, star)
        for track, count in told.counts.items():
            for place in range(max(count, board.black)):
                board.correct(f"{TRACK}{place}", track if place < count else None)

    def play(self, piece_roles: Mapping[str, str]) -> None:
        """Take another piece than those for none, and each as what it counts."""
        self._piece_roles = piece_roles

    def expect(self, market: Mapping[str, int]) -> None:
        """Tell of these cards alone."""
        self._market = market

    def cards(self) -> Sequence[CardSeen]:
        """Return what frames told of cards."""
        told, self._cards = self._cards, []
        return told

    def picture(self) -> bytes | None:
        """Return a picture as wide as there are boards in the latest frame, in tens of pixels."""
        if self._latest is None:
            return None
        jpeg = io.BytesIO()
        Image.new("RGB", (10 * len(self._latest.get("boards", {})) or 1, 10)).save(jpeg, "JPEG")
        return jpeg.getvalue()

    def close_up(self, board: int, region: str) -> bytes | None:
        """Return the same of any region."""
        return self.picture()

    def memory(self) -> Mapping[str, Any]:
        return {"boards": [vars(self._boards[number]) for number in sorted(self._boards)]}

    def boards(self) -> Sequence[Mapping[str, Any]]:
        """Return each board that is known, surely seen if it was in the latest frame."""
        if self._latest is None:
            return []
        return [
            {"board": number, "corners": CORNERS, "sure": number in self._in_view}
            for number in sorted(self._boards)
        ]


def parsed(jpeg: bytes) -> dict[str, Any] | None:
    """Return what a frame tells; None where it is none."""
    try:
        frame = json.loads(jpeg)
    except ValueError:
        return None
    return frame if isinstance(frame, dict) else None


def frame(boards: Mapping[int, Mapping[str, str]], **more: Any) -> bytes:
    """A frame that shows boards."""
    return json.dumps({"boards": boards, **more}).encode()

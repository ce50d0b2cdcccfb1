"""The toy with boards of two kinds: filmed by one camera, and played at a table's pages."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import cv2
import numpy as np

from calibration import load_profile
from scorer.places import Place, in_region
from tests.films.film import Film, HandStep, Script, Visit
from tests.webapp.live.conftest import Table
from webapp.app.live.entry import changes_a_board
from webapp.app.live.reducer import LiveTable
from webapp.app.live.vision_worker import VisionFrameWorker

PROFILES = ("orchard/standard", "orchard/standard-basket")
PIECES = (
    {**in_region("w1", {"plum": 2}), Place("g1-g2", "edge"): "red"},
    in_region("basket", {"plum": 1, "pear": 1}),
)
BASKET = 4
"""The number of the first board of the second kind."""
FPS = 5
Event = Mapping[str, Any]


def frames(seconds: float = 3.0, *steps: tuple[int, HandStep]) -> Iterator[bytes]:
    """A table with both boards side by side; a hand comes to one of them every four seconds."""
    length = max(seconds, 2.0 + 4.0 * len(steps))
    visits = [(board, Visit(2.0 + 4.0 * n, (step,))) for n, (board, step) in enumerate(steps)]
    films = [
        Film(
            Script((pieces,), tuple(v for at, v in visits if at == board), length),
            load_profile(name),
            1,
            (640, 432),
            FPS,
        )
        for board, (name, pieces) in enumerate(zip(PROFILES, PIECES, strict=True))
    ]
    for pictures in zip(*(film.frames() for film in films), strict=True):
        jpeg = cv2.imencode(".jpg", np.hstack(pictures), [cv2.IMWRITE_JPEG_QUALITY, 92])[1]
        yield jpeg.tobytes()


def shown(worker: VisionFrameWorker, film: Iterator[bytes], begin: float = 0.0) -> list[Event]:
    """The events that a worker sends about a film."""
    return [
        event
        for number, jpeg in enumerate(film)
        for event in worker.process(jpeg, begin + number / FPS)
    ]


def changes(events: Sequence[Event], after: float = 0.0) -> list[tuple[Any, ...]]:
    """Whose board what changed on."""
    return [
        (event["board"], event["kind"], event["space"], event["star"], event.get("count"))
        for event in events
        if changes_a_board(event) and event["t"] > after
    ]


class Orchard(Table):
    """Two players at the toy, with boards of two kinds."""

    def _new_game(self) -> str:
        return self.player.new_game("Ana", "Eva", markers=("red", "blue"))

    @property
    def document(self) -> Mapping[str, Any]:
        """The game as it is."""
        found: Mapping[str, Any] = self.app.extensions["stargazer"].games.open(self.id).document
        return found

    @property
    def live_table(self) -> LiveTable:
        """The table as it is."""
        return self.service.table(self.app.extensions["stargazer"].games.open(self.id))

    def asked(self) -> Mapping[str, Any]:
        """The fields by which a page says what it answers about Ana's basket."""
        entry = self.live_table.doubts[1, "basket"].entry
        return {"seat": 1, "region": "basket", "entry": entry}

    def boards(self) -> list[dict[Place, str]]:
        """What lies on each board."""
        return [dict(position.pieces) for position in self.live_table.positions]

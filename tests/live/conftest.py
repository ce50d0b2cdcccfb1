"""Films to follow, and a frame reader that goes by their truth instead of their pixels."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from calibration import Profile, load_profile
from scorer.places import Place
from scorer.referee import Referee
from tests.films.film import Film
from tests.films.script import Script
from vision.live import Frame, Tracker, track
from vision.observer import BoardObservation
from vision.rectify import homography
from vision.set_classifier import COLOUR_FEATURES

FPS = 15


class FilmReader:
    """Sees what lies on free places; under an arm it takes the arm for the game's first piece.

    That is worse than any detector: only the tracker's own care keeps such pieces out. One that is
    not ``fooled`` sees there that it sees nothing.
    """

    def __init__(self, film: Film, fooled: bool = True) -> None:
        self.fooled = fooled
        self.profile = film.profile
        self.classes = tuple(piece.id for piece in film.profile.game.pieces)
        self.film = film
        self.blind = False
        self.readings = 0
        self.beside: list[int] = []  # at each reading, how many other pieces of the set were told

    def locate(self, image: np.ndarray, known: Sequence[np.ndarray] = ()) -> list[np.ndarray]:
        poses = [] if self.blind else self._poses()
        return [p for p in poses if all(_apart(p, k) > 40 for k in known)]

    def follow(self, image: np.ndarray, pose: np.ndarray) -> np.ndarray | None:
        if self.blind:
            return None
        return min(self._poses(), key=lambda p: _apart(p, pose))

    def observe(
        self,
        image: np.ndarray,
        pose: np.ndarray,
        visible: np.ndarray,
        wanted: np.ndarray,
        beside: np.ndarray | None = None,
    ) -> BoardObservation:
        self.readings += 1
        self.beside.append(0 if beside is None else len(beside))
        poses = self._poses()
        board = int(np.argmin([_apart(p, pose) for p in poses]))
        places, empty = tuple(self.profile.places), len(self.classes)
        scores, change = np.full((len(places), empty), 1e-4), np.full(len(places), 0.05)
        odds = np.full((len(places), empty + 1), -9.0)
        odds[:, empty] = 4.0
        for row, piece in enumerate(self._lying(board, places)):
            if piece is not None:
                column = self.classes.index(piece)
                scores[row, column], change[row] = 0.97, 0.6
                odds[row, column], odds[row, empty] = 4.0, -6.0
            elif not self.fooled and self.film.hides(board, places[row]):
                change[row] = 0.4
        features = np.zeros((len(places), empty + COLOUR_FEATURES))
        return BoardObservation(
            *(self.classes, scores, change, lambda: np.ones(len(places)), features, odds)
        )

    def _poses(self) -> list[np.ndarray]:
        return [homography(c, self.profile.size_mm) for c in self.film.corners()]

    def _lying(self, board: int, places: Sequence[Place]) -> Iterator[str | None]:
        for place in places:
            if self.film.hides(board, place):
                yield self.classes[0] if self.fooled else None
            else:
                yield self.film.occupancy[board].get(place)


def _apart(a: np.ndarray, b: np.ndarray) -> float:
    """How many px lie between the printed top-left corners of two poses."""
    return float(np.hypot(*(a[:2, 2] - b[:2, 2])))


class FilmSource:
    """The film's frames without a file between."""

    recorded = True

    def __init__(self, film: Film) -> None:
        self.film = film

    def moments(self) -> Iterator[Frame]:
        for number, image in enumerate(self.film.frames()):
            yield Frame(number / self.film.fps, image)

    def close(self) -> None:
        raise AssertionError("nobody closes a film")


@pytest.fixture(scope="session")
def profile() -> Profile:
    return load_profile("standard")


@pytest.fixture
def events_of(profile: Profile) -> Callable[..., list[dict[str, Any]]]:
    """Watch a script's film and give every event, without the times and corners."""

    def run(script: Script, seed: int = 1, size: tuple[int, int] = (640, 360)) -> list[Any]:
        film = Film(script, profile, seed, size, FPS)
        tracker = Tracker(FilmReader(film), Referee(profile.game, profile.board).news)
        return [event.to_data() for event in track(FilmSource(film), tracker)]

    return run

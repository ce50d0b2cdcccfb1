"""Films to watch, and an eye that reads them from their truth instead of their pixels."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from calibration import Profile, load_profile
from models.synthesis.film import Film
from models.synthesis.script import Script
from vision.decode import EMPTY
from vision.detect import CLASSES
from vision.live import Frame, Tracker, watch
from vision.live.belief import place_names
from vision.reader import NOTHING_BESIDE, Look
from vision.rectify import homography
from vision.together import FEATURES

FPS = 15


class EyeOnFilm:
    """Sees what lies on free places; under an arm it takes the arm for a red star.

    That is worse than any detector: only the tracker's own care keeps such stars out. One that is
    not ``fooled`` sees there that it sees nothing.
    """

    def __init__(self, film: Film, fooled: bool = True) -> None:
        self.fooled = fooled
        self.profile = film.profile
        self.film = film
        self.blind = False
        self.looks = 0
        self.beside: list[int] = []  # at each look, how many other stars of the set were told

    def locate(self, image: np.ndarray, known: Sequence[np.ndarray] = ()) -> list[np.ndarray]:
        poses = [] if self.blind else self._poses()
        return [p for p in poses if all(_apart(p, k) > 40 for k in known)]

    def follow(self, image: np.ndarray, pose: np.ndarray) -> np.ndarray | None:
        if self.blind:
            return None
        return min(self._poses(), key=lambda p: _apart(p, pose))

    def look(
        self,
        image: np.ndarray,
        pose: np.ndarray,
        visible: np.ndarray,
        beside: np.ndarray = NOTHING_BESIDE,
    ) -> Look:
        self.looks += 1
        self.beside.append(len(beside))
        poses = self._poses()
        board = int(np.argmin([_apart(p, pose) for p in poses]))
        names = place_names(self.profile)
        scores, change = np.full((len(names), 7), 1e-4), np.full(len(names), 0.05)
        odds = np.full((len(names), 8), -9.0)
        odds[:, EMPTY] = 4.0
        for row, star in enumerate(self._lying(board, names)):
            if star is not None:
                scores[row, CLASSES.index(star)], change[row] = 0.97, 0.6
                odds[row, CLASSES.index(star)], odds[row, EMPTY] = 4.0, -6.0
            elif not self.fooled and self.film.hides(board, names[row]):
                change[row] = 0.4
        return Look(scores, change, np.ones(len(names)), np.zeros((len(names), FEATURES)), odds)

    def _poses(self) -> list[np.ndarray]:
        return [homography(c, self.profile.size_mm) for c in self.film.corners()]

    def _lying(self, board: int, names: Sequence[str]) -> Iterator[str | None]:
        lying = self.film.lying[board]
        for name in names:
            if self.film.hides(board, name):
                yield "red" if self.fooled else None
            elif name.startswith("track "):
                yield "black" if int(name.removeprefix("track ")) < lying.black else None
            else:
                yield lying.stars.get(name)


def _apart(a: np.ndarray, b: np.ndarray) -> float:
    """How many px lie between the printed top-left corners of two poses."""
    return float(np.hypot(*(a[:2, 2] - b[:2, 2])))


class FilmSource:
    """The film's frames without a file between."""

    def __init__(self, film: Film) -> None:
        self._film = film

    def moments(self) -> Iterator[Frame]:
        for number, image in enumerate(self._film.frames()):
            yield Frame(number / self._film.fps, image)

    def close(self) -> None:
        raise AssertionError("nobody closes a film")


@pytest.fixture(scope="session")
def profile() -> Profile:
    return load_profile("standard")


@pytest.fixture
def watched(profile: Profile) -> Callable[..., list[dict[str, Any]]]:
    """Watch a script's film and give every event, without the times and corners."""

    def run(script: Script, seed: int = 1, size: tuple[int, int] = (640, 360)) -> list[Any]:
        film = Film(script, profile, seed, size, FPS)
        tracker = Tracker(EyeOnFilm(film))
        return [event.to_data() for event in watch(FilmSource(film), tracker)]

    return run

"""What happens on a board that is filmed, in few words, and what is told of it."""

from collections.abc import Callable
from typing import Any

from scorer.nebula.contract import NEBULA
from scorer.nebula.galaxy import Galaxy
from scorer.nebula.words import BLACK
from scorer.places import Place
from scorer.referee import Referee
from scorer.table import Pieces
from tests.films.film import Film
from tests.films.script import HandStep, Happening, Script
from tests.films.verdict import is_change
from tests.live.conftest import FilmReader
from vision.live import Tracker

SIZE = (640, 360)
STARS = {"core": "red", "ar1": "blue", "ta1": "yellow"}
START = NEBULA.pieces_of(Galaxy(STARS, 2))
TRACK = Place(BLACK, "track")

EventsOf = Callable[..., list[dict[str, Any]]]


def script(*happenings: Happening, seconds: float = 6.0, start: Pieces = START) -> Script:
    return Script((start,), happenings, seconds)


def put(space: str, star: str, dwell: float = 0.4) -> HandStep:
    return HandStep(Place(space), "put", star, dwell=dwell)


def put_black() -> HandStep:
    return HandStep(TRACK, "put", BLACK, dwell=0.4)


def pieces(stars: dict[str, str]) -> dict[Place, str]:
    return {Place(space): star for space, star in stars.items()}


def watching(film: Film, reader: FilmReader | None = None, **options: Any) -> Tracker:
    """A tracker with a referee who knows the rules."""
    referee = Referee(NEBULA, film.profile.board)
    return Tracker(reader or FilmReader(film), referee.news, **options)


def after(events: list[dict[str, Any]], t: float = 1.0) -> list[tuple[Any, ...]]:
    """The changes after the film's beginning, as (kind, place or count, star, was)."""
    return [
        (e["kind"], e.get("space", e.get("count")), e.get("star"), e.get("was"))
        for e in events
        if is_change(e) and e["t"] > t
    ]


def kinds(events: list[dict[str, Any]]) -> list[str]:
    return [e["kind"] for e in events if e["t"] > 1.0]

"""Who plays says which pieces can be there: a colour of nobody is not told, however it looks."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from calibration import Profile
from scorer.places import Place
from tests.films.film import Film
from tests.films.script import HandStep, Script, Visit
from tests.live.conftest import FPS, FilmReader, FilmSource
from vision.live import Tracker, track
from vision.live.observations import Observation, observations
from vision.observer import BoardObservation

SIZE = (640, 360)


def table(sky: Profile, *colours: str) -> Mapping[str, str]:
    return sky.game.piece_roles({"players": [{"colour": colour} for colour in colours]})


LYING = {Place("1a1"): "red", Place("2a1"): "blue"}


def seen(
    sky: Profile,
    place: Place,
    chances: Mapping[str, float],
    *colours: str,
    lying: Mapping[Place, str] = LYING,
) -> Observation:
    """What is observed where a reader finds pieces so likely, at a table of these colours."""
    classes = tuple(piece.id for piece in sky.game.pieces)
    rows = [chances.get(name, 1e-4) for name in (*classes, "")]
    odds = np.tile(np.log(rows), (len(sky.places), 1))
    read = np.array([other == place for other in sky.places])
    nothing = np.zeros(len(read))
    board = BoardObservation(
        classes, np.exp(odds[:, :-1]), nothing, lambda: nothing, nothing[:, None], odds, read=read
    )
    piece_roles = table(sky, *colours) if colours else None
    return observations(board, sky, lying, piece_roles)[place]


LIKE_PURPLE = {"purple": 0.8, "blue": 0.19}


def test_the_likeliest_of_the_players_colours_is_seen(sky: Profile) -> None:
    assert seen(sky, Place("1b1"), LIKE_PURPLE).piece == "purple"
    blue = seen(sky, Place("1b1"), LIKE_PURPLE, "red", "blue", "yellow")
    assert (blue.piece, blue.reliable) == ("blue", True) and blue.confidence > 0.9
    assert blue.chances["purple"] == 0


def test_what_looks_like_none_of_them_stays_in_doubt(sky: Profile) -> None:
    strange = seen(sky, Place("1b1"), {"purple": 0.99}, "red", "blue", "yellow")
    assert strange.confidence < 0.35


def test_at_a_table_of_two_it_is_a_neutral_star(sky: Profile) -> None:
    star = sky.board.starred[0]
    assert seen(sky, Place(star), {"purple": 0.99}, "red", "blue").piece == "neutral"


def test_what_is_plainly_there_is_reported_though_the_rules_let_none_lie_there(
    sky: Profile,
) -> None:
    """P14: a star in place of a neutral one is what players are to be told of."""
    lying = {Place(space): "neutral" for space in sky.board.starred}
    at = Place(sky.board.starred[0])
    broken = seen(sky, at, {"red": 0.93, "neutral": 0.06}, "red", "blue", lying=lying)
    assert broken.piece == "red"
    doubtful = seen(sky, at, {"red": 0.6, "neutral": 0.3}, "red", "blue", lying=lying)
    assert doubtful.piece == "neutral"


class Wavering(FilmReader):
    """Takes purple stars for purple ones, but may well be talked into yellow."""

    def observe(
        self,
        image: np.ndarray,
        pose: np.ndarray,
        visible: np.ndarray,
        wanted: np.ndarray,
        beside: np.ndarray | None = None,
    ) -> BoardObservation:
        seen = super().observe(image, pose, visible, wanted, beside)
        purple, yellow = (self.classes.index(name) for name in ("purple", "yellow"))
        odds = seen.odds.copy()
        odds[odds[:, purple] > 0, yellow] = 0.5
        return replace(seen, odds=odds)


def test_early_readings_are_repeated_once_the_players_are_known(sky: Profile) -> None:
    """The reader sees yellow once purple is nobody's; no hand is needed for it."""
    lying = {Place("1b1"): "purple", Place("2b1"): "red"}
    hand = Visit(4.0, (HandStep(Place("3b1"), "put", "purple"),))
    film = Film(Script((lying,), (hand,), hand.end + 1.5), sky, 1, SIZE, FPS)
    tracker = Tracker(Wavering(film, fooled=False))
    changes = []
    for event in track(FilmSource(film), tracker):
        if "space" in event.more:
            changes.append((event.kind, event.more["space"], event.more["star"]))
        if len(changes) == len(lying):
            tracker.play(table(sky, "red", "yellow", "blue"))
    assert changes == [
        ("placed", "1b1", "purple"),
        ("placed", "2b1", "red"),
        ("replaced", "1b1", "yellow"),
        ("placed", "3b1", "yellow"),
    ]

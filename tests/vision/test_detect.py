import numpy as np
import pytest

from calibration import load_profile
from scorer.nebula.words import BLACK, COLOURS
from scorer.places import Place
from tests.films.film import Film, Script
from vision.detect import Detections, Views, foot_points, place_scores
from vision.live import ModelFrameReader
from vision.reader import Reader

CLASSES = (*COLOURS, BLACK)
PLACES = np.array([(50.0, 50.0), (70.0, 50.0)])


def seen(*stars: tuple[str, float, float, float]) -> Detections:
    """Detections from (star, x mm, y mm, score)."""
    scores = np.zeros((len(stars), len(CLASSES)))
    for i, (star, _, _, score) in enumerate(stars):
        scores[i, CLASSES.index(star)] = score
    return Detections(np.array([(x, y) for _, x, y, _ in stars]).reshape(-1, 2), scores)


def test_a_detection_speaks_for_the_nearest_place_only() -> None:
    found = place_scores([seen(("red", 58, 50, 0.9))], PLACES, reach=11)
    assert found[0][CLASSES.index("red")] == pytest.approx(0.9)
    assert found[1].max() == 0


def test_a_detection_out_of_reach_speaks_for_none() -> None:
    found = place_scores([seen(("red", 60, 70, 0.9))], PLACES, reach=11)
    assert found.max() == 0


def test_of_several_the_best_counts_for_each_colour() -> None:
    stars = seen(("red", 50, 50, 0.4), ("red", 51, 50, 0.7), ("orange", 50, 51, 0.5))
    scores = place_scores([stars], PLACES, reach=11)[0]
    assert scores[CLASSES.index("red")] == pytest.approx(0.7)
    assert scores[CLASSES.index("orange")] == pytest.approx(0.5)


def test_nothing_seen_is_no_place_scores() -> None:
    assert not place_scores([seen()], PLACES, reach=11).any()


def test_several_views_count_alike() -> None:
    views = [seen(("red", 50, 50, 0.8)), seen(("orange", 50, 50, 0.6)), seen()]
    scores = place_scores(views, PLACES, reach=11)[0]
    assert scores[CLASSES.index("red")] == pytest.approx(0.8 / 3)
    assert scores[CLASSES.index("orange")] == pytest.approx(0.2)


def test_a_view_is_looked_at_once_and_when_it_is_asked_for() -> None:
    looked: list[int] = []

    def view(number: int) -> Detections:
        looked.append(number)
        return seen()

    views = Views(view, 4)
    assert len(views[:1]) == 1
    assert looked == [0]
    assert len(list(views)) == 4
    assert looked == [0, 1, 2, 3]


def test_a_star_stands_where_its_surest_view_saw_it() -> None:
    views = [seen(("red", 52, 50, 0.4)), seen(("red", 50, 53, 0.7))]
    feet = foot_points(views, PLACES, reach=11)
    assert feet.tolist() == [[50, 53], [70, 50]]


def test_every_view_tells_of_the_board_as_it_is() -> None:
    """A star far from the middle is found at the same place in all four mirrors."""
    profile = load_profile("standard")
    frame = next(Film(Script(({Place("ca1"): "red"},), (), 1.0), profile, 8).frames())
    reader = Reader.of(profile)
    (pose,) = ModelFrameReader(profile).locate(frame)
    views = reader.detect(reader.rectify(frame, pose))
    surest = np.array([view.at[view.scores.max(axis=1).argmax()] for view in views])
    assert len(views) == 4
    assert np.hypot(*(surest - profile.spaces["ca1"].at).T).max() < 4

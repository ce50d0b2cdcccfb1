"""Lessons on the real board, a film as the camera: the shipped models see it, the pages judge it.

    python -m tests.benchmarks.lesson_films                       # three lessons, a wrong try each
    python -m tests.benchmarks.lesson_films links boosted --seed 3

In each film the lesson's board lies there, a hand makes the lesson's first wrong try and takes it
back, and then makes the moves that the engine finds. Told is how each was judged on the lesson's
page, which must be as it is by taps, and how long after the hand had gone.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator, Mapping
from html import unescape
from pathlib import Path
from time import perf_counter

import cv2

from calibration import load_profile
from models.synthesis.film import Film
from models.synthesis.script import HandStep, Script, Visit
from scorer.lesson import Attempt, Lesson
from scorer.nebula.contract import NEBULA
from scorer.places import Place
from tests.webapp.conftest import reads_nothing
from tests.webapp.live.conftest import Table
from webapp.app import create_app
from webapp.live.vision_worker import VisionFrameWorker
from webapp.settings import Settings

FPS = 10
PAUSE = 3.0
"""Seconds between two hands."""
WANTED = ("first_star", "two_reds", "replacing")


def hand_of(text: str, at: float) -> Visit:
    """A hand that makes a move."""
    _verb, star, where = text.split()
    place = Place("black", "track") if where == "track" else Place(where)
    return Visit(at, (HandStep(place, "put", star),))


def back_of(text: str, lying: Mapping[Place, str], at: float) -> Visit:
    """A hand that takes a move back: what lay there before lies there again."""
    place = Place(text.split()[2])
    before = lying.get(place)
    step = HandStep(place, "put", before) if before else HandStep(place, "take")
    return Visit(at, (step,))


def played(lesson: Lesson, seed: int) -> Iterator[tuple[str, str, str, float]]:
    """Show a lesson's film; of each hand what it did, what it should be, what was told, when."""
    course = NEBULA.course
    assert course is not None
    attempt, lying = Attempt.of(course, lesson), NEBULA.pieces_of(lesson.start.seat.galaxy)
    wrong = lesson.wrong[0].example
    hands = [("try", hand_of(wrong, PAUSE), "wrong")]
    hands += [("back", back_of(wrong, lying, hands[-1][1].end + PAUSE), "told")]
    for action in attempt.way() or ():
        move = course.write_action(action)
        after = attempt.attempt(move).attempt
        end = hands[-1][1].end
        hands.append((move, hand_of(move, end + PAUSE), "good" if after.done else "on"))
        attempt = after
    visits = tuple(hand for _, hand, _ in hands)
    script = Script((lying,), visits, visits[-1].end + PAUSE)
    film = Film(script, load_profile("standard"), seed, fps=FPS)
    worker = VisionFrameWorker(("standard",), None)
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(Settings(data_dir=Path(folder), rate_limits=False), reads_nothing)
        table = Table(app)
        table.player.post("/lessons/camera", {"board": ""})
        with table.player.client.session_transaction(base_url="http://127.0.0.1:8765") as kept:
            kept["lesson_table"] = f"{table.id}.0"
        left, made = list(hands), []
        for number, image in enumerate(film.frames()):
            t = number / FPS
            jpeg = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes()
            events = worker.process(jpeg, t)
            if events:
                table.service.record(table.id, "cam", events)
            if not left or t < left[0][1].end:
                continue
            form = {"look": "1", "made": made}
            headers = {"X-Partial": "1"}
            page = table.player.post(f"/lessons/nebula/{lesson.id}", form, headers=headers).text
            kind = page.split('class="judged ')[-1].split('"')[0]
            move, hand, wanted = left[0]
            is_last_moment = t > hand.end + PAUSE - 0.5
            if kind == wanted or is_last_moment:
                if wanted == "wrong":
                    assert kind != "wrong" or str(lesson.wrong[0].said) in unescape(page)
                yield move, wanted, kind, t - hand.end
                if wanted == "on":
                    made.append(move)
                left.pop(0)
        app.extensions["stargazer live"].close()
        app.extensions["stargazer"].reading_queue.close()


def main() -> None:
    """Show the films that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("lessons", nargs="*", default=WANTED)
    parser.add_argument("--seed", type=int, default=2)
    asked = parser.parse_args()
    assert NEBULA.course is not None
    failed = 0
    for lesson in NEBULA.course.lessons:
        if lesson.id not in asked.lessons:
            continue
        begun = perf_counter()
        for move, wanted, told, late in played(lesson, asked.seed):
            failed += told != wanted
            sign = "as it should" if told == wanted else f"NOT {wanted}"
            print(f"{lesson.id:14} {move:18} {told:6} {sign}, {late:.1f} s after the hand")
        print(f"{lesson.id:14} took {perf_counter() - begun:.0f} s")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()

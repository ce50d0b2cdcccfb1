"""Lessons on the real board, with a film as the camera: models see it, pages judge it.

    python -m tests.benchmarks.lesson_films                       # three lessons of each game
    python -m tests.benchmarks.lesson_films polaris/link --seed 3
    python -m tests.benchmarks.lesson_films --folder runs/lessons # and keep them to be looked at

In each film hands set up the lesson's board, make each wrong try that a board can show, undo it,
and then make the solution's moves, one piece at a time. A scene's result is the page's message
after each hand and its delay, and any wrong messages.
"""

import argparse
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import cv2

from calibration import Profile, load_profile
from scorer.game import Game
from scorer.lesson import Attempt, Lesson
from scorer.nebula.contract import NEBULA
from scorer.places import Place
from scorer.polaris.contract import NEW_MOON, POLARIS_GAME
from scorer.polaris.steps import STEPS, Lay
from scorer.table import Pieces
from tests.films.film import Film
from tests.films.script import HandStep, Script, Visit
from tests.webapp.conftest import reads_nothing
from tests.webapp.live.conftest import Table
from webapp.app.game_pages import pages_of
from webapp.app.live.vision_worker import VisionFrameWorker
from webapp.app.settings import Settings
from webapp.web.application import create_app

FPS = 10
PAUSE = 3.0
"""Seconds between two hands."""
WANTED = tuple(
    [f"nebula/{lesson}" for lesson in ("first_star", "two_reds", "replacing")]
    + [f"polaris/{lesson}" for lesson in ("link", "polaris", "other_moon")]
)
PROFILES = {"nebula": "standard", "polaris": "polaris/standard"}
GAMES: Mapping[str, Game[Any, Any, Any]] = {"nebula": NEBULA, "polaris": POLARIS_GAME}
OPENINGS: Mapping[str, Pieces] = {"nebula": {}, "polaris": {Place("3", "dial"): NEW_MOON}}
"""The pieces on the board before a lesson."""


@dataclass(frozen=True)
class Scene:
    """A hand, its action, and the message expected on the page: see `message_on`."""

    does: str
    hand: Visit
    tells: str


class Author:
    """Writes the film of a lesson."""

    def __init__(self, game: Game[Any, Any, Any], lesson: Lesson[Any]) -> None:
        self.game, self.lesson = game, lesson
        self.opening = OPENINGS[game.id]
        self.scenes: list[Scene] = []
        self._lying = dict(self.opening)

    def write(self) -> None:
        """Write the setup, the wrong tries, and the solution."""
        course = self.game.course
        assert course is not None
        attempt = Attempt.of(course, self.lesson)
        start = self.game.pieces_of(course.position_of(attempt.state))
        self._lay_out(start)
        wrong = {wrong.example: wrong for wrong in self.lesson.wrong if not wrong.after}
        for example, one in wrong.items():
            after = AFTER[self.game.id](attempt, example)
            if after is not None and after != start:
                self._visit(example, after, f"wrong: {one.said}")
                self._visit("takes it back", start, "ready")
        for action in attempt.solve() or ():
            move = course.turns.write_action(action)
            after = AFTER[self.game.id](attempt, move)
            attempt = attempt.attempt(move).attempt
            tells = "good" if attempt.done else "on"
            if after is not None:
                self._visit(move, after, tells)
            elif attempt.made[:-1]:  # tapped; earlier moves show in what is placed
                self.scenes[-1] = Scene(move, self.scenes[-1].hand, tells)

    def script(self) -> Script:
        hands = tuple(scene.hand for scene in self.scenes)
        return Script((self.opening,), hands, hands[-1].end + PAUSE)

    def _lay_out(self, start: Pieces) -> None:
        missing = [at for at in start if self._lying.get(at) != start[at]]
        for number, at in enumerate(missing, start=len(start) - len(missing) + 1):
            lying = {place: own for place, own in self._lying.items() if own != start[at]}
            kept = self._lying if start[at] != NEW_MOON else lying
            tells = "ready" if number == len(start) else f"{number} of {len(start)}"
            self._visit(f"lays out {at}", {**kept, at: start[at]}, tells)

    def _visit(self, does: str, after: Pieces, tells: str) -> None:
        """Add a hand that changes the board to `after`."""
        steps = [
            HandStep(at, "turn", NEW_MOON, dwell=0.8)
            if own == NEW_MOON
            else HandStep(at, "put", own)
            for at, own in after.items()
            if self._lying.get(at) != own
        ]
        gone = self._lying.keys() - after.keys()
        steps += [HandStep(at, "take") for at in gone if self._lying[at] != NEW_MOON]
        begin = self.scenes[-1].hand.end if self.scenes else 0.0
        self.scenes.append(Scene(does, Visit(begin + PAUSE, tuple(steps)), tells))
        self._lying = dict(after)


def after_star(attempt: Attempt[Any, Any], text: str) -> Pieces | None:
    """Return a galaxy after an action, even a forbidden one; None if nothing is placed."""
    match text.split():
        case ["place", star, where]:
            place = Place("black", "track") if where == "track" else Place(where)
            return {**NEBULA.pieces_of(attempt.state.seat.galaxy), place: star}
    return None


def after_step(attempt: Attempt[Any, Any], text: str) -> Pieces | None:
    """Return a sky after an action, even a forbidden one; None if nothing is placed."""
    step = STEPS.read_action(text)
    if not isinstance(step, Lay):
        return None
    (place,) = STEPS.places_of(step)
    return {**POLARIS_GAME.pieces_of(attempt.state.sky), place: step.piece}


AFTER = {"nebula": after_star, "polaris": after_step}


def message_on(page: str) -> str:
    """Return the message of a lesson's page: setup progress, "ready", or a judgement."""
    laid_out = re.search(r'class="so-far">([^<]*)', page)
    judged = re.search(r'class="judged (wrong|on|good)".*?<span>(.*?)</span>', page, re.DOTALL)
    if judged:
        return f"wrong: {unescape(judged[2])}" if judged[1] == "wrong" else judged[1]
    if laid_out:
        return laid_out[1]
    return "ready"


class Learner:
    """A lesson's page, open during the film; it updates on news from the camera."""

    def __init__(self, table: Table, address: str) -> None:
        self.table, self.address, self.page = table, address, ""
        self.slowest = 0.0

    def look(self) -> str:
        """Look at the board like the page's script; return the message."""
        held = self.page.partition("</form>")[0]
        form = {"look": "1", "made": re.findall(r'name="made" value="([^"]*)"', held)}
        if 'name="laid"' in held:
            form["laid"] = "1"
        begun = perf_counter()
        answer = self.table.player.post(self.address, form, headers={"X-Partial": "1"})
        self.slowest = max(self.slowest, perf_counter() - begun)
        assert answer.status_code == 200, answer.text
        self.page = unescape(answer.text)
        return message_on(self.page)


@dataclass
class SceneResult:
    """A scene's final message, its delay after the hand, and wrong messages."""

    scene: Scene
    told: str
    late: float
    false: list[str]


def shown(
    game: Game[Any, Any, Any], lesson: Lesson[Any], seed: int, folder: Path | None
) -> Iterator[SceneResult | float]:
    """Show a lesson's film: yield each scene's result, finally the slowest response."""
    author = Author(game, lesson)
    author.write()
    profile: Profile = load_profile(PROFILES[game.id])
    film = Film(author.script(), profile, seed, fps=FPS)
    worker = VisionFrameWorker((PROFILES[game.id],), None)
    keep = None
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
        path = str(folder / f"{game.id}-{lesson.id}-{seed}.mp4")
        keep = cv2.VideoWriter(path, cv2.VideoWriter.fourcc(*"mp4v"), FPS, film.size)
    with tempfile.TemporaryDirectory() as data:
        app = create_app(Settings(data_dir=Path(data), rate_limits=False), reads_nothing)
        table = Table(app, "/games/none")
        answer = table.player.post("/lessons/camera", {"game": game.id, "board": "new"})
        table.id = answer.headers["Location"].split("/")[2]
        kept = app.extensions["stargazer"].games.open(table.id)
        worker.play(pages_of(game.id).piece_roles(kept.document))
        learner = Learner(table, f"/lessons/{game.id}/{lesson.id}")
        now, left, false = learner.look(), list(author.scenes), list[str]()
        for number, image in enumerate(film.frames()):
            t = number / FPS
            jpeg = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes()
            if keep:
                keep.write(image)
            events = worker.process(jpeg, t)
            if events:
                table.service.record(table.id, "cam", events)
                now = learner.look()
                is_wrong = now.startswith("wrong") or now == "good"
                if left and is_wrong and now != left[0].tells:
                    false.append(f"{t:.1f} s: {now}")
            if left and t >= left[0].hand.end:
                scene, late = left[0], t - left[0].hand.end
                if now == scene.tells or late > PAUSE - 0.5:
                    yield SceneResult(scene, now, late, false)
                    false = []
                    left.pop(0)
        yield learner.slowest
        app.extensions["stargazer live"].close()
        app.extensions["stargazer"].reading_queue.close()
    if keep:
        keep.release()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("lessons", nargs="*", default=WANTED, help="such as polaris/link")
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--folder", type=Path, help="keep the films there")
    asked = parser.parse_args()
    every = {
        f"{game.id}/{lesson.id}": (game, lesson)
        for game in GAMES.values()
        for lesson in (game.course.lessons if game.course else ())
    }
    if unknown := [name for name in asked.lessons if name not in every]:
        parser.error(f"no lesson {unknown[0]}; there are {', '.join(every)}")
    failed, delays = 0, list[float]()
    for name in asked.lessons:
        for seen in shown(*every[name], asked.seed, asked.folder):
            if isinstance(seen, float):
                print(f"{name:20} slowest answer of the page: {seen:.2f} s")
                continue
            good = seen.told == seen.scene.tells and not seen.false
            failed += not good
            delays += [seen.late] if seen.told == seen.scene.tells else []
            sign = "as it should" if good else f"NOT {seen.scene.tells} {seen.false or ''}"
            print(f"{name:20} {seen.scene.does:34} {seen.told[:24]:24} {seen.late:.1f} s  {sign}")
            sys.stdout.flush()
    print(f"{len(delays)} told, {failed} not as they should")
    if delays:
        print(f"after the hand: {median(delays):.1f} s median, {max(delays):.1f} s at most")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()

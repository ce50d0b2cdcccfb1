"""A guided first game for two with filmed placements, which the guide must recognise.

    python -m tests.benchmarks.guided_film                # one round filmed, the rest by taps
    python -m tests.benchmarks.guided_film --rounds 2 --seed 5

One camera films both boards. What people tell the guide in a real game (stars drawn, ways of
collecting, tokens and markers) is tapped; each star of the filmed rounds is placed by a hand in the
film, and only the camera reports it. Before the first one a hand makes a mistake and takes its star
back. Then the game is played to its score sheet. The outcome is whether the guide took each hand's
action as the move it was, and how long after the hand left.
"""

import argparse
import random
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import cv2
import numpy as np

from calibration import load_profile
from scorer.nebula.playing import TURNS
from scorer.nebula.turns import play
from scorer.nebula.turns.actions import Action, PlaceOnTrack
from scorer.nebula.turns.actions import Place as PlaceStar
from scorer.nebula.turns.chance import random_outcome
from scorer.nebula.turns.state import Phase, State
from scorer.places import Place
from tests.films.film import Film
from tests.films.script import HandStep, Script, Visit
from tests.webapp.conftest import totals
from tests.webapp.guided import Guided
from webapp.app.live.vision_worker import VisionFrameWorker
from webapp.app.settings import Settings
from webapp.web.application import create_app

FPS = 10
FIRST = 4.0
"""Seconds for the camera to find the boards."""
PAUSE = 4.0
"""Seconds between two hands."""
Events = Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Hand:
    """A hand in the film: its action, and the `move` this is, "" for none."""

    visit: Visit
    move: str
    said: str

    @property
    def step(self) -> HandStep:
        return self.visit.steps[0]


@dataclass(frozen=True)
class Judged:
    """The guide's reaction to a hand: whether it was right, and the delay after the hand left."""

    hand: Hand
    right: bool
    late: float


@dataclass
class Outcome:
    """The result of a game; `wrong` are moves that the guide invented."""

    judged: list[Judged] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    taps: int = 0
    totals: list[int] = field(default_factory=list)


def course(state: State, luck: random.Random) -> Iterator[tuple[State, Action]]:
    """Yield the states and random actions of a game, from a state to its end."""
    while state.phase is not Phase.OVER:
        choices = play.actions(state)
        if not choices:
            action = random_outcome(state, luck)
        else:  # prefer placing stars
            placing = [one for one in choices if isinstance(one, PlaceStar | PlaceOnTrack)]
            action = luck.choice(placing or list(choices))
        yield state, action
        state = TURNS.after(state, action)


def step_of(action: Action, seat: int) -> HandStep | None:
    """Return the hand that an action requires on a galaxy, None if it requires none."""
    if isinstance(action, PlaceStar):
        return HandStep(Place(action.space), "put", action.star, seat)
    if isinstance(action, PlaceOnTrack):
        return HandStep(Place("black", "track"), "put", "black", seat)
    return None


def erring(state: State) -> HandStep:
    """Return a hand that places a star of the reserve on a forbidden space."""
    star = next(one for one in state.seat.reserve.kinds if one != "black")
    spaces = state.rules.board.spaces
    space = next(one for one in spaces if play.illegal(state, PlaceStar(star, one)))
    return HandStep(Place(space), "put", star, state.player)


def hands_of(game: Sequence[tuple[State, Action]], rounds: int) -> list[Hand]:
    """Return the hands of the first rounds; the first makes a mistake, the second undoes it."""
    found: list[Hand] = []
    at = FIRST

    def add(step: HandStep, move: str, said: str) -> None:
        nonlocal at
        found.append(Hand(Visit(at, (step,)), move, said))
        at = found[-1].visit.end + PAUSE

    for state, action in game:
        step = step_of(action, state.player)
        if state.round > rounds or step is None:
            continue
        if not found:
            wrong = erring(state)
            add(wrong, "", f"errs: {wrong.piece} on {wrong.place.id}")
            add(HandStep(wrong.place, "take", None, wrong.board), "", "takes it back")
        add(step, TURNS.write_action(action), TURNS.write_action(action))
    return found


class FilmCamera:
    """The film as seen by the shipped models; `seats` maps their boards to the script's."""

    def __init__(self, script: Script, seed: int) -> None:
        self._film = Film(script, load_profile("standard"), seed, fps=FPS)
        self._worker = VisionFrameWorker(("standard",), None)
        self._seats: dict[int, int] = {}

    def moments(self) -> Iterator[tuple[float, Events]]:
        centres = np.array(self._film.corners()).mean(axis=1)
        for number, image in enumerate(self._film.frames()):
            jpeg = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes()
            events = list(self._worker.process(jpeg, number / FPS))
            for event in events:
                if event["kind"] == "board_found":
                    middle = np.array(event["corners"]).mean(axis=0)
                    nearest = int(np.hypot(*(centres - middle).T).argmin())
                    self._seats.setdefault(event["board"], nearest)
            yield number / FPS, [self._of_seat(event) for event in events]

    def _of_seat(self, event: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the event with the board number assigned: pages ask for the owners of boards."""
        if "board" not in event:
            return event
        return {**event, "board": self._seats.get(event["board"], event["board"])}


class Evening:
    """A guided game of two that follows a predetermined course."""

    def __init__(self, guided: Guided, game: Sequence[tuple[State, Action]]) -> None:
        self.guided, self.game, self.outcome = guided, game, Outcome()
        self._at = 0

    def tap_on(self, by_camera: bool) -> None:
        """Tap what people tell, up to the next star placed by a hand, or the end."""
        while True:
            self._catch_up()
            if self._at == len(self.game):
                return
            _state, action = self.game[self._at]
            if by_camera and step_of(action, 0):
                return
            self.guided.do(TURNS.write_action(action))
            self.outcome.taps += 1

    def _catch_up(self) -> None:
        """Skip actions already done, by tap, by themselves or by the camera."""
        now = self.guided.state
        ahead = range(self._at, len(self.game))
        self._at = next((n for n in ahead if self.game[n][0] == now), self._at)
        if now.phase is Phase.OVER:
            self._at = len(self.game)

    def film(self, hands: Sequence[Hand], moments: Iterator[tuple[float, Events]]) -> None:
        """Show the hands to the camera; tap those it misses."""
        live = self.guided.app.extensions["stargazer live"]
        self.tap_on(by_camera=True)
        left = list(hands)
        for t, events in moments:
            if events:
                live.record(self.guided.id, "cam", events)
            if not left or t < left[0].visit.end:
                continue
            hand = left[0]
            is_last_moment = t > hand.visit.end + PAUSE - 1.0
            if self._is_seen(hand) or is_last_moment:
                right = self._is_seen(hand)
                self.outcome.judged.append(Judged(hand, right, t - hand.visit.end))
                if hand.move:
                    if not right:
                        self.guided.do(hand.move)
                    self.tap_on(by_camera=True)
                left.pop(0)
        self._note_wrong(hands)

    def _is_seen(self, hand: Hand) -> bool:
        """Whether the guide has registered a hand's move, or a wrong piece."""
        moments = self.guided.history.moments
        if hand.move:
            number = sum(one.hand.move != "" for one in self.outcome.judged)
            of_camera = [m for m in moments if m.by == "camera"]
            done = [TURNS.write_action(one.action) for one in of_camera]
            return len(done) > number - self._missed() and done[-1] == hand.move
        game = self.guided.app.extensions["stargazer"].games.open(self.guided.id)
        seen = self.guided.service.sightings(game, self.guided.history)
        if hand.step.act == "take":
            return not seen
        return any(one.place == hand.step.place and one.broken for one in seen)

    def _missed(self) -> int:
        return sum(bool(one.hand.move) and not one.right for one in self.outcome.judged)

    def _note_wrong(self, hands: Sequence[Hand]) -> None:
        """Record the camera's moves that no hand made."""
        made = [hand.move for hand in hands if hand.move]
        for moment in self.guided.history.moments:
            if moment.by == "camera":
                text = TURNS.write_action(moment.action)
                if text in made:
                    made.remove(text)
                else:
                    self.outcome.wrong.append(text)

    def skip_to_end(self) -> None:
        """Log the rest directly, which is faster than tapping."""
        self._catch_up()
        rest = [
            {"do": TURNS.write_action(action), "by": "tap"} for _, action in self.game[self._at :]
        ]
        live = self.guided.app.extensions["stargazer live"]
        live.log.append(self.guided.id, [("guide", data) for data in rest])

    def finish(self) -> None:
        """Play the rest by taps, and score the game."""
        self.tap_on(by_camera=False)
        guided, player = self.guided, self.guided.player
        state = guided.state
        assert state.phase is Phase.OVER
        answer = player.post(f"{guided.game}/guide/finish")
        for seat, card in enumerate(("O19", "O20")):
            answer = player.post(f"{guided.game}/nebula/players/{seat}/personal", {"card": card})
        assert answer.headers["Location"] == f"{guided.game}/score", answer.headers["Location"]
        sheet = player.get(f"{guided.game}/score").text
        document = guided.app.extensions["stargazer"].games.open(guided.id).document
        lying = [(own["stars"], own["black"]) for own in document["players"]]
        assert lying == [(dict(seat.galaxy.stars), seat.galaxy.black) for seat in state.seats]
        self.outcome.totals = totals(sheet)[:2]


def script_of(hands: Sequence[Hand]) -> Script:
    """Return the film of these hands over two empty boards."""
    visits = tuple(hand.visit for hand in hands)
    return Script(({}, {}), visits, visits[-1].end + PAUSE)


def begun(app: Any, seed: int) -> Evening:
    """Return a guided game with its table set up, and its course."""
    guided = Guided(app, "Ana", "Luis")
    guided.lay_table()
    luck = random.Random(seed)
    while True:  # a game in which both place stars early
        game = list(course(guided.state, luck))
        if len(hands_of(game, 1)) >= 6:
            return Evening(guided, game)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--seed", type=int, default=2)
    asked = parser.parse_args()
    began = perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(data_dir=Path(folder), rate_limits=False)
        app = create_app(settings, lambda *_: None)  # type: ignore[arg-type]
        evening = begun(app, asked.seed)
        hands = hands_of(evening.game, asked.rounds)
        evening.film(hands, FilmCamera(script_of(hands), asked.seed).moments())
        evening.finish()
        app.extensions["stargazer live"].close()
        app.extensions["stargazer"].reading_queue.close()
    outcome = evening.outcome
    for one in outcome.judged:
        sign = "as it should" if one.right else "NOT SEEN, tapped"
        print(f"{one.hand.said:24} {sign}, {one.late:.1f} s after the hand")
    moves = [one for one in outcome.judged if one.hand.move]
    right = [one for one in moves if one.right]
    late = median(one.late for one in right) if right else float("nan")
    print(
        f"{len(right)} of {len(moves)} placements confirmed by the camera, {late:.1f} s after the"
        f" hand (median); {len(outcome.wrong)} made up {outcome.wrong};"
        f" {outcome.taps} taps for the rest;"
        f" scores {outcome.totals}; {perf_counter() - began:.0f} s"
    )
    sys.exit(bool(outcome.wrong or not all(one.right for one in outcome.judged)))


if __name__ == "__main__":
    main()

"""Cards that are taken from a market, moved, lifted and laid back in drawn films: what is asked.

`python -m tests.benchmarks.market_film [GAME/PROFILE ...] [--films 4]`: each film shows a board and
a market of four to six cards, hands that cross them, and light that changes. Printed are the takes
that were noticed, the other events during which a card was reported as gone, how many of those were
withdrawn within 3 seconds after the hand that laid it back, and the processor time of the searches.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np

from calibration import board_corners, load_profile
from calibration.artwork import draw_board
from calibration.cards import CARD_MM, whole_card
from models.synthesis.camera import Camera, random_camera
from models.synthesis.light import random_light
from tests.benchmarks.card_tables import LOOKS, whole_cards
from tests.films.arm import Arm, draw_arm
from tests.live.inline import Inline
from vision.cards import CardReading
from vision.live import Frame
from vision.live.market import CardChange, MarketWatch
from webapp.app.game_pages import pages_of
from webapp.app.reading.card_jobs import printed_deck

GAMES = ("ptolemaeus/standard", "via_nebula/standard")
SIZE = (1280, 720)
FPS, PX_PER_MM = 4, 3.0
EVENTS = ("take", "move", "lift", "read", "cross", "rest", "take", "study", "take")
"""A card is taken, moved, lifted for some seconds; a hand crosses it, or rests on it."""
LIFTED_S = {"lift": 2, "read": 8, "study": 15}


@dataclass(frozen=True)
class LaidCard:
    """A card at (x, y) mm of the table, turned by degrees."""

    card: str
    at: tuple[float, float]
    turn: float


class Stage:
    """A table with a board and a market, and the camera over it."""

    def __init__(self, profile: str, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        known = load_profile(profile)
        faces = whole_cards(profile)[seed % 2 :: 2]
        deck = {one.id: one.deck for one in cards_of(profile)}
        kind = deck[next(id for id, _face in faces)]
        self.faces = {id: face for id, face in faces if deck[id] == kind}
        self.board, self.size_mm = draw_board(known, PX_PER_MM), known.size_mm
        self.look = LOOKS[seed % len(LOOKS)]
        self.light, self.camera = random_light(self.rng), self._camera()
        chosen = self.rng.permutation([*self.faces])[: int(self.rng.integers(4, 7))]
        self.market = [
            LaidCard(str(card), self.spot(number), float(self.rng.normal(0, 5)))
            for number, card in enumerate(chosen)
        ]
        skin = self.rng.uniform((70, 100, 140), (150, 180, 230))
        self.skin = (float(skin[0]), float(skin[1]), float(skin[2]))
        self._still: np.ndarray | None = None

    def spot(self, number: int) -> tuple[float, float]:
        """The middle of a place of the market: two columns on the right of the board."""
        x, y = self.size_mm[0] + 60 + 75 * (number % 2), 60 + 100 * (number // 2)
        return x + float(self.rng.normal(0, 3)), y + float(self.rng.normal(0, 3))

    def _camera(self) -> Camera:
        width, height = self.size_mm[0] + 250, max(self.size_mm[1], 420)
        ends = np.array([[0, 0], [width, 0], [width, height], [0, height]], float)
        across = min(0.75 * SIZE[0], 0.94 * SIZE[1] * width / height)
        for _ in range(4000):
            fill = float(self.rng.uniform(0.5, 1.6))
            camera = random_camera(self.rng, SIZE, ends.mean(axis=0), width, fill)
            shown = camera.project(ends)
            is_upright = shown[1, 0] - shown[0, 0] > across
            if is_upright and (shown > 0).all() and (shown < SIZE).all():
                return replace(camera, bend=0.0)
        raise AssertionError("no camera shows the table")

    def boards(self) -> list[np.ndarray]:
        return [self.camera.project(board_corners(self.size_mm))]

    def changed(self) -> None:
        self._still = None

    def frame(self, hand: tuple[float, float] | None, t: float) -> np.ndarray:
        """A picture of the table, with a hand's fingertips at mm of it."""
        if self._still is None:
            self._still = self._drawn()
        picture = self._still.copy()
        if hand is not None:
            arm = Arm(np.array(hand), 5.0, 0.4, self.skin, (90.0, 60.0, 50.0))
            draw_arm(picture, arm, self.camera, self.light)
        lit = 1 + 0.06 * np.sin(t / 7)
        noise = self.rng.normal(0, 4, (SIZE[1] // 2, SIZE[0] // 2, 3))
        grain = cv2.resize(noise.astype(np.float32), SIZE)
        shown = picture.astype(np.float32) * (np.float32(lit) * np.array(self.look.light)) + grain
        sent = np.clip(shown, 0, 255).astype(np.uint8)
        return np.asarray(cv2.imdecode(cv2.imencode(".jpg", sent)[1], cv2.IMREAD_COLOR))

    def _drawn(self) -> np.ndarray:
        rng = np.random.default_rng(1)
        grain = cv2.resize(rng.normal(0, 9, (SIZE[1] // 8, SIZE[0] // 2)), SIZE)
        picture = np.full((SIZE[1], SIZE[0], 3), self.look.table, np.float32) + grain[..., None]
        picture = np.clip(picture, 0, 255).astype(np.uint8)
        self._lay(picture, self.board, np.diag([*(1 / PX_PER_MM,) * 2, 1.0]))
        for one in self.market:
            face = self.faces[one.card]
            height, width = face.shape[:2]
            a = np.radians(one.turn)
            turned = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
            scale = CARD_MM[0] / width
            to_table = np.eye(3)
            to_table[:2, :2] = scale * turned
            to_table[:2, 2] = np.array(one.at) - scale * turned @ (width / 2, height / 2)
            self._lay(picture, face, to_table)
        return np.asarray(cv2.GaussianBlur(picture, (0, 0), self.look.blur))

    def _lay(self, picture: np.ndarray, face: np.ndarray, to_table: np.ndarray) -> None:
        to_picture = self.camera.plane() @ to_table
        # reduce first: warping alone would alias
        ends = cv2.perspectiveTransform(
            np.array([[[0, 0], [face.shape[1], 0]]], np.float32), to_picture.astype(np.float32)
        )[0]
        share = min(1.0, float(np.linalg.norm(ends[1] - ends[0])) / face.shape[1])
        small = cv2.resize(face, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
        back = np.diag([face.shape[1] / small.shape[1], face.shape[0] / small.shape[0], 1.0])
        cv2.warpPerspective(
            small, to_picture @ back, SIZE, picture, cv2.INTER_LINEAR, cv2.BORDER_TRANSPARENT
        )


def cards_of(profile: str) -> Sequence[Any]:
    known = load_profile(profile)
    return pages_of(known.layout.game).cards(known, "en")


class Film:
    """A film as it is watched."""

    def __init__(self, profile: str, seed: int) -> None:
        self.stage, self.t, self.searches, self.seconds = Stage(profile, seed), 0.0, 0, 0.0
        deck = printed_deck(profile, 0.0)

        def find(image: np.ndarray, boards: Sequence[np.ndarray]) -> Sequence[CardReading]:
            begun = time.process_time()
            found = [
                replace(one, corners=np.array(whole_card(one.corners.tolist())))
                for one in deck.find(image, boards)
            ]
            self.seconds += time.process_time() - begun
            self.searches += 1
            return found

        self.soon = Counter[str]()
        self.watch = MarketWatch(find, Inline())
        self.expect()

    def expect(self) -> None:
        self.watch.expect(Counter(one.card for one in self.stage.market))

    def wait(
        self, seconds: float, hand: tuple[float, float] | None = None, sway: float = 4
    ) -> list[CardChange]:
        """Watch for a time, with a hand that moves to and fro by `sway` mm."""
        reported: list[CardChange] = []
        for number in range(round(FPS * seconds)):
            self.t += 1 / FPS
            at = hand and (hand[0] + sway * (number % 2), hand[1])
            image = self.stage.frame(at, self.t)
            reported += self.watch.see(Frame(self.t, image), self.stage.boards())
        return reported

    def put(self, *market: LaidCard) -> None:
        self.stage.market = [*market]
        self.stage.changed()

    def play(self, event: str) -> list[CardChange]:
        """Let an event happen to a card; return what is reported."""
        stage = self.stage
        number = int(stage.rng.integers(len(stage.market)))
        card, others = stage.market[number], [*stage.market]
        del others[number]
        reported = self.wait(1, card.at)
        if event == "take":
            self.put(*others)
        elif event == "move":
            at = (card.at[0] + 35.0, card.at[1] + 150.0)
            self.put(*others, replace(card, at=(at[0], min(at[1], 380.0))))
        elif event in LIFTED_S:
            self.put(*others)
            reported += self.wait(LIFTED_S[event])
            reported += self.wait(0.5, card.at)
            self.put(*others, card)
        elif event == "rest":
            reported += self.wait(10, card.at, sway=0)
        reported += self.wait(0.5, card.at)
        reported += self.wait(3)
        self.soon = Counter(card for card, count in reported if count is not None)
        return reported + self.wait(22)


def measure(profile: str, seed: int) -> Counter[str]:
    film = Film(profile, seed)
    figures: Counter[str] = Counter()
    found = dict(film.wait(10))
    figures["cards"] += len(film.stage.market)
    figures["found"] += sum(count or 0 for count in found.values())
    for event in EVENTS:
        before = Counter(one.card for one in film.stage.market)
        gone = Counter(card for card, count in film.play(event) if count is None)
        left = Counter(one.card for one in film.stage.market)
        wanted = before - left
        figures[event] += 1
        figures[f"{event}: noticed"] += (gone & wanted).total()
        figures[f"{event}: untrue"] += (gone - wanted).total()
        figures[f"{event}: withdrawn"] += ((gone - wanted) & film.soon).total()
        film.expect()
        film.wait(2)
    figures["searches"] += film.searches
    figures["film s"] += round(film.t)
    figures["search ms"] += round(1000 * film.seconds)
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("profiles", nargs="*", default=GAMES)
    parser.add_argument("--films", type=int, default=4)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    for profile in asked.profiles:
        total: Counter[str] = Counter()
        for seed in range(asked.seed, asked.seed + asked.films):
            own = measure(profile, seed)
            print(profile, seed, dict(own), flush=True)
            total += own
        print(profile, dict(total), flush=True)


if __name__ == "__main__":
    main()

"""Reading of sets of stars unlike any in the models' training, in any light.

    python -m tests.benchmarks.star_kits [--count 24] [--seed 21]

Chips, cubes, beads and paper in colours that other people give the same names, under a lamp, on
invented editions. Each set is photographed once for calibration ("my stars"), one of each kind,
alternately on and beside the board, and then in play: twice under that evening's lamp, and once in
another, harsh light. Prints the spaces and track slots that are right without and with calibration,
and those of the second photograph after the first one's mistakes were corrected, without
calibration.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np

from calibration import Profile, load_profile
from calibration.colour_profile import ColourProfile, Swatch, as_colour
from models.datasets import as_calibrated
from models.nebula.random_edition import random_edition
from models.nebula.synthesis import random_star_set
from models.synthesis.camera import Camera, expose, glare, light_field, random_camera
from models.synthesis.light import random_light
from models.synthesis.photograph import draw_board, draw_table_top, draw_tokens
from models.synthesis.placed_board import PlacedBoard
from models.synthesis.plugin import synthesis
from models.synthesis.texture import Rng, hsv_colour
from models.synthesis.token import Token
from scorer.places import Place
from vision import Photo, Reader
from vision.colour_calibration import calibrate_colours
from vision.doubts import UNCERTAIN_BELOW
from vision.refusals import NoBoardError, UnreadableBoardError
from vision.set_classifier import vivid_colours

LONGER_SIDE_PX = 1280
SWATCHES_EACH = 4
"""Swatches kept of each kind of a corrected board."""
_SHAPES: dict[str, dict[str, Any]] = {
    "chip": {"points": 0, "waist": 1.0, "material": "plastic"},
    "cube": {"points": 4, "waist": 0.71, "material": "wood"},
    "bead": {"points": 0, "waist": 1.0, "material": "acrylic"},
    "paper": {"points": 5, "waist": 0.6, "material": "paper"},
}
_SIZES = {
    "chip": (6, 8, 2, 4),
    "cube": (5, 6.5, 7, 9),
    "bead": (4.5, 6.5, 3, 6),
    "paper": (6.5, 8, 0.1, 0.4),
}
"""The minimum and maximum radius, and the minimum and maximum height, in mm."""
_OTHER_PAINT = {
    "red": ((160, 174), (120, 220), (150, 240)),
    "orange": ((5, 13), (130, 210), (120, 190)),
    "yellow": ((29, 38), (110, 230), (170, 255)),
    "blue": ((85, 98), (120, 255), (120, 245)),
    "purple": ((148, 164), (70, 180), (110, 240)),
    "white": ((14, 28), (30, 85), (190, 255)),
    "black": ((0, 180), (0, 90), (45, 85)),
}
"""What other people call by the name: crimson, brown, lime, turquoise, pink, cream, grey."""
_OTHERWISE = 0.45


@dataclass(frozen=True)
class Shot:
    """A photograph (H, W, 3) uint8 BGR, the board's (4, 2) corners in px, and its pieces."""

    picture: np.ndarray
    corners: np.ndarray
    pieces: Mapping[Place, str]


@dataclass(frozen=True)
class StarSet:
    """A set of stars on an edition: the calibration photograph, and those in play."""

    shape: str
    edition: Profile
    tokens: Mapping[str, Token]
    taught: Shot
    games: tuple[Shot, ...]


def star_set(seed: int, number: int, games: int = 2, beside: bool = False) -> StarSet:
    """Return set ``number`` of a seed."""
    rng = np.random.default_rng([seed, number])
    edition = random_edition(rng, load_profile("standard"), f"{number:02d}")
    shape, tokens = strange_set(rng)
    lamp = random_lamp(rng)
    places = [place for place in edition.places if place.kind == "spot"]
    chosen = rng.permutation(len(places))[: len(tokens)]
    one_of_each = dict(zip((places[i] for i in chosen), tokens, strict=True))
    taught = photograph(rng, edition, tokens, one_of_each, lamp, beside=beside)
    shots = []
    for game in range(games):
        position = dict(synthesis("nebula").position(rng, edition))
        harsh = game == 1
        shots.append(
            photograph(
                rng, edition, tokens, position, random_lamp(rng) if harsh else lamp, harsh=harsh
            )
        )
    return StarSet(shape, edition, tokens, taught, tuple(shots))


def strange_set(rng: Rng) -> tuple[str, dict[str, Token]]:
    """Return a shape's name, and an unplaced token of each kind."""
    shape = str(rng.choice(list(_SHAPES)))
    least, most, low, high = _SIZES[shape]
    radius, height = rng.uniform(least, most), rng.uniform(low, high)
    opacity = rng.uniform(0.6, 0.9) if shape == "bead" else 1.0
    tokens = {}
    for kind, token in random_star_set(rng).items():
        paint = token.paint
        if rng.random() < _OTHERWISE:
            paint = hsv_colour(rng, *_OTHER_PAINT[kind])
        made = replace(token, paint=paint, radius=radius, height=height, opacity=opacity)
        tokens[kind] = replace(made, **_SHAPES[shape])
    return shape, tokens


def photograph(
    rng: Rng,
    edition: Profile,
    kit: Mapping[str, Token],
    pieces: Mapping[Place, str],
    lamp: np.ndarray,
    beside: bool = False,
    harsh: bool = False,
) -> Shot:
    """Photograph a board with pieces on it, or in two rows beside it, all in the picture.

    A ``harsh`` picture has any light and exposure of the models' training, up to pieces that mirror
    a lamp and show no colour at all; others are as a careful person takes them.
    """
    width, _ = edition.size_mm
    tokens = []
    for number, (place, kind) in enumerate(pieces.items()):
        at = np.array(edition.places[place].at) + np.clip(rng.normal(0, 1.0, 2), -4, 4)
        if beside:
            row, column = divmod(number, 4)
            at = np.array([width + 16 + 24 * row, 40 + 30 * column]) + rng.normal(0, 2, 2)
        turn, paint = (
            rng.uniform(0, 2 * np.pi),
            np.clip(np.array(kit[kind].paint) * rng.uniform(0.95, 1.05), 2, 255),
        )
        tokens.append(
            replace(kit[kind], at=(float(at[0]), float(at[1])), turn=turn, paint=tuple(paint))
        )
    board = PlacedBoard(
        edition,
        np.zeros(2),
        rng.uniform(0, 2 * np.pi),
        rng.normal(0, 0.5, (3, 2)),
        pieces,
        tuple(tokens),
    )
    size = (LONGER_SIDE_PX, LONGER_SIDE_PX * 3 // 4)
    camera = _whole(rng, board, size)
    light = random_light(rng)
    if not harsh:
        light = replace(
            light, sheen=min(light.sheen, 0.15), key=0.6 * light.key, ambient=1 - 0.6 * light.key
        )
    picture = draw_table_top(rng, camera)
    draw_board(rng, picture, board, camera, light)
    draw_tokens(rng, picture, [board.on_table(token) for token in tokens], camera, light)
    picture *= light_field(rng, size[1], size[0]) * lamp
    sheen = glare(rng, size[1], size[0]) if harsh else None
    if sheen is not None:
        picture += sheen[..., None] * (250 - picture)
    bent = camera.bend_picture(picture)
    shown = expose(rng, bent) if harsh else _develop(rng, bent)
    return Shot(shown, camera.project(board.to_table(board.corners())), pieces)


def _develop(rng: Rng, picture: np.ndarray) -> np.ndarray:
    """Develop (H, W, 3) float32 like a phone: metered, with most of the lamp's tint removed."""
    cast = picture.mean(axis=(0, 1)) / picture.mean()
    picture = picture * cast ** -rng.uniform(0.3, 0.9) * rng.uniform(95, 140) / picture.mean()
    grey = picture.mean(axis=2, keepdims=True)
    picture = grey + (picture - grey) * rng.uniform(0.85, 1.2)
    picture = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.4, 1.0))
    picture = picture + rng.standard_normal(picture.shape, np.float32) * rng.uniform(1, 4)
    return np.asarray(255 * (np.clip(picture, 0, 255) / 255) ** rng.uniform(0.8, 1.2), np.uint8)


def random_lamp(rng: Rng) -> np.ndarray:
    """Return the light (3,) BGR, from candles to blue sky, before white balance."""
    warmth = rng.uniform(-0.25, 0.45)
    return np.array([np.exp(-warmth), np.exp(0.1 * rng.normal()), np.exp(0.5 * warmth)], np.float32)


def _whole(rng: Rng, board: PlacedBoard, size: tuple[int, int]) -> Camera:
    """Return a camera with the board and all tokens in its picture."""
    seen = np.vstack(
        [board.to_table(board.corners()), *(board.on_table(t).outline() for t in board.tokens)]
    )
    middle = (seen.min(axis=0) + seen.max(axis=0)) / 2
    spread, fill = float(np.ptp(seen, axis=0).max()), rng.uniform(0.7, 0.95)
    while True:
        camera = random_camera(rng, size, middle, spread, fill)
        shown = camera.project(seen)
        if ((shown > 8) & (shown < np.array(size) - 8)).all():
            return camera
        fill *= 0.96


@dataclass
class Tally:
    """Counts over photographs of one sort: places, wrong ones, and those without a doubt."""

    places: int = 0
    wrong: int = 0
    silent: int = 0
    doubted: int = 0

    def add(self, odds: np.ndarray, truth: np.ndarray) -> None:
        """Add a board's (N, C + 1) log probabilities, given the (N,) true hypotheses."""
        chances = np.exp(odds - np.logaddexp.reduce(odds, axis=1, keepdims=True))
        wrong, sure = chances.argmax(axis=1) != truth, chances.max(axis=1) >= UNCERTAIN_BELOW
        self.places += len(truth)
        self.wrong += int(wrong.sum())
        self.silent += int((wrong & sure).sum())
        self.doubted += int((~wrong & ~sure).sum())

    def __str__(self) -> str:
        right = 100 * (1 - self.wrong / max(self.places, 1))
        return (
            f"{right:6.2f} % of {self.places} places right; {self.wrong} wrong,"
            f" {self.silent} of them without a doubt; {self.doubted} right ones doubted"
        )


def measure(count: int, seed: int) -> None:
    """Photograph, calibrate and read sets of stars; print results and figures."""
    tallies: dict[str, Tally] = {}
    refused = 0
    for number in range(count):
        kit = star_set(seed, number, games=3, beside=number % 2 == 1)
        rng, reference = np.random.default_rng([seed, number, 1]), kit.edition.require_reference()
        seen_empty = as_calibrated(rng, reference, np.ones(reference.shape[:2], bool))
        reader = Reader.of(replace(kit.edition, reference=seen_empty))
        size = kit.taught.picture.shape[1::-1]
        try:
            taught = calibrate_colours(
                reader, Photo(kit.taught.picture, size, f"{number:02d}")
            ).colour_profile
        except (NoBoardError, UnreadableBoardError) as refusal:
            print(f"{number:02d} {kit.shape}: {refusal}")
            taught, refused = ColourProfile(), refused + 1
        learnt = ColourProfile()
        for which, shot in zip(("same lamp", "harsh", "same lamp again"), kit.games, strict=True):
            found = reader.board.register(shot.picture, shot.corners)
            if found is None:
                print(f"{number:02d} {kit.shape}: {which}: not registered")
                continue
            board = reader.rectify(shot.picture, found.to_image)
            views = reader.detect(board)
            classes = reader.classes
            held = [shot.pieces.get(place) for place in reader.places]
            truth = np.array([len(classes) if p is None else classes.index(p) for p in held])
            reported = {}
            ways = {"as it comes": ColourProfile(), "with my stars": taught}
            if which == "same lamp again":
                ways["after corrections"] = learnt
            for way, known in ways.items():
                reader.colour_profile = known
                reported[way] = reader.observe(board, views)
                tallies.setdefault(f"{which}, {way}", Tally()).add(reported[way].odds, truth)
            plain = reported["as it comes"]
            if which == "same lamp" and (plain.odds.argmax(axis=1) != truth).any():
                colours = zip(held, vivid_colours(plain.features), strict=True)
                seen = [Swatch(piece, as_colour(colour)) for piece, colour in colours if piece]
                learnt = ColourProfile(tuple(seen)).latest(SWATCHES_EACH)
        reader.colour_profile = ColourProfile()
    print(f"seed {seed}: {count} sets, {refused} photographs of stars refused")
    for what, tally in tallies.items():
        print(f"{what:36} {tally}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=24)
    parser.add_argument("--seed", type=int, default=21)
    asked = parser.parse_args()
    measure(asked.count, asked.seed)

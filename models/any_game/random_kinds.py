"""Random kinds of pieces: what a game calls their colours, and what a maker made of them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import permutations

import cv2
import numpy as np

from calibration import PX_PER_MM, Profile
from models.synthesis.texture import Bgr, Rng, hsv_colour
from models.synthesis.token import Token
from models.synthesis.token_set import DULL, random_height, random_material, random_opacity
from scorer.places import Bar, Circle, Point, Shape

_APART = 26.0
"""How far apart two kinds' colours are at least, in CIELAB; as they are made, half as far."""
_SQUARE = 0.5**0.5
"""The waist of a star of four points that is a square."""


@dataclass(frozen=True)
class Kind:
    """A kind of piece: its colour as the game's data has it, and what it looks like.

    ``relief`` is what rises on its token, as shares of its size.
    """

    swatch: Bgr
    token: Token
    on_edges: bool
    relief: tuple[tuple[float, float, float], ...] = ()


def random_kinds(rng: Rng, board: Profile) -> list[Kind]:
    """Kinds for spots and for edges: two kinds of one have never nearly the same colour.

    On some boards they are of the same colours, each player's.
    """
    bars = [s for s in board.places.values() if isinstance(s, Bar)]
    spots = [s for s in board.places.values() if isinstance(s, Circle)]
    radius = min((s.radius for s in spots), default=6.0)
    few = rng.random() < 0.35
    kinds: list[Kind] = []
    if spots:
        count = int(rng.integers(1, 7))
        kinds = _some(rng, board, count, radius, spots)
    if bars:
        count = int(rng.integers(1, 3)) if few and spots else int(rng.integers(1, 7))
        colours = [kind.swatch for kind in kinds] if rng.random() < 0.2 else []
        kinds += _some(rng, board, count, radius, bars, colours)
    return kinds


def _some(
    rng: Rng,
    board: Profile,
    count: int,
    radius: float,
    places: Sequence[Bar] | Sequence[Circle],
    colours: Sequence[Bgr] = (),
) -> list[Kind]:
    bar = places[0] if isinstance(places[0], Bar) else None
    swatches = list(colours) or _swatches(rng, board, count, places, pale=bar is not None)
    material = random_material(rng)
    if rng.random() < 0.15:
        material = "paper"
    dull = rng.uniform(*DULL) if material in ("wood", "paper") else 1.0
    paints = _made(rng, swatches, dull)
    token = _shape(rng, material, radius, bar)
    relief = _relief(rng) if material in ("plastic", "wood") and rng.random() < 0.6 else ()
    return [
        Kind(swatch, replace(token, paint=paint), bar is not None, relief)
        for swatch, paint in zip(swatches, paints, strict=True)
    ]


def _shape(rng: Rng, material: str, radius: float, bar: Bar | None) -> Token:
    height, opacity = random_height(rng, material), random_opacity(rng, material)
    points = int(rng.choice([0, 4, 5, 6, 7, 8], p=[0.35, 0.2, 0.18, 0.13, 0.04, 0.1]))
    waist = rng.uniform(0.42, 0.9) if points else 1.0
    if points == 4 and rng.random() < 0.7:
        waist, height = _SQUARE, height * rng.uniform(1, 1.5)
    size = radius * rng.uniform(0.55, 1.1)
    oblong = None
    if bar is not None:
        oblong = (bar.size[0] * rng.uniform(0.7, 1.25), bar.size[1] * rng.uniform(0.4, 1.15))
        height = min(height, oblong[1] * rng.uniform(0.3, 1.3) + 0.5)
    return Token("", (0, 0), size, height, 0, points, waist, material, (0, 0, 0), opacity, oblong)


def _relief(rng: Rng) -> tuple[tuple[float, float, float], ...]:
    """Up to three smaller bodies on top: how long, how wide, how much higher."""
    parts = []
    length, width, height = 1.0, 1.0, 0.0
    for _ in range(int(rng.integers(1, 4))):
        length, width = length * rng.uniform(0.4, 0.97), width * rng.uniform(0.35, 0.9)
        height += rng.uniform(0.05, 0.5)
        parts.append((length, width, height))
    return tuple(parts)


def _swatches(
    rng: Rng, board: Profile, count: int, places: Sequence[Shape], pale: bool
) -> list[Bgr]:
    """So many colours that nobody confuses; some of them are those of the print."""
    like_print = rng.choice([0.0, 0.3, 0.8])
    found: list[Bgr] = []
    seen: list[np.ndarray] = []
    for attempt in range(400):
        paint = _paint(rng, pale=pale and attempt < 100 and rng.random() < 0.2)
        if rng.random() < like_print and attempt < 100:
            shape = places[int(rng.integers(len(places)))]
            at = shape.at if rng.random() < 0.7 else _outline(shape)
            b, g, r = np.clip(np.array(_printed_at(board, at)) + rng.normal(0, 16, 3), 2, 253)
            paint = float(b), float(g), float(r)
        lab = _lab(paint)
        if all(np.linalg.norm(lab - other) >= _APART for other in seen):
            seen.append(lab)
            found.append(paint)
        if len(found) == count:
            break
    return found


def _made(rng: Rng, swatches: Sequence[Bgr], dull: float) -> list[Bgr]:
    """What a maker makes of colours, each still more like its own than any other as a whole."""
    far = float(rng.choice([0.0, 1.0, 2.0], p=[0.35, 0.35, 0.3]))
    for attempt in range(30):
        freely = min(far, 2 - attempt // 15) if attempt < 25 else 0.0
        made = [_another_shade(rng, paint, dull, freely) for paint in swatches]
        true, shown = (np.array([_lab(paint) for paint in one]) for one in (swatches, made))
        apart = np.linalg.norm(true[:, None] - shown, axis=2)
        between = np.linalg.norm(shown[:, None] - shown, axis=2) + 999 * np.eye(len(shown))
        if between.min() > _APART / 2 and _own_is_best(apart):
            break
    return made


def _own_is_best(apart: np.ndarray) -> bool:
    """Whether no two or three kinds exchanged would be more alike, (K, K) from true to made."""
    count = len(apart)
    if count > 5:
        pairs = apart.diagonal()[:, None] + apart.diagonal()
        return bool((pairs <= apart + apart.T + 1e-6).all())
    total = apart.trace()
    rows = np.arange(count)
    return all(apart[rows, list(p)].sum() >= total - 1e-6 for p in permutations(range(count)))


def _paint(rng: Rng, pale: bool) -> Bgr:
    drawn = rng.random()
    if pale or drawn < 0.1:
        return hsv_colour(rng, s=(0, 35), v=(175, 255))
    if drawn < 0.24:
        return hsv_colour(rng, s=(0, 70), v=(8, 60))
    if drawn < 0.3:
        return hsv_colour(rng, s=(0, 60), v=(70, 190))
    return hsv_colour(rng, s=(110, 255), v=(70, 250))


def _another_shade(rng: Rng, paint: Bgr, dull: float, freely: float) -> Bgr:
    """What a maker makes of a colour: nearly that at 0, what a language calls the same at 2."""
    pixel = np.array([[paint]], np.uint8)
    hue, saturation, value = map(float, cv2.cvtColor(pixel, cv2.COLOR_BGR2HSV)[0, 0])
    saturation = saturation * rng.uniform(0.65 - 0.15 * freely, 1.12 + 0.13 * min(freely, 1)) * dull
    saturation = min(255.0, saturation + rng.uniform(0, 8))
    value = value * rng.uniform(0.75 - 0.25 * freely, 1.15 + 0.1 * min(freely, 1))
    value = min(255.0, value + rng.uniform(0, 8 + 17 * min(freely, 1)))
    hue += rng.normal(0, 3.5 + 4.5 * freely)
    return hsv_colour(rng, (hue, hue), (saturation, saturation), (value, value))


def _outline(shape: Shape) -> Point:
    """What is printed where a place's outline is, if it has one: pieces are often of that tone."""
    if not isinstance(shape, Bar):
        return shape.at[0], shape.at[1] + 0.95 * shape.radius
    angle = np.radians(shape.turn + 90)
    x, y = np.array(shape.at) + shape.size[1] / 2 * np.array([np.cos(angle), np.sin(angle)])
    return float(x), float(y)


def _printed_at(board: Profile, at: Point) -> Bgr:
    x, y = np.round(np.array(at) * PX_PER_MM).astype(int)
    b, g, r = board.require_reference()[y - 1 : y + 2, x - 1 : x + 2].reshape(-1, 3).mean(axis=0)
    return float(b), float(g), float(r)


def _lab(colour: Bgr) -> np.ndarray:
    pixel = np.array([[colour]], np.float32) / 255
    return np.asarray(cv2.cvtColor(pixel, cv2.COLOR_BGR2LAB)[0, 0])

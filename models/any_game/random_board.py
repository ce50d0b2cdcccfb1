"""Random boards of no game: spots and edges anywhere, printed in any way."""

from collections.abc import Mapping

import cv2
import numpy as np

from calibration import PX_PER_MM, Layout, Profile
from models.any_game.random_places import random_places
from models.synthesis.texture import Bgr, Rng, hsv_colour, smooth_noise
from scorer.places import Bar, Circle, Place, Point, Shape

_FEWEST = 24
_FONTS = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_TRIPLEX)


def random_board(rng: Rng) -> Profile:
    """A board with spots, mostly with edges between them, and a picture of it."""
    while True:
        places, size_mm = random_places(rng)
        if len(places) >= _FEWEST:
            break
    layout = Layout("", "no game's", size_mm, places, None, None)
    return Profile("random", layout, draw_places(rng, places, size_mm))


def draw_places(
    rng: Rng, places: Mapping[Place, Shape], size_mm: tuple[float, float]
) -> np.ndarray:
    """A print of a board with these places, (H, W, 3) uint8 BGR at `PX_PER_MM`."""
    width, height = (round(side * PX_PER_MM) for side in size_mm)
    canvas = _ground(rng, height, width)
    dark = canvas.mean() < 125
    ink = hsv_colour(rng, s=(0, 120), v=(150, 255) if dark else (5, 110))
    _ornaments(rng, canvas, ink)
    circles = [s for s in places.values() if isinstance(s, Circle)]
    bars = [s for s in places.values() if isinstance(s, Bar)]
    if bars and rng.random() < 0.5:
        thick = int(rng.integers(1, 14))
        for bar in bars:
            reach = bar.size[0] * rng.uniform(0.5, 1.4)
            c, s = np.cos(np.radians(bar.turn)) * reach, np.sin(np.radians(bar.turn)) * reach
            (x, y) = bar.at
            _line(canvas, (x - c, y - s), (x + c, y + s), ink, thick)
    _grain(rng, canvas)
    fills = _inks(rng, int(rng.integers(1, 5)))
    kind = rng.choice(["outline", "filled", "both", "faint"])
    style = [rng.random() for _ in range(4)]
    for circle in circles:
        _spot(rng, canvas, circle, ink, fills, str(kind), style)
    if bars:
        _bars(rng, canvas, bars, ink, style[1])
    return canvas


def _inks(rng: Rng, count: int) -> list[Bgr]:
    """Colours to fill places with; vivid ones, as pieces have them, more often than not."""
    if rng.random() < 0.4:
        return [hsv_colour(rng, v=(20, 255)) for _ in range(count)]
    inks = [hsv_colour(rng, s=(120, 255), v=(90, 250)) for _ in range(count)]
    extra = [hsv_colour(rng, s=(0, 40), v=v) for v in ((10, 60), (100, 180), (200, 255))]
    return inks + [one for one in extra if rng.random() < 0.4]


def _bars(rng: Rng, canvas: np.ndarray, bars: list[Bar], ink: Bgr, thick: float) -> None:
    """Oblong places: in one colour or each in its own, as rows of a route are, with marks."""
    kind = rng.choice(["outline", "filled", "both", "none", "faint"], p=[0.2, 0.2, 0.4, 0.1, 0.1])
    fills = [hsv_colour(rng, v=(20, 255)) if rng.random() < 0.5 else _near(rng, canvas)]
    several = rng.random() < 0.6
    if several:
        fills = _inks(rng, int(rng.integers(2, 9)))
    rounding = rng.uniform(0.2, 1) if rng.random() < 0.5 else 0.0
    marked = rng.random() < 0.6
    shade, turned = rng.uniform(0.5, 1.5), 1e9
    fill = fills[0]
    for bar in bars:
        if several and (bar.turn != turned or rng.random() < 0.1):
            fill, turned = fills[int(rng.integers(len(fills)))], bar.turn
        corners = _corners(bar, rounding)
        if kind in ("filled", "both"):
            cv2.fillPoly(canvas, [corners], fill, cv2.LINE_AA, 3)
            if marked:
                _mark(rng, canvas, bar, fill, shade)
        if kind in ("outline", "both"):
            cv2.polylines(canvas, [corners], True, ink, int(1 + 4 * thick), cv2.LINE_AA, 3)
        elif kind == "faint":
            cv2.polylines(canvas, [corners], True, _near(rng, canvas), 2, cv2.LINE_AA, 3)


def _mark(rng: Rng, canvas: np.ndarray, bar: Bar, fill: Bgr, shade: float) -> None:
    """Something within an oblong place, in a tone near its fill: a sign, a second line."""
    b, g, r = np.clip(np.array(fill) * shade + rng.normal(0, 4, 3) + 15 * (shade - 1), 0, 255)
    tone = float(b), float(g), float(r)
    x, y = (round(v * PX_PER_MM) for v in bar.at)
    reach = bar.size[1] * PX_PER_MM / 2
    if shade < 1.1:
        cv2.circle(canvas, (x, y), max(1, round(0.4 * reach)), tone, 1, cv2.LINE_AA)
    inner = Bar(bar.at, (0.9 * bar.size[0], 0.8 * bar.size[1]), bar.turn)
    if shade > 0.8:
        cv2.polylines(canvas, [_corners(inner, 0.0)], True, tone, 1, cv2.LINE_AA, 3)


def _grain(rng: Rng, canvas: np.ndarray) -> None:
    """Hatching or clouds all over the ground, as maps and paintings have."""
    if rng.random() < 0.5:
        return
    height, width = canvas.shape[:2]
    fine = smooth_noise(rng, height // 2, width // 2, int(rng.integers(40, 400))) - 0.5
    coarse = smooth_noise(rng, height // 2, width // 2, int(rng.integers(8, 60))) - 0.5
    mixed = (fine * rng.uniform(0.2, 1) + coarse * rng.uniform(0, 1)) * rng.uniform(10, 90)
    whole = cv2.resize(mixed, (width, height))[..., None]
    canvas[:] = np.clip(canvas + whole * rng.uniform(0.6, 1.0, 3), 0, 255).astype(np.uint8)


def _ground(rng: Rng, height: int, width: int) -> np.ndarray:
    style = rng.choice(["dark", "pale", "any"], p=[0.45, 0.3, 0.25])
    value = {"dark": (12, 95), "pale": (150, 250), "any": (30, 230)}[str(style)]
    most = {"dark": 230, "pale": 90, "any": 255}[str(style)]
    base = np.array(hsv_colour(rng, s=(0, most), v=value), np.float32)
    small = (height // 4 + 1, width // 4 + 1)
    canvas = np.empty((*small, 3), np.float32)
    canvas[:] = base
    for _ in range(int(rng.integers(0, 4))):
        second = np.array(hsv_colour(rng, s=(0, most), v=value), np.float32)
        mask = smooth_noise(rng, *small, int(rng.integers(2, 12)))
        mask = np.clip((mask - rng.uniform(0.3, 0.6)) * rng.uniform(1, 3), 0, 1)[..., None]
        canvas += mask * (second - canvas)
    canvas += (smooth_noise(rng, *small, 150)[..., None] - 0.5) * rng.uniform(0, 20)
    picture = cv2.resize(np.clip(canvas, 0, 255).astype(np.uint8), (width, height))
    return np.ascontiguousarray(picture)


def _ornaments(rng: Rng, canvas: np.ndarray, ink: Bgr) -> None:
    """Specks, lines, rings, discs and words, anywhere."""
    height, width = canvas.shape[:2]
    for _ in range(int(rng.integers(0, 400))):
        x, y = int(rng.integers(width)), int(rng.integers(height))
        tone = _blend(rng, ink)
        cv2.circle(canvas, (x, y), int(rng.choice([1, 1, 2, 4])), tone, -1, cv2.LINE_AA)
    for _ in range(int(rng.integers(0, 40))):
        at = (int(rng.integers(width)), int(rng.integers(height)))
        tone = _blend(rng, ink) if rng.random() < 0.7 else hsv_colour(rng)
        drawn = rng.random()
        if drawn < 0.4:
            reach, thick = int(rng.integers(6, width // 2)), int(rng.choice([1, 2, 4, -1]))
            if thick > 0 or reach < 40:
                cv2.circle(canvas, at, reach, tone, thick, cv2.LINE_AA)
        elif drawn < 0.75:
            end = (int(rng.integers(width)), int(rng.integers(height)))
            cv2.line(canvas, at, end, tone, int(rng.integers(1, 6)), cv2.LINE_AA)
        else:
            word = "".join(rng.choice(list("ABCDEFGHKLMNORSTUVZ0123456789"), 5))
            font, size = int(rng.choice(_FONTS)), float(rng.uniform(0.5, 3))
            cv2.putText(canvas, word, at, font, size, tone, int(rng.integers(1, 5)), cv2.LINE_AA)


def _spot(
    rng: Rng,
    canvas: np.ndarray,
    circle: Circle,
    ink: Bgr,
    fills: list[Bgr],
    kind: str,
    style: list[float],
) -> None:
    at = tuple(round(v * PX_PER_MM * 8) for v in circle.at)
    radius = round(circle.radius * PX_PER_MM * 8 * (0.85 + 0.2 * style[0]))
    fill = fills[int(rng.integers(len(fills)))]
    if kind in ("filled", "both"):
        cv2.circle(canvas, at, radius, fill, -1, cv2.LINE_AA, 3)
    if kind in ("outline", "both"):
        tone = fill if style[2] < 0.3 and kind == "outline" else ink
        cv2.circle(canvas, at, radius, tone, int(1 + 9 * style[1]), cv2.LINE_AA, 3)
    elif kind == "faint":
        cv2.circle(canvas, at, radius, _near(rng, canvas), 2, cv2.LINE_AA, 3)
    if style[3] < 0.5 and rng.random() < 0.5:
        x, y = (round(v * PX_PER_MM) for v in circle.at)
        mark = rng.random()
        tone = ink if rng.random() < 0.6 else hsv_colour(rng)
        reach = circle.radius * PX_PER_MM
        if mark < 0.4:
            text = str(int(rng.integers(1, 10)))
            cv2.putText(canvas, text, (x - 8, y + 8), _FONTS[0], reach / 28, tone, 2, cv2.LINE_AA)
        elif mark < 0.7:
            points = int(rng.integers(4, 9))
            angles = np.arange(2 * points) * np.pi / points
            radii = np.where(np.arange(2 * points) % 2, 0.3, 0.8) * reach
            star = np.stack([x + radii * np.sin(angles), y - radii * np.cos(angles)], axis=1)
            cv2.fillPoly(canvas, [np.round(star * 8).astype(np.int32)], tone, cv2.LINE_AA, 3)
        else:
            cv2.circle(canvas, (x, y), round(reach * rng.uniform(0.2, 0.7)), tone, -1, cv2.LINE_AA)


def _near(rng: Rng, canvas: np.ndarray) -> Bgr:
    """A colour that hardly differs from the ground."""
    b, g, r = np.clip(np.median(canvas[::16, ::16], axis=(0, 1)) + rng.normal(0, 22, 3), 0, 255)
    return float(b), float(g), float(r)


def _blend(rng: Rng, ink: Bgr) -> Bgr:
    b, g, r = np.array(ink) * rng.uniform(0.4, 1.0)
    return float(b), float(g), float(r)


def _line(canvas: np.ndarray, a: Point, b: Point, ink: Bgr, thick: int) -> None:
    start, end = (tuple(round(v * PX_PER_MM) for v in point) for point in (a, b))
    cv2.line(canvas, start, end, ink, thick, cv2.LINE_AA)


def _corners(bar: Bar, rounding: float) -> np.ndarray:
    """(N, 2) int32 in eighths of px; ``rounding`` 1 makes the ends half circles."""
    c, s = np.cos(np.radians(bar.turn)), np.sin(np.radians(bar.turn))
    reach = rounding * min(bar.size) / 2
    angles = np.radians(np.arange(0, 360, 10)) if reach else np.radians([45, 135, 225, 315])
    around = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    box = np.sign(around) * (np.array(bar.size) / 2 - reach) + reach * around
    turned = box @ np.array([[c, s], [-s, c]]) + bar.at
    return np.asarray(np.round(turned * PX_PER_MM * 8).astype(np.int32))

"""Star tokens: shape, material and how light falls on them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from models.synthesis.camera import Camera
from models.synthesis.texture import Bgr, Rng, hsv_colour

MATERIALS = ("wood", "plastic", "acrylic", "paper", "faceted")

# Hue range (OpenCV's half degrees), saturation and value ranges of what people call by the name.
_PAINT = {
    "red": ((-7, 4), (175, 255), (150, 235)),
    "orange": ((6, 17), (150, 255), (190, 255)),
    "yellow": ((18, 31), (110, 255), (190, 255)),
    "blue": ((98, 119), (130, 255), (120, 245)),
    "purple": ((129, 149), (75, 235), (75, 215)),
    "white": ((0, 180), (0, 28), (190, 255)),
    "black": ((0, 180), (0, 70), (8, 52)),
}


# How much of a window, or of a bright room, a level face of each material mirrors.
_MIRRORS = {"wood": 0.35, "plastic": 1.0, "acrylic": 0.85, "paper": 0.4, "faceted": 0.6}

_GLEAM = 252.0
"""The level of what is mirrored."""
_BEHIND = 70.0
"""The level of the print that shows through a see-through star, about."""


@dataclass(frozen=True)
class Token:
    """One star on the table: centre, outer radius and height in mm, ``turn`` in radians.

    ``points`` is 4 to 8, or 0 for a disc; ``waist`` the inner radius as a share of the outer.
    """

    star: str
    at: tuple[float, float]
    radius: float
    height: float
    turn: float
    points: int
    waist: float
    material: str
    paint: Bgr
    opacity: float = 1.0

    def outline(self, scale: float = 1.0) -> np.ndarray:
        """(N, 2) mm, the footprint's corners in order."""
        if self.points == 0:
            angles = np.linspace(0, 2 * np.pi, 24, endpoint=False) + self.turn
            radii = np.full(24, self.radius)
        else:
            angles = np.arange(2 * self.points) * np.pi / self.points + self.turn
            radii = np.where(
                np.arange(2 * self.points) % 2 == 0, self.radius, self.radius * self.waist
            )
        return np.array(self.at) + scale * radii[:, None] * np.column_stack(
            [np.cos(angles), np.sin(angles)]
        )


@dataclass(frozen=True)
class Window:
    """What level glossy faces mirror towards the camera where on the table they lie, in mm.

    It fades out over the share ``edge`` of its ``reach``; ``strength`` is 0 to 1.
    """

    at: tuple[float, float]
    reach: float
    edge: float
    strength: float


@dataclass(frozen=True)
class Light:
    """One key light over an ambient one; ``direction`` points from the table to the light.

    A star that mirrors the ``window`` shows its colour at its rim alone. ``sheen``, 0 to 1, is what
    glossy faces mirror of the room everywhere: it makes pastels of them.
    """

    direction: np.ndarray
    key: float
    ambient: float
    softness: float
    window: Window | None = None
    sheen: float = 0.0

    def mirrored(self, at: np.ndarray) -> np.ndarray:
        """(...) the share of mirrored light, 0 to 1, in a level glossy face at (..., 2) mm."""
        if self.window is None:
            return np.full(at.shape[:-1], self.sheen)
        away = np.linalg.norm(at - np.array(self.window.at), axis=-1) / self.window.reach
        inside = np.clip((1 - away) / self.window.edge, 0, 1)
        return np.maximum(self.sheen, self.window.strength * inside)

    def on(self, normal: np.ndarray) -> float:
        """The light on a face with the (3,) unit ``normal``; a level one in full light has 1."""
        level = self.ambient + self.key * self.direction[2]
        return float((self.ambient + self.key * max(0.0, float(normal @ self.direction))) / level)


def random_light(rng: Rng) -> Light:
    """From a bare bulb low over the table to an overcast sky."""
    elevation, azimuth = np.radians(rng.uniform(18, 88)), rng.uniform(0, 2 * np.pi)
    direction = np.array(
        [
            np.cos(elevation) * np.cos(azimuth),
            np.cos(elevation) * np.sin(azimuth),
            np.sin(elevation),
        ]
    )
    key = rng.uniform(0.0, 0.9)
    sheen = rng.uniform(0, 0.75) if rng.random() < 0.5 else 0.0
    return Light(direction, key, 1 - key, float(rng.uniform(0.02, 0.5)), sheen=float(sheen))


def random_set(rng: Rng) -> dict[str, Token]:
    """One game's tokens: the same shape and material in seven colours, none of them placed yet."""
    material = str(rng.choice(MATERIALS, p=[0.2, 0.38, 0.2, 0.12, 0.1]))
    points = int(rng.choice([0, 4, 5, 6, 7, 8], p=[0.14, 0.2, 0.24, 0.18, 0.06, 0.18]))
    waist = rng.uniform(0.42, 0.85) if points else 1.0
    if points == 4 and rng.random() < 0.4:
        waist = 0.71  # a square
    height = {"paper": rng.uniform(0.1, 0.5), "acrylic": rng.uniform(1.5, 5)}.get(
        material, rng.uniform(1.5, 9)
    )
    warm = _warm_hues(rng)
    proto = Token(
        "",
        (0, 0),
        rng.uniform(5.6, 8.3),
        height,
        0,
        points,
        waist,
        material,
        (0, 0, 0),
        rng.uniform(0.5, 0.9) if material == "acrylic" else 1.0,
    )
    tokens = {}
    for star, (hue, saturation, value) in _PAINT.items():
        hue = warm.get(star, hue)
        dull = (
            rng.uniform(0.62, 1.0)
            if material in ("wood", "paper") and star not in ("white", "black")
            else 1.0
        )
        paint = hsv_colour(rng, hue, (saturation[0] * dull, saturation[1] * dull), value)
        tokens[star] = replace(proto, star=star, paint=paint)
    return tokens


def _warm_hues(rng: Rng) -> dict[str, tuple[float, float]]:
    """Red, orange and yellow of one set: each may be anywhere in its range, but they keep apart.

    One maker's golden yellow is nearly another's orange; only side by side are they told apart.
    """
    while True:
        hues = {star: rng.uniform(*_PAINT[star][0]) for star in ("red", "orange", "yellow")}
        if hues["orange"] - hues["red"] > 6 and hues["yellow"] - hues["orange"] > 6.5:
            return {star: (hue, hue) for star, hue in hues.items()}


def shown_colour(token: Token, light: Light) -> np.ndarray:
    """(3,) BGR levels, the colour of the star's level top away from windows and highlights."""
    gleam = _MIRRORS[token.material] * light.mirrored(np.array(token.at))
    shown = np.array(token.paint) + gleam * (_GLEAM - np.array(token.paint))
    through = _BEHIND * (0.25 + 0.75 * np.array(token.paint) / 255)
    return token.opacity * shown + (1 - token.opacity) * through


def cast_shadows(
    shape: tuple[int, int], tokens: list[Token], light: Light, camera: Camera
) -> np.ndarray:
    """(H, W) float32 in 0..1: how much of the key light the tokens keep from the table."""
    mask = np.zeros(shape, np.uint8)
    slope = -light.direction[:2] / max(light.direction[2], 0.2)
    for token in tokens:
        foot = token.outline()
        swept = np.vstack([foot, foot * 1.0 + slope * token.height])
        hull = cv2.convexHull(camera.ideal(swept).astype(np.float32))
        cv2.fillConvexPoly(mask, np.round(hull * 8).astype(np.int32), 255, cv2.LINE_AA, 3)
    scale = np.hypot(*(camera.ideal(np.array([[1.0, 0]])) - camera.ideal(np.array([[0.0, 0]])))[0])
    sigma = max(0.4, light.softness * 4 * scale)
    return cv2.GaussianBlur(mask, (0, 0), sigma).astype(np.float32) / 255


def draw(rng: Rng, picture: np.ndarray, token: Token, light: Light, camera: Camera) -> None:
    """Draw one token into ``picture``, (H, W, 3) float32, with its sides, its top and its gloss."""
    foot, rim = token.outline(), token.outline(0.97 if token.height > 1 else 1.0)
    low, high = camera.ideal(foot), camera.ideal(rim, token.height)
    corners = np.vstack([low, high])
    x0, y0 = np.floor(corners.min(axis=0)).astype(int) - 3
    x1, y1 = np.ceil(corners.max(axis=0)).astype(int) + 4
    x0, y0 = max(x0, 0), max(y0, 0)
    region = picture[y0:y1, x0:x1]
    if region.size == 0 or min(region.shape[:2]) < 3:
        return
    layer = np.zeros(region.shape, np.uint8)
    mask = np.zeros(region.shape[:2], np.uint8)
    origin = np.array([x0, y0])
    paint = np.array(token.paint)

    def fill(points: np.ndarray, colour: np.ndarray) -> None:
        fixed = np.round((points - origin) * 8).astype(np.int32)
        cv2.fillPoly(layer, [fixed], np.clip(colour, 0, 255).tolist(), cv2.LINE_8, 3)
        cv2.fillPoly(mask, [fixed], 255, cv2.LINE_AA, 3)

    if token.height > 0.6:
        side = 0.8 if token.material != "acrylic" else 1.05
        order = np.argsort(
            [-_depth(camera, (foot[i] + foot[(i + 1) % len(foot)]) / 2) for i in range(len(foot))]
        )
        for i in order:
            j = (i + 1) % len(foot)
            edge = foot[j] - foot[i]
            normal = np.array([edge[1], -edge[0], 0.0]) / max(np.hypot(*edge), 1e-6)
            fill(np.array([low[i], low[j], high[j], high[i]]), paint * light.on(normal) * side)
    fill(high, paint * light.on(np.array([0, 0, 1.0])))
    mirrors = _MIRRORS[token.material] * rng.uniform(0.9, 1.0)
    gleam = mirrors * light.mirrored(_seen_on(camera, token.height, (x0, y0), region.shape))
    gleam *= cv2.fillPoly(
        np.zeros_like(mask), [np.round((high - origin) * 8).astype(np.int32)], 1, cv2.LINE_8, 3
    )
    layer[:] = layer + gleam[..., None] * (_GLEAM - layer)
    rounded = 0.95 if gleam.max() > 0.4 else 0.6
    if token.material == "faceted":
        _facets(token, fill, paint, light, camera)
    elif token.height > 1 and rng.random() < rounded:
        _bevel(token, fill, paint, light, camera, rng.uniform(0.78, 0.96))
    shade = layer.astype(np.float32)
    _grain(rng, token, shade)
    _gloss(rng, token, shade, high - origin)
    alpha = (mask.astype(np.float32) / 255)[..., None]
    if token.material == "acrylic":
        tint = paint / 255
        through = region * (0.25 + 0.75 * tint).astype(np.float32)
        shade = through + (shade - through) * token.opacity
    elif token.material == "paper":
        _print_mark(rng, token, shade, high - origin)
    region += alpha * (shade - region)


def _seen_on(
    camera: Camera, height: float, origin: tuple[int, int], shape: tuple[int, ...]
) -> np.ndarray:
    """(H, W, 2) mm, what a patch of the picture shows of the level ``height`` mm above the table.

    ``origin`` is the patch's (x, y) in px.
    """
    level = camera.matrix[:, [0, 1, 3]].copy()
    level[:, 2] += camera.matrix[:, 2] * height
    ys, xs = np.mgrid[: shape[0], : shape[1]]
    px = np.stack([xs + origin[0], ys + origin[1], np.ones_like(xs)], axis=-1)
    mm = px @ np.linalg.inv(level).T
    return mm[..., :2] / mm[..., 2:]


def _depth(camera: Camera, point: np.ndarray) -> float:
    return float(camera.matrix[2] @ [point[0], point[1], 0, 1])


def _facets(token: Token, fill, paint: np.ndarray, light: Light, camera: Camera) -> None:
    rim = token.outline(0.97)
    centre = np.array(token.at)
    peak = camera.ideal(centre[None], token.height * 1.35)[0]
    high = camera.ideal(rim, token.height)
    for i in range(len(rim)):
        j = (i + 1) % len(rim)
        a, b = rim[i] - centre, rim[j] - centre
        rise = np.array([*a, -0.35 * token.height]), np.array([*b, -0.35 * token.height])
        normal = np.cross(*rise)
        normal /= max(np.linalg.norm(normal), 1e-6)
        fill(np.array([high[i], high[j], peak]), paint * light.on(normal * np.sign(normal[2] or 1)))


def _bevel(
    token: Token, fill, paint: np.ndarray, light: Light, camera: Camera, inner: float
) -> None:
    rim, inset = token.outline(0.97), token.outline(0.97 * inner)
    high, top = camera.ideal(rim, token.height), camera.ideal(inset, token.height)
    for i in range(len(rim)):
        j = (i + 1) % len(rim)
        edge = rim[j] - rim[i]
        normal = np.array([edge[1], -edge[0], np.hypot(*edge)])
        normal /= max(np.linalg.norm(normal), 1e-6)
        fill(np.array([high[i], high[j], top[j], top[i]]), paint * light.on(normal))


def _grain(rng: Rng, token: Token, shade: np.ndarray) -> None:
    height, width = shade.shape[:2]
    if token.material == "wood":
        stripes = cv2.resize(
            rng.random((max(2, height // 2), 2), np.float32),
            (width, height),
            interpolation=cv2.INTER_LINEAR,
        )
        shade *= (1 + (stripes - 0.5) * rng.uniform(0.05, 0.3))[..., None]
    else:
        shade *= (
            1 + rng.uniform(0, 0.12) * np.linspace(-1, 1, width, dtype=np.float32)[None, :, None]
        )


def _gloss(rng: Rng, token: Token, shade: np.ndarray, top: np.ndarray) -> None:
    """White highlights; on a black glossy star they are most of what a camera sees."""
    shine = {"wood": 0.08, "paper": 0.1}.get(token.material, 0.65)
    if rng.random() > 0.3 + shine:
        return
    spots = np.zeros(shade.shape[:2], np.uint8)
    size = np.ptp(top, axis=0).max()
    for _ in range(int(rng.integers(1, 4))):
        at = top.mean(axis=0) + rng.normal(0, 0.28, 2) * size
        axes = np.maximum(rng.uniform(0.05, 0.42, 2) * size, 1)
        cv2.ellipse(
            spots,
            at.astype(int).tolist(),
            axes.astype(int).tolist(),
            float(rng.uniform(0, 180)),
            0,
            360,
            255,
            -1,
            cv2.LINE_AA,
        )
    spots = cv2.GaussianBlur(spots, (0, 0), max(0.5, rng.uniform(0.02, 0.15) * size))
    strength = rng.uniform(0.1, 1.0) * shine
    shade += (spots.astype(np.float32) / 255 * strength)[..., None] * (255 - shade)


def _print_mark(rng: Rng, token: Token, shade: np.ndarray, top: np.ndarray) -> None:
    """Paper stars carry a printed outline or a small mark; white paper shows at a rough cut."""
    ink = [255.0] * 3 if sum(token.paint) < 330 or rng.random() < 0.3 else [30.0] * 3
    points = np.round(top * 8).astype(np.int32)
    if rng.random() < 0.5:
        cv2.polylines(shade, [points], True, ink, 1, cv2.LINE_AA, 3)
    centre, size = top.mean(axis=0), np.ptp(top, axis=0).max()
    mark = rng.integers(0, 4)
    if mark == 1:
        cv2.circle(
            shade, centre.astype(int).tolist(), max(1, int(size * 0.12)), ink, -1, cv2.LINE_AA
        )
    elif mark == 2:
        d = np.array([size * 0.15, 0])
        cv2.line(
            shade,
            (centre - d).astype(int).tolist(),
            (centre + d).astype(int).tolist(),
            ink,
            1,
            cv2.LINE_AA,
        )

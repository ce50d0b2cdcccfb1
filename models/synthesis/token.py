"""Tokens: shape, material and how light falls on them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from models.synthesis.camera import Camera
from models.synthesis.light import Light
from models.synthesis.texture import Bgr, Rng

# How much of a window, or of a bright room, a level face of each material mirrors.
_MIRRORS = {"wood": 0.35, "plastic": 1.0, "acrylic": 0.85, "paper": 0.4, "faceted": 0.6}

_GLEAM = 252.0
"""The level of what is mirrored."""
_BEHIND = 70.0
"""The level of the print that shows through a see-through token, about."""

_Fill = Callable[[np.ndarray, np.ndarray], None]
"""Fills the polygon of (N, 2) px with a (3,) BGR colour."""


@dataclass(frozen=True)
class Token:
    """One piece on the table: centre, outer radius and height in mm, ``turn`` in radians.

    ``points`` is a star's 4 to 8, or 0 for a disc; ``waist`` the inner radius as a share of the
    outer. A ``bar`` has a (length, width) in mm instead, and lies along its ``turn``.
    """

    piece: str
    at: tuple[float, float]
    radius: float
    height: float
    turn: float
    points: int
    waist: float
    material: str
    paint: Bgr
    opacity: float = 1.0
    bar: tuple[float, float] | None = None

    def outline(self, scale: float = 1.0) -> np.ndarray:
        """(N, 2) mm, the footprint's corners in order.

        >>> red = Token("red", (50, 50), 8, 4, 0, 0, 1, "wood", (0, 0, 255), bar=(9, 5))
        >>> red.outline().tolist()
        [[54.5, 52.5], [45.5, 52.5], [45.5, 47.5], [54.5, 47.5]]
        """
        if self.bar is not None:
            c, s = np.cos(self.turn), np.sin(self.turn)
            corners = np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]]) * self.bar / 2
            return np.asarray(self.at + scale * corners @ np.array([[c, s], [-s, c]]))
        if self.points == 0:
            angles = np.linspace(0, 2 * np.pi, 24, endpoint=False) + self.turn
            radii = np.full(24, self.radius)
        else:
            angles = np.arange(2 * self.points) * np.pi / self.points + self.turn
            radii = np.where(
                np.arange(2 * self.points) % 2 == 0, self.radius, self.radius * self.waist
            )
        return np.asarray(
            np.array(self.at)
            + scale * radii[:, None] * np.column_stack([np.cos(angles), np.sin(angles)])
        )


def shown_colour(token: Token, light: Light) -> np.ndarray:
    """(3,) BGR levels, the colour of the token's level top away from windows and highlights."""
    gleam = _MIRRORS[token.material] * light.mirrored(np.array(token.at))
    shown = np.array(token.paint) + gleam * (_GLEAM - np.array(token.paint))
    through = _BEHIND * (0.25 + 0.75 * np.array(token.paint) / 255)
    return token.opacity * shown + (1 - token.opacity) * through


def cast_shadows(
    shape: tuple[int, int], tokens: Sequence[Token], light: Light, camera: Camera
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
    return np.asarray(mm[..., :2] / mm[..., 2:])


def _depth(camera: Camera, point: np.ndarray) -> float:
    return float(camera.matrix[2] @ [point[0], point[1], 0, 1])


def _facets(token: Token, fill: _Fill, paint: np.ndarray, light: Light, camera: Camera) -> None:
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
    token: Token, fill: _Fill, paint: np.ndarray, light: Light, camera: Camera, inner: float
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
    """White highlights; on a black glossy token they are most of what a camera sees."""
    shine = {"wood": 0.08, "paper": 0.1}.get(token.material, 0.65)
    if rng.random() > 0.3 + shine:
        return
    spots: np.ndarray = np.zeros(shade.shape[:2], np.uint8)
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
    """Paper tokens carry a printed outline or a small mark; white paper shows at a rough cut."""
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

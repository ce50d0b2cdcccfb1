"""The synthetic camera: where it stands, how its lens bends, what its sensor and its JPEG do."""

from dataclasses import dataclass

import cv2
import numpy as np

from models.synthesis.texture import Rng, smooth_noise


@dataclass(frozen=True)
class Camera:
    """A pinhole over the table plane (mm, x right, y down, z up) with one division-model lens term.

    ``matrix`` is (3, 4): homogeneous mm to homogeneous pixels of an ideal lens. ``bend`` is the
    division model's parameter for radii in units of half the picture's diagonal (Fitzgibbon, 2001).
    """

    size: tuple[int, int]
    matrix: np.ndarray
    bend: float

    def ideal(self, points: np.ndarray, z: float | np.ndarray = 0.0) -> np.ndarray:
        """(N, 2) mm at height ``z`` to (N, 2) pixels before the lens bends them."""
        points = np.asarray(points, float).reshape(-1, 2)
        world = np.column_stack([points, np.broadcast_to(z, len(points)), np.ones(len(points))])
        image = world @ self.matrix.T
        return np.asarray(image[:, :2] / image[:, 2:])

    def project(self, points: np.ndarray, z: float | np.ndarray = 0.0) -> np.ndarray:
        """(N, 2) mm at height ``z`` to (N, 2) pixels of the finished photograph."""
        centre, half = self._lens()
        offset = (self.ideal(points, z) - centre) / half
        radius = np.maximum(np.hypot(*offset.T), 1e-9)
        k = self.bend if abs(self.bend) > 1e-6 else 1e-6
        inside = np.maximum(1 - 4 * k * radius**2, 0)
        bent = (1 - np.sqrt(inside)) / (2 * k * radius**2)
        return np.asarray(centre + offset * bent[:, None] * half)

    def plane(self) -> np.ndarray:
        """(3, 3) homography from the table plane (mm) to ideal pixels."""
        return self.matrix[:, [0, 1, 3]]

    def bend_picture(self, picture: np.ndarray) -> np.ndarray:
        """The ideal (H, W, 3) picture as the lens shows it, of the same shape."""
        if abs(self.bend) < 1e-6:
            return picture
        centre, half = self._lens()
        width, height = self.size
        ys, xs = np.mgrid[:height, :width].astype(np.float32)
        dx, dy = (xs - centre[0]) / half, (ys - centre[1]) / half
        scale = half / (1 + self.bend * (dx * dx + dy * dy))
        map_x, map_y = (
            (dx * scale + centre[0]).astype(np.float32),
            (dy * scale + centre[1]).astype(np.float32),
        )
        return cv2.remap(picture, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)

    def _lens(self) -> tuple[np.ndarray, float]:
        return np.array(self.size) / 2, float(np.hypot(*self.size) / 2)


def random_camera(
    rng: Rng, size: tuple[int, int], target: np.ndarray, spread: float, fill: float
) -> Camera:
    """A camera aimed at ``target`` (2,) mm; ``spread`` mm fill the share ``fill`` of it."""
    tilt = np.radians(abs(rng.normal(0, 24)) % 58)
    azimuth, roll = rng.uniform(0, 2 * np.pi), rng.normal(0, 0.06)
    focal = rng.uniform(0.75, 1.7) * max(size)
    distance = focal * spread / (fill * min(size))
    toward = np.array(
        [np.sin(tilt) * np.cos(azimuth), np.sin(tilt) * np.sin(azimuth), np.cos(tilt)]
    )
    # Mirror y so that the world is right-handed while the plane keeps its y down.
    flip = np.diag([1.0, -1.0, 1.0])
    eye = flip @ np.array([target[0], target[1], 0]) + flip @ toward * distance
    forward = -(flip @ toward)
    up = np.array([np.sin(roll), np.cos(roll), 0.0])
    right = np.cross(forward, up)
    right /= np.linalg.norm(right)
    down = np.cross(forward, right)
    rotation = np.stack([right, down, forward])
    shift = rng.uniform(-0.09, 0.09, 2) * np.array(size) if rng.random() < 0.8 else np.zeros(2)
    intrinsic = np.array(
        [[focal, 0, size[0] / 2 + shift[0]], [0, focal, size[1] / 2 + shift[1]], [0, 0, 1]]
    )
    matrix = intrinsic @ np.column_stack([rotation @ flip, -rotation @ eye])
    return Camera(size, matrix, float(rng.normal(0, 0.03)))


def taken(rng: Rng, picture: np.ndarray, camera: Camera) -> np.ndarray:
    """The uint8 photograph of a drawn (H, W, 3) float32 scene, in uneven and mirrored light."""
    height, width = picture.shape[:2]
    picture = picture * light_field(rng, height, width)
    sheen = glare(rng, height, width)
    if sheen is not None:
        picture += sheen[..., None] * (250 - picture)
    return expose(rng, camera.bend_picture(picture))


def expose(rng: Rng, picture: np.ndarray) -> np.ndarray:
    """Light that reached the lens, (H, W, 3) float32 0..255, to the developed uint8 photograph."""
    height, width = picture.shape[:2]
    hard = rng.random() < 0.6
    gain = np.exp(rng.normal(0.03, 0.27 if hard else 0.08))
    warmth, tint = rng.normal(0, 0.16 if hard else 0.06), rng.normal(0, 0.07 if hard else 0.03)
    metered = rng.uniform(85, 150) / max(float(picture.mean()), 20.0)
    gain *= metered ** rng.uniform(0.3, 1.0)  # phones expose for the whole picture
    white = np.array([np.exp(-warmth), np.exp(tint), np.exp(warmth)], np.float32) * gain
    picture = picture * white
    if rng.random() < 0.5:  # vignette
        ys, xs = np.ogrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
        picture *= (1 - rng.uniform(0, 0.45) * ((xs * xs + ys * ys) / 2)).astype(np.float32)[
            ..., None
        ]
    if rng.random() < 0.45:  # a dirty lens, or a bright ceiling in the varnish
        bright = rng.random() < 0.5
        veil = rng.uniform(140, 255) * rng.uniform(0.8, 1, 3) if bright else rng.uniform(0, 60)
        picture += (np.float32(veil) - picture) * np.float32(rng.uniform(0, 0.5 if bright else 0.3))
    saturation, contrast = rng.uniform(0.65, 1.35), rng.uniform(0.75, 1.35)
    grey = picture.mean(axis=2, keepdims=True)
    picture = grey + (picture - grey) * saturation
    picture = (picture - 110) * contrast + 110
    picture = _blur(rng, picture, hard)
    if rng.random() < 0.8:
        sigma = rng.uniform(0, 9 if hard else 4)
        noise = rng.standard_normal((height, width, 3), np.float32) * sigma
        if rng.random() < 0.4:
            noise = cv2.GaussianBlur(noise, (0, 0), 0.8) * 1.6
        picture = picture + noise * np.sqrt(np.clip(picture, 10, 255) / 128)
    picture = np.clip(picture, 0, 255)
    if rng.random() < 0.6:  # a tone curve
        picture = 255 * (picture / 255) ** rng.uniform(0.7, 1.4)
    developed: np.ndarray = picture.astype(np.uint8)
    if rng.random() < 0.3:
        soft = cv2.GaussianBlur(developed, (0, 0), 1.5)
        developed = cv2.addWeighted(developed, 1 + (a := float(rng.uniform(0.2, 1.2))), soft, -a, 0)
    return developed


def _blur(rng: Rng, picture: np.ndarray, hard: bool) -> np.ndarray:
    kind = rng.random()
    if kind < 0.3:
        return picture
    if kind < 0.8 or not hard:
        return cv2.GaussianBlur(picture, (0, 0), float(rng.uniform(0.3, 1.9 if hard else 0.9)))
    length = int(rng.integers(3, 9))
    kernel = np.zeros((length, length), np.float32)
    angle = rng.uniform(0, np.pi)
    d = np.array([np.cos(angle), np.sin(angle)]) * (length - 1) / 2
    middle = np.array([length - 1, length - 1]) / 2
    cv2.line(
        kernel,
        (middle - d).round().astype(int).tolist(),
        (middle + d).round().astype(int).tolist(),
        1.0,
    )
    return cv2.filter2D(picture, -1, kernel / kernel.sum())


def light_field(rng: Rng, height: int, width: int) -> np.ndarray:
    """(H, W, 3) float32 around 1: gradients, a lamp's pool, window panes, somebody's shadow."""
    small = (max(2, height // 8), max(2, width // 8))
    field: np.ndarray = np.ones(small, np.float32)
    ys, xs = np.ogrid[-1 : 1 : small[0] * 1j, -1 : 1 : small[1] * 1j]
    angle = rng.uniform(0, 2 * np.pi)
    field *= 1 + rng.uniform(0, 0.4) * (np.cos(angle) * xs + np.sin(angle) * ys)
    if rng.random() < 0.4:
        cx, cy, reach = rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(0.3, 1.2)
        pool = np.exp(-((xs - cx) ** 2 + (ys - cy) ** 2) / reach**2)
        field *= rng.uniform(0.5, 1) + rng.uniform(0.1, 0.7) * pool
    colour = np.ones((*small, 3), np.float32)
    if rng.random() < 0.35:  # a second lamp of another colour on one side
        mix = np.clip(0.5 + (np.cos(angle) * xs + np.sin(angle) * ys), 0, 1)[..., None]
        tint = np.array([rng.normal(0, 0.16), 0, rng.normal(0, 0.16)], np.float32)
        colour += mix * tint
    field = field[..., None] * colour
    field = cv2.resize(field.astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
    for _ in range(int(rng.choice([0, 0, 1, 2]))):
        field *= _cast_shadow(rng, height, width)[..., None]
    return field


def _cast_shadow(rng: Rng, height: int, width: int) -> np.ndarray:
    mask: np.ndarray = np.zeros((height // 4, width // 4), np.float32)
    h, w = mask.shape
    if rng.random() < 0.5:
        points = rng.uniform(-0.4, 1.4, (int(rng.integers(3, 7)), 2)) * (w, h)
        cv2.fillConvexPoly(mask, cv2.convexHull(points.astype(np.int32)), 1.0)
    else:
        for _ in range(int(rng.integers(1, 5))):
            a, b = (rng.uniform(-0.2, 1.2, 2) * (w, h) for _ in range(2))
            cv2.line(
                mask, a.astype(int).tolist(), b.astype(int).tolist(), 1.0, int(rng.integers(4, 30))
            )
    mask = cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(0.6, 12)))
    return 1 - rng.uniform(0.1, 0.6) * cv2.resize(mask, (width, height))


def glare(rng: Rng, height: int, width: int) -> np.ndarray | None:
    """(H, W) float32 in 0..1, the share of mirrored light over the picture, or None."""
    if rng.random() < 0.55:
        return None
    h, w = max(2, height // 4), max(2, width // 4)
    mask: np.ndarray = np.zeros((h, w), np.float32)
    for _ in range(int(rng.integers(1, 4))):
        at = rng.uniform(0, 1, 2) * (w, h)
        if rng.random() < 0.5:
            axes = rng.uniform(0.03, 0.25, 2) * max(w, h)
            cv2.ellipse(
                mask,
                at.astype(int).tolist(),
                axes.astype(int).tolist(),
                float(rng.uniform(0, 180)),
                0,
                360,
                1.0,
                -1,
            )
        else:
            quad = at + rng.uniform(-0.2, 0.2, (4, 2)) * max(w, h)
            cv2.fillConvexPoly(mask, cv2.convexHull(quad.astype(np.int32)), 1.0)
    blur = float(rng.uniform(3, 0.12 * max(w, h)))
    mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), blur), np.float32)
    mask *= rng.uniform(0.05, 0.55) * (0.8 + 0.2 * smooth_noise(rng, h, w, 12))
    return np.clip(cv2.resize(mask, (width, height)), 0, 1)

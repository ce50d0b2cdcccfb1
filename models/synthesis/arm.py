"""An arm over the table: fingers that hold a piece, a hand, a sleeve."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from models.synthesis.camera import Camera
from models.synthesis.light import Light
from models.synthesis.texture import Bgr

_RING = np.column_stack([np.cos(a := np.linspace(0, 2 * np.pi, 14, endpoint=False)), np.sin(a)])


@dataclass(frozen=True)
class Arm:
    """An arm whose fingertips are at ``tip`` (2,) mm on the table, ``height`` mm above it.

    ``seat`` is the direction that it comes from, in radians.
    """

    tip: np.ndarray
    height: float
    seat: float
    skin: Bgr
    sleeve: Bgr


@dataclass(frozen=True)
class _Limb:
    """A capsule: ends in mm from the fingertips (back along the arm, sideways, up), radii in mm."""

    a: tuple[float, float, float]
    b: tuple[float, float, float]
    radii: tuple[float, float]
    bare: bool = True


_LIMBS = (
    _Limb((165, 0, 62), (900, 30, 120), (37, 52), bare=False),
    _Limb((110, 4, 50), (175, 2, 62), (27, 26)),
    _Limb((72, -4, 44), (112, 4, 50), (39, 30)),
    _Limb((28, -34, 14), (78, -30, 42), (8, 10)),
    _Limb((16, -22, 12), (72, -18, 44), (8.5, 10)),
    _Limb((4, -12, 8), (62, -8, 46), (8.5, 10)),
    _Limb((1, 8, 6), (48, 26, 34), (9, 12)),
    _Limb((48, 26, 34), (86, 12, 46), (12, 18)),
    _Limb((0, -3, 6), (60, 6, 46), (8, 10)),
)
"""From the sleeve to the index finger, in the order in which a camera above has them painted."""
_ROUNDNESS = ((1.0, 0.6), (0.86, 0.78), (0.66, 0.92), (0.4, 1.0))
"""Radius and brightness of the strokes that make a flat capsule look round."""


def draw_arm(picture: np.ndarray, arm: Arm, camera: Camera, light: Light) -> np.ndarray:
    """Draw the arm and its shadow into the (H, W, 3) uint8 picture.

    Returns the (H / 4, W / 4) uint8 mask of what the arm itself hides.
    """
    small = (picture.shape[0] // 4, picture.shape[1] // 4)
    cover, shadow = np.zeros(small, np.uint8), np.zeros(small, np.uint8)
    for limb in _LIMBS:
        cv2.fillConvexPoly(cover, _fixed(_hull(limb, arm, camera, 1.0) / 4), 255, cv2.LINE_8, 3)
        fallen = _fallen_hull(limb, arm, camera, light) / 4
        cv2.fillConvexPoly(shadow, _fixed(fallen), 255, cv2.LINE_8, 3)
    if not (cover.any() or shadow.any()):
        return cover
    _shade(picture, shadow, light)
    for limb in _LIMBS:
        paint = np.array(arm.skin if limb.bare else arm.sleeve)
        for scale, brightness in _ROUNDNESS:
            hull = _hull(limb, arm, camera, scale)
            colour = np.clip(paint * brightness, 0, 255).tolist()
            cv2.fillConvexPoly(picture, _fixed(hull), colour, cv2.LINE_AA, 3)
    return cover


def _ends(limb: _Limb, arm: Arm) -> list[tuple[np.ndarray, float]]:
    """Both ends: (2,) mm on the table, and mm above it."""
    back = np.array([np.cos(arm.seat), np.sin(arm.seat)])
    side = np.array([-back[1], back[0]])
    return [(arm.tip + b * back + s * side, z + arm.height) for b, s, z in (limb.a, limb.b)]


def _hull(limb: _Limb, arm: Arm, camera: Camera, scale: float) -> np.ndarray:
    points = [
        camera.project(at + scale * radius * _RING, z)
        for (at, z), radius in zip(_ends(limb, arm), limb.radii, strict=True)
    ]
    return cv2.convexHull(np.vstack(points).astype(np.float32)).reshape(-1, 2)


def _fallen_hull(limb: _Limb, arm: Arm, camera: Camera, light: Light) -> np.ndarray:
    """Where the limb's shadow falls on the table, in px."""
    slope = -light.direction[:2] / max(light.direction[2], 0.35)
    points = [
        camera.project(at + slope * z + radius * _RING)
        for (at, z), radius in zip(_ends(limb, arm), limb.radii, strict=True)
    ]
    return cv2.convexHull(np.vstack(points).astype(np.float32)).reshape(-1, 2)


def _shade(picture: np.ndarray, shadow: np.ndarray, light: Light) -> None:
    """Darken the picture under the quarter-size shadow, only where there is one."""
    soft = cv2.GaussianBlur(shadow, (0, 0), 2 + 6 * light.softness)
    ys, xs = np.nonzero(soft)
    if not len(xs):
        return
    y0, y1, x0, x1 = ys.min(), ys.max() + 1, xs.min(), xs.max() + 1
    region = picture[4 * y0 : 4 * y1, 4 * x0 : 4 * x1]
    kept = 1 - soft[y0:y1, x0:x1].astype(np.float32) / 255 * (0.25 + 0.4 * light.key)
    keep = cv2.resize(kept, region.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    cv2.multiply(region, cv2.merge([keep] * 3), region, dtype=cv2.CV_8U)


def _fixed(points: np.ndarray) -> np.ndarray:
    """Points in OpenCV's fixed-point form, three bits behind the point."""
    return np.asarray(np.round(np.clip(points, -4000, 8000) * 8), np.int32)

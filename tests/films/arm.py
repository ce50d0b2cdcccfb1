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
_ENDS = np.array([(limb.a, limb.b) for limb in _LIMBS], float)
_RADII = np.array([limb.radii for limb in _LIMBS])
_ROUNDNESS = np.array([(1.0, 0.6), (0.86, 0.78), (0.66, 0.92), (0.4, 1.0)])
"""Radius and brightness of the strokes that make a flat capsule look round."""


def draw_arm(picture: np.ndarray, arm: Arm, camera: Camera, light: Light) -> np.ndarray:
    """Draw the arm and its shadow into the (H, W, 3) uint8 picture.

    Returns the (H / 4, W / 4) uint8 mask of what the arm itself hides.
    """
    small = (picture.shape[0] // 4, picture.shape[1] // 4)
    cover, shadow = np.zeros(small, np.uint8), np.zeros(small, np.uint8)
    hulls, fallen = _hulls(arm, camera), _fallen_hulls(arm, camera, light)
    for (hull, *_), fallen_hull in zip(hulls, fallen, strict=True):
        cv2.fillConvexPoly(cover, _fixed(hull / 4), 255, cv2.LINE_8, 3)
        cv2.fillConvexPoly(shadow, _fixed(fallen_hull / 4), 255, cv2.LINE_8, 3)
    if not (cover.any() or shadow.any()):
        return cover
    _shade(picture, shadow, light)
    for limb, strokes in zip(_LIMBS, hulls, strict=True):
        paint = np.array(arm.skin if limb.bare else arm.sleeve)
        for hull, (_, brightness) in zip(strokes, _ROUNDNESS, strict=True):
            colour = np.clip(paint * brightness, 0, 255).tolist()
            cv2.fillConvexPoly(picture, _fixed(hull), colour, cv2.LINE_AA, 3)
    return cover


def _ends(arm: Arm) -> tuple[np.ndarray, np.ndarray]:
    """Both ends of each limb: (L, 2, 2) mm on the table, and (L, 2) mm above it."""
    back = np.array([np.cos(arm.seat), np.sin(arm.seat)])
    side = np.array([-back[1], back[0]])
    return arm.tip + _ENDS[..., :1] * back + _ENDS[..., 1:2] * side, _ENDS[..., 2] + arm.height


def _hulls(arm: Arm, camera: Camera) -> list[list[np.ndarray]]:
    """Of each limb (N, 2) px about each of its strokes."""
    at, z = _ends(arm)
    rings = _ROUNDNESS[:, 0, None, None, None] * _RADII[:, None, :, None, None] * _RING
    points = at[:, None, :, None] + rings
    return [
        [_hull(stroke) for stroke in strokes]
        for strokes in _projected(points, z[:, None, :, None], camera)
    ]


def _fallen_hulls(arm: Arm, camera: Camera, light: Light) -> list[np.ndarray]:
    """Where each limb's shadow falls on the table, (N, 2) px."""
    at, z = _ends(arm)
    slope = -light.direction[:2] / max(light.direction[2], 0.35)
    points = (at + slope * z[..., None])[:, :, None] + _RADII[..., None, None] * _RING
    return [_hull(fallen) for fallen in _projected(points, np.zeros(1), camera)]


def _projected(points: np.ndarray, z: np.ndarray, camera: Camera) -> np.ndarray:
    """(..., 2, R, 2) mm on the table and mm above it to px of the same shape."""
    above = np.broadcast_to(z, points.shape[:-1])
    return camera.project(points.reshape(-1, 2), above.ravel()).reshape(points.shape)


def _hull(points: np.ndarray) -> np.ndarray:
    return cv2.convexHull(points.reshape(-1, 2).astype(np.float32)).reshape(-1, 2)


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

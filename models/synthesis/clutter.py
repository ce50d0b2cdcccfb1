"""Clutter on a table, and hands that reach over it."""

import cv2
import numpy as np

from models.synthesis.camera import Camera
from models.synthesis.placed_board import PlacedBoard, covers
from models.synthesis.texture import Rng, hsv_colour


def draw_clutter(
    rng: Rng, picture: np.ndarray, camera: Camera, boards: list[PlacedBoard]
) -> np.ndarray:
    """Draw cards, cups, pens and hands; return the (H, W) uint8 mask of what they cover."""
    hidden = np.zeros(picture.shape[:2], np.uint8)
    centre = boards[0].shift if boards else np.zeros(2)
    for _ in range(int(rng.choice([0, 1, 2, 4], p=[0.3, 0.3, 0.25, 0.15]))):
        at = centre + rng.uniform(-330, 330, 2)
        if any(covers(b, at, 45) for b in boards):
            continue
        kind = rng.choice(["card", "cup", "pen", "box"])
        colour = np.array(hsv_colour(rng, s=(0, 220), v=(40, 255)))
        turn = rng.uniform(0, 2 * np.pi)
        c, s = np.cos(turn), np.sin(turn)
        if kind == "cup":
            angles = np.linspace(0, 2 * np.pi, 40)
            ring = at + rng.uniform(20, 45) * np.column_stack([np.cos(angles), np.sin(angles)])
            _solid(picture, hidden, camera, ring, rng.uniform(20, 110), colour)
        else:
            half = {
                "card": (32, 44),
                "pen": (70, 4),
                "box": (rng.uniform(20, 80), rng.uniform(15, 60)),
            }[str(kind)]
            quad = (
                np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half @ np.array([[c, s], [-s, c]])
                + at
            )
            _solid(
                picture,
                hidden,
                camera,
                quad,
                {"card": 0.3, "pen": 7, "box": rng.uniform(5, 50)}[str(kind)],
                colour,
            )
    if boards and rng.random() < 0.12:
        _hand(rng, picture, hidden, camera, boards[int(rng.integers(len(boards)))])
    return hidden


def _solid(
    picture: np.ndarray,
    hidden: np.ndarray,
    camera: Camera,
    foot: np.ndarray,
    height: float,
    colour: np.ndarray,
) -> None:
    low, high = camera.ideal(foot), camera.ideal(foot, height)
    body = cv2.convexHull(np.vstack([low, high]).astype(np.float32))
    shadow: np.ndarray = np.zeros(hidden.shape, np.uint8)
    cv2.fillConvexPoly(shadow, np.round(body + 6).astype(np.int32), 255)
    shadow = cv2.GaussianBlur(shadow, (0, 0), 6)
    picture *= 1 - 0.4 * (shadow.astype(np.float32) / 255)[..., None]
    cv2.fillConvexPoly(
        picture, np.round(body).astype(np.int32), (colour * 0.7).tolist(), cv2.LINE_AA
    )
    cv2.fillPoly(picture, [np.round(high).astype(np.int32)], colour.tolist(), cv2.LINE_AA)
    cv2.fillConvexPoly(hidden, np.round(body).astype(np.int32), 255)


def _hand(
    rng: Rng, picture: np.ndarray, hidden: np.ndarray, camera: Camera, board: PlacedBoard
) -> None:
    """Four fingers and a sleeve that reach in from outside."""
    skin = np.array(hsv_colour(rng, h=(4, 14), s=(50, 170), v=(60, 245)))
    angle = rng.uniform(0, 2 * np.pi)
    inward = np.array([np.cos(angle), np.sin(angle)])
    reach = board.shift - inward * rng.uniform(35, 130) + rng.normal(0, 25, 2)
    across = np.array([-inward[1], inward[0]])
    arm = reach - inward * 70
    scale = np.hypot(*(camera.ideal(reach[None] + np.array([1, 0])) - camera.ideal(reach[None]))[0])
    mask = np.zeros(hidden.shape, np.uint8)

    def limb(a: np.ndarray, b: np.ndarray, width: float) -> None:
        p, q = camera.ideal(np.array([a, b]), 15.0)
        cv2.line(
            mask,
            p.astype(int).tolist(),
            q.astype(int).tolist(),
            255,
            max(2, int(width * scale)),
            cv2.LINE_AA,
        )

    for k in range(4):
        base = arm + across * (k - 1.5) * 19
        limb(
            base,
            reach + across * (k - 1.5) * 20 + inward * rng.uniform(-25, 12),
            rng.uniform(14, 19),
        )
    limb(arm + across * 10, arm - across * 10, 80)
    limb(arm, arm - inward * 420, 75)
    shadow = cv2.GaussianBlur(np.roll(mask, (8, 8), (0, 1)), (0, 0), 9)
    picture *= 1 - 0.5 * (shadow.astype(np.float32) / 255)[..., None]
    depth = cv2.GaussianBlur(mask, (0, 0), 5).astype(np.float32)[..., None] / 255
    alpha = mask.astype(np.float32)[..., None] / 255
    picture += alpha * (skin * (0.55 + 0.45 * depth) - picture)
    np.maximum(hidden, mask, out=hidden)

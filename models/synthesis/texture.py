"""Colours, noise and table tops: the surfaces of a synthetic scene."""

import cv2
import numpy as np

Rng = np.random.Generator
Bgr = tuple[float, float, float]


def hsv_colour(
    rng: Rng,
    h: tuple[float, float] = (0, 180),
    s: tuple[float, float] = (0, 255),
    v: tuple[float, float] = (0, 255),
) -> Bgr:
    """A random BGR colour; hue in OpenCV's half degrees, saturation and value to 255."""
    pixel = np.array([[[rng.uniform(*h) % 180, rng.uniform(*s), rng.uniform(*v)]]], np.uint8)
    b, g, r = cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0]
    return float(b), float(g), float(r)


def bgr(colour: str) -> Bgr:
    """A colour written as #rrggbb.

    >>> bgr("#ff8000")
    (0.0, 128.0, 255.0)
    """
    red, green, blue = map(float, bytes.fromhex(colour[1:]))
    return blue, green, red


def smooth_noise(rng: Rng, height: int, width: int, cells: int) -> np.ndarray:
    """(height, width) float32 noise in 0..1 with about ``cells`` blobs along the longer side."""
    longer = max(height, width)
    grid = rng.random(
        (max(2, cells * height // longer + 1), max(2, cells * width // longer + 1)), np.float32
    )
    return np.clip(cv2.resize(grid, (width, height), interpolation=cv2.INTER_CUBIC), 0, 1)


def table_top(rng: Rng, size: int = 640) -> np.ndarray:
    """(size, size, 3) uint8 BGR: wood, cloth, checks, marble, felt, newsprint or plain."""
    style = rng.choice(
        ["wood", "cloth", "checks", "marble", "felt", "plain", "busy"],
        p=[0.28, 0.14, 0.1, 0.13, 0.13, 0.12, 0.1],
    )
    base = np.array(hsv_colour(rng, s=(0, 150), v=(30, 250)), np.float32)
    if style == "wood" or rng.random() < 0.2:
        base = np.array(hsv_colour(rng, h=(5, 25), s=(30, 170), v=(40, 230)), np.float32)
    other = np.clip(base * rng.uniform(0.4, 1.5) + rng.normal(0, 12, 3), 0, 255).astype(np.float32)
    if style == "wood":
        grain = cv2.resize(
            rng.random((size // 3, 14), np.float32), (size, size), interpolation=cv2.INTER_CUBIC
        )
        wave = smooth_noise(rng, size, size, 6) * 40
        ys, xs = np.mgrid[:size, :size].astype(np.float32)
        mask = cv2.remap(grain, xs, ys + wave, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
        planks = int(rng.integers(0, 7))
        if planks:
            mask = mask + ((ys * planks / size).astype(int) % 2) * rng.uniform(0, 0.3)
            mask[(ys * planks / size) % 1 < 0.015] += 0.7
    elif style == "cloth":
        ys, xs = np.mgrid[:size, :size].astype(np.float32)
        pitch = rng.uniform(3, 12)
        mask = 0.5 + 0.25 * (np.sin(xs * 6.28 / pitch) + np.sin(ys * 6.28 / pitch))
    elif style == "checks":
        pitch = int(rng.integers(8, 90))
        ys, xs = np.mgrid[:size, :size]
        mask = ((xs // pitch + ys // pitch) % 2).astype(np.float32)
    elif style == "marble":
        veins = smooth_noise(rng, size, size, 6) + 0.5 * smooth_noise(rng, size, size, 14)
        mask = np.abs(np.sin(veins * rng.uniform(5, 14))).astype(np.float32)
    elif style == "felt":
        mask = 0.5 * smooth_noise(rng, size, size, 250) + 0.5 * smooth_noise(rng, size, size, 40)
    elif style == "busy":
        picture = np.empty((size, size, 3), np.float32)
        picture[:] = base
        for _ in range(rng.integers(20, 120)):
            at = tuple(int(v) for v in rng.integers(0, size, 2))
            colour = hsv_colour(rng)
            if rng.random() < 0.5:
                cv2.circle(
                    picture,
                    at,
                    int(rng.integers(3, 60)),
                    colour,
                    int(rng.choice([-1, 2, 4])),
                    cv2.LINE_AA,
                )
            else:
                end = tuple(int(v) for v in rng.integers(0, size, 2))
                cv2.line(picture, at, end, colour, int(rng.integers(1, 8)), cv2.LINE_AA)
        return np.clip(picture, 0, 255).astype(np.uint8)
    else:
        mask = smooth_noise(rng, size, size, 5) * 0.5
    mask = np.clip(mask, 0, 1)[..., None] * rng.uniform(0.2, 1.0)
    picture = base + mask * (other - base)
    picture += (smooth_noise(rng, size, size, 300)[..., None] - 0.5) * rng.uniform(0, 25)
    return np.clip(picture, 0, 255).astype(np.uint8)

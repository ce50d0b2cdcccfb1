"""The night sky behind the board: clouds of gas, field stars, and the real constellations."""

import math
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from calibration.drawing import Mark, Point, disc, glow, moved
from calibration.night import Figure, cloud_noise, glint, grain
from scorer.datafile import read_package_file

SEED = 20240917
CLOUDS_PX_PER_MM = 6
_DATA = read_package_file(__package__, "sky.yaml")

# Sky colours, BGR: the night, then what thick clouds add.
NIGHT = (44.0, 19.0, 11.0)
CLOUDS = {
    "haze": (62.0, 26.0, 20.0),
    "violet": (88.0, 30.0, 78.0),
    "teal": (66.0, 56.0, 4.0),
    "rose": (56.0, 28.0, 104.0),
}


@lru_cache(maxsize=2)
def clouds(size_mm: tuple[float, float]) -> npt.NDArray[np.uint8]:
    """The sky's gas, (H, W, 3) uint8 BGR at `CLOUDS_PX_PER_MM`, read-only; deterministic."""
    width, height = (round(side * CLOUDS_PX_PER_MM) for side in size_mm)
    random = np.random.default_rng(SEED)
    y, x = np.mgrid[0:height, 0:width].astype(np.float32) / CLOUDS_PX_PER_MM
    # A band from the lower left to the upper right, as the Milky Way runs.
    across = (x / size_mm[0] - 0.42) * 0.75 + (y / size_mm[1] - 0.5) * 0.95
    band = np.exp(-((across / 0.2) ** 2))
    haze = cloud_noise(random, width, height)
    dust = cloud_noise(random, width, height)
    sky = np.empty((height, width, 3), np.float32)
    sky[:] = NIGHT
    sky += np.outer(haze * 0.5 + 0.12, CLOUDS["haze"]).reshape(sky.shape)
    for colour, thickness in {
        "violet": band * 0.85 + 0.15,
        "teal": np.exp(-(((x - 172) / 60) ** 2 + ((y - 205) / 55) ** 2)) + 0.08,
        "rose": np.exp(-(((x - 40) / 55) ** 2 + ((y - 60) / 45) ** 2)) * 0.7 + band * 0.25,
    }.items():
        gas = np.clip(cloud_noise(random, width, height) * 1.9 - 0.45, 0, 1.25) * thickness
        sky += np.outer(gas, CLOUDS[colour]).reshape(sky.shape)
    sky *= (1 - 0.5 * np.clip(dust * 2 - 0.95, 0, 1) * (0.35 + band))[..., None]
    sky += grain(random, width, height)
    edge = np.minimum(np.minimum(x, size_mm[0] - x), np.minimum(y, size_mm[1] - y))
    sky *= (0.72 + 0.28 * np.clip(edge / 28, 0, 1))[..., None]
    drawn: npt.NDArray[np.uint8] = np.clip(np.rint(sky), 0, 255).astype(np.uint8)
    drawn.flags.writeable = False
    return drawn


def field_stars(size_mm: tuple[float, float]) -> list[Mark]:
    """Some two thousand stars, few of them bright, denser along the band."""
    random = np.random.default_rng(SEED + 1)
    width, height = size_mm
    tints = ("#ffffff", "#cfdcff", "#fff0d2", "#ffd9bd", "#bcd0ff")
    marks: list[Mark] = []
    for _ in range(2600):
        x, y = random.random() * width, random.random() * height
        across = (x / width - 0.42) * 0.75 + (y / height - 0.5) * 0.95
        kept = random.random() < 0.35 + 0.65 * math.exp(-((across / 0.2) ** 2))
        size = 0.07 * (1 - random.random()) ** -0.42
        tint = tints[int(random.integers(len(tints)))]
        opacity = 0.35 + 0.6 * random.random()
        if not kept:
            continue
        if size > 0.36:
            size = min(size, 0.62)
            marks += glow((x, y), size * 5, tint, 0.32)
            marks.append(disc((x, y), size, "#ffffff", 0.95))
            marks += glint((x, y), size * 4.5, tint)
        else:
            marks.append(disc((x, y), size, tint, opacity))
    return marks


def figure(constellation: str, centre: Point, reach: float, turn: float) -> Figure:
    """A real constellation about a centre, its farthest star `reach` mm away."""
    data = _DATA[constellation]
    positions = np.array([star[:2] for star in data["stars"].values()])
    # East is left, north is up; a degree of right ascension shrinks towards the pole.
    shrink = np.cos(np.radians(positions[:, 1].mean()))
    flat = np.stack([-positions[:, 0] * 15 * shrink, -positions[:, 1]], axis=1)
    flat -= (flat.min(axis=0) + flat.max(axis=0)) / 2
    scale = reach / float(np.linalg.norm(flat, axis=1).max())
    (placed,) = moved([[(float(x), float(y)) for x, y in flat]], centre, scale, turn)
    stars = {
        name: (at, float(star[2]))
        for (name, star), at in zip(data["stars"].items(), placed, strict=True)
    }
    lines = tuple(tuple(stars[name][0] for name in line) for line in data["lines"])
    return Figure(stars, lines)

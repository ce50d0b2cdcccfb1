"""The night behind the board: dusk and aurora, field stars, and the sky around the real Polaris."""

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from calibration.drawing import Mark, Point, disc, glow
from calibration.night import Figure, cloud_noise, glint, grain
from scorer.datafile import read_package_file
from scorer.places import on_arc

SEED = 20261122
CLOUDS_PX_PER_MM = 5
FARTHEST_DEGREES = 55.0
"""Distance from the pole of the disc's edge."""
_DATA = read_package_file(__package__, "sky.yaml")

# BGR: the night at the centre of the disc and at its edge, then the lights in it.
ZENITH, HORIZON = (46.0, 22.0, 14.0), (74.0, 38.0, 20.0)
AURORA, VIOLET = (84.0, 104.0, 16.0), (92.0, 34.0, 66.0)


@lru_cache(maxsize=2)
def night(size_mm: Point, centre: Point, radius: float) -> npt.NDArray[np.uint8]:
    """The sky's light, (H, W, 3) uint8 BGR at `CLOUDS_PX_PER_MM`, read-only; deterministic.

    It is darkest at `centre` and grows lighter towards `radius` mm, like dusk towards the horizon.
    """
    width, height = (round(side * CLOUDS_PX_PER_MM) for side in size_mm)
    random = np.random.default_rng(SEED)
    y, x = np.mgrid[0:height, 0:width].astype(np.float32) / CLOUDS_PX_PER_MM
    away = np.hypot(x - centre[0], y - centre[1]) / radius
    dusk = np.clip(away, 0, 1)[..., None] ** 2
    sky = np.array(ZENITH, np.float32) * (1 - dusk) + np.array(HORIZON, np.float32) * dusk
    # Curtains of aurora: wavy rings about the pole, brighter to one side.
    turn = np.arctan2(y - centre[1], x - centre[0])
    waves = cloud_noise(random, width, height)
    curtain = np.exp(-(((away - 0.62 - 0.28 * (waves - 0.5)) / 0.16) ** 2))
    curtain *= 0.35 + 0.65 * np.clip(np.cos(turn + 2.3), 0, 1) ** 1.5
    sky += np.outer(curtain * (0.35 + 0.65 * cloud_noise(random, width, height)), AURORA).reshape(
        sky.shape
    )
    gas = np.clip(cloud_noise(random, width, height) * 1.8 - 0.5, 0, 1.2)
    gas *= 0.35 + 0.65 * np.clip(np.cos(turn - 0.7), 0, 1)
    sky += np.outer(gas, VIOLET).reshape(sky.shape)
    dust = np.clip(cloud_noise(random, width, height) * 2 - 0.9, 0, 1)
    sky *= (1 - 0.4 * dust)[..., None]
    sky += grain(random, width, height)
    sky *= np.where(away > 1, np.clip(1.55 - 0.62 * away, 0.5, 1), 1.0)[..., None]
    drawn: npt.NDArray[np.uint8] = np.clip(np.rint(sky), 0, 255).astype(np.uint8)
    drawn.flags.writeable = False
    return drawn


def field_stars(size_mm: Point) -> list[Mark]:
    """Random stars, few of them bright, one per 55 square mm."""
    random = np.random.default_rng(SEED + 1)
    width, height = size_mm
    tints = ("#ffffff", "#cfdcff", "#fff0d2", "#ffd9bd", "#bcd0ff")
    marks: list[Mark] = []
    for _ in range(round(width * height / 55)):
        x, y = random.random() * width, random.random() * height
        size = min(0.08 * (1 - random.random()) ** -0.42, 0.7)
        tint = tints[int(random.integers(len(tints)))]
        opacity = 0.3 + 0.55 * random.random()
        if size > 0.5:
            marks += glow((x, y), size * 4, tint, 0.3)
            marks += glint((x, y), size * 4.5, tint)
        marks.append(disc((x, y), size, tint, opacity))
    return marks


def figures(centre: Point, radius: float) -> list[Figure]:
    """The constellations around the pole, which is at `centre`, as seen with the eye."""
    scale = radius / FARTHEST_DEGREES

    def place(hours: float, declination: float) -> Point:
        # seen from inside, right ascension runs anticlockwise
        return on_arc(centre, scale * (90 - declination), -15 * hours)

    found = []
    for drawn in _DATA.values():
        stars = {name: (place(*star[:2]), float(star[2])) for name, star in drawn["stars"].items()}
        lines = tuple(tuple(stars[name][0] for name in line) for line in drawn["lines"])
        found.append(Figure(stars, lines))
    return found

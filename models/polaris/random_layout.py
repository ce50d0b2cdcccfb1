"""Random layouts of the sky within the rules: other sizes and numbers of spokes and orbits."""

import math
from contextlib import suppress
from typing import Any

import numpy as np

from calibration import Layout, ProfileError
from calibration.layout import layout_from_data
from models.synthesis.texture import Rng
from scorer.polaris.facts import SECTORS, STARRED
from scorer.polaris.words import POLARIS

_SPOKES = "abcdefg"
_BORDER = "r"


def random_layout(rng: Rng, title: str) -> Layout:
    """A random layout; retried until no places overlap."""
    while True:
        data = _random_data(rng, title)
        with suppress(ProfileError):
            return layout_from_data(data)


def _random_data(rng: Rng, title: str) -> dict[str, Any]:
    """The data of a layout file. Its links do not overlap, its spaces may."""
    inner, orbits = int(rng.choice([2, 3, 3, 4])), int(rng.choice([4, 4, 4, 5]))
    spokes = [(s, k) for s in range(1, SECTORS + 1) for k in (*_SPOKES[:inner], _BORDER)]
    outer = rng.uniform(142, 200)  # of the frame, in mm
    frame = (outer - rng.uniform(12, 22), outer)
    width, height = (2 * (outer + rng.uniform(1.5, 12)) for _ in range(2))
    if rng.random() < 0.4:
        height = width
    centre = np.array([width / 2, height / 2])
    space = rng.uniform(4.9, 6.6)
    last = frame[0] - space - rng.uniform(3, 8)
    first = last * rng.uniform(0.42, 0.5)
    radii = first + (last - first) * np.linspace(0, 1, orbits) ** rng.uniform(0.9, 1.1)
    twist = rng.uniform(-3, 3)  # degrees from orbit to orbit
    start = rng.choice([0.0, 90.0, 180.0, 270.0]) + rng.uniform(-9, 9)
    step = 360 / len(spokes)
    at: dict[str, tuple[float, float]] = {}
    for column, (sector, spoke) in enumerate(spokes):
        for orbit, radius in enumerate(radii, start=1):
            turn = math.radians(start + step * column + twist * (orbit - 1))
            x, y = centre + radius * np.array([math.sin(turn), -math.cos(turn)])
            at[f"{sector}{spoke}{orbit}"] = (round(float(x), 2), round(float(y), 2))
    gaps = [2 * radii[0] * math.sin(math.radians(step / 2)), *np.diff(radii)]
    length = min(min(gaps) - 2 * space - 0.4, rng.uniform(8, 11))
    if length < 5:
        return _random_data(rng, title)
    width_of_link = min(length, rng.uniform(0.4, 0.65) * length)
    ids = [f"{sector}{spoke}" for sector, spoke in spokes]
    return {
        "format": 1,
        "game": "polaris",
        "name": title,
        "size_mm": [round(width, 1), round(height, 1)],
        "spaces": {
            POLARIS: {"at": centre.round(2).tolist(), "radius": round(rng.uniform(8, 13), 1)},
            **{name: {"at": list(xy), "radius": round(space, 2)} for name, xy in at.items()},
        },
        "links": {"size": [round(length, 2), round(width_of_link, 2)]},
        "frame": {"inner": round(frame[0], 1), "outer": round(frame[1], 1)},
        "topology": _topology(rng, ids, orbits),
    }


def _topology(rng: Rng, spokes: list[str], orbits: int) -> dict[str, Any]:
    """Rings and spokes, white and ★ spaces, and the links to Polaris."""
    numbers = range(1, orbits + 1)
    around = list(zip(spokes, spokes[1:] + spokes[:1], strict=True))
    sectors: dict[int, list[str]] = {}
    white: list[str] = []
    starred: list[str] = []
    to_polaris = []
    for sector in range(1, SECTORS + 1):
        before = f"{(sector - 2) % SECTORS + 1}{_BORDER}"
        own = [before, *(spoke for spoke in spokes if spoke.startswith(str(sector)))]
        sectors[sector] = [f"{spoke}{orbit}" for spoke in own for orbit in numbers]
        plain = [s for s in sectors[sector] if s[1] != _BORDER]
        marked = [str(s) for s in rng.permutation(plain)[: 2 * (1 + STARRED // SECTORS // 2)]]
        starred += marked[: STARRED // SECTORS]
        white += marked[STARRED // SECTORS :]
        inner = [spoke for spoke in own if spoke[1] != _BORDER]
        to_polaris.append([POLARIS, f"{inner[len(inner) // 2]}1"])
    return {
        "sectors": sectors,
        "orbits": {orbit: [f"{spoke}{orbit}" for spoke in spokes] for orbit in numbers},
        "white": white,
        "starred": starred,
        "links": {
            "horizontal": [[f"{a}{n}", f"{b}{n}"] for n in numbers for a, b in around],
            "vertical": [
                *to_polaris,
                *([f"{s}{n}", f"{s}{n + 1}"] for s in spokes for n in range(1, orbits)),
            ],
        },
    }

"""Random places of boards of no game: spots and edges anywhere, in rows, or along routes."""

from collections.abc import Iterator

import numpy as np

from models.synthesis.texture import Rng
from scorer.places import Bar, Circle, Place, Point, Shape

_MOST_SPOTS = 90
_MOST_EDGES = 260


def random_places(rng: Rng) -> tuple[dict[Place, Shape], tuple[float, float]]:
    """Places of a board, and its size in mm."""
    drawn = rng.random()
    if drawn < 0.4:
        return _routes(rng)
    if drawn < 0.55:
        return _cells(rng)
    return _scattered(rng)


def _routes(rng: Rng) -> tuple[dict[Place, Shape], tuple[float, float]]:
    """Towns, joined by rows of oblong places; some rows lie side by side, as if they were one."""
    length = rng.uniform(9, 15)
    width = length * rng.uniform(0.22, 0.5)
    size_mm = (float(rng.uniform(240, 420)), float(rng.uniform(180, 300)))
    towns = list(
        _apart(rng, size_mm, rng.uniform(2.5, 7.0) * length, rng.uniform(0.6, 1.2) * length)
    )
    radius = rng.uniform(0.25, 0.6) * length
    places: dict[Place, Shape] = {Place(f"s{n}"): Circle(at, radius) for n, at in enumerate(towns)}
    gap, doubles = rng.uniform(1.0, 1.15), rng.uniform(0, 0.8)
    taken: list[np.ndarray] = []
    pairs = sorted(
        (float(np.hypot(*np.subtract(towns[a], towns[b]))), a, b)
        for a in range(len(towns))
        for b in range(a)
    )
    edges = 0
    for apart, a, b in pairs:
        cars = int((apart - 2 * radius - 0.3 * length) // (gap * length))
        if not 1 <= cars <= 7 or edges + 2 * cars > _MOST_EDGES:
            continue
        rows = 2 if rng.random() < doubles else 1
        bars = [
            bar
            for row in range(rows)
            for bar in _row(rng, towns[a], towns[b], cars, length, width, gap, row, rows)
        ]
        middles = np.array([bar.at for bar in bars])
        if any(
            np.hypot(*(middles[:, None] - other).T).min() < length * 0.8 for other in taken
        ) or _covers_town(middles, towns, a, b, radius + 0.5 * length):
            continue
        taken.append(middles)
        for bar in bars:
            places[Place(f"e{edges}", "edge")] = bar
            edges += 1
    return places, size_mm


def _row(
    rng: Rng,
    start: Point,
    end: Point,
    cars: int,
    length: float,
    width: float,
    gap: float,
    row: int,
    rows: int,
) -> Iterator[Bar]:
    """One row of oblong places from a town to another; the second of two touches the first."""
    a, b = np.array(start), np.array(end)
    along = (b - a) / np.hypot(*(b - a))
    across = np.array([-along[1], along[0]]) * (row - (rows - 1) / 2) * width * 1.06
    turn = float(np.degrees(np.arctan2(along[1], along[0])))
    for car in range(cars):
        x, y = (a + b) / 2 + across + along * (car - (cars - 1) / 2) * gap * length
        yield Bar((float(x), float(y)), (length, width), turn)


def _covers_town(middles: np.ndarray, towns: list[Point], a: int, b: int, near: float) -> bool:
    others = np.array([town for n, town in enumerate(towns) if n not in (a, b)]).reshape(-1, 2)
    return bool(len(others)) and bool(
        np.linalg.norm(middles[:, None] - others, axis=2).min() < near
    )


def _apart(rng: Rng, size_mm: tuple[float, float], pitch: float, margin: float) -> Iterator[Point]:
    """Points anywhere on a board, none nearer to another than the pitch."""
    kept: list[Point] = []
    for x, y in rng.uniform((margin, margin), np.array(size_mm) - margin, (400, 2)).tolist():
        if all(np.hypot(x - a, y - b) > pitch for a, b in kept) and len(kept) < 45:
            kept.append((x, y))
            yield kept[-1]


def _cells(rng: Rng) -> tuple[dict[Place, Shape], tuple[float, float]]:
    """A grid whose cells touch, as those of draughts do; hexagonal now and then."""
    radius = rng.uniform(7, 12)
    pitch = 2 * radius * rng.uniform(1.0, 1.2)
    columns, rows = int(rng.integers(6, 14)), int(rng.integers(5, 12))
    hexagonal = rng.random() < 0.3
    rise = pitch * (0.866 if hexagonal else 1.0)
    margin = pitch * rng.uniform(0.2, 0.8)
    places: dict[Place, Shape] = {}
    for row in range(rows):
        for column in range(columns):
            x = margin + pitch * (column + 0.5 + (0.5 * (row % 2) if hexagonal else 0))
            y = margin + rise * (row + 0.5)
            places[Place(f"s{row}-{column}")] = Circle((float(x), float(y)), radius)
    width = 2 * margin + pitch * (columns + (0.5 if hexagonal else 0))
    return places, (float(width), float(2 * margin + rise * rows))


def _scattered(rng: Rng) -> tuple[dict[Place, Shape], tuple[float, float]]:
    """Spots on rings, in rows or anywhere, mostly with oblong places between neighbours."""
    fine = rng.random() < 0.5  # as many small places as a large sheet has
    radius = rng.uniform(3.5, 6.5) if fine else rng.uniform(4, 10)
    pitch = radius * rng.uniform(2.5, 5.0)
    side = rng.uniform(12, 20) * pitch if fine else rng.uniform(7, 14) * pitch
    size_mm = (float(min(side, 420)), float(min(side * rng.uniform(0.7, 1.0), 420)))
    spots = list(_spots(rng, size_mm, pitch, 1.4 * radius))[:_MOST_SPOTS]
    places: dict[Place, Shape] = {
        Place(f"s{number}"): Circle(at, radius) for number, at in enumerate(spots)
    }
    if rng.random() < 0.85:
        places |= _edges(rng, spots, radius, pitch)
    return places, size_mm


def _spots(rng: Rng, size_mm: tuple[float, float], pitch: float, margin: float) -> Iterator[Point]:
    """On rings, on a grid, or anywhere, no two nearer than they may be."""
    width, height = size_mm
    style = rng.choice(["rings", "grid", "anywhere"], p=[0.45, 0.3, 0.25])
    wanted: list[Point] = []
    if style == "rings":
        for ring in range(1, 9):
            count = max(3, int(2 * np.pi * ring * rng.uniform(0.6, 0.95)))
            start = rng.uniform(0, 6.28)
            for number in range(count):
                angle = start + 2 * np.pi * number / count
                reach = ring * pitch
                wanted.append(
                    (width / 2 + reach * np.cos(angle), height / 2 + reach * np.sin(angle))
                )
    elif style == "grid":
        skew = rng.uniform(0, 0.5)
        for row in range(int(height / pitch) + 1):
            for column in range(-8, int(width / pitch) + 1):
                wanted.append((pitch * (column + 0.5 + skew * row), pitch * (row + 0.5)))
    else:
        wanted = [tuple(p) for p in rng.uniform((0, 0), size_mm, (500, 2)).tolist()]
    kept: list[Point] = []
    for x, y in wanted:
        inside = margin < x < width - margin and margin < y < height - margin
        if inside and all(np.hypot(x - a, y - b) > 0.85 * pitch for a, b in kept):
            kept.append((float(x), float(y)))
            yield kept[-1]


def _edges(
    rng: Rng, spots: list[Point], radius: float, pitch: float
) -> Iterator[tuple[Place, Shape]] | dict[Place, Shape]:
    """An oblong place between most neighbours, where there is room for it."""
    found: dict[Place, Shape] = {}
    at = np.array(spots).reshape(-1, 2)
    length = min(rng.uniform(0.9, 2.0) * radius, 1.05 * pitch - 1.9 * radius)
    if length < 0.6 * radius:
        return found
    width = length * rng.uniform(0.3, 0.75)
    for a in range(len(at)):
        for b in range(a):
            apart = float(np.hypot(*(at[a] - at[b])))
            if not 1.8 * radius + length < apart + 0.3 * radius < 1.6 * pitch:
                continue
            middle = (at[a] + at[b]) / 2
            if any(np.hypot(*(middle - s.at)) < length for s in found.values()):
                continue
            if rng.random() < 0.85:
                turn = float(np.degrees(np.arctan2(*(at[a] - at[b])[::-1])))
                place = Place(f"s{a}-s{b}", "edge")
                found[place] = Bar((float(middle[0]), float(middle[1])), (length, width), turn)
    return found

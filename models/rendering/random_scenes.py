"""Labelled photographs to measure a reader on: random scenes, hard on purpose, for any board.

Training data comes from `models.synthesis`, which draws scenes differently, so these photographs
show light and shapes that a reader has not been trained on.
"""

import json
import math
import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from calibration import Profile
from calibration.layout import dump_layout
from models.labels import position_labels
from models.rendering.phone import Phone
from models.rendering.scene import (
    AreaLight,
    PlacedPiece,
    Point,
    Prop,
    Scene,
    Sheet,
    TableTop,
    TokenSet,
    Viewpoint,
)
from models.synthesis.position import region_spots
from scorer.places import Bar, Place, Shape

LONG_SIDE, SHORT_SIDE = 1280, 960
ASKEW = 5.0  # degrees, the standard deviation
SEEN = 0.5
RENDERED = 0.6  # of the photograph: a phone keeps little of the last sharpness anyway
TABLES = (
    ("wood", "#3a2415", "#7a5232"),
    ("wood", "#8f6a44", "#c9a577"),
    ("wood", "#6a6259", "#a89f92"),
    ("cloth", "#1d4a35", "#2f7454"),
    ("cloth", "#7d1f28", "#b1404a"),
    ("cloth", "#a99b82", "#d8ccb4"),
    ("plain", "#d8d6d0", "#f2f0ea"),
    ("plain", "#1f2124", "#34373b"),
    ("plain", "#5b7f8a", "#6d96a3"),
)
LIGHTS = ("#ffcd9c", "#ffdfba", "#fff1df", "#ffffff", "#e2ecff", "#c8daff", "#efe2ff")


@dataclass(frozen=True)
class Shot:
    """A scene, the pieces on each board, and the phone's faults."""

    scene: Scene
    positions: Sequence[Mapping[Place, str]]
    brightness: float
    phone: Phone


def random_shot(
    rng: random.Random,
    profile: Profile,
    sheet: Sheet,
    pieces: Mapping[Place, str],
    tokens: TokenSet,
    larger: float = 1.0,
    at: Mapping[Place, Point] | None = None,
) -> Shot:
    """A random scene of a game night, with these pieces on the board.

    `sheet` is the print; its thickness, bend and gloss are random. Pieces on a dial's places are
    printed on it, all others are `tokens`. Raise ValueError if the set lacks one, as its label
    would name an invisible piece. The photograph is `LONG_SIDE` times `larger`. `at` has the
    positions of pieces in regions in mm, random if None.
    """
    lacking = {p for to, p in pieces.items() if to.kind != "dial" and not tokens.has(p)}
    if lacking:
        raise ValueError(f"the set of tokens lacks {', '.join(sorted(lacking))}")
    long_side, short_side = round(LONG_SIDE * larger), round(SHORT_SIDE * larger)
    size = (long_side, short_side) if rng.random() < 0.6 else (short_side, long_side)
    camera = _camera(rng, profile, size)
    loose = rng.choice((0.5, 0.9, 1.4))
    numbers = np.random.default_rng(rng.randrange(2**32))
    if at is None:
        held = Counter(place.whole for place in pieces if place.kind == "region")
        spots = {
            region: region_spots(numbers, profile, region, many)
            for region, many in sorted(held.items())
        }
        at = {place: spots[place.whole][place.slot] for place in pieces if place.kind == "region"}
    placed = [
        PlacedPiece(piece, at[place], rng.uniform(0, 360))
        if place.kind == "region"
        else laid(rng, piece, profile.places[place], loose)
        for place, piece in pieces.items()
        if tokens.has(piece)
    ]
    known = [piece.id for piece in profile.game.pieces if tokens.has(piece.id)]
    placed += [
        PlacedPiece(rng.choice(known), _beside(rng, profile, 12, 60), rng.uniform(0, 360))
        for _ in range(rng.choice((0, 1, 2, 3, 5)))
    ]
    kind, dark, light = rng.choice(TABLES)
    scene = Scene(
        sheet=replace(
            sheet,
            thickness=rng.uniform(0.4, 2.4),
            bend=(rng.uniform(0, 5), rng.uniform(0, 5)),
            twist=rng.uniform(-2, 2),
            roughness=rng.uniform(0.25, 0.65),
        ),
        pieces=tuple(placed),
        tokens=tokens,
        table=TableTop(kind, dark, light, rng.uniform(0, 360), rng.uniform(0.25, 0.6)),
        lamps=tuple(_lamps(rng, profile)),
        camera=camera,
        props=tuple(_props(rng, profile, camera)),
        sky=rng.choice(LIGHTS),
        sky_power=rng.uniform(0.08, 0.6),
        exposure=2.2,
        size=(round(size[0] * RENDERED), round(size[1] * RENDERED)),
    )
    return Shot(scene, (pieces,), rng.uniform(70, 135), _phone(rng))


def laid(rng: random.Random, piece: str, shape: Shape, loose: float) -> PlacedPiece:
    """A piece placed by hand, `loose` mm (standard deviation) off its place.

    On an oblong place it lies lengthwise, slightly askew.
    """
    off, way = min(abs(rng.gauss(0, loose)), 3.2), rng.uniform(0, 2 * math.pi)
    place = shape.at[0] + off * math.cos(way), shape.at[1] + off * math.sin(way)
    if isinstance(shape, Bar):
        return PlacedPiece(piece, place, rng.gauss(0, ASKEW) - shape.turn)
    return PlacedPiece(piece, place, rng.uniform(0, 360))


def _beside(rng: random.Random, profile: Profile, near: float, far: float) -> Point:
    """A random point beside the board, `near` to `far` mm from its edge."""
    width, height = profile.size_mm
    out = rng.uniform(near, far)
    along = rng.random()
    return rng.choice(
        (
            (-out, height * along),
            (width + out, height * along),
            (width * along, -out),
            (width * along, height + out),
        )
    )


def _camera(rng: random.Random, profile: Profile, size: tuple[int, int]) -> Viewpoint:
    width, height = profile.size_mm
    focal = rng.uniform(27, 44)
    # How much of the frame's short side the board's diagonal takes; above 1 a corner may be cut.
    share = 1.25 if rng.random() < 0.08 else rng.uniform(0.8, 1.08)
    short_side_mm = 36 * min(size) / max(size)
    distance = math.hypot(width, height) * focal / (short_side_mm * share)
    return Viewpoint(
        at=(width / 2 + rng.gauss(0, 10), height / 2 + rng.gauss(0, 10)),
        azimuth=rng.uniform(0, 360),
        elevation=rng.uniform(50, 88),
        distance=distance,
        roll=rng.uniform(-12, 12),
        focal=focal,
        aperture=rng.uniform(0.3, 2.0),
    )


def _lamps(rng: random.Random, profile: Profile) -> list[AreaLight]:
    lamps = []
    for power in rng.choice(((1.0,), (0.8, 0.4), (0.6, 0.6))):
        way, elevation = rng.uniform(0, 2 * math.pi), math.radians(rng.uniform(22, 80))
        away = rng.uniform(500, 1200)
        flat = away * math.cos(elevation)
        lamps.append(
            AreaLight(
                (
                    profile.size_mm[0] / 2 + flat * math.cos(way),
                    profile.size_mm[1] / 2 + flat * math.sin(way),
                ),
                away * math.sin(elevation),
                rng.choice((40, 120, 300, 600)),
                power * (away / 800) ** 2,
                rng.choice(LIGHTS),
            )
        )
    return lamps


def _props(rng: random.Random, profile: Profile, camera: Viewpoint) -> list[Prop]:
    """Clutter beside the board; tall things stand where they do not hide the board."""
    props = []
    colours = ("#20264a", "#5a1f2c", "#2f6b74", "#c9b79c", "#e8e4da", "#3c7a3f", "#d8a72a")
    towards = math.sin(math.radians(camera.azimuth)), math.cos(math.radians(camera.azimuth))
    for _ in range(rng.choice((0, 1, 2, 3))):
        kind = rng.choice(("mug", "card", "card", "pencil", "box"))
        at = _beside(rng, profile, {"card": 55, "pencil": 20}.get(kind, 100), 150)
        x, y = at[0] - profile.size_mm[0] / 2, at[1] - profile.size_mm[1] / 2
        if kind in ("mug", "box") and x * towards[0] + y * towards[1] > 0:
            kind = "card"
        turn = rng.uniform(0, 360)
        if kind == "pencil":  # points away from the board
            turn = math.degrees(math.atan2(-y, x))
        props.append(Prop(kind, at, turn, rng.choice(colours)))
    return props


def _phone(rng: random.Random) -> Phone:
    hard = rng.random() < 2 / 3
    return Phone(
        warmth=rng.uniform(-0.12, 0.12) if hard else rng.uniform(-0.04, 0.04),
        tint=rng.uniform(-0.05, 0.05) if hard else 0.0,
        vignette=rng.uniform(0.05, 0.4),
        soft=rng.uniform(0.3, 1.3) if hard else 0.3,
        shake=rng.choice((0, 0, 3, 5)) if hard else 0,
        shake_angle=rng.uniform(0, 180),
        noise=rng.uniform(1.5, 6) if hard else 1.5,
        jpeg=rng.randint(55, 92),
    )


def photograph(shot: Shot, folder: Path, number: int, profile: Profile, samples: int) -> None:
    """Write the labelled photograph `NNNN.jpg` and `NNNN.json`.

    `hidden` in the first board's labels counts the pieces in regions with less than the share
    `SEEN` of their tops visible, and those on or beneath pieces of another region: nobody sees
    which of the two they belong to. `seen` has the least visible share of a top in each region, by
    kind.
    """
    from models.rendering.blender_scene import build

    studio = build(shot.scene, bounces=0)
    image = studio.photograph(samples)
    gain = min(1.7, max(0.6, shot.brightness / float(image.mean())))
    size = round(shot.scene.size[0] / RENDERED), round(shot.scene.size[1] / RENDERED)
    lit = cv2.resize(cv2.convertScaleAbs(image, alpha=gain), size, interpolation=cv2.INTER_CUBIC)
    jpeg = shot.phone.develop(np.asarray(lit, np.uint8), seed=number)
    (folder / f"{number:04}.jpg").write_bytes(jpeg)

    boards = []
    for board, pieces in enumerate(shot.positions):

        def seen(at: Point, board: int = board) -> list[float]:
            return [round(value / RENDERED, 2) for value in studio.pixel(at, board)]

        width, height = profile.size_mm
        corners = [seen(at) for at in ((0, 0), (width, 0), (width, height), (0, height))]
        boards.append(
            {
                **position_labels(profile, pieces),
                "corners": corners,
                "spaces": {name: seen(space.at) for name, space in profile.spaces.items()},
                "cropped": any(not (0 <= x < size[0] and 0 <= y < size[1]) for x, y in corners),
            }
        )
    places = [place for place, piece in shot.positions[0].items() if shot.scene.tokens.has(piece)]
    hidden: dict[str, Counter[str]] = defaultdict(Counter)
    shares: dict[str, dict[str, float]] = defaultdict(dict)
    across = set(across_regions(places, shot.scene.pieces))
    for index, place in enumerate(places):
        if place.kind == "region":
            piece, share = shot.scene.pieces[index].piece, studio.seen(index)
            own = shares[place.id]
            own[piece] = min(round(share, 2), own.get(piece, 1.0))
            if index in across or share < SEEN:
                hidden[place.id][piece] += 1
    label = {
        **boards[0],
        "hidden": hidden,
        "seen": shares,
        "boards": boards,
        "size": list(size),
        "material": shot.scene.tokens.material,
        "points": shot.scene.tokens.points,
    }
    (folder / f"{number:04}.json").write_text(json.dumps(label), encoding="utf-8")


def across_regions(places: Sequence[Place], pieces: Sequence[PlacedPiece]) -> Iterator[int]:
    """The indices of pieces on pieces of another place, and of those beneath them.

    ``places`` has those of the board's pieces, which come first in ``pieces``.
    """
    for index, (place, piece) in enumerate(zip(places, pieces, strict=False)):
        if piece.on is not None and places[piece.on].id != place.id:
            yield from (index, piece.on)


def photograph_empty(profile: Profile, picture: Path, out: Path, samples: int) -> None:
    """Write a board's calibration files: `empty.jpg`, `empty.corners` and its layout."""
    from models.rendering.blender_scene import build

    width, height = profile.size_mm
    size = (1200, 1500)
    away = 1.505 * math.hypot(width, height)
    camera = Viewpoint((width / 2, height / 2), 8, 76, away, roll=2, focal=46, aperture=0.6)
    lamps = (
        AreaLight((-400, -300), 700, 400, 1.0, "#fff1df"),
        AreaLight((600, 300), 700, 600, 0.5),
    )
    sheet = Sheet(picture, profile.size_mm, bend=(0.6, 0.8), twist=0.3, roughness=0.5)
    table = TableTop("wood", "#6a4a2c", "#a98255", 40)
    scene = Scene(
        sheet, (), TokenSet(), table, lamps, camera, sky_power=0.3, exposure=2.2, size=size
    )
    studio = build(scene)
    (out / "empty.jpg").write_bytes(Phone().develop(studio.photograph(samples), seed=0))
    corners = (studio.pixel(at) for at in ((0, 0), (width, 0), (width, height), (0, height)))
    (out / "empty.corners").write_text(" ".join(f"{x:.1f},{y:.1f}" for x, y in corners) + "\n")
    (out / "layout.yaml").write_text(dump_layout(profile.layout), encoding="utf-8")

"""Random sets of tokens: one maker's look of all pieces of a game."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from calibration import Profile
from models.synthesis.texture import Bgr, Rng, bgr, hsv_colour
from models.synthesis.token import Token
from scorer.places import Bar, Circle
from scorer.table import Piece

MATERIALS = {"wood": 0.2, "plastic": 0.38, "acrylic": 0.2, "paper": 0.12, "faceted": 0.1}
"""The share of sets of each material."""
_HEIGHTS = {"paper": (0.1, 0.5), "acrylic": (1.5, 5.0), "anything else": (1.5, 9.0)}
DULL = (0.62, 1.0)
"""The share of its saturation that paint keeps on wood and paper."""
_SIZE = (0.7, 1.04)
"""A token's size relative to its place."""
_SHADE = ((-4, 4), (0.75, 1.1), (0.8, 1.12))
"""Ranges of a maker's deviation: hue in half degrees, factors of saturation and value."""


def random_material(rng: Rng) -> str:
    return str(rng.choice(list(MATERIALS), p=list(MATERIALS.values())))


def random_height(rng: Rng, material: str) -> float:
    """The thickness in mm; uses as many random numbers for every material."""
    drawn = {made_of: rng.uniform(*bounds) for made_of, bounds in _HEIGHTS.items()}
    return drawn.get(material, drawn["anything else"])


def random_opacity(rng: Rng, material: str) -> float:
    return rng.uniform(0.5, 0.9) if material == "acrylic" else 1.0


def random_token_set(rng: Rng, profile: Profile) -> dict[str, Token]:
    """A token for each piece of a profile's game, not placed yet.

    Discs, or bars for oblong places, of one material, in shades of the pieces' colours. They are a
    little smaller than their places, or of the diameter that the game gives.
    """
    material = random_material(rng)
    height, size = random_height(rng, material), rng.uniform(*_SIZE)
    opacity = random_opacity(rng, material)
    dull = rng.uniform(*DULL) if material in ("wood", "paper") else 1.0
    places = profile.places.items()
    tokens = {}
    for piece in profile.game.pieces:
        admit = (shape for place, shape in places if piece.id in profile.game.admits(place))
        own = [shape for shape in admit if isinstance(shape, Circle | Bar)]
        shape = min(own or profile.places.values(), key=lambda shape: shape.radius)
        bar = (shape.size[0] * size, shape.size[1] * size) if isinstance(shape, Bar) else None
        paint = random_shade(rng, piece.colour, dull)
        radius = piece.diameter_mm / 2 or shape.radius * size
        disc = Token(piece.id, (0, 0), radius, height, 0, 0, 1.0, material, paint)
        tokens[piece.id] = replace(disc, opacity=opacity, bar=bar)
    return tokens


def random_shade(rng: Rng, colour: str, dull: float = 1.0) -> Bgr:
    """Another maker's shade of the colour #rrggbb; `dull` is the share of saturation kept."""
    pixel = np.array([[bgr(colour)]], np.uint8)
    hue, saturation, value = map(float, cv2.cvtColor(pixel, cv2.COLOR_BGR2HSV)[0, 0])
    off, share, light = (rng.uniform(*bounds) for bounds in _SHADE)
    saturation, value = min(255.0, saturation * share * dull), min(255.0, value * light)
    return hsv_colour(rng, (hue + off,) * 2, (saturation,) * 2, (value,) * 2)


def palest(pieces: Sequence[Piece]) -> Piece:
    """The piece with the colour closest to white."""
    return max(pieces, key=lambda piece: min(bgr(piece.colour)))

"""Sets of tokens: what one maker gives all pieces of a game to look like."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from calibration import Profile
from models.synthesis.texture import Bgr, Rng, bgr, hsv_colour
from models.synthesis.token import Token
from scorer.game import Piece
from scorer.places import Bar, Circle

MATERIALS = {"wood": 0.2, "plastic": 0.38, "acrylic": 0.2, "paper": 0.12, "faceted": 0.1}
"""How many sets are of each."""
_HEIGHTS = {"paper": (0.1, 0.5), "acrylic": (1.5, 5.0), "anything else": (1.5, 9.0)}
DULL = (0.62, 1.0)
"""The saturation that paint keeps on wood and paper."""
_SIZE = (0.7, 1.04)
"""A token's size as a share of the place that it is made for."""
_SHADE = ((-4, 4), (0.75, 1.1), (0.8, 1.12))
"""How far another maker's paint may be off: hue in half degrees, share of saturation and value."""


def random_material(rng: Rng) -> str:
    """What a set is made of."""
    return str(rng.choice(list(MATERIALS), p=list(MATERIALS.values())))


def random_height(rng: Rng, material: str) -> float:
    """How thick such tokens are, in mm; what is drawn after it does not depend on the material."""
    drawn = {made_of: rng.uniform(*bounds) for made_of, bounds in _HEIGHTS.items()}
    return drawn.get(material, drawn["anything else"])


def random_opacity(rng: Rng, material: str) -> float:
    """How little shows through, 0 to 1."""
    return rng.uniform(0.5, 0.9) if material == "acrylic" else 1.0


def random_token_set(rng: Rng, profile: Profile) -> dict[str, Token]:
    """A token for each piece of a profile's game, none of them placed yet.

    They are discs, and bars where a piece lies on oblong places, of one material, a little smaller
    than the places that they are made for, or as large as the game says of pieces that are counted;
    each has a shade of its piece's own colour.
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
    """What another maker calls the colour #rrggbb; ``dull`` is the saturation that it keeps."""
    pixel = np.array([[bgr(colour)]], np.uint8)
    hue, saturation, value = map(float, cv2.cvtColor(pixel, cv2.COLOR_BGR2HSV)[0, 0])
    off, share, light = (rng.uniform(*bounds) for bounds in _SHADE)
    saturation, value = min(255.0, saturation * share * dull), min(255.0, value * light)
    return hsv_colour(rng, (hue + off,) * 2, (saturation,) * 2, (value,) * 2)


def palest(pieces: Sequence[Piece]) -> Piece:
    """The piece that is nearest to white."""
    return max(pieces, key=lambda piece: min(bgr(piece.colour)))

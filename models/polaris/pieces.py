"""Random sets of stars and links."""

from dataclasses import replace

from calibration import Profile
from models.synthesis.texture import Bgr, Rng, hsv_colour
from models.synthesis.token import Token
from models.synthesis.token_set import (
    DULL,
    random_height,
    random_material,
    random_opacity,
    random_shade,
)
from scorer.places import Bar
from scorer.polaris.contract import LINK, NEW_MOON
from scorer.polaris.words import NEUTRAL, POLARIS


def random_tokens(rng: Rng, profile: Profile) -> dict[str, Token]:
    """A token for each loose piece: stars of one shape, and links."""
    material = random_material(rng)
    points = int(rng.choice([0, 4, 5, 6, 8], p=[0.4, 0.08, 0.32, 0.1, 0.1]))
    waist = rng.uniform(0.42, 0.85) if points else 1.0
    height, opacity = random_height(rng, material), random_opacity(rng, material)
    dull = rng.uniform(*DULL) if material in ("wood", "paper") else 1.0
    radius = min(s.radius for name, s in profile.spaces.items() if name != POLARIS)
    radius *= rng.uniform(0.75, 1.12)
    proto = Token("", (0, 0), radius, height, 0, points, waist, material, (0, 0, 0), opacity)
    tokens = {
        piece.id: replace(proto, piece=piece.id, paint=random_shade(rng, piece.colour, dull))
        for piece in profile.game.pieces
        if piece.id not in (LINK, NEW_MOON)
    }
    grey = rng.uniform(85, 190)
    tokens[NEUTRAL] = replace(
        tokens[NEUTRAL], paint=hsv_colour(rng, s=(0, 45), v=(grey, grey + 15))
    )
    return {**tokens, LINK: _random_link(rng, profile)}


def _random_link(rng: Rng, profile: Profile) -> Token:
    """A pale bar about the size of its space, or a wooden stick, often longer and thinner."""
    length, width = next(s.size for s in profile.places.values() if isinstance(s, Bar))
    kind = str(rng.choice(["bar", "stick", "painted"], p=[0.6, 0.25, 0.15]))
    paint: Bgr
    if kind == "stick":
        material, bar = "wood", (length * rng.uniform(0.9, 1.5), width * rng.uniform(0.4, 0.9))
        paint = hsv_colour(rng, h=(8, 24), s=(30, 130), v=(130, 240))
    else:
        material = str(rng.choice(["paper", "plastic", "wood", "acrylic"]))
        bar = (length * rng.uniform(0.85, 1.15), width * rng.uniform(0.75, 1.1))
        paint = hsv_colour(rng, s=(0, 40), v=(150, 255))
        if kind == "painted":
            paint = hsv_colour(rng, s=(0, 120), v=(10, 255))
    height, opacity = random_height(rng, material), random_opacity(rng, material)
    radius = (bar[0] ** 2 + bar[1] ** 2) ** 0.5 / 2
    return Token(LINK, (0, 0), radius, height, 0, 0, 1.0, material, paint, opacity, bar)

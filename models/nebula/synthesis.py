"""Nebula's implementation of `Synthesis`."""

from dataclasses import replace

from calibration import Profile
from models.nebula.random_edition import random_edition
from models.synthesis.plugin import Synthesis
from models.synthesis.texture import Rng, hsv_colour
from models.synthesis.token import Token
from models.synthesis.token_set import DULL, random_height, random_material, random_opacity
from scorer.nebula.words import BLACK

# The ranges of hue (OpenCV's half degrees), saturation and value that a colour's name covers.
_PAINT: dict[str, tuple[tuple[float, float], tuple[float, float], tuple[float, float]]] = {
    "red": ((-7, 4), (175, 255), (150, 235)),
    "orange": ((6, 17), (150, 255), (190, 255)),
    "yellow": ((18, 31), (110, 255), (190, 255)),
    "blue": ((98, 119), (130, 255), (120, 245)),
    "purple": ((129, 149), (75, 235), (75, 215)),
    "white": ((0, 180), (0, 28), (190, 255)),
    BLACK: ((0, 180), (0, 70), (8, 52)),
}
_COLOURLESS = ("white", BLACK)


def random_star_set(rng: Rng) -> dict[str, Token]:
    """A set of tokens of one shape and material in seven colours, not placed yet."""
    material = random_material(rng)
    points = int(rng.choice([0, 4, 5, 6, 7, 8], p=[0.14, 0.2, 0.24, 0.18, 0.06, 0.18]))
    waist = rng.uniform(0.42, 0.85) if points else 1.0
    if points == 4 and rng.random() < 0.4:
        waist = 0.71  # a square
    height, warm = random_height(rng, material), _warm_hues(rng)
    radius, opacity = rng.uniform(5.6, 8.3), random_opacity(rng, material)
    proto = Token("", (0, 0), radius, height, 0, points, waist, material, (0, 0, 0), opacity)
    tokens = {}
    for star, (hue, saturation, value) in _PAINT.items():
        hue = warm.get(star, hue)
        dulled = material in ("wood", "paper") and star not in _COLOURLESS
        dull = rng.uniform(*DULL) if dulled else 1.0
        paint = hsv_colour(rng, hue, (saturation[0] * dull, saturation[1] * dull), value)
        tokens[star] = replace(proto, piece=star, paint=paint)
    return tokens


def _warm_hues(rng: Rng) -> dict[str, tuple[float, float]]:
    """Hues of red, orange and yellow for one set, with a minimum distance between them.

    The ranges overlap between makers: one maker's golden yellow is nearly another's orange.
    """
    while True:
        hues = {star: rng.uniform(*_PAINT[star][0]) for star in ("red", "orange", "yellow")}
        if hues["orange"] - hues["red"] > 6 and hues["yellow"] - hues["orange"] > 6.5:
            return {star: (hue, hue) for star, hue in hues.items()}


class NebulaSynthesis(Synthesis):
    def token_set(self, rng: Rng, profile: Profile) -> dict[str, Token]:
        return random_star_set(rng)

    def edition(self, rng: Rng, pattern: Profile, name: str) -> Profile:
        return random_edition(rng, pattern, name)


NEBULA = NebulaSynthesis()

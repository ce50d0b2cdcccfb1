"""Nebula's implementation of `Synthesis`."""

from __future__ import annotations

from collections.abc import Mapping

from calibration import Profile
from models.nebula.random_edition import random_edition
from models.nebula.tokens import random_star_set
from models.synthesis.plugin import Synthesis
from models.synthesis.position import MISTAKEN, REPLACED, Placement, pick
from models.synthesis.texture import Rng
from models.synthesis.token import Token
from scorer.nebula.contract import NEBULA as GAME
from scorer.nebula.words import BLACK, COLOURS
from scorer.places import Place

_BLACK_STARS = 0.16
"""The share of placements that are black stars, while the track has room."""


class NebulaSynthesis(Synthesis):
    """Stars in seven colours, random galaxies, mostly legal placements."""

    def token_set(self, rng: Rng, profile: Profile) -> dict[str, Token]:
        return random_star_set(rng)

    def edition(self, rng: Rng, pattern: Profile, name: str) -> Profile:
        return random_edition(rng, pattern, name)

    def placement(self, rng: Rng, profile: Profile, pieces: Mapping[Place, str]) -> Placement:
        """A legal placement, or by mistake a star on a random empty space away from the core."""
        galaxy = GAME.position(profile.board, pieces)
        stars, board = galaxy.stars, galaxy.board
        if galaxy.black < len(profile.tracks[BLACK]) and rng.random() < _BLACK_STARS:
            return Placement(Place(BLACK, "track"), BLACK)
        if len(stars) > 3 and rng.random() < MISTAKEN:
            empty = [s for s in galaxy.empty() if s not in board.neighbours(board.core)]
            if empty:
                return Placement(Place(pick(rng, empty)), pick(rng, COLOURS), mistake=True)
        legal = list(galaxy.legal_placements())
        new = [(space, star) for space, star in legal if space not in stars]
        if not new or rng.random() < REPLACED:
            new = [(space, star) for space, star in legal if stars.get(space) != star] or new
        space, star = pick(rng, new)
        return Placement(Place(space), star)


NEBULA = NebulaSynthesis()

"""A game's hooks for synthesis, with a default for each."""

from collections.abc import Iterator, Mapping

from calibration import Profile
from models.synthesis.position import random_position
from models.synthesis.reprint import random_edition
from models.synthesis.texture import Rng
from models.synthesis.token import Token
from models.synthesis.token_set import random_token_set
from scorer import registry
from scorer.places import Place

GROUP = "stargazer.synthesis"


class Synthesis:
    """How a game's pictures are synthesized.

    A game that needs more than the defaults registers an instance of a subclass in the group
    `stargazer.synthesis`. All randomness comes from the generator passed in, so the same seed gives
    the same pictures.

    >>> import numpy as np
    >>> from calibration import load_profile
    >>> tokens = Synthesis().token_set(np.random.default_rng(0), load_profile("standard"))
    >>> list(tokens)[:3], tokens["red"].points
    (['red', 'purple', 'yellow'], 0)
    """

    def token_set(self, rng: Rng, profile: Profile) -> dict[str, Token]:
        """One maker's tokens by piece id, not placed yet.

        A piece that is part of the print, such as a dial, has none; see `board`. By default discs
        and bars of about the size of their places, in shades of `Piece.colour`.
        """
        return random_token_set(rng, profile)

    def position(self, rng: Rng, profile: Profile) -> Iterator[tuple[Place, str]]:
        """The pieces on one board of a photograph, including rule breaks.

        By default any piece on any place that admits it, so that models learn pieces, not games.
        """
        return random_position(rng, profile)

    def board(self, rng: Rng, profile: Profile, pieces: Mapping[Place, str]) -> Profile:
        """The board's print, with a reference picture, for these pieces.

        By default unchanged; some games have a part of the print that is rotated or moved.
        """
        return profile

    def edition(self, rng: Rng, pattern: Profile, name: str) -> Profile:
        """A random edition with the topology of `pattern`; by default `pattern` in other inks."""
        return random_edition(rng, pattern, name)


def synthesis(game: str) -> Synthesis:
    """A game's implementation, or the defaults."""
    if game not in registry.names(GROUP):
        return Synthesis()
    found: Synthesis = registry.find(GROUP, game)
    return found

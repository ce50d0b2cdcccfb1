"""What a game brings to be synthesized, each part with a default for games that bring nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from calibration import Profile
from models.synthesis.position import Placement, random_placement, random_position
from models.synthesis.reprint import random_edition
from models.synthesis.texture import Rng
from models.synthesis.token import Token
from models.synthesis.token_set import random_token_set
from scorer import registry
from scorer.places import Place

GROUP = "stargazer.synthesis"


class Synthesis:
    """How a game looks in pictures, and what lies in them.

    A game that brings more than the defaults names an instance of a subclass in the group
    `stargazer.synthesis`. Whatever is at random is drawn from the generator that is handed in, so
    that the same seed gives the same pictures.

    >>> import numpy as np
    >>> from calibration import load_profile
    >>> tokens = Synthesis().token_set(np.random.default_rng(0), load_profile("standard"))
    >>> list(tokens)[:3], tokens["red"].points
    (['red', 'purple', 'yellow'], 0)
    """

    def token_set(self, rng: Rng, profile: Profile) -> dict[str, Token]:
        """A token for each piece, by its id, none of them placed yet: one maker's set.

        A piece that is a part of the print, as a dial that is turned, has none; see `board`. By
        default discs and bars of the size of the places that they are for, in shades of
        `Piece.colour`.
        """
        return random_token_set(rng, profile)

    def position(self, rng: Rng, profile: Profile) -> Iterator[tuple[Place, str]]:
        """Pieces on places of one board, for a photograph, rule breaks included.

        By default any piece anywhere that admits it, so that the models learn pieces and not games.
        """
        return random_position(rng, profile)

    def board(self, rng: Rng, profile: Profile, pieces: Mapping[Place, str]) -> Profile:
        """The board as its print is seen when ``pieces`` lie on it; it has a reference picture.

        By default as it is; of another game a part of the print is turned or moved.
        """
        return profile

    def turning(
        self,
        rng: Rng,
        profile: Profile,
        before: Mapping[Place, str],
        after: Mapping[Place, str],
        share: float,
    ) -> Profile:
        """The board while a hand turns its dial, ``share`` (0 to 1) of the way.

        The same ``rng`` as `board` has in the end. By default the dial jumps halfway.
        """
        return self.board(rng, profile, after if share >= 0.5 else before)

    def opening(self, rng: Rng, profile: Profile) -> Mapping[Place, str]:
        """What lies on a board when a film begins; by default nothing."""
        return {}

    def placement(
        self, rng: Rng, profile: Profile, pieces: Mapping[Place, str]
    ) -> Placement | None:
        """What a player puts on a board on which ``pieces`` lie, for a film; None to put nothing.

        By default any piece that breaks no rule, and now and then one that does.
        """
        return random_placement(rng, profile, pieces)

    def edition(self, rng: Rng, pattern: Profile, name: str) -> Profile:
        """A board of the game that nobody has printed, with the topology of ``pattern``.

        By default the board of ``pattern`` in other inks.
        """
        return random_edition(rng, pattern, name)


def synthesis(game: str) -> Synthesis:
    """What a game brings; the defaults where it brings nothing."""
    if game not in registry.names(GROUP):
        return Synthesis()
    found: Synthesis = registry.find(GROUP, game)
    return found

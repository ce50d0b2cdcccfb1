"""Polaris' implementation of `Synthesis`."""

from collections.abc import Iterator, Mapping

from calibration import Profile
from models.polaris.moon_frame import turn_frame
from models.polaris.pieces import random_tokens
from models.polaris.random_edition import random_edition
from models.polaris.skies import random_sky
from models.synthesis.plugin import Synthesis
from models.synthesis.position import random_position
from models.synthesis.texture import Rng
from models.synthesis.token import Token
from scorer.places import Place
from scorer.polaris.contract import NEW_MOON

_REPRINTED = 0.2
"""The share of editions with our own artwork in other inks."""
_PLAYED = 0.65
"""The share of plausible skies; the others have any pieces on any places."""


class PolarisSynthesis(Synthesis):
    """Random stars and links, plausible skies, and a rotated frame."""

    def token_set(self, rng: Rng, profile: Profile) -> dict[str, Token]:
        """Stars, links and the neutral stars; the New Moon is printed on the frame."""
        return random_tokens(rng, profile)

    def position(self, rng: Rng, profile: Profile) -> Iterator[tuple[Place, str]]:
        """A sky after a random number of turns, or random pieces; the New Moon faces one sector."""
        played = random_sky(rng, profile.board)
        pieces = list(played.items())
        if rng.random() >= _PLAYED:
            (moon,) = ((place, piece) for place, piece in pieces if piece == NEW_MOON)
            anything = random_position(rng, profile)
            pieces = [one for one in anything if one[0].kind != "dial" and one[1] != NEW_MOON]
            pieces.append(moon)
        yield from (one for one in pieces if one[0] in profile.places)

    def edition(self, rng: Rng, pattern: Profile, name: str) -> Profile:
        """A random night sky, or sometimes ours in other inks."""
        if rng.random() < _REPRINTED:
            return super().edition(rng, pattern, name)
        return random_edition(rng, name)

    def board(self, rng: Rng, profile: Profile, pieces: Mapping[Place, str]) -> Profile:
        """The board with its frame rotated to the New Moon's sector."""
        return turn_frame(rng, profile, faced_sector(profile, pieces))


def faced_sector(profile: Profile, pieces: Mapping[Place, str]) -> int:
    """The sector that the New Moon faces; the first sector if it is on none."""
    faced = (place.id for place, piece in pieces.items() if piece == NEW_MOON)
    return int(next(faced, next(iter(profile.board.sectors))))


POLARIS = PolarisSynthesis()

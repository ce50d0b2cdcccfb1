"""Polaris' implementation of `Synthesis`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from calibration import Profile
from models.polaris.moon_frame import turn_frame
from models.polaris.pieces import random_tokens
from models.polaris.random_edition import random_edition
from models.polaris.skies import next_piece, random_sky
from models.synthesis.plugin import Synthesis
from models.synthesis.position import MISTAKEN, Placement, pick, random_position
from models.synthesis.texture import Rng
from models.synthesis.token import Token
from scorer.places import Place
from scorer.polaris.contract import NEW_MOON
from scorer.polaris.printed import sector_direction
from scorer.polaris.words import COLOURS

_REPRINTED = 0.2
"""The share of editions with our own artwork in other inks."""
_UNDER_WAY = 40
"""The most turns played before a film begins."""
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

    def opening(self, rng: Rng, profile: Profile) -> Mapping[Place, str]:
        """A sky in the middle of a game."""
        return random_sky(rng, profile.board, _UNDER_WAY)

    def placement(
        self, rng: Rng, profile: Profile, pieces: Mapping[Place, str]
    ) -> Placement | None:
        """A star or a link on a free place; sometimes a star that replaces another (P37)."""
        taken = [place for place, piece in pieces.items() if piece in COLOURS]
        if taken and rng.random() < MISTAKEN:
            place = pick(rng, taken)
            others = sorted(
                {piece for piece in pieces.values() if piece in COLOURS} - {pieces[place]}
            )
            if others:
                return Placement(place, pick(rng, others), mistake=True)
        found = next_piece(rng, profile.board, pieces)
        return None if found is None else Placement(*found)

    def board(self, rng: Rng, profile: Profile, pieces: Mapping[Place, str]) -> Profile:
        """The board with its frame rotated to the New Moon's sector."""
        return turn_frame(rng, profile, _faced(profile, pieces))

    def turning(
        self,
        rng: Rng,
        profile: Profile,
        before: Mapping[Place, str],
        after: Mapping[Place, str],
        share: float,
    ) -> Profile:
        """The frame during its rotation, in the shorter direction."""
        old, new = _faced(profile, before), _faced(profile, after)
        way = sector_direction(profile.board, new, profile.places)
        way -= sector_direction(profile.board, old, profile.places)
        way = (way + 180) % 360 - 180
        return turn_frame(rng, profile, new, short=(1 - share) * way)


def _faced(profile: Profile, pieces: Mapping[Place, str]) -> int:
    """The sector that the New Moon faces; the first sector if it is on none."""
    faced = (place.id for place, piece in pieces.items() if piece == NEW_MOON)
    return int(next(faced, next(iter(profile.board.sectors))))


POLARIS = PolarisSynthesis()

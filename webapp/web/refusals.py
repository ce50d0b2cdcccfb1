"""What the rules would refuse on a board, for palettes that mark it; people may choose it still."""

from collections.abc import Mapping
from typing import Any

from calibration import Profile
from scorer.game import Pieces
from scorer.places import Place
from scorer.referee import refusals
from webapp.web.words import as_sentence, spoken

OF_PLACE = ""
"""The key of what every piece would break on a space."""


def refused_on(
    profile: Profile, pieces: Pieces, played: Any = None
) -> Mapping[str, Mapping[str, str]]:
    """Why pieces may not lie on the spaces of a board, all others lying as they do, in words.

    By space and piece; a space on which nothing is refused is left out.
    """
    found: dict[str, dict[str, str]] = {}
    for space in profile.board.spaces:
        refused = refusals(profile.game, profile.board, pieces, Place(space), played)
        broken = dict(refused.pieces) | ({OF_PLACE: refused.place} if refused.place else {})
        if broken:
            found[space] = {piece: as_sentence(spoken(one.reason)) for piece, one in broken.items()}
    return found

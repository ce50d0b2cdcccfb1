"""Pieces that the rules forbid on a board, marked in palettes but still selectable."""

from collections.abc import Mapping
from typing import Any

from calibration import Profile
from scorer.places import Place
from scorer.referee import refusals
from scorer.table import Pieces
from webapp.web.words import as_sentence, spoken

OF_PLACE = ""
"""The key of a rule that every piece would break on a space."""


def refused_on(
    profile: Profile, pieces: Pieces, played: Any = None
) -> Mapping[str, Mapping[str, str]]:
    """Return why pieces may not be on the spaces of a board, given all others, in words.

    By space and piece; spaces without refusals are omitted.
    """
    found = {space: refused_at(profile, pieces, space, played) for space in profile.board.spaces}
    return {space: reasons for space, reasons in found.items() if reasons}


def refused_at(
    profile: Profile, pieces: Pieces, space: str, played: Any = None
) -> Mapping[str, str]:
    """Return why pieces may not be on a space, given all others, in words."""
    refused = refusals(profile.game, profile.board, pieces, Place(space), played)
    broken = dict(refused.pieces) | ({OF_PLACE: refused.place} if refused.place else {})
    return {piece: as_sentence(spoken(one.reason)) for piece, one in broken.items()}

"""What a game brings to be printed, and its boards as drawings and as pixels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from calibration.drawing import Drawing, Mark, Point, rasterise
from calibration.layout import Layout
from calibration.profile import ARTWORK, PX_PER_MM, Image, Profile
from scorer import registry


class Artwork(Protocol):
    """A game's printed things: a module with these names, found by the group `stargazer.artwork`.

    `PROFILES` is the folder of the game's built-in profiles, `DIAMETER_MM` its tokens' size. One
    with more to print has `further_sheets(layout)` as well: the drawings to cut out beside the
    board and its tokens; one with tokens on further sheets has `token_sheets(layout)`.
    """

    PROFILES: Path
    DIAMETER_MM: float

    def draw_layout(self, layout: Layout) -> Drawing:
        """The board of a layout."""

    def draw_token(self, piece: str, at: Point, turn: float = 0.0) -> list[Mark]:
        """One token about a point in mm, turned `turn` degrees clockwise."""

    def token_set(self) -> list[str]:
        """The pieces to cut out for one game, in the order of the sheet."""


@dataclass(frozen=True)
class TokenSpots:
    """Places of a kind on a printed sheet, their middles in mm by their ids.

    `tokens` may lie there, round and as wide as their drawings; `term` is the glossary's word for
    what does, where it has one, and its name after "on_" among the game's words.
    """

    term: str
    at: Mapping[str, Point]
    tokens: Mapping[str, Drawing]


@dataclass(frozen=True)
class TokenSheet:
    """A printed `sheet` on which tokens lie: on `tracks` one of each, on `spots` any of theirs.

    A track's places lie side by side in a level row, the first is where its tokens start; these lie
    on them, or above or below.
    """

    sheet: Drawing
    tracks: Mapping[str, TokenSpots] = field(default_factory=dict)
    spots: Sequence[TokenSpots] = ()


def artwork(game: str) -> Artwork:
    """What a game brings. `scorer.registry.UnknownGameError` where it brings nothing."""
    found: Artwork = registry.find(ARTWORK, game)
    return found


def further_sheets(layout: Layout) -> Sequence[Drawing]:
    """What a game prints beside a board and its tokens, each to be cut out; often nothing."""
    draw = getattr(artwork(layout.game), "further_sheets", None)
    return () if draw is None else draw(layout)


def token_sheets(layout: Layout) -> Sequence[TokenSheet]:
    """The further sheets on which tokens lie, as the game's `token_sheets(layout)` has them."""
    draw = getattr(artwork(layout.game), "token_sheets", None)
    return () if draw is None else draw(layout)


def describe_board(layout: Layout) -> Drawing:
    """The board of a layout, drawn by its game."""
    return artwork(layout.game).draw_layout(layout)


def draw_board(profile: Profile, px_per_mm: float = PX_PER_MM) -> Image:
    """Draw a profile's board with this project's artwork, (H, W, 3) uint8 BGR."""
    return rasterise(describe_board(profile.layout), px_per_mm)

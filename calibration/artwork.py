"""What a game brings to be printed, and its boards as drawings and as pixels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
    board and its tokens; one with tokens on tracks has `token_tracks(layout)`.
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
class TokenTracks:
    """A printed `sheet` with tracks on which tokens stand, one of each.

    By the track's name, `squares` are the middles of its squares in mm on the sheet, where tokens
    start first, and `tokens` the drawings of its tokens, round and `diameter_mm` wide.
    """

    sheet: Drawing
    squares: Mapping[str, Sequence[Point]]
    tokens: Mapping[str, Mapping[str, Drawing]]
    diameter_mm: float


def artwork(game: str) -> Artwork:
    """What a game brings. `scorer.registry.UnknownGameError` where it brings nothing."""
    found: Artwork = registry.find(ARTWORK, game)
    return found


def further_sheets(layout: Layout) -> Sequence[Drawing]:
    """What a game prints beside a board and its tokens, each to be cut out; often nothing."""
    draw = getattr(artwork(layout.game), "further_sheets", None)
    return () if draw is None else draw(layout)


def token_tracks(layout: Layout) -> Sequence[TokenTracks]:
    """The sheets with tracks that a game prints, as its `token_tracks(layout)` has them."""
    draw = getattr(artwork(layout.game), "token_tracks", None)
    return () if draw is None else draw(layout)


def describe_board(layout: Layout) -> Drawing:
    """The board of a layout, drawn by its game."""
    return artwork(layout.game).draw_layout(layout)


def draw_board(profile: Profile, px_per_mm: float = PX_PER_MM) -> Image:
    """Draw a profile's board with this project's artwork, (H, W, 3) uint8 BGR."""
    return rasterise(describe_board(profile.layout), px_per_mm)

"""What each game provides for printing, and its boards as drawings and as pixels."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from calibration.drawing import Drawing, Mark, Point, rasterise
from calibration.layout import Layout
from calibration.profile import ARTWORK, PX_PER_MM, Image, Profile
from scorer import registry


class Artwork(Protocol):
    """A game's printed parts: a module with these names, registered in `stargazer.artwork`.

    `PROFILES` is the folder of the game's built-in profiles, `DIAMETER_MM` the size of its tokens.
    Optional: `further_sheets(layout)`, drawings to cut out besides the board and its tokens, and
    `token_sheets(layout)`, sheets that hold tokens.
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
    """Places of one kind on a printed sheet, with their centres in mm by id.

    `tokens` are admitted there, round and as wide as their drawings. `term` is the glossary's word
    for them, if there is one, and, after "on_", their key among the game's words.
    """

    term: str
    at: Mapping[str, Point]
    tokens: Mapping[str, Drawing]


@dataclass(frozen=True)
class PointsTrack:
    """Places for 0 points, 1 and so on, with the players' markers by colour.

    The `backs` of the markers count a whole round more.
    """

    spots: TokenSpots
    backs: Mapping[str, Drawing]


@dataclass(frozen=True)
class TokenSheet:
    """A printed `sheet` for tokens: on `tracks` one of each, on `spots` any of theirs.

    The markers on `points` answer a question to each player, whose id is the key. A track's places
    are side by side in a horizontal row, the start first; its tokens are on them, or above or
    below. `tokens_in` returns the tokens by place in a state of the game's turns.
    """

    sheet: Drawing
    tracks: Mapping[str, TokenSpots] = field(default_factory=dict)
    spots: Sequence[TokenSpots] = ()
    points: Mapping[str, PointsTrack] = field(default_factory=dict)
    tokens_in: Callable[[Any], Mapping[str, Sequence[str]]] = lambda _state: {}


def artwork(game: str) -> Artwork:
    """A game's artwork. Raises `scorer.registry.UnknownGameError` if it has none."""
    found: Artwork = registry.find(ARTWORK, game)
    return found


def further_sheets(layout: Layout) -> Sequence[Drawing]:
    """The sheets that a game prints besides a board and its tokens, to cut out; often none."""
    draw = getattr(artwork(layout.game), "further_sheets", None)
    return () if draw is None else draw(layout)


def token_sheets(layout: Layout) -> Sequence[TokenSheet]:
    """The further sheets that hold tokens, from the game's `token_sheets(layout)`."""
    draw = getattr(artwork(layout.game), "token_sheets", None)
    return () if draw is None else draw(layout)


def describe_board(layout: Layout) -> Drawing:
    """The board of a layout, drawn by its game."""
    return artwork(layout.game).draw_layout(layout)


def draw_board(profile: Profile, px_per_mm: float = PX_PER_MM) -> Image:
    """Draw a profile's board with this project's artwork, (H, W, 3) uint8 BGR."""
    return rasterise(describe_board(profile.layout), px_per_mm)

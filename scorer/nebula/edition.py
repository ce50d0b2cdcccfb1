"""Editions: the numbers that only a printed copy of the game can tell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from scorer.editions import Editions
from scorer.nebula.card import Card

if TYPE_CHECKING:  # a board may bring the edition that it is of
    from scorer.nebula.board import GalaxyBoard

STANDARD = "standard"


@dataclass(frozen=True)
class Edition:
    """Points, tracks and card numbers of one printed edition.

    >>> edition = load_edition("standard")
    >>> edition.black_points(4), edition.black_points(10), edition.career_points("V5")
    (6, 26, (16, 10))
    """

    id: str
    name: str
    personal: int
    career: tuple[int, int]
    career_cards: Mapping[str, tuple[int, int]]
    track: tuple[int, ...]
    full_track: int
    constellation_places: tuple[int, ...]
    finished_constellation: int
    colour_places: tuple[int, ...]
    advanced_places: tuple[int, ...]
    cluster_spaces: int
    indicator_squares: int
    indicator_highlighted: tuple[int, ...]
    value_squares: int
    cards: Mapping[str, Card]
    own_track: bool = False
    """Whether the track's numbers are this edition's own, and so count for any board."""

    def printed_on(self, board: GalaxyBoard) -> Edition:
        """The edition as it is played on a board: with the numbers that are printed there.

        Where a board says what the cards beside it give, that takes the place of the standard's.

        >>> from dataclasses import replace
        >>> from scorer.nebula.board import STANDARD_BOARD, Track
        >>> nine = replace(STANDARD_BOARD, track=Track((0, 1, 2, 5, 6, 9, 12, 15, 18), 22))
        >>> load_edition("standard").printed_on(nine).black_points(3)
        5
        """
        own = board.edition if self.id == STANDARD and board.edition is not None else self
        if own.own_track or board.track is None:
            return own
        return replace(own, track=board.track.points, full_track=board.track.full)

    def points_data(self) -> dict[str, Any]:
        """What cards and tokens give, under the keys that an edition file has for it."""
        career = {card: list(points) for card, points in self.career_cards.items()}
        return {
            "personal": self.personal,
            "career": {"points": list(self.career), "cards": career},
            "constellations": {
                "places": list(self.constellation_places),
                "finished": self.finished_constellation,
            },
            "colours": list(self.colour_places),
            "advanced": list(self.advanced_places),
        }

    @property
    def track_spaces(self) -> int:
        """How many black stars the track holds."""
        return len(self.track)

    def black_points(self, black: int) -> int:
        """The first number still visible from the left; a full track shows none and has its own."""
        return self.track[black] if black < len(self.track) else self.full_track

    def career_points(self, card: str) -> tuple[int, int]:
        """What a career card gives its first claimer and later ones."""
        return self.career_cards.get(card, self.career)


EDITIONS: Editions[Edition] = Editions(__package__)
edition_names, load_edition = EDITIONS.names, EDITIONS.load

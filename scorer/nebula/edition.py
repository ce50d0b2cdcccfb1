"""Editions: the numbers that vary between printed copies of the game."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from scorer.editions import Editions
from scorer.nebula.card import Card

if TYPE_CHECKING:  # boards import editions
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
    """Whether the track's numbers are this edition's own, and override those of any board."""

    def printed_on(self, board: "GalaxyBoard") -> "Edition":
        """The edition as played on a board, with the numbers printed there.

        A board's own points for cards replace those of the standard edition only.

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
        """The points of cards and tokens, by the keys of an edition file."""
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
        """The number of black stars that the track holds."""
        return len(self.track)

    def black_points(self, black: int) -> int:
        """The first number that is still visible on the track, or the points of a full one."""
        return self.track[black] if black < len(self.track) else self.full_track

    def career_points(self, card: str) -> tuple[int, int]:
        """The points of a career card for its first claimer, and for later ones."""
        return self.career_cards.get(card, self.career)


EDITIONS: Editions[Edition] = Editions(__package__)
edition_names, load_edition = EDITIONS.names, EDITIONS.load

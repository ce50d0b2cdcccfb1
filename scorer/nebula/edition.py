"""Editions: the numbers that only a printed copy of the game can tell."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from pathlib import Path

from scorer.datafile import DataFileError, parse_yaml, read_data_file
from scorer.nebula.board import GalaxyBoard
from scorer.nebula.card import Card


class EditionError(DataFileError):
    """An edition that is not there or not right; `.problems` names each key and reason."""


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

    def printed_on(self, board: GalaxyBoard) -> "Edition":
        """The edition as it is played on a board: with the numbers that are printed there.

        >>> from dataclasses import replace
        >>> from scorer.nebula.board import STANDARD_BOARD, Track
        >>> nine = replace(STANDARD_BOARD, track=Track((0, 1, 2, 5, 6, 9, 12, 15, 18), 22))
        >>> load_edition("standard").printed_on(nine).black_points(3)
        5
        """
        if self.own_track or board.track is None:
            return self
        return replace(self, track=board.track.points, full_track=board.track.full)

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


def load_edition(name_or_path: str | Path) -> Edition:
    """An edition that ships with the program, by name, or one of your own, by its file.

    Raises EditionError.
    """
    name = str(name_or_path)
    if name in edition_names():
        return _shipped(name)
    path = Path(name_or_path)
    if path.suffix.lower() not in (".yaml", ".yml", ".json"):
        known = ", ".join(edition_names())
        reason = f"{name} is not known; there is {known}, or a .yaml file of your own"
        raise EditionError([("edition", reason)])
    from scorer.nebula.edition_file import edition_from_data

    try:
        return edition_from_data(read_data_file(path), name)
    except DataFileError as error:
        raise EditionError(error.problems) from None


def edition_names() -> tuple[str, ...]:
    """The editions that ship with the program."""
    folder = files(__package__).joinpath("editions")
    names = (entry.name for entry in folder.iterdir())
    return tuple(sorted(name.removesuffix(".yaml") for name in names if name.endswith(".yaml")))


@cache
def _shipped(name: str) -> Edition:
    from scorer.nebula.edition_file import edition_from_data

    text = files(__package__).joinpath(f"editions/{name}.yaml").read_text(encoding="utf-8")
    return edition_from_data(parse_yaml(text), name)

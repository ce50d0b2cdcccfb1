"""Editions: the numbers, cards and moons that only a printed copy of the game can tell."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from scorer.datafile import DataFileError, parse_yaml, read_data_file
from scorer.polaris.action_card import ActionCard
from scorer.polaris.card import CommonCard, PersonalCard


class EditionError(DataFileError):
    """An edition that is not there or not right; `.problems` names each key and reason."""


@dataclass(frozen=True)
class Edition:
    """Points, cards and moons of one printed edition.

    `moons` are clockwise around the frame, the New Moon first. `constellations` are the points by
    number of stars, from 2 on; `patterns` those of the personal card, from once on.

    >>> edition = load_edition("standard")
    >>> [edition.constellation_points(size) for size in (2, 3, 6, 7, 12)]
    [0, 2, 7, 10, 10]
    >>> [edition.pattern_points(count) for count in (0, 1, 2, 5)], edition.shooting_points(5)
    ([0, 3, 6, 15], 2)
    """

    id: str
    name: str
    colours: tuple[str, ...]
    moons: tuple[str, ...]
    dawn_spaces: int
    start: int
    telescope: int
    bonus: int
    tiers: tuple[int, ...]
    lonely: int
    constellations: tuple[int, ...]
    patterns: tuple[int, ...]
    shooting_stars_a_point: int
    common: Mapping[str, CommonCard]
    personal: Mapping[str, PersonalCard]
    actions: Mapping[str, ActionCard]

    def constellation_points(self, size: int) -> int:
        """What a constellation of so many stars, 2 or more, is worth (P71)."""
        return self.constellations[min(size - 2, len(self.constellations) - 1)]

    def pattern_points(self, count: int) -> int:
        """What the personal card's pattern is worth, so many times (P74)."""
        return self.patterns[min(count, len(self.patterns)) - 1] if count else 0

    def shooting_points(self, shooting: int) -> int:
        """What shooting stars left over are worth (P75)."""
        return shooting // self.shooting_stars_a_point

    def lunar_sector(self, moon: str, new_moon: int, sectors: Sequence[int]) -> int:
        """The sector that a moon faces (P20, P21); `sectors` clockwise, one faced by the New Moon.

        >>> load_edition("standard").lunar_sector("quarter", 4, (1, 2, 3, 4, 5))
        1
        """
        ring = tuple(sectors)
        return ring[(ring.index(new_moon) + self.moons.index(moon)) % len(ring)]


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
    from scorer.polaris.edition_file import edition_from_data

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
    from scorer.polaris.edition_file import edition_from_data

    text = files(__package__).joinpath(f"editions/{name}.yaml").read_text(encoding="utf-8")
    return edition_from_data(parse_yaml(text), name)

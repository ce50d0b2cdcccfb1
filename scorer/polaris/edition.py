"""Editions: the numbers, cards and moons that vary between printed copies of the game."""

from collections.abc import Mapping
from dataclasses import dataclass

from scorer.editions import Editions
from scorer.polaris.action_card import ActionCard
from scorer.polaris.card import CommonCard, PersonalCard


@dataclass(frozen=True)
class Edition:
    """Points, cards and moons of one printed edition.

    `moons` are clockwise around the frame, the New Moon first. `constellations` are the points by
    number of stars, from 2; `patterns` those of the personal card by count, from 1.

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
        """The points of a constellation of `size` stars, 2 or more (P71)."""
        return self.constellations[min(size - 2, len(self.constellations) - 1)]

    def pattern_points(self, count: int) -> int:
        """The points of a personal card whose pattern occurs `count` times (P74)."""
        return self.patterns[min(count, len(self.patterns)) - 1] if count else 0

    def shooting_points(self, shooting: int) -> int:
        """The points of leftover shooting stars (P75)."""
        return shooting // self.shooting_stars_a_point


EDITIONS: Editions[Edition] = Editions(__package__)
edition_names, load_edition = EDITIONS.names, EDITIONS.load

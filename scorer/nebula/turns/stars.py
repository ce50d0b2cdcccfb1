"""Counts of stars by colour, as a bag, the box or a reserve holds them."""

from collections.abc import Iterable
from typing import NamedTuple

from scorer.nebula.words import BLACK, COLOURS

STARS = (*COLOURS, BLACK)
"""Every kind of star, in the order of counts and lists."""


class Stars(NamedTuple):
    """The number of stars of each kind; an immutable value.

    >>> reserve = Stars(red=2).plus("black")
    >>> reserve.total, reserve.kinds, reserve.of("red")
    (3, ('red', 'black'), 2)
    >>> reserve.minus("red").listed()
    ['red', 'black']
    """

    red: int = 0
    purple: int = 0
    yellow: int = 0
    white: int = 0
    blue: int = 0
    orange: int = 0
    black: int = 0

    def of(self, star: str) -> int:
        """The number of stars of a kind; 0 for an unknown kind."""
        return self[_PLACE[star]] if star in _PLACE else 0

    def plus(self, star: str, number: int = 1) -> "Stars":
        """The stars with `number` more of a kind. Raise KeyError for an unknown kind."""
        counts = list(self)
        counts[_PLACE[star]] += number
        return Stars._make(counts)

    def minus(self, star: str) -> "Stars":
        """The stars with one of a kind less. Raise KeyError for an unknown kind."""
        return self.plus(star, -1)

    def plus_all(self, stars: Iterable[str]) -> "Stars":
        counts = list(self)
        for star in stars:
            counts[_PLACE[star]] += 1
        return Stars._make(counts)

    @property
    def total(self) -> int:
        return sum(self)

    @property
    def kinds(self) -> tuple[str, ...]:
        return tuple([star for star, number in zip(STARS, self, strict=True) if number > 0])

    def listed(self) -> list[str]:
        """Every star by its kind, repeated by its count."""
        return [star for star, number in zip(STARS, self, strict=True) for _ in range(number)]

    def to_data(self) -> dict[str, int]:
        return self._asdict()


NO_STARS = Stars()
_PLACE = {star: place for place, star in enumerate(STARS)}
assert Stars._fields == STARS  # field names are the words of the rulebook

"""Stars by colour, without order: what a bag, the box or a reserve holds."""

from collections.abc import Iterable
from typing import NamedTuple

from scorer.nebula.words import BLACK, COLOURS

STARS = (*COLOURS, BLACK)
"""Every kind of star, in the order in which they are counted and listed."""


class Stars(NamedTuple):
    """How many stars of each kind; arithmetic gives new values.

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
        """How many there are of one kind; none of a kind that no star has."""
        return self[_PLACE[star]] if star in _PLACE else 0

    def plus(self, star: str, number: int = 1) -> "Stars":
        """One more of a kind, or so many more. KeyError for a kind that no star has."""
        held = list(self)
        held[_PLACE[star]] += number
        return Stars._make(held)

    def minus(self, star: str) -> "Stars":
        """One less of a kind. KeyError for a kind that no star has."""
        return self.plus(star, -1)

    def plus_all(self, stars: Iterable[str]) -> "Stars":
        """One more for each star listed."""
        held = list(self)
        for star in stars:
            held[_PLACE[star]] += 1
        return Stars._make(held)

    @property
    def total(self) -> int:
        """How many stars in all."""
        return sum(self)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of which there is at least one."""
        return tuple([star for star, number in zip(STARS, self, strict=True) if number > 0])

    def listed(self) -> list[str]:
        """Every star by its kind, as often as it is there."""
        return [star for star, number in zip(STARS, self, strict=True) for _ in range(number)]

    def to_data(self) -> dict[str, int]:
        """The counts as JSON data."""
        return self._asdict()


NO_STARS = Stars()
_PLACE = {star: place for place, star in enumerate(STARS)}
assert Stars._fields == STARS  # the words of the rulebook and the counters are the same

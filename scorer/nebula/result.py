"""What checks of cards depend on besides a galaxy."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from scorer.nebula.galaxy import Galaxy
from scorer.objective import CardResult

MARKERS_OF_A_PLAYER = 4
CARDS_ON_TABLE = 4
"""Career cards on the table, and advanced cards."""


@dataclass(frozen=True)
class Table:
    """The table around a player's galaxy.

    `rivals` are the numbers of black stars of the opponents; empty if there are none. `markers` is
    the number of career markers that the player has placed.
    """

    rivals: tuple[int, ...] = ()
    markers: int = 0

    @classmethod
    def of(cls, galaxies: Sequence[Galaxy], player: int, markers: int = 0) -> "Table":
        """The table of a player, given all galaxies on it."""
        others = [*galaxies[:player], *galaxies[player + 1 :]]
        return cls(tuple(galaxy.black for galaxy in others), markers)


ALONE = Table()  # for a galaxy by itself

Check = Callable[[Galaxy, Table], CardResult]

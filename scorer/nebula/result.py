"""What a card may need to know beyond one galaxy."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from scorer.nebula.galaxy import Galaxy
from scorer.objective import CardResult

MARKERS_OF_A_PLAYER = 4
CARDS_ON_TABLE = 4
"""Career cards, and advanced cards."""


@dataclass(frozen=True)
class Table:
    """The others at the table.

    `rivals`: each opponent's number of black stars; empty where there is nobody to compare with.
    `markers`: the career markers that the player has placed.
    """

    rivals: tuple[int, ...] = ()
    markers: int = 0

    @classmethod
    def of(cls, galaxies: Sequence[Galaxy], player: int, markers: int = 0) -> "Table":
        """The table of a player, whose galaxy is among those that lie there."""
        others = [*galaxies[:player], *galaxies[player + 1 :]]
        return cls(tuple(galaxy.black for galaxy in others), markers)


ALONE = Table()  # a galaxy looked at by itself

Check = Callable[[Galaxy, Table], CardResult]

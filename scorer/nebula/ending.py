"""When a game ends: the four conditions, and how near each of them is."""

from collections.abc import Sequence
from typing import NamedTuple

from scorer.nebula.edition import Edition
from scorer.nebula.galaxy import Galaxy

FINISHED_CONSTELLATIONS = 3
MARKERS = {1: 5, 2: 5, 3: 6, 4: 8}
"""Career markers on the cards that end a game, by the number of players."""


class Ending(NamedTuple):
    """One condition: its kind, how far the table is and how far it goes.

    `kind` is indicator, constellations, markers or bag. At the end of the round in which
    one of them is `met` the game is over.

    >>> Ending("markers", 4, 5).met, Ending("markers", 5, 5).met
    (False, True)
    """

    kind: str
    reached: int
    needed: int

    @property
    def met(self) -> bool:
        """Whether the condition holds."""
        return self.reached >= self.needed


def endings(
    galaxies: Sequence[Galaxy], indicator: int, markers: int, bag_is_empty: bool, edition: Edition
) -> tuple[Ending, ...]:
    """The four conditions at a table.

    `indicator` is the black indicator's square, `markers` how many lie on the career cards.

    >>> from scorer.nebula.edition import load_edition
    >>> [e.kind for e in endings([Galaxy({})], 18, 0, False, load_edition("standard")) if e.met]
    ['indicator']
    """
    finished = max((len(galaxy.finished_constellations()) for galaxy in galaxies), default=0)
    return (
        Ending("indicator", min(indicator, edition.indicator_squares), edition.indicator_squares),
        Ending("constellations", min(finished, FINISHED_CONSTELLATIONS), FINISHED_CONSTELLATIONS),
        Ending("markers", markers, MARKERS[len(galaxies)]),
        Ending("bag", int(bag_is_empty), 1),
    )

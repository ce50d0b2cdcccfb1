"""The four conditions that end a game, and the progress towards each."""

from collections.abc import Sequence
from typing import NamedTuple

from scorer.nebula.edition import Edition
from scorer.nebula.galaxy import Galaxy
from scorer.nebula.words import say
from scorer.sentence import Sentence

FINISHED_CONSTELLATIONS = 3
MARKERS = {1: 5, 2: 5, 3: 6, 4: 8}
"""The number of markers on career cards that ends a game, by number of players."""


class Ending(NamedTuple):
    """One condition: its kind, the value reached and the value needed.

    `kind` is indicator, constellations, markers or bag. The game ends with the round in which a
    condition is `met`.

    >>> Ending("markers", 4, 5).met, Ending("markers", 5, 5).met
    (False, True)
    """

    kind: str
    reached: int
    needed: int

    @property
    def met(self) -> bool:
        return self.reached >= self.needed


def endings(
    galaxies: Sequence[Galaxy], indicator: int, markers: int, bag_is_empty: bool, edition: Edition
) -> tuple[Ending, ...]:
    """The four conditions at a table.

    `indicator` is the square of the black indicator, `markers` the number on the career cards.

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


def reasons(found: Sequence[Ending]) -> tuple[Sentence, ...]:
    """Why a game ends: the conditions that hold, in words."""
    return tuple(say(f"ended_{ending.kind}") for ending in found if ending.met)

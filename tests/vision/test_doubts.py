"""What of a reading a person is asked to look at."""

from collections.abc import Mapping

import numpy as np

from scorer.nebula import COLOURS
from scorer.nebula.contract import NEBULA
from scorer.places import Place
from vision.decode import Posterior
from vision.doubts import breaking, doubts

BOARD = NEBULA.standard_board
CLASSES = (*COLOURS, "black")
AROUND = sorted(BOARD.neighbours("core"))


def posterior(**chances: float) -> Posterior:
    names = (*CLASSES, "empty")
    return Posterior(np.array([chances.get(name, 0.0) for name in names]), CLASSES)


def asked(read: Mapping[str, Posterior]) -> dict[str, dict[str, float]]:
    """The spaces that are asked about, with their likely answers."""
    spaces = {Place(name): told for name, told in read.items()}
    pieces = {place: told.piece for place, told in spaces.items() if told.piece}
    suspects = breaking(pieces, spaces, NEBULA, BOARD)
    flags = doubts(spaces, {}, (), suspects)
    return {flag.spaces[0]: dict(flag.more["alternatives"]) for flag in flags}


def test_a_colour_that_breaks_a_rule_is_doubtful_however_sure_it_is() -> None:
    """A white cube with a bluish side, read blue beside a blue one."""
    near = AROUND[0]
    read = {"core": posterior(blue=0.999, red=0.001), near: posterior(blue=0.997, white=0.003)}
    assert asked(read) == {near: {"blue": 0.997, "white": 0.003}}
    read[near] = posterior(white=0.997, blue=0.003)
    assert asked(read) == {}


def test_what_would_break_a_rule_as_well_is_not_asked_in_its_place() -> None:
    one, other = AROUND[:2]
    read = {
        "core": posterior(red=0.99, white=0.01),  # white would break as many
        one: posterior(red=0.999, yellow=0.001),
        other: posterior(white=1.0),
    }
    assert list(asked(read)) == [one]


def test_one_that_can_lie_on_no_space_is_doubtful() -> None:
    read = {"core": posterior(red=1.0), AROUND[0]: posterior(black=0.99, purple=0.01)}
    assert asked(read) == {AROUND[0]: {"black": 0.99, "purple": 0.01}}


def test_what_is_hidden_is_not_asked_twice() -> None:
    near = AROUND[0]
    read = {Place("core"): posterior(blue=1.0), Place(near): posterior(blue=0.6, white=0.4)}
    flags = list(doubts(read, {}, (near,), {Place(near): "white"}))
    assert [(flag.kind, flag.spaces) for flag in flags] == [("hidden", (near,))]

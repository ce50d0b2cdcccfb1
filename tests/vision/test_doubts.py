"""What of a reading a person is asked to look at."""

from collections.abc import Mapping
from itertools import pairwise

import numpy as np

from scorer.flags import Flag
from scorer.nebula.contract import NEBULA
from scorer.nebula.words import COLOURS
from scorer.places import Place
from scorer.polaris.contract import POLARIS_GAME
from vision.decode import Posterior
from vision.doubts import breaking, doubts, weighed

BOARD = NEBULA.standard_board
CLASSES = (*COLOURS, "black")
AROUND = sorted(BOARD.neighbours("core"))


def posterior(**chances: float) -> Posterior:
    names = (*CLASSES, "empty")
    return Posterior(np.array([chances.get(name, 0.0) for name in names]), CLASSES)


def asked(read: Mapping[str, Posterior]) -> dict[str, dict[str, float]]:
    """The spaces that are asked about, with their likely answers."""
    spaces = {Place(name): reported for name, reported in read.items()}
    pieces = {place: reported.piece for place, reported in spaces.items() if reported.piece}
    suspects = breaking(pieces, spaces, NEBULA, BOARD)
    flags = doubts(spaces, {}, (), suspects, {})
    return {flag.spaces[0]: dict(flag.more["alternatives"]) for flag in flags}


def test_what_is_not_sure_is_asked_and_what_is_sure_is_not() -> None:
    read = {"core": posterior(red=0.6, yellow=0.4), AROUND[0]: posterior(blue=1.0)}
    assert asked(read) == {"core": {"red": 0.6, "yellow": 0.4}}


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
    flags = list(doubts(read, {}, (near,), {Place(near): "white"}, {}))
    assert [(flag.kind, flag.spaces) for flag in flags] == [("hidden", (near,))]


def test_doubts_come_by_what_they_would_change_and_of_those_that_change_nothing_guesses() -> None:
    row = ("1a1", "1b1", "1c1", "1r1", "2a1", "2b1", "2c1")
    pieces = {Place(space): "red" for space in row} | {Place("4a4"): "blue"}
    inner, end, nowhere = "1c1-1r1", "2b1-2c1", "3a3-3b3"
    links = [f"{a}-{b}" for a, b in pairwise(row)]
    pieces |= {Place(link, "edge"): "link" for link in links}
    spaces = [*pieces, Place(nowhere, "edge"), Place("2", "dial")]
    reported = {"alternatives": {"link": 0.88, "empty": 0.12}}
    flags = [Flag("uncertain", (link,), reported) for link in (nowhere, end, inner)]
    flags += [Flag("uncertain", ("2",), {"alternatives": {"2": 0.7}}), Flag("hidden", ("5a1",))]
    board = POLARIS_GAME.standard_board
    asked = list(weighed(flags, pieces, spaces, POLARIS_GAME, board))
    assert [flag.spaces for flag in asked] == [("2",), ("5a1",), (inner,), (end,)]
    assert asked[2].more["stake"] > asked[3].more["stake"] > 0
    guess = Flag("uncertain", (nowhere,), {"alternatives": {"link": 0.8, "empty": 0.2}})
    (kept,) = weighed([guess], pieces, spaces, POLARIS_GAME, board)
    assert kept.spaces == (nowhere,) and kept.more["stake"] == 0
    unsaid = list(weighed(flags[:2], {}, [Place("core")], NEBULA, BOARD))
    assert unsaid == flags[:2]


def test_a_dial_is_asked_about_once() -> None:
    chances = {"1": 0.6, "2": 0.38, "3": 0.01}
    spaces = {
        Place(name, "dial"): Posterior(np.array([chance, 1 - chance]), ("new_moon",))
        for name, chance in chances.items()
    }
    (flag,) = doubts(spaces, {}, (), {}, {})
    assert flag.spaces == ("1",) and flag.more["alternatives"] == {"1": 0.6, "2": 0.38}

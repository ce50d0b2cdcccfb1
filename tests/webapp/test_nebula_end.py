"""Which end of a guided game of Nebula is nearest, and what is said of it."""

from typing import Any

import pytest
from flask import Flask

from scorer.nebula.galaxy import Galaxy
from scorer.nebula.turns.setup import new_game
from scorer.nebula.turns.stars import NO_STARS, Stars
from scorer.nebula.turns.state import Phase, Rules
from tests.scorer.nebula_tables import table
from webapp.games.nebula.guide import questions
from webapp.games.nebula.guide.sentences import to_the_end

WHEN_FULL = "when one player has 3 full constellations"
NONE_FULL = new_game(Rules()).seat
FULL = {f"{sign}{n}": "red" for sign in ("ar", "ca") for n in range(1, 7)}
ONE_LACKS_ONE = NONE_FULL.but(galaxy=Galaxy(dict.fromkeys(("ta1", "ta2", "ta3", "ta4"), "red")))
BAG = new_game(Rules()).bag
LACKS_TWO = NONE_FULL.but(
    galaxy=Galaxy({"ta1": "red", "ta2": "blue", "ta3": "white", "ta4": "red"})
)
FOUR_MARKERS = {"career": ("V1", "V2", "V3", "V4"), "markers": ((0, 1), (), (0,), (0,))}
TWO_FULL = NONE_FULL.but(galaxy=Galaxy(FULL))
LACKS_THREE = NONE_FULL.but(galaxy=Galaxy(FULL | dict.fromkeys(("ta1", "ta2", "ta3"), "red")))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, f"nearest end: {WHEN_FULL} (of the 18 spaces of their fullest: Ana 0, Luis 0)"),
        ({"indicator": 9}, "nearest end: square 18 of the black-star indicator"),
        (
            {"indicator": 3, "seats": (ONE_LACKS_ONE, NONE_FULL), "bag": BAG.minus("red")},
            "nearest ends: square 18 of the black-star indicator, "
            f"{WHEN_FULL} (of the 18 spaces of their fullest: Ana 4, Luis 0)",
        ),
        (
            {"indicator": 1, "bag": Stars(red=80)},
            "nearest ends: square 18 of the black-star indicator, an empty bag (80 stars left)",
        ),
        (
            {
                **FOUR_MARKERS,
                "indicator": 17,
                "seats": (NONE_FULL, LACKS_TWO),
            },
            "perhaps the last round, with Luis still to come: "
            "square 18 of the black-star indicator"
            ", 5 career markers (now 4). Ended now, Ana would be 38 ahead, secret cards aside",
        ),
        (FOUR_MARKERS, "nearest end: 5 career markers (now 4)"),
        (
            {**FOUR_MARKERS, "seats": (LACKS_TWO, NONE_FULL), "turn": 2, "player": 1},
            f"nearest ends: {WHEN_FULL} (of the 18 spaces of their fullest: Ana 4, Luis 0), "
            "5 career markers (now 4)",
        ),
        (
            {"indicator": 17, "turn": 2},
            "perhaps the last turn of the game: square 18 of the black-star indicator",
        ),
        (
            {"seats": (LACKS_THREE, NONE_FULL), "turn": 1, "phase": Phase.COLLECT},
            f"perhaps the last round, with Luis still to come: {WHEN_FULL} (now Ana 2, Luis 0)"
            ". Ended now, Ana would be 12 ahead, secret cards aside",
        ),
        (
            {
                "career": ("V1", "V2", "V3", "V4"),
                "markers": ((1,), (0, 1), (), ()),
                "fulfilled": ("V3",),
                "phase": Phase.CLAIM,
                "turn": 2,
                "player": 1,
            },
            "nearest end: 5 career markers (now 3, 1 more to put down)",
        ),
        (
            {"seats": (LACKS_THREE, NONE_FULL), "turn": 1, "phase": Phase.CLAIM},
            f"nearest end: {WHEN_FULL} (now Ana 2, Luis 0)",
        ),
        (
            {
                "seats": (LACKS_THREE, NONE_FULL),
                "turn": 1,
                "phase": Phase.PLACE,
                "placed": ("red",),
            },
            f"nearest end: {WHEN_FULL} (now Ana 2, Luis 0)",
        ),
        (
            {"seats": (NONE_FULL, TWO_FULL), "turn": 1},
            f"nearest end: {WHEN_FULL} (now Ana 0, Luis 2)",
        ),
        (
            {"seats": (LACKS_THREE, NONE_FULL), "turn": 2},
            f"nearest end: {WHEN_FULL} (now Ana 2, Luis 0)",
        ),
        (
            {"indicator": 18, "noticed": 1},
            "The game ends with this round: the black indicator is at its last square",
        ),
        ({"bag": NO_STARS}, "The game ends with this round: the bag is empty"),
    ],
)
def test_the_end_that_is_nearest_is_named(changes: dict[str, Any], said: str) -> None:
    assert str(to_the_end(new_game(Rules()).but(**changes), ["Ana", "Luis"])) == said


def test_a_further_star_hides_no_end_that_was_as_near() -> None:
    """One end overtook another whose count, like its own, was the same as before."""
    markers, grows = {"career": ("V1",), "markers": ((0, 1),)}, {"ar1": "red", "ar2": "blue"}
    for n in range(3, 7):
        grows[f"ar{n}"] = "red"
        seat = NONE_FULL.but(galaxy=Galaxy(grows))
        state = new_game(Rules()).but(**markers, seats=(seat, NONE_FULL))
        said = str(to_the_end(state, ["Ana", "Luis"]))
        assert WHEN_FULL in said and "5 career markers (now 2)" in said


def test_a_player_one_constellation_from_the_end_sees_the_nearest_one(app: Flask) -> None:
    with app.test_request_context():
        for galaxy, said in (
            (Galaxy(FULL | {"ta1": "red", "ta2": "blue"}), "Taurus lacks 4 stars: too many for"),
            (Galaxy(FULL | dict.fromkeys(("ta1", "ta2", "ta3"), "red")), "Taurus lacks 3 stars."),
            (Galaxy(dict.fromkeys(("ta1", "ta2", "ta3"), "red")), ""),
        ):
            asked = questions.question(table(Phase.COLLECT, galaxy=galaxy), "", (), ["Ana", "Eva"])
            assert asked and said in asked.hint and bool(said) == ("Taurus" in asked.hint)

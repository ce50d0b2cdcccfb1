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
from webapp.games.nebula.guide.sentences import boosted, career_worth, to_the_end

FIRST = "the last round is that with one of these, the nearest first"
FULL_ONES = "3 full constellations of one player"
FULLEST = f"{FULL_ONES} (of the 18 spaces of their fullest 3: "
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
        (
            {},
            f"{FIRST}: {FULLEST}Ana 0, Luis 0), square 18 of the black-star indicator (now 0), "
            "5 career markers (now 0), an empty bag (150 stars left)",
        ),
        (
            {"indicator": 3, "seats": (ONE_LACKS_ONE, NONE_FULL), "bag": BAG.minus("red")},
            f"{FIRST}: {FULLEST}Ana 4, Luis 0), square 18 of the black-star indicator (now 3), "
            "5 career markers (now 0), an empty bag (149 stars left)",
        ),
        (
            {"indicator": 1, "bag": Stars(red=80)},
            f"{FIRST}: an empty bag (80 stars left), square 18 of the black-star indicator (now 1)",
        ),
        (
            {
                **FOUR_MARKERS,
                "indicator": 17,
                "seats": (NONE_FULL, LACKS_TWO),
            },
            "perhaps the last round, with Luis still to come: "
            "square 18 of the black-star indicator (now 17)"
            ", 5 career markers (now 4). Ended now, Ana would be 38 ahead, secret cards aside",
        ),
        (FOUR_MARKERS, f"{FIRST}: 5 career markers (now 4)"),
        (
            {**FOUR_MARKERS, "seats": (LACKS_TWO, NONE_FULL), "turn": 2, "player": 1},
            f"{FIRST}: 5 career markers (now 4), {FULLEST}Ana 4, Luis 0)",
        ),
        (
            {"indicator": 17, "turn": 2},
            "perhaps the last turn of the game: square 18 of the black-star indicator (now 17)",
        ),
        (
            {"seats": (LACKS_THREE, NONE_FULL), "turn": 1, "phase": Phase.COLLECT},
            f"perhaps the last round, with Luis still to come: {FULL_ONES} (now Ana 2, Luis 0)"
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
            f"{FIRST}: 5 career markers (now 3, 1 more to put down)",
        ),
        (
            {"seats": (LACKS_THREE, NONE_FULL), "turn": 1, "phase": Phase.CLAIM},
            f"{FIRST}: {FULL_ONES} (now Ana 2, Luis 0)",
        ),
        (
            {
                "seats": (LACKS_THREE, NONE_FULL),
                "turn": 1,
                "phase": Phase.PLACE,
                "placed": ("red",),
            },
            f"{FIRST}: {FULL_ONES} (now Ana 2, Luis 0)",
        ),
        (
            {"seats": (NONE_FULL, TWO_FULL), "turn": 1},
            f"{FIRST}: {FULL_ONES} (now Ana 0, Luis 2)",
        ),
        (
            {"seats": (LACKS_THREE, NONE_FULL), "turn": 2},
            f"{FIRST}: {FULL_ONES} (now Ana 2, Luis 0)",
        ),
        (
            {"indicator": 18, "noticed": 1},
            "The game ends with this round: the black indicator is at its last square",
        ),
        ({"bag": NO_STARS}, "The game ends with this round: the bag is empty"),
    ],
)
def test_the_end_that_is_nearest_is_named(changes: dict[str, Any], said: str) -> None:
    told = str(to_the_end(new_game(Rules()).but(**changes), ["Ana", "Luis"]))
    assert told == said or told.startswith(f"{said}, ")


def test_it_is_told_until_when_the_boosted_star_stays_and_what_career_cards_bring() -> None:
    state = new_game(Rules()).but(boosted="black", career=("V1", "V2"))
    until = "boosted: black, until square {} of the black-star indicator"
    for square, said in ((0, until.format(6)), (6, until.format(12)), (18, "boosted: black")):
        assert str(boosted(state.but(indicator=square))) == said
    worth = "Career cards: 16 points for the first who fulfils one, 10 for everybody after"
    assert str(career_worth(state)) == worth and not career_worth(state.but(career=()))


def test_a_player_one_constellation_from_the_end_sees_the_nearest_one(app: Flask) -> None:
    with app.test_request_context():
        for galaxy, said in (
            (Galaxy(FULL | {"ta1": "red", "ta2": "blue"}), "Taurus lacks 4 stars: too many for"),
            (Galaxy(FULL | dict.fromkeys(("ta1", "ta2", "ta3"), "red")), "Taurus lacks 3 stars."),
            (Galaxy(dict.fromkeys(("ta1", "ta2", "ta3"), "red")), ""),
        ):
            asked = questions.question(table(Phase.COLLECT, galaxy=galaxy), "", (), ["Ana", "Eva"])
            assert asked and said in asked.hint and bool(said) == ("Taurus" in asked.hint)

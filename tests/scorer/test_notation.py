"""Actions as lines of text, drawn from their fields."""

from dataclasses import dataclass
from enum import StrEnum
from random import Random
from typing import Annotated, Any, ClassVar, Literal

import pytest

from scorer import registry
from scorer.nebula.playing import TURNS
from scorer.nebula.turns import actions as act
from scorer.notation import Notation, NotationError, Part, hides, laid_on
from scorer.places import Place as BoardPlace
from scorer.polaris.steps import STEPS, ChooseCard, EndCard, EndPhase, Lay, LayOut
from scorer.polaris.table_state import Draw as DrawCard
from scorer.polaris.table_state import EndTurn, TakeCard, TakeShootingStars

STORED: list[tuple[Any, str, Any]] = [
    (TURNS, "draw red", act.Draw("red")),
    (TURNS, "deal V7", act.Deal("V7")),
    (TURNS, "choose O3", act.ChoosePersonal("O3")),
    (TURNS, "time 2 -3 0", act.InvestTime((2, -3, 0))),
    (TURNS, "chaos blue", act.TurnToChaos("blue")),
    (TURNS, "keep red black", act.Keep(("red", "black"))),
    (TURNS, "keep", act.Keep(())),
    (TURNS, "place red ar1", act.Place("red", "ar1")),
    (TURNS, "place black track", act.PlaceOnTrack()),
    (TURNS, "boost bag", act.ReplaceBoosted("bag")),
    (TURNS, "boost none", act.ReplaceBoosted("none")),
    (TURNS, "boost red", act.ReplaceBoosted("red")),
    (TURNS, "token white", act.AdvanceToken("white")),
    (TURNS, "end placing", act.EndPlacing()),
    (TURNS, "claim V7", act.Claim("V7")),
    (TURNS, "end claims", act.EndClaims()),
    (STEPS, "sky", LayOut()),
    (STEPS, "card new-B3 1 0", ChooseCard("new-B3", 1)),
    (STEPS, "lay red 1b2", Lay("red", "1b2")),
    (STEPS, "lay link 1b2-1c2", Lay("link", "1b2-1c2")),
    (STEPS, "enough", EndCard()),
    (STEPS, "phase 2", EndPhase(2)),
    (STEPS, "phase last", EndPhase(None)),
    (STEPS, "take crescent-B3", TakeCard("crescent-B3")),
    (STEPS, "shooting", TakeShootingStars()),
    (STEPS, "end", EndTurn()),
    (STEPS, "draw crescent-B3", DrawCard("crescent-B3")),
]
"""What saved games, records and lessons hold, as each game's own codec wrote it."""


@pytest.mark.parametrize(("turns", "line", "action"), STORED, ids=[one[1] for one in STORED])
def test_what_is_stored_is_read_and_written_as_it_was(turns: Any, line: str, action: Any) -> None:
    assert turns.read_action(line) == action
    assert turns.write_action(action) == line


@pytest.mark.parametrize("name", registry.names())
def test_each_action_of_a_game_reads_back(name: str) -> None:
    turns, luck = registry.find_game(name).turns, Random(3)
    state = turns.start({"players": 2})
    for _ in range(60):
        choices = [action for action, _odds in turns.outcomes(state)] or turns.actions(state)
        for action in choices:
            assert turns.read_action(turns.write_action(action)) == action
            assert turns.illegal(state, action) is None
        state = turns.after(state, luck.choice(choices))


class Size(StrEnum):
    SMALL = "s"
    LARGE = "l"


@dataclass(frozen=True)
class BuildHouse:
    size: Size
    paid: Literal["gold", "wood"]
    at: Annotated[str, Part(("region",))]
    workers: Annotated[tuple[int, ...], Part(like="[0-9]+")] = ()
    roof: Annotated[str | None, Part(none="bare")] = None


@dataclass(frozen=True)
class Bet:
    line: ClassVar[str] = "bet {number} on {colour} please"
    number: Annotated[int, Part(private=True, hidden=True)]
    colour: Annotated[str, Part(piece=True)]


LINES: Notation[Any] = Notation((BuildHouse, Bet))


@pytest.mark.parametrize(
    ("action", "line"),
    [
        (
            BuildHouse(Size.LARGE, "wood", "hill", (3, 4), "slate"),
            "build-house l wood hill 3 4 slate",
        ),
        (BuildHouse(Size.SMALL, "gold", "dale"), "build-house s gold dale bare"),
        (Bet(-7, "red"), "bet -7 on red please"),
    ],
)
def test_a_line_is_drawn_from_the_fields(action: Any, line: str) -> None:
    assert LINES.write(action) == line
    assert LINES.read(line) == action


@pytest.mark.parametrize(
    "text",
    [
        "",
        "build-house",
        "build-house m wood hill bare",
        "build-house l straw hill bare",
        "bet seven on red please",
        "bet 7 on red",
        "bet 7 on red please now",
        "bet 7 " + "x" * 500,
        " ".join(["build-house l wood hill", *["1"] * 40]),
    ],
)
def test_what_is_no_action_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="one begins with build-house, bet"):
        LINES.read(text)


def test_a_hidden_part_hides_its_action() -> None:
    assert hides(Bet(7, "red")) and not hides(BuildHouse(Size.SMALL, "gold", "dale"))


def test_a_piece_that_is_laid_is_an_action_by_its_marks() -> None:
    link = BoardPlace("1b2-1c2", "edge")
    assert STEPS.placing(None, link, "link") == Lay("link", "1b2-1c2")  # type: ignore[arg-type]
    assert STEPS.places_of(Lay("link", "1b2-1c2")) == (link,)
    moon = BoardPlace("2", "dial")
    assert STEPS.placing(None, moon, "new_moon") == EndPhase(2)  # type: ignore[arg-type]
    assert laid_on((EndTurn, TakeCard), link, "link") is None

"""Polaris' lessons beside what holds for each game's: cards laid piece by piece, files, text."""

import random
from typing import Any

import pytest

from scorer.datafile import DataFileError
from scorer.lesson import Attempt, Judgement
from scorer.polaris.course import PolarisCourse
from scorer.polaris.goals import goal_of
from scorer.polaris.lesson_start import start_of
from scorer.polaris.notation import NotationError, read_action, write_action
from scorer.polaris.sky import Sky
from scorer.polaris.table_state import set_up
from scorer.polaris.turns import TURNS

COURSE = PolarisCourse()
LESSONS = {lesson.id: lesson for lesson in COURSE.lessons}


def attempt(lesson: str, text: str) -> Judgement[Any, Any]:
    return Attempt.of(COURSE, LESSONS[lesson]).attempt(text)


def test_a_card_is_told_piece_by_piece_and_judged_when_it_is_whole() -> None:
    begun = attempt("link", "play crescent-B3 2 0")
    assert (begun.outcome, begun.said) == ("part", "now the card's star: tap a round space")
    star = attempt("link", "play crescent-B3 2 0 2c2")
    assert (star.outcome, star.tried) == ("part", "play crescent-B3 2 0 2c2")
    assert star.said == "now the card's horizontal link: tap its space"
    assert star.attempt.state is LESSONS["link"].start, "nothing is done yet"
    assert attempt("link", "play crescent-B3 2 0 2c2 2b2-2c2").outcome == "done"


def test_a_piece_that_is_wrong_already_is_told_at_once() -> None:
    wrong = attempt("link", "play crescent-B3 2 0 3b2")
    assert (wrong.outcome, wrong.because) == ("wrong", "star_outside")
    left_out = attempt("link", "play crescent-B3 2 0 2c2 nolink")
    assert (left_out.outcome, left_out.because) == ("wrong", "goal")


def test_no_attempt_goes_on_from_a_part_of_a_move() -> None:
    with pytest.raises(ValueError, match="is not a move of this lesson"):
        Attempt.of(COURSE, LESSONS["link"], ["play crescent-B3 2 0 2c2"])


def test_a_sky_that_lies_otherwise_is_the_card_that_made_it() -> None:
    begun = Attempt.of(COURSE, LESSONS["link"])
    lying = begun.state.sky
    assert begun.look(lying) is None
    stars = {**lying.stars, "2c2": "red"}
    done = begun.look(Sky(stars, ("2b2-2c2",), lying.new_moon))
    assert done is not None and done.outcome == "done"
    with pytest.raises(ValueError, match="not laid out"):
        begun.look(Sky({**stars, "4b1": "red"}, (), lying.new_moon))


def test_every_action_of_a_game_is_read_back_from_its_text() -> None:
    rng, kinds = random.Random(3), set()
    state = set_up([("Ana", "red"), ("Eva", "blue"), ("Luz", "yellow")])
    for _ in range(60):
        chances = [action for action, _ in TURNS.outcomes(state)]
        actions = chances or TURNS.actions(state)
        for action in rng.sample(list(actions), min(len(actions), 20)):
            assert read_action(write_action(action)) == action
            kinds.add(type(action))
        state = TURNS.after(state, rng.choice(list(actions)))
    assert len(kinds) == 5, "every kind of action was met"


@pytest.mark.parametrize("text", ["", "fly", "play", "play new-B1 one 0", "take", "end it"])
def test_what_is_no_action_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="is no action"):
        read_action(text)


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("hand", ["B3"], "hand: B3 is no such card"),
        ("objectives", ["C99"], "objectives: C99 is no such card"),
        ("stars", {"green": ["1a1"]}, "stars: green does not play"),
        ("stars", {"red": ["1a9"]}, "the sky has no star space 1a9"),
        ("links", ["1a1"], "links: must be ends such as 1a1-1b1"),
        ("telescope", "green", "telescope: green does not play"),
        ("moon", 1, "moon: is no key of a start"),
    ],
)
def test_a_wrong_start_is_refused_by_key_and_reason(key: str, value: Any, told: str) -> None:
    with pytest.raises(DataFileError) as refused:
        start_of({key: value})
    assert told in str(refused.value)


@pytest.mark.parametrize(
    "goal", [{"in_sector": {"9": 1}}, {"count": {"V1": 2}}, {"telescope": False}, {"marker": 0}]
)
def test_a_goal_that_cannot_be_is_refused(goal: dict[str, Any]) -> None:
    with pytest.raises(DataFileError, match="is not possible here"):
        goal_of(goal, start_of({}))

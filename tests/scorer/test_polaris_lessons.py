"""Polaris' lessons beside what holds for each game's: cards laid piece by piece, files, text."""

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from scorer.datafile import DataFileError
from scorer.lesson import Attempt, Judgement, Lesson, WrongTry
from scorer.notation import NotationError
from scorer.polaris.contract import POLARIS_GAME
from scorer.polaris.sky import Sky
from scorer.polaris.steps import STEPS, Lay

COURSE = POLARIS_GAME.course
LESSONS = {lesson.id: lesson for lesson in COURSE.lessons}


def attempt(lesson: str, text: str) -> Judgement[Any, Any]:
    return Attempt.of(COURSE, LESSONS[lesson]).attempt(text)


def test_a_card_is_laid_piece_by_piece() -> None:
    star = attempt("link", "lay red 2c2")
    assert (star.outcome, star.said) == ("on", "the star goes on 2c2")
    link = star.attempt.attempt("lay link 2b2-2c2")
    assert link.outcome == "done"
    left_out = star.attempt.attempt("enough")
    assert (left_out.outcome, left_out.because) == ("wrong", "goal")


def test_each_choice_of_the_card_and_each_bar_has_a_reply_that_is_true_of_it() -> None:
    star, chosen, bar = (attempt("polaris", f"card crescent-B8 2 {one}") for one in range(3))
    assert "That is a star" in str(star.said) and "That link is horizontal" in str(bar.said)
    bars = ("2b2-2b3", "2a1-2a2")
    replies = {str(chosen.attempt.attempt(f"lay link {one}").said) for one in bars}
    assert replies == {"Allowed, but that bar does not join your two constellations."}


def test_a_step_without_a_choice_is_taken_automatically() -> None:
    begun = Attempt.of(COURSE, LESSONS["other_moon"], ["card crescent-B1 2 0", "lay red 2b3"])
    assert begun.state.card is None and len(begun.state.table.played) == 1


def test_a_move_that_is_wrong_is_none_to_go_on_from() -> None:
    with pytest.raises(ValueError, match="is not a move of this lesson"):
        Attempt.of(COURSE, LESSONS["link"], ["lay red 3b2"])


# what a camera sees


def look(begun: Attempt[Any, Any], *pieces: str) -> Judgement[Any, Any] | None:
    """Judge the sky with these more on it: own stars on spaces, and links."""
    lying = begun.state.sky
    stars = {**lying.stars, **{space: "red" for space in pieces if "-" not in space}}
    links = (*lying.links, *[link for link in pieces if "-" in link])
    return begun.look(Sky(stars, links, lying.new_moon))


def seen(lesson: str, *pieces: str, after: Sequence[str] = ()) -> tuple[str, str]:
    judged = look(Attempt.of(COURSE, LESSONS[lesson], after), *pieces)
    return judged.outcome, judged.because


def wrong_tries() -> list[tuple[str, WrongTry]]:
    """Those in which a piece is laid, each with its lesson."""
    every = [(one.id, wrong) for one in COURSE.lessons for wrong in one.wrong]
    return [(id, wrong) for id, wrong in every if wrong.example.startswith("lay ")]


@pytest.mark.parametrize(("lesson", "wrong"), wrong_tries())
def test_a_wrong_try_is_recognised_by_a_camera_as_by_taps(lesson: str, wrong: WrongTry) -> None:
    step = STEPS.read_action(wrong.example)
    assert isinstance(step, Lay)
    judged = look(Attempt.of(COURSE, LESSONS[lesson], wrong.after), step.place)
    assert judged is not None and (judged.outcome, judged.said) == ("wrong", wrong.said)


@pytest.mark.parametrize("lesson", COURSE.lessons, ids=lambda lesson: lesson.id)
def test_a_lesson_is_done_on_the_sky(lesson: Lesson[Any]) -> None:
    attempt = Attempt.of(COURSE, lesson)
    for step in attempt.solve() or ():
        before = attempt
        if isinstance(step, Lay):
            still = attempt.look(attempt.state.sky)  # it lies as it should: the last move stands
            assert (still and (still.outcome, still.tried)) == (
                ("on", attempt.made[-1]) if attempt.made else None
            )
            judged = look(attempt, step.place)
            assert judged is not None
        else:
            judged = attempt.attempt(STEPS.write_action(step))
        attempt = judged.attempt
        assert attempt.made != before.made
    assert attempt.done


def test_a_card_is_seen_piece_by_piece_whichever_comes_first() -> None:
    assert seen("link", "2c2") == seen("link", "2b2-2c2") == ("on", "")
    assert seen("link", "2c2", "2b2-2c2") == ("done", "")
    assert seen("link", "2b2-2b3") == ("wrong", "other_orientation")
    assert seen("link", "3b2") == ("wrong", "star_outside")
    assert seen("link", "2c2", "2a2") == ("wrong", "not_shown"), "the card shows one star"


def test_the_card_that_was_not_chosen_is_known_by_its_pieces() -> None:
    assert seen("dawn", "2b3") == ("on", ""), "that of the sun, in the learner's favour"
    assert seen("polaris", "polaris-2b1") == ("done", ""), "the link, not the star"
    assert seen("dawn", "3b3") == ("wrong", "star_outside")
    wrong = look(begun := Attempt.of(COURSE, LESSONS["dawn"]), "3b3")
    assert wrong is not None and wrong.attempt == begun, "no card was chosen by that"


def test_an_occupied_space_explains_why_no_star_may_be_placed_there() -> None:
    assert seen("first_star", "2b3") == ("wrong", "star_occupied")


@pytest.mark.parametrize(
    "changed",
    [
        {"stars": {"2b2": "red", "2c4": "blue"}},  # a star is missing
        {"stars": {"2b2": "red", "2c4": "blue", "1b3": "blue", "2c2": "yellow"}},  # nobody's turn
        {"new_moon": 2},
    ],
)
def test_a_sky_that_no_card_makes_is_not_laid_out(changed: dict[str, Any]) -> None:
    begun = Attempt.of(COURSE, LESSONS["link"])
    with pytest.raises(ValueError, match="not laid out"):
        begun.look(replace(begun.state.sky, **changed))


def test_a_frame_that_nobody_sees_is_turned_as_it_should() -> None:
    begun = Attempt.of(COURSE, LESSONS["link"])
    assert begun.look(replace(begun.state.sky, new_moon=None)) is None


# text and files


def test_every_action_of_a_game_is_read_back_from_its_text() -> None:
    rng, kinds = random.Random(3), set()
    state = STEPS.start({"players": 3})
    while not state.table.phases or state.scored:
        chances = [action for action, _ in STEPS.outcomes(state)]
        actions = chances or STEPS.actions(state)
        for action in rng.sample(list(actions), min(len(actions), 20)):
            assert STEPS.read_action(STEPS.write_action(action)) == action
            kinds.add(type(action))
        state = STEPS.after(state, rng.choice(list(actions)))
    assert kinds == {*STEPS.kinds}, "every kind of action was met"


@pytest.mark.parametrize("text", ["", "fly", "play", "play new-B1 one 0", "take", "end it"])
def test_what_is_no_action_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="is no action"):
        STEPS.read_action(text)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("hand", ["B3"], "hand: B3 is no such card"),
        ("objectives", ["C99"], "objectives: C99 is no such card"),
        ("stars", {"green": ["1a1"]}, "stars: green does not play"),
        ("stars", {"red": ["1a9"]}, "the sky has no star space 1a9"),
        ("links", ["1a1"], "links: must be ends such as 1a1-1b1"),
        ("telescope", "green", "telescope: green does not play"),
        ("moon", 1, "moon: is no key of a start"),
        ("card", "new-B1", "card: new-B1 is not in the hand"),
    ],
)
def test_a_wrong_start_is_refused_by_key_and_reason(key: str, value: Any, message: str) -> None:
    with pytest.raises(DataFileError) as refused:
        COURSE.start_of({key: value})
    assert message in str(refused.value)


@pytest.mark.parametrize(
    "goal", [{"in_sector": {"9": 1}}, {"count": {"V1": 2}}, {"telescope": False}, {"marker": 0}]
)
def test_a_goal_that_cannot_be_is_refused(goal: dict[str, Any]) -> None:
    with pytest.raises(DataFileError, match="is not possible here"):
        COURSE.goal_of(goal, COURSE.start_of({}))

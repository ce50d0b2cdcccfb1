"""Lessons: each is solved by the engine, its hints lead on, its wrong tries are wrong as told."""

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

from scorer.datafile import DataFileError
from scorer.game import Game
from scorer.lesson import LEADS_AWAY, Attempt, Course, Lesson
from scorer.lesson_file import load_lessons
from scorer.nebula.contract import NEBULA
from scorer.nebula.galaxy import Galaxy
from scorer.nebula.playing import TURNS
from scorer.nebula.turns import play
from scorer.nebula.turns.chance import random_outcome
from scorer.nebula.turns.setup import new_game
from scorer.nebula.turns.stars import Stars
from scorer.nebula.turns.state import Rules, State
from scorer.notation import NotationError
from scorer.polaris.contract import POLARIS_GAME
from scorer.ptolemaeus.game import PTOLEMAEUS
from scorer.sentence import LANGUAGES
from scorer.via_nebula.game import VIA_NEBULA

COURSE = NEBULA.course
GAMES: Mapping[str, Game[Any, Any, Any]] = {
    "nebula": NEBULA,
    "polaris": POLARIS_GAME,
    "ptolemaeus": PTOLEMAEUS,
    "via_nebula": VIA_NEBULA,
}
MOST_WORDS = 120


@dataclass(frozen=True)
class Taught:
    """A lesson, with the game and the course that it is of."""

    game: Game[Any, Any, Any]
    lesson: Lesson[Any]

    @property
    def course(self) -> Course[Any, Any]:
        assert self.game.course is not None
        return self.game.course


def all_lessons() -> list[Taught]:
    courses = [(game, game.course) for game in GAMES.values()]
    return [Taught(game, one) for game, course in courses if course for one in course.lessons]


@pytest.fixture(params=all_lessons(), ids=lambda taught: f"{taught.game.id}-{taught.lesson.id}")
def taught(request: pytest.FixtureRequest) -> Taught:
    """Each lesson of each game."""
    found: Taught = request.param
    return found


def test_the_engine_solves_it_and_each_third_hint_leads_on(taught: Taught) -> None:
    lesson, course = taught.lesson, taught.course
    attempt = Attempt.of(course, lesson)
    way = attempt.solve()
    assert way is not None and len(way) == lesson.moves, "it takes as many moves as it says"
    while not attempt.done:
        hinted = attempt.solve()
        assert hinted
        judged = attempt.attempt(course.turns.write_action(hinted[0]))
        assert judged.outcome == ("on" if len(hinted) > 1 else "done")
        attempt = judged.attempt
        left = attempt.solve()
        assert left is not None and len(left) == len(hinted) - 1
    assert judged.said == lesson.done


def test_its_wrong_tries_are_wrong_for_the_reason_that_it_names(taught: Taught) -> None:
    lesson = taught.lesson
    assert lesson.wrong, "a learner's typical mistake is explained"
    for wrong in lesson.wrong:
        before = Attempt.of(taught.course, lesson, wrong.after)
        judged = before.attempt(wrong.example)
        assert (judged.outcome, judged.because) == ("wrong", wrong.because), wrong.example
        assert judged.said == wrong.said, f"{wrong.example} is told something else"
        assert judged.attempt is before, "a wrong try changes nothing"


def test_it_is_short_and_looks_at_places_of_the_board(taught: Taught) -> None:
    lesson, board = taught.lesson, taught.game.standard_board
    for language in LANGUAGES:
        words = sum(len(text.in_language(language).split()) for text in lesson.texts)
        assert words <= MOST_WORDS, f"{lesson.id} has {words} words in {language}"
    places = {*board.spaces} | {f"{link.a}-{link.b}" for link in board.links}
    unknown = {space for hint in lesson.hints for space in hint.spaces} - places
    assert not unknown, f"the hints of {lesson.id} mark no places of the board"
    assert not taught.game.rule_breaks(taught.course.position_of(lesson.start))


@pytest.mark.parametrize("lesson", COURSE.lessons, ids=lambda lesson: lesson.id)
def test_its_start_is_a_game_whose_stars_add_up(lesson: Lesson[State]) -> None:
    start = lesson.start
    there = map(sum, zip(start.bag, start.box, start.on_table, strict=True))
    assert Stars._make(there) == start.rules.all_stars
    assert all(not seat.galaxy.rule_breaks() for seat in start.seats)


def test_a_forbidden_try_without_a_message_of_its_own_names_the_rule() -> None:
    judged = Attempt.of(COURSE, COURSE.lessons[0]).attempt("place red ar9")
    assert str(judged.said) == "the board has no space ar9"


# what a camera sees


def seen(stars: dict[str, str], black: int = 0) -> Galaxy:
    return Galaxy(stars, black)


def test_a_board_that_lies_as_it_should_is_no_try_and_others_are_judged() -> None:
    begun = Attempt.of(COURSE, COURSE.lessons[0])
    assert begun.look(seen({})) is None
    wrong = begun.look(seen({"ar1": "red"}))
    assert wrong is not None and wrong.because == "first_on_core"
    right = begun.look(seen({"core": "red"}))
    assert right is not None and right.outcome == "done"


def test_several_new_stars_are_judged_in_whichever_order_is_possible() -> None:
    links = next(one for one in COURSE.lessons if one.id == "links")
    lying = dict(links.start.seat.galaxy.stars)
    begun = Attempt.of(COURSE, links)
    judged = begun.look(seen({**lying, "ar3": "white", "ar6": "purple", "ta2": "orange"}))
    assert judged is not None and judged.outcome == "done"
    with pytest.raises(ValueError, match="not laid out"):
        begun.look(seen({"core": "red"}))


# files


class Folder:
    """A folder of lesson files, as the loader sees one."""

    def __init__(self, **texts: str) -> None:
        self.texts = texts

    def iterdir(self) -> list[Any]:
        return [LessonFile(f"{name}.yaml", text) for name, text in self.texts.items()]


class LessonFile:
    def __init__(self, name: str, text: str) -> None:
        self.name, self.text = name, text

    def read_text(self, encoding: str) -> str:
        return self.text


def load(folder: Any) -> Sequence[Lesson[State]]:
    return load_lessons(folder, COURSE.start_of, COURSE.goal_of, COURSE.unknown_names)


SAID = {"en": "Go", "es": "Va", "cs": "Jdi"}
RIGHT: dict[str, Any] = {
    "order": 1,
    "title": SAID,
    "task": SAID,
    "start": {"reserve": ["red"]},
    "goal": {"occupied": ["core"]},
    "moves": 1,
    "hints": [{"say": SAID, "spaces": ["core"]}, {"say": SAID}],
    "wrong": [{"try": "place red ar1", "because": "first_on_core", "say": SAID}],
    "done": SAID,
}


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("title", {"en": "Go", "es": "Va"}, "one.yaml: title.cs: missing"),
        ("task", {**SAID, "fr": "Va"}, "one.yaml: task.fr: is no language of the game"),
        ("done", {**SAID, "es": "{x}"}, "one.yaml: done.es: must not have braces"),
        ("start", {"reserve": ["pink"]}, "one.yaml: start.reserve[0]: pink is no star"),
        ("start", {"colour": 1}, "one.yaml: start.colour: is no key of a start"),
        ("start", {"stars": {"zz": "red"}}, "one.yaml: start.stars: the board has no space zz"),
        ("start", {"clusters": [[]]}, "one.yaml: start.clusters: must be 3 lists of 6 stars"),
        ("start", {"black": 30, "indicator": 1, "other": {"black": 2}}, "more black stars"),
        ("goal", {"win": True}, "one.yaml: goal.win: is no goal; there are stars, occupied"),
        ("goal", {"orbit": 7}, "one.yaml: goal.orbit: 7 is not possible here"),
        ("goal", {}, "one.yaml: goal: must say what is to be reached"),
        ("goal", {"phase": "place"}, "one.yaml: goal: is reached at the start"),
        ("moves", 99, "one.yaml: moves: must be 6 at most, not 99"),
        ("hints", [{"say": SAID}], "one.yaml: hints: must be 2: where to look"),
        ("luck", 7, "one.yaml: luck"),
    ],
)
def test_a_wrong_file_is_refused_by_file_key_and_reason(key: str, value: Any, message: str) -> None:
    data = copy.deepcopy(RIGHT) | {key: value}
    folder: Any = Folder(one=repr(data))
    with pytest.raises(DataFileError, match=r"one\.yaml") as refused:
        load(folder)
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("terms", ["highlight"], "one.yaml: terms: highlight is no term of glossary.yaml"),
        ("shows", ["V99"], "one.yaml: shows: V99 is no card"),
        ("shows", ["link"], "one.yaml: shows: link is no card"),
    ],
)
def test_what_the_game_does_not_have_is_refused(key: str, value: Any, message: str) -> None:
    folder: Any = Folder(one=repr(RIGHT | {key: value}))
    with pytest.raises(DataFileError) as refused:
        load(folder)
    assert message in str(refused.value)


def test_a_right_file_is_read_and_an_order_is_nobody_elses() -> None:
    folder: Any = Folder(one=repr(RIGHT))
    assert [lesson.id for lesson in load(folder)] == ["one"]
    folder = Folder(one=repr(RIGHT), two=repr(RIGHT))
    with pytest.raises(DataFileError, match=r"two\.yaml: order: 1 is another one's too"):
        load(folder)


# actions as text


def test_every_action_of_a_game_is_read_back_from_its_text() -> None:
    generator, kinds = Random(7), {type(TURNS.read_action("claim V7"))}  # rare in a game of chance
    assert TURNS.write_action(TURNS.read_action("claim V7")) == "claim V7"
    for mode in ("full", "intro"):
        state = new_game(Rules(mode=mode))  # type: ignore[arg-type]
        for _ in range(400):
            found = [*play.actions(state), *[action for action, _ in play.outcomes(state)]]
            if not found:
                break
            assert [TURNS.read_action(TURNS.write_action(action)) for action in found] == found
            kinds |= {type(action) for action in found}
            is_chance = not play.actions(state)
            action = random_outcome(state, generator) if is_chance else generator.choice(found)
            state = TURNS.after(state, action)
    assert len(kinds) == 13, "every kind of action was met"


@pytest.mark.parametrize("text", ["", "fly red", "place red", "time 1 x 2", "end it", "claim"])
def test_what_is_no_action_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="is no action"):
        TURNS.read_action(text)


def test_what_leads_away_is_allowed_and_taken_back() -> None:
    links = next(one for one in COURSE.lessons if one.id == "links")
    judged = Attempt.of(COURSE, links).attempt("end placing")
    assert (judged.outcome, judged.because) == ("wrong", LEADS_AWAY)

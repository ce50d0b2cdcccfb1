"""Read lesson files: texts in each language, and a start and a goal in the game's terms."""

from collections.abc import Callable, Iterable, Mapping
from importlib.resources.abc import Traversable
from typing import Annotated, Any, TypeVar

from pydantic import ConfigDict, Field

from scorer.datafile import DataFileError, Problem, naming, parse_yaml
from scorer.lesson import Hint, Lesson, WrongTry
from scorer.sentence import LANGUAGES, Phrasebook, Sentence
from scorer.validation import FileModel, validate

State = TypeVar("State")
Goal = Callable[[State], bool]
HINTS = 2
"""The hints in a file; the third, the move itself, is worked out by the rules."""
MOST_MOVES = 6
LONGEST_TEXT = 1000


class LessonError(DataFileError):
    """A lesson file with mistakes; `.problems` has the file, key and reason of each."""


class _Closed(FileModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


Text = Annotated[dict[str, Annotated[str, Field(max_length=LONGEST_TEXT)]], Field(default={})]


class _Hint(_Closed):
    say: Text
    spaces: list[str] = Field(default_factory=list)


class _Wrong(_Closed):
    example: Annotated[str, Field(alias="try")] = ""
    after: list[str] = Field(default_factory=list)
    because: str = ""
    like: str = "*"
    say: Text


class _File(_Closed):
    format: Annotated[int, Field(ge=1, le=1)] = 1
    order: Annotated[int, Field(ge=1)] = 1
    title: Text
    task: Text
    start: dict[str, Any] = Field(default_factory=dict)
    goal: dict[str, Any] = Field(default_factory=dict)
    moves: Annotated[int, Field(ge=1, le=MOST_MOVES)] = 1
    draws: list[str] = Field(default_factory=list)
    shows: list[str] = Field(default_factory=list)
    terms: list[str] = Field(default_factory=list)
    hints: list[_Hint] = Field(default_factory=list)
    wrong: list[_Wrong] = Field(default_factory=list)
    done: Text


def load_lessons(
    folder: Traversable,
    start_of: Callable[[Mapping[str, Any]], State],
    goal_of: Callable[[Mapping[str, Any], State], Goal[State]],
    unknown_names: Callable[[Lesson[State]], Iterable[Problem]],
) -> tuple[Lesson[State], ...]:
    """The lessons of a folder's `.yaml` files, in order. Raise LessonError with all mistakes.

    `start_of` and `goal_of` read the game's own part of a file, or raise DataFileError.
    `unknown_names` finds what a lesson names that the game does not have.
    """
    lessons: list[Lesson[State]] = []
    problems: list[Problem] = []
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if not file.name.endswith(".yaml"):
            continue
        try:
            with naming(file.name):
                data = parse_yaml(file.read_text(encoding="utf-8"))
                lesson = lesson_of(data, file.name.removesuffix(".yaml"), start_of, goal_of)
                if unknown := [*unknown_names(lesson)]:
                    raise DataFileError(unknown)
                lessons.append(lesson)
        except DataFileError as error:
            problems += error.problems
    orders = [lesson.order for lesson in lessons]
    twice = [lesson for lesson in lessons if orders.count(lesson.order) > 1]
    problems += [(f"{one.id}.yaml: order", f"{one.order} is another one's too") for one in twice]
    if problems:
        raise LessonError(problems)
    return tuple(sorted(lessons, key=lambda lesson: lesson.order))


def lesson_of(
    data: object,
    id: str,
    start_of: Callable[[Mapping[str, Any]], State],
    goal_of: Callable[[Mapping[str, Any], State], Goal[State]],
) -> Lesson[State]:
    """The lesson of a file's data. Raise DataFileError with every mistake."""
    if not isinstance(data, Mapping):
        raise DataFileError([("", "must hold keys and values")])
    needed = ("order", "title", "task", "start", "goal", "moves", "done")
    problems: list[Problem] = [(key, "missing") for key in needed if key not in data]
    file, wrong = validate(_File, data)
    problems += wrong
    texts = {"title": file.title, "task": file.task, "done": file.done}
    texts |= {f"hints[{n}].say": hint.say for n, hint in enumerate(file.hints)}
    texts |= {f"wrong[{n}].say": one.say for n, one in enumerate(file.wrong)}
    if not problems:
        problems += [
            problem for key, said in texts.items() for problem in _text_problems(key, said)
        ]
        if len(file.hints) != HINTS:
            problems.append(("hints", f"must be {HINTS}: where to look, and what kind of space"))
    if problems:
        raise DataFileError(problems)
    start = _part("start", start_of, file.start)
    goal = _part("goal", goal_of, file.goal, start)
    if goal(start):
        raise DataFileError([("goal", "is reached at the start")])
    book = Phrasebook({key: dict(said) for key, said in texts.items()}, {})

    def say(key: str) -> Sentence:
        return book.say(key)

    return Lesson(
        id=id,
        order=file.order,
        title=say("title"),
        task=say("task"),
        done=say("done"),
        hints=tuple(
            Hint(say(f"hints[{n}].say"), tuple(hint.spaces)) for n, hint in enumerate(file.hints)
        ),
        wrong=tuple(
            WrongTry(one.example, one.because, say(f"wrong[{n}].say"), one.like, tuple(one.after))
            for n, one in enumerate(file.wrong)
        ),
        start=start,
        goal=goal,
        moves=file.moves,
        draws=tuple(file.draws),
        shows=tuple(file.shows),
        terms=tuple(file.terms),
    )


def _text_problems(key: str, said: Mapping[str, str]) -> list[Problem]:
    """Missing languages, blank texts, and braces, which templates would interpret."""
    problems = [(f"{key}.{one}", "missing") for one in LANGUAGES if not said.get(one, "").strip()]
    problems += [
        (f"{key}.{one}", "is no language of the game") for one in said.keys() - {*LANGUAGES}
    ]
    return problems + [
        (f"{key}.{one}", "must not have braces") for one, text in said.items() if {*"{}"} & {*text}
    ]


def _part(key: str, read: Callable[..., Any], *arguments: Any) -> Any:
    """The game's reading of its part of a file; keys of mistakes are prefixed with `key`."""
    try:
        return read(*arguments)
    except DataFileError as error:
        problems = [(f"{key}.{inner}" if inner else key, why) for inner, why in error.problems]
        raise DataFileError(problems) from None

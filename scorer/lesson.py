"""Lessons: a start, a goal and replies to tries, which the game's rules judge.

Learners act from the first moment. A try is taken back and explained if it is illegal, or if the
goal can no longer be reached in the lesson's `moves`. Chance is fixed by the lesson's file.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cached_property
from importlib.resources import files
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, final

from scorer.datafile import Problem
from scorer.flags import RuleBreak
from scorer.goals import GoalWord, read_goal
from scorer.inference import Inference
from scorer.places import Place
from scorer.sentence import Phrasebook, Sentence
from scorer.turns import Action, State, Turns

if TYPE_CHECKING:  # a game has a course, which would be circular
    from scorer.game import Game

LEADS_AWAY = "goal"
"""Why a legal try is wrong: the goal is out of reach after it."""
MOST_SEEN = 3
"""The most new pieces that count as one try; more mean that the board is being laid out."""
SCORE = "score"
"""What a lesson `shows` if it shows the final count."""
FOLDER = "lessons"
"""The folder with the lesson files, in the game's own package."""
WORDS = Phrasebook(
    {
        "leads_away": {
            "en": "that is allowed, but leads away from this lesson's goal",
            "es": "eso está permitido, pero no lleva al objetivo de esta lección",
            "cs": "to je dovoleno, ale k cíli této lekce to nevede",
        }
    },
    {},
)

Outcome = Literal["wrong", "on", "done"]
_OUTCOMES: Sequence[Outcome] = ("wrong", "on", "done")


@dataclass(frozen=True)
class Hint:
    """A text that says where to look, and the spaces to highlight."""

    text: Sentence
    spaces: tuple[str, ...] = ()


@dataclass(frozen=True)
class WrongTry:
    """The reply to a typical wrong try.

    `because` is the kind of the rule that forbids it, or `LEADS_AWAY`; `like` is a pattern of the
    actions meant, as text. `example` is one of them, tried after the actions `after`.
    """

    example: str
    because: str
    said: Sentence
    like: str = "*"
    after: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Lesson(Generic[State]):
    """A lesson with one idea and one goal.

    `draws` are the outcomes of chance in order, as text. `shows` are the cards that it is about,
    and `score` if the final count is shown; `terms` are the glossary ids of the terms it teaches.
    """

    id: str
    order: int
    title: Sentence
    task: Sentence
    done: Sentence
    hints: tuple[Hint, ...]
    wrong: tuple[WrongTry, ...]
    start: State
    goal: Callable[[State], bool]
    moves: int
    draws: tuple[str, ...] = ()
    shows: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()

    @property
    def texts(self) -> tuple[Sentence, ...]:
        said = [hint.text for hint in self.hints] + [wrong.said for wrong in self.wrong]
        return (self.title, self.task, *said, self.done)


class Course(ABC, Generic[State, Action]):
    """The lessons of a game: their files, and how their starts and goals are read.

    The files are in the folder `lessons` of this class's package.
    """

    goals: ClassVar[Mapping[str, GoalWord[Any]]]
    """The words allowed in a lesson file's `goal`."""

    def __init__(self, game: Game[Any, Any, Any]) -> None:
        self.game = game

    @final
    @property
    def turns(self) -> Turns[State, Action]:
        """The rules that judge tries."""
        assert self.game.turns is not None, "a game without turns cannot be taught"
        return self.game.turns

    @final
    @cached_property
    def lessons(self) -> Sequence[Lesson[State]]:
        """The lessons in teaching order, cached. Raise LessonError if a file is wrong."""
        from scorer.lesson_file import load_lessons  # pydantic is slow to import

        package = type(self).__module__.rpartition(".")[0]
        folder = files(package).joinpath(FOLDER)
        return load_lessons(folder, self.start_of, self.goal_of, self.unknown_names)

    @abstractmethod
    def start_of(self, data: Mapping[str, Any]) -> State:
        """The state of a lesson file's `start`. Raise DataFileError with every mistake."""

    @final
    def goal_of(self, data: Mapping[str, Any], start: State) -> Callable[[State], bool]:
        """The goal of a lesson file. Raise DataFileError for an impossible word or value."""
        return read_goal(data, start, self.goals)

    @final
    def unknown_names(self, lesson: Lesson[State]) -> Iterator[Problem]:
        """The terms and cards that a lesson names and the game does not have."""
        glossary = self.game.glossary
        terms = {term.id for term in glossary}
        shown = {term.id for term in glossary if term.number} | {SCORE}
        yield from (
            ("terms", f"{id} is no term of glossary.yaml") for id in lesson.terms if id not in terms
        )
        yield from (
            ("shows", f"{id} is no card, nor `{SCORE}`") for id in lesson.shows if id not in shown
        )

    @final
    def position_of(self, state: State, seat: int | None = None) -> Any:
        """The position of the board of `seat`, by default that of whoever plays."""
        positions = self.turns.positions(state)
        alone = self.game.table.shared or len(positions) == 1
        seat = self.turns.player(state) if seat is None else seat
        return positions[0 if alone else seat or 0]


@dataclass(frozen=True)
class Judgement(Generic[State, Action]):
    """The outcome of a try: the attempt after it, and the reply.

    `tried` is the text of the action. A wrong try leaves the attempt unchanged; `because` is the
    reason, as in `WrongTry`.
    """

    attempt: Attempt[State, Action]
    outcome: Outcome
    said: Sentence | str
    because: str = ""
    tried: str = ""


@dataclass(frozen=True)
class Attempt(Generic[State, Action]):
    """A lesson in progress: the moves `made`, the state after them, and the draws used.

    >>> from scorer.registry import find_game, names
    >>> course = find_game(names()[0]).course
    >>> begun = Attempt.of(course, course.lessons[0])
    >>> print(begun.attempt("place red ar1").because, begun.attempt("place red core").outcome)
    first_on_core done
    """

    course: Course[State, Action]
    lesson: Lesson[State]
    state: State
    made: tuple[str, ...] = ()
    drawn: int = 0

    @classmethod
    def of(
        cls, course: Course[State, Action], lesson: Lesson[State], made: Sequence[str] = ()
    ) -> Attempt[State, Action]:
        """The attempt after some actions. Raise ValueError if one of them is a wrong try."""
        attempt = cls(course, lesson, lesson.start)
        for text in made:
            judged = attempt.attempt(text)
            if judged.outcome == "wrong":
                raise ValueError(f"{text} is not a move of this lesson: {judged.said}")
            attempt = judged.attempt
        return attempt

    @property
    def done(self) -> bool:
        return self.lesson.goal(self.state)

    def attempt(self, text: str) -> Judgement[State, Action]:
        """Judge a try. Raise ValueError for a text that is no action."""
        action = self.course.turns.read_action(text)
        text = self.course.turns.write_action(action)
        broken = self.course.turns.illegal(self.state, action)
        if broken:
            return self._wrong(text, broken.kind, broken)
        tried = self._after(action)
        if tried.done:
            return Judgement(tried, "done", self.lesson.done, tried=text)
        if tried.solve() is None:
            return self._wrong(text, LEADS_AWAY, None)
        return Judgement(tried, "on", self.course.turns.format_action(action), tried=text)

    def look(self, position: Any, chosen: str = "") -> Judgement[State, Action] | None:
        """Judge a position of the board, interpreted in the learner's favour.

        An unchanged board gives the result of the last move, None before the first. Actions whose
        text begins with `chosen` are preferred. Raise ValueError if no actions explain the
        position: the board is not laid out as in the lesson.
        """
        write = self.course.turns.write_action
        ways = [[*map(write, way)] for way in self._infer_actions(position)]
        if not ways:
            raise ValueError("the board is not laid out as the lesson has it")
        if [] in ways:
            return self._last()
        judged: list[Judgement[State, Action]] = []
        for way in [way for way in ways if way[0].startswith(chosen)] or ways:
            judged.append(self._all(way))
            if judged[-1].outcome in ("on", "done"):
                break
        best = max(judged, key=self._credit)
        return replace(best, attempt=self) if best.outcome == "wrong" else best

    def solve(self) -> tuple[Action, ...] | None:
        """The shortest actions to the goal in the moves that are left; None if there are none.

        >>> from scorer.registry import find_game, names
        >>> course = find_game(names()[0]).course
        >>> Attempt.of(course, course.lessons[0]).solve()
        (Place(star='red', space='core'),)
        """
        left = self.lesson.moves - len(self.made)
        ways = (self._way(moves) for moves in range(left + 1))
        return next((way for way in ways if way is not None), None)

    def finished(self) -> Judgement[State, Action] | None:
        """The last judgement of a lesson that is done, else None."""
        made = self.made if self.done else ()
        return Judgement(self, "done", self.lesson.done, tried=made[-1]) if made else None

    def goes_on_board(self) -> bool:
        """Whether the shortest solution next puts a piece on the board, perhaps after a choice."""
        now, turns = self, self.course.turns
        for action in self.solve() or ():
            then = now._after(action)
            if self.course.position_of(now.state) != self.course.position_of(then.state):
                return True
            is_whole = turns.player(then.state) == turns.player(now.state)
            if not is_whole or any(map(turns.places_of, turns.actions(now.state))):
                return False
            now = then
        return False

    def _way(self, moves: int) -> tuple[Action, ...] | None:
        if self.done:
            return ()
        if moves == 0:
            return None
        turns, state = self.course.turns, self.state
        offered = {*turns.offered(state)}  # a hint names first what can be chosen now
        for action in sorted(turns.actions(state), key=lambda one: one not in offered):
            way = self._after(action)._way(moves - 1)
            if way is not None:
                return (action, *way)
        return None

    def _infer_actions(self, position: Any) -> Iterator[Sequence[Action]]:
        """Every explanation of a position by actions, legal or not.

        Any choice that must come before a piece, such as a card, is allowed for. A dial that was
        not read is assumed to be unchanged.
        """
        course, turns = self.course, self.course.turns

        def pieces_of(state: State) -> Mapping[Place, str]:
            return course.game.pieces_of(course.position_of(state))

        found = course.game.pieces_of(position)
        rings = {at: own for at, own in pieces_of(self.state).items() if at.kind == "dial"}
        seen = found if any(at.kind == "dial" for at in found) else {**rings, **found}
        search = Inference(turns, pieces_of, most=MOST_SEEN)
        legal = turns.actions(self.state)
        if any(map(turns.places_of, legal)) or not search.new_places(self.state, seen):
            yield from self._explained(search, self.state, seen)
            return
        for action in legal:
            after = self._after(action).state
            if turns.player(after) == turns.player(self.state):
                for way in self._explained(search, after, seen):
                    yield (action, *way)

    def _explained(
        self, search: Inference[State, Action], state: State, seen: Mapping[Place, str]
    ) -> Iterator[Sequence[Action]]:
        """The explanations, unless a new piece belongs to somebody who cannot place one now."""
        turns, owner = self.course.turns, {one.id: one.owner for one in self.course.game.pieces}
        new = {owner[seen[at]] for at in search.new_places(state, seen) if at in seen} - {""}
        words = (word for action in turns.actions(state) for word in turns.notation.words(action))
        if new <= {owner.get(text) for text, part in words if part.piece}:
            yield from search.explanations(state, seen)

    def _last(self) -> Judgement[State, Action] | None:
        if not self.made or self.done:
            return self.finished()
        turns = self.course.turns
        said = turns.format_action(turns.read_action(self.made[-1]))
        return Judgement(self, "on", said, tried=self.made[-1])

    def _all(self, texts: Sequence[str]) -> Judgement[State, Action]:
        """The judgement of tries in sequence, up to the first that is wrong or reaches the goal."""
        first, *others = texts
        judged = self.attempt(first)
        for text in others:
            if judged.outcome != "on":
                break
            judged = judged.attempt.attempt(text)
        return judged

    def _credit(self, judged: Judgement[State, Action]) -> tuple[int, int, bool]:
        """How far tries lead, then whether the lesson has its own words for a wrong one."""
        own = any(judged.said == wrong.said for wrong in self.lesson.wrong)
        return _OUTCOMES.index(judged.outcome), len(judged.attempt.made), own

    def _after(self, action: Action) -> Attempt[State, Action]:
        """The attempt after a legal action, with the chance and formalities that follow."""
        turns = self.course.turns
        state, drawn = turns.after(self.state, action), self.drawn
        while not self.lesson.goal(state):
            if outcomes := turns.outcomes(state):
                has_draw = drawn < len(self.lesson.draws)  # otherwise any outcome will do
                next_one = (
                    turns.read_action(self.lesson.draws[drawn]) if has_draw else outcomes[0][0]
                )
                drawn += 1
            elif (follows := self._by_itself(state)) is not None:
                next_one = follows
            else:
                break
            state = turns.after(state, next_one)
        made = (*self.made, self.course.turns.write_action(action))
        return replace(self, state=state, made=made, drawn=drawn)

    def _by_itself(self, state: State) -> Action | None:
        """A formality that follows, such as the end of a finished card; nobody is asked for it."""
        follows = self.course.turns.by_itself(state)
        return follows if getattr(follows, "is_formality", False) else None

    def _wrong(self, text: str, because: str, broken: RuleBreak | None) -> Judgement[State, Action]:
        return Judgement(self, "wrong", self._why(text, because, broken), because, text)

    def _why(self, text: str, because: str, broken: RuleBreak | None) -> Sentence | str:
        """The lesson's own words for a wrong try, otherwise the rule's."""
        for wrong in self._meant(because):
            if fnmatchcase(text, wrong.like):
                return wrong.said
        if broken is not None and broken.reason:
            return broken.reason
        return WORDS.say("leads_away")

    def _meant(self, because: str) -> Iterator[WrongTry]:
        return (wrong for wrong in self.lesson.wrong if wrong.because == because)

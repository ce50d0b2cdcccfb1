"""Lessons: a start, a goal, and what is said to whoever tries; judged by a game's turns.

A lesson shows nothing off: its learner acts, and each try is judged by the rules and by the goal.
A try that the rules forbid, or after which the goal cannot be reached any more in the lesson's
`moves`, is taken back and explained. What chance brings is in the lesson's file.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cached_property
from importlib.resources import files
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, final

from scorer.flags import RuleBreak
from scorer.goals import GoalWord, read_goal
from scorer.inference import Inference
from scorer.places import Place
from scorer.sentence import Phrasebook, Sentence
from scorer.turns import Action, State, Turns

if TYPE_CHECKING:  # a game has its course as a part of it
    from scorer.game import Game

LEADS_AWAY = "goal"
"""Why a try is wrong that the rules allow: the goal is out of reach after it."""
MOST_SEEN = 3
"""So many new pieces on a board are looked at as one try; more are a board that is laid out."""
FOLDER = "lessons"
"""Where a game keeps the files of its lessons, in its own package."""
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
    """Where to look: the words, and the spaces that are lit."""

    text: Sentence
    spaces: tuple[str, ...] = ()


@dataclass(frozen=True)
class WrongTry:
    """What is said to a typical wrong try.

    `because` is the rule's kind that forbids it, or `LEADS_AWAY`; `like` a pattern of the actions
    that are meant, as text. `example` is one of them, tried after the actions `after`.
    """

    example: str
    because: str
    said: Sentence
    like: str = "*"
    after: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Lesson(Generic[State]):
    """One idea and one goal.

    `draws` is what chance brings, in order, as text. `shows` names what of the table is drawn, in
    the game's own words; `terms` are those that the lesson is about, by the glossary's ids.
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
        """Everything that a learner may come to read."""
        said = [hint.text for hint in self.hints] + [wrong.said for wrong in self.wrong]
        return (self.title, self.task, *said, self.done)


class Course(ABC, Generic[State, Action]):
    """What a game brings to have lessons: their files, read by its own words for start and goal.

    The files lie in the folder `lessons` of the package of this class.
    """

    goals: ClassVar[Mapping[str, GoalWord[Any]]]
    """The words that a lesson file's `goal` may have."""

    def __init__(self, game: Game[Any, Any, Any]) -> None:
        """Teach a game that has turns."""
        self.game = game

    @final
    @property
    def turns(self) -> Turns[State, Action]:
        """The rules by which tries are judged."""
        assert self.game.turns is not None, "a game without turns cannot be taught"
        return self.game.turns

    @final
    @cached_property
    def lessons(self) -> Sequence[Lesson[State]]:
        """In the order in which they are learnt, read once; LessonError where a file is wrong."""
        from scorer.lesson_file import load_lessons  # pydantic takes its time

        package = type(self).__module__.rpartition(".")[0]
        folder = files(package).joinpath(FOLDER)
        return load_lessons(folder, self.start_of, self.goal_of)

    @abstractmethod
    def start_of(self, data: Mapping[str, Any]) -> State:
        """The state of a lesson file's `start`. DataFileError with every mistake in it."""

    @final
    def goal_of(self, data: Mapping[str, Any], start: State) -> Callable[[State], bool]:
        """The goal of a lesson file. DataFileError for a word or a value that is not possible."""
        return read_goal(data, start, self.goals)

    @final
    def position_of(self, state: State) -> Any:
        """The board that the learner plays on, in a state, as the game's positions are."""
        positions = self.turns.positions(state)
        alone = self.game.table.shared or len(positions) == 1
        return positions[0 if alone else self.turns.player(state) or 0]


@dataclass(frozen=True)
class Judgement(Generic[State, Action]):
    """What became of a try: the attempt as it stands after it, and what is said.

    `tried` is its text. A wrong one has changed nothing; `because` is why, as in `WrongTry`.
    """

    attempt: Attempt[State, Action]
    outcome: Outcome
    said: Sentence | str
    because: str = ""
    tried: str = ""


@dataclass(frozen=True)
class Attempt(Generic[State, Action]):
    """A lesson on the way: what was `made` so far, the state after it, how much chance has drawn.

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
        cls,
        course: Course[State, Action],
        lesson: Lesson[State],
        made: Sequence[str] = (),
    ) -> Attempt[State, Action]:
        """The attempt after some actions. ValueError where one of them could not be made."""
        attempt = cls(course, lesson, lesson.start)
        for text in made:
            judged = attempt.attempt(text)
            if judged.outcome == "wrong":
                raise ValueError(f"{text} is not a move of this lesson: {judged.said}")
            attempt = judged.attempt
        return attempt

    @property
    def done(self) -> bool:
        """Whether the goal is reached."""
        return self.lesson.goal(self.state)

    def attempt(self, text: str) -> Judgement[State, Action]:
        """Judge a try. ValueError for a text that is no action."""
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
        """Judge a board as it lies.

        Where it lies as the attempt stands, that is the last move made, None before the first. It
        is understood in the learner's favour, but as the action whose line begins with `chosen`,
        where it can be.
        ValueError where it cannot have come from the attempt's: it is not laid out so.
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
        """The shortest actions to the goal in the moves that are left; None where there are none.

        >>> from scorer.registry import find_game, names
        >>> course = find_game(names()[0]).course
        >>> Attempt.of(course, course.lessons[0]).solve()
        (Place(star='red', space='core'),)
        """
        left = self.lesson.moves - len(self.made)
        ways = (self._way(moves) for moves in range(left + 1))
        return next((way for way in ways if way is not None), None)

    def goes_on_board(self) -> bool:
        """Whether the shortest way goes on with a piece, be it after a choice that this tells."""
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
        for action in self.course.turns.actions(self.state):
            way = self._after(action)._way(moves - 1)
            if way is not None:
                return (action, *way)
        return None

    def _infer_actions(self, position: Any) -> Iterator[Sequence[Action]]:
        """Every way to understand a board as it lies, whatever rule that breaks.

        What has to be chosen before anything can be laid, such as a card, is any that may be. A
        ring that nobody saw faces what it did.
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
        """What a search finds, where nothing new belongs to who has nothing to lay now."""
        turns, owner = self.course.turns, {one.id: one.owner for one in self.course.game.pieces}
        new = {owner[seen[at]] for at in search.new_places(state, seen) if at in seen} - {""}
        words = (word for action in turns.actions(state) for word in turns.notation.words(action))
        if new <= {owner.get(text) for text, part in words if part.piece}:
            yield from search.explanations(state, seen)

    def _last(self) -> Judgement[State, Action] | None:
        """What became of the last move made."""
        if not self.made:
            return None
        if self.done:
            return Judgement(self, "done", self.lesson.done, tried=self.made[-1])
        turns = self.course.turns
        said = turns.format_action(turns.read_action(self.made[-1]))
        return Judgement(self, "on", said, tried=self.made[-1])

    def _all(self, texts: Sequence[str]) -> Judgement[State, Action]:
        """What becomes of tries one after the other, until one of them ends it."""
        first, *others = texts
        judged = self.attempt(first)
        for text in others:
            if judged.outcome != "on":
                break
            judged = judged.attempt.attempt(text)
        return judged

    def _credit(self, judged: Judgement[State, Action]) -> tuple[int, int, bool]:
        """How far a try leads; of wrong ones, whether the lesson has words for it."""
        own = any(judged.said == wrong.said for wrong in self.lesson.wrong)
        return _OUTCOMES.index(judged.outcome), len(judged.attempt.made), own

    def _after(self, action: Action) -> Attempt[State, Action]:
        """The attempt after a legal action, and after what chance and the rules bring then."""
        turns = self.course.turns
        state, drawn = turns.after(self.state, action), self.drawn
        while not self.lesson.goal(state):
            if outcomes := turns.outcomes(state):
                has_draw = drawn < len(self.lesson.draws)  # else it does not matter to the lesson
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
        """A formality, such as the end of a card of which all is laid: nobody is asked for it."""
        follows = self.course.turns.by_itself(state)
        return follows if getattr(follows, "is_formality", False) else None

    def _wrong(self, text: str, because: str, broken: RuleBreak | None) -> Judgement[State, Action]:
        return Judgement(self, "wrong", self._why(text, because, broken), because, text)

    def _why(self, text: str, because: str, broken: RuleBreak | None) -> Sentence | str:
        """The lesson's own words for a wrong try, else the rule's."""
        for wrong in self._meant(because):
            if fnmatchcase(text, wrong.like):
                return wrong.said
        if broken is not None and broken.reason:
            return broken.reason
        return WORDS.say("leads_away")

    def _meant(self, because: str) -> Iterator[WrongTry]:
        return (wrong for wrong in self.lesson.wrong if wrong.because == because)

"""The possible tries in a game's lesson: its actions, on the board or by button."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from flask_babel import gettext as _

from scorer.lesson import Attempt
from scorer.notation import Part, place_named
from scorer.scoresheet import PlayerScore
from scorer.turns import Turns
from webapp.app.boards.drawn_pieces import DrawnPieces
from webapp.app.game_pages import pages_of
from webapp.app.guided_game import Choice, GuidedGame, Question
from webapp.web.context import current_profile
from webapp.web.guide_questions import MOST_AT_ONCE, Asked, part_name, tapped
from webapp.web.words import as_title, piece_name, spoken


@dataclass(frozen=True)
class Try:
    """An action's notation so far; tapping a place completes it if it `lies_on` one.

    Without notation, `look` leads to a further question.
    """

    tells: str
    words: str
    lies_on: str = ""
    fits: Sequence[str] = ()
    """The places where that is legal."""
    piece: str = ""
    look: Choice | None = None
    """A guided game's picture of it."""


@dataclass(frozen=True)
class TryGroup:
    """Buttons shown together; under a `name` that unfolds them if there are many."""

    tries: Sequence[Try]
    kind: str = ""
    name: str = ""


@dataclass(frozen=True)
class Tries:
    """The learner's board, and what may be tried there and by button.

    `question` is the one that a guided game asks now; None if it has none of its own.
    """

    drawn_pieces: DrawnPieces
    on_board: Sequence[Try]
    by_button: Sequence[TryGroup]
    question: Question | None = None
    only_action: Callable[[str], str] = str
    """The notation of the only action that a draft leaves; "" if it leaves several."""

    @property
    def zoned(self) -> bool:
        """Whether regions are tapped on the board."""
        return any(one.lies_on == "region" for one in self.on_board)


def tries(attempt: Attempt[Any, Any], draft: str = "") -> Tries:
    """Return what may be tried in the current state of an attempt; `draft` as in a guided game."""
    course, on_board, by_button = attempt.course, dict[str, Try](), dict[Any, Try]()
    turns, state = course.turns, attempt.state
    guided = pages_of(course.game.id).guided
    offered = turns.offered(state)
    position = course.position_of(state, turns.player(attempt.lesson.start))
    pieces = DrawnPieces.of(course.game.pieces_of(position))
    names = [one["name"] for one in players(attempt)]
    question = guided.question(state, draft, (), names) if guided and offered else None
    if attempt.done:
        return Tries(pieces, (), (), question)
    if guided and question and question.whole:
        chosen = [
            Try("" if one.action is None else turns.write_action(one.action), one.words, look=one)
            for one in question.choices
        ]
        return Tries(
            pieces, (), [TryGroup(chosen)], question, partial(_only_action, state, guided, names)
        )
    kinds, fits = tapped(current_profile()), _fitting(turns, state)
    for action in offered:
        *begun, (word, own) = turns.notation.words(action)
        if own.places and (kind := place_named(word, own).kind) in kinds:
            tells = " ".join(text for text, _part in begun)
            piece = next((text for text, part in begun if part.piece), "")
            named = " ".join(part_name(turns, text, part) for text, part in begun)
            look = guided.look(state, [action]) if guided and not piece else None
            words = piece_name(piece) if piece else look.words if look else named
            on_board[tells] = Try(
                tells, words, kind, fits.get(tells, ()), look.piece if look else piece
            )
        else:
            look = guided.look(state, action) if guided else None
            words = look.words if look and look.words else spoken(turns.format_action(action))
            by_button[action] = Try(turns.write_action(action), words, look=look)
    named_tries = _of_kinds(guided, state, by_button)
    groups = _unfolded(turns, dict(zip(by_button, named_tries, strict=True)))
    return Tries(pieces, list(on_board.values()), groups, question)


def _fitting(turns: Turns[Any, Any], state: Any) -> Mapping[str, list[str]]:
    """Return the legal last words of the actions, by the notation before them."""
    found: dict[str, list[str]] = {}
    for action in turns.actions(state):
        *begun, (word, _part) = turns.notation.words(action)
        found.setdefault(" ".join(text for text, _part in begun), []).append(word)
    return found


def _only_action(state: Any, guided: GuidedGame, names: Sequence[str], draft: str) -> str:
    only = Asked(guided, state, draft).only_choice(names)
    return guided.turns.write_action(only.action) if only else ""


def place_tried(turns: Turns[Any, Any], tried: str) -> str:
    """Return the place of the board whose tap completes an action; "" for one with a button."""
    *_begun, (word, own) = turns.notation.words(turns.read_action(tried))
    return "" if tapped(current_profile()).isdisjoint(own.places) else word


def players(attempt: Attempt[Any, Any]) -> Sequence[Mapping[str, str]]:
    """Return name, marker and its letter of everybody at the table of a lesson, in seat order.

    Names with the same first letter have two.
    """
    markers, turns = pages_of(attempt.course.game.id).markers, attempt.course.turns
    learner, score = turns.player(attempt.lesson.start), turns.score(attempt.state)
    seats = [
        player.name if player.name in markers else marker
        for player, marker in zip(score.players, markers, strict=False)
    ]
    owned = {piece.owner for piece in attempt.course.game.pieces}
    names = [
        _("You")
        if seat == learner
        else as_title(piece_name(marker))
        if marker in owned
        else _("Player %(number)s", number=seat + 1)
        for seat, marker in enumerate(seats)
    ]
    letters = [one[:1] if sum(one[0] == own[0] for own in names) == 1 else one[:2] for one in names]
    return [
        {"name": name, "marker": marker, "letter": letter}
        for name, marker, letter in zip(names, seats, letters, strict=True)
    ]


def scores(attempt: Attempt[Any, Any]) -> Sequence[PlayerScore]:
    """Return everybody's score, the learner's first."""
    turns = attempt.course.turns
    found = turns.score(attempt.state, [one["name"] for one in players(attempt)]).players
    return sorted(found, key=lambda one: one.name != _("You"))


def _unfolded(turns: Turns[Any, Any], by_button: Mapping[Any, Try]) -> Sequence[TryGroup]:
    """Return the buttons; too many for a screen are grouped by kind of action, single ones last."""
    kinds: dict[tuple[str, Part], list[Try]] = {}
    for action, one in by_button.items():
        kinds.setdefault(next(iter(turns.notation.words(action))), []).append(one)
    if len(by_button) <= MOST_AT_ONCE or len(kinds) == 1:
        return [TryGroup(list(by_button.values()))]
    folded = [
        TryGroup(several, word, part_name(turns, word, own))
        for (word, own), several in kinds.items()
        if len(several) > 1
    ]
    return [*folded, TryGroup([alone for alone, *more in kinds.values() if not more])]


def _of_kinds(guided: GuidedGame | None, state: Any, by_button: Mapping[Any, Try]) -> Sequence[Try]:
    """Return the buttons; if there are several kinds of card actions, each names its own."""
    looks = {} if guided is None else {one: guided.look(state, one) for one in map(type, by_button)}
    named = {kind: look.words for kind, look in looks.items() if look is not None}
    if len(named) < 2:
        return list(by_button.values())
    return [
        replace(one, words=f"{named[type(action)]}: {one.words}") if type(action) in named else one
        for action, one in by_button.items()
    ]

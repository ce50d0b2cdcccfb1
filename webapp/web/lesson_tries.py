"""The possible tries in a game's lesson: its actions, on the board or by button."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scorer.lesson import Attempt
from scorer.notation import Part, place_named
from scorer.turns import Turns
from webapp.app.boards.drawn_pieces import DrawnPieces
from webapp.app.game_pages import pages_of
from webapp.app.guided_game import Choice, GuidedGame
from webapp.web.context import current_profile
from webapp.web.guide_questions import MOST_AT_ONCE, part_name, tapped
from webapp.web.words import piece_name, spoken


@dataclass(frozen=True)
class Try:
    """An action's notation so far; tapping a place completes it if it `lies_on` one."""

    tells: str
    words: str
    lies_on: str = ""
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
    """The learner's board, and what may be tried there and by button."""

    drawn_pieces: DrawnPieces
    on_board: Sequence[Try]
    by_button: Sequence[TryGroup]

    @property
    def zoned(self) -> bool:
        """Whether regions are tapped on the board."""
        return any(one.lies_on == "region" for one in self.on_board)


def tries(attempt: Attempt[Any, Any]) -> Tries:
    """Return what may be tried in the current state of an attempt."""
    course, on_board, by_button = attempt.course, dict[str, Try](), dict[Any, Try]()
    guided = pages_of(course.game.id).guided
    offered = () if attempt.done else course.turns.offered(attempt.state)
    kinds = tapped(current_profile())
    for action in offered:
        *begun, (word, own) = course.turns.notation.words(action)
        if own.places and (kind := place_named(word, own).kind) in kinds:
            tells = " ".join(text for text, _part in begun)
            piece = next((text for text, part in begun if part.piece), "")
            named = " ".join(part_name(course.turns, text, part) for text, part in begun)
            look = guided.look(attempt.state, [action]) if guided and not piece else None
            words = piece_name(piece) if piece else look.words if look else named
            on_board[tells] = Try(tells, words, kind, look.piece if look else piece)
        else:
            look = guided.look(attempt.state, action) if guided else None
            words = look.words if look else spoken(course.turns.format_action(action))
            by_button[action] = Try(course.turns.write_action(action), words, look=look)
    pieces = course.game.pieces_of(course.position_of(attempt.state))
    named_tries = _of_kinds(guided, attempt.state, by_button)
    groups = _unfolded(course.turns, dict(zip(by_button, named_tries, strict=True)))
    return Tries(DrawnPieces.of(pieces), list(on_board.values()), groups)


def _unfolded(turns: Turns[Any, Any], by_button: Mapping[Any, Try]) -> Sequence[TryGroup]:
    """Return the buttons; too many for a screen are grouped by kind of action, single ones last."""
    if len(by_button) <= MOST_AT_ONCE:
        return [TryGroup(list(by_button.values()))]
    kinds: dict[tuple[str, Part], list[Try]] = {}
    for action, one in by_button.items():
        kinds.setdefault(next(iter(turns.notation.words(action))), []).append(one)
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

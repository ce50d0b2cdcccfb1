"""What a guided screen shows: the question with what is legal of it, the board, what happened."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask_babel import gettext as _

from scorer.flags import RuleBreak
from scorer.places import Place
from scorer.turns import Advice, Hint, Turns
from webapp.drawn_pieces import DrawnPieces
from webapp.games import Document
from webapp.games.guided import Choice, GuidedGame, Question
from webapp.guide.history import History
from webapp.guide.sighting import Sighting
from webapp.words import as_sentence, said


@dataclass(frozen=True)
class GuideViewModel:
    """One screen of a guided game.

    `choices` come with the rule that forbids them, None where nothing does; so do `places`, by
    their keys, with the action that each stands for.
    """

    history: History
    question: Question
    choices: Sequence[tuple[Choice, RuleBreak | None]]
    places: Mapping[str, tuple[str, RuleBreak | None]]
    seat: int | None
    board: int | None
    lying: DrawnPieces | None
    told: Sequence[str]
    standing: Sequence[str]
    sighting: Sighting | None
    hints: Sequence[Hint] = ()
    can_hint: bool = False
    """Whether there is a hint beyond those that were asked for."""
    pointed: Collection[str] = ()
    """The places that a hint, a computer player or the question points at."""

    @property
    def lit(self) -> Sequence[str]:
        """The places where the piece may go."""
        return [place for place, (_action, broken) in self.places.items() if broken is None]


def view(
    game: GuidedGame,
    history: History,
    document: Document,
    draft: str = "",
    seen: Sequence[Sighting] = (),
    advice: Advice[Any] | None = None,
    hints: Sequence[Hint] = (),
    asked: int = 0,
) -> GuideViewModel:
    """Draw the screen of a guided game as it stands; `draft` is what was chosen already.

    `advice` is what a computer player does now; of the `hints` so many were `asked` for.
    """
    state = history.state
    question = (
        game.question(state, draft, document, history.set_up)
        if advice is None
        else _of_computer(game, state, advice, document)
    )
    given = () if question.private else hints[:asked]
    pointed = given[-1].places if given else advice.places if advice else question.shown
    board = game.board(state)
    told = [
        game.told(before, moment.action, moment.state, document)
        for before, moment in history.latest
    ]
    return GuideViewModel(
        history,
        question,
        [(choice, _broken(game, state, choice)) for choice in question.choices],
        written(game, state, question.places),
        game.player(state),
        board,
        None if board is None else DrawnPieces.of(game.pieces(state)[board]),
        [one for one in told if one],
        game.standing(state),
        next((one for one in seen if not one.answers), None),
        given,
        advice is None
        and not question.private
        and game.advisor is not None
        and game.decides(state) is not None
        and (asked == 0 or len(given) < len(hints)),
        [place.id for place in pointed],
    )


def _of_computer(game: GuidedGame, state: Any, advice: Advice[Any], document: Document) -> Question:
    """What is done for a computer player, and why it wants that."""
    after = game.turns.after(state, advice.action)
    return Question(
        game.told(state, advice.action, after, document),
        as_sentence(said(advice.reason)),
        [Choice(_("Done for the computer"), advice.action)],
    )


def written(
    game: GuidedGame, state: Any, places: Mapping[Place, Any]
) -> dict[str, tuple[str, RuleBreak | None]]:
    """The actions of places as text, by the places' keys, with the rule that forbids each."""
    broken = legal_placements(game.turns, state, places)
    return {
        str(place): (game.write_action(action), broken[place]) for place, action in places.items()
    }


def _broken(game: GuidedGame, state: Any, choice: Choice) -> RuleBreak | None:
    return None if choice.action is None else game.turns.illegal(state, choice.action)


def legal_placements(
    turns: Turns[Any, Any], state: Any, actions: Mapping[Place, Any]
) -> dict[Place, RuleBreak | None]:
    """For each place the rule that forbids its action in a state, None where it is legal."""
    return {place: turns.illegal(state, action) for place, action in actions.items()}

"""Screens between decisions: the phone changes hands, another phone decides, a computer plays."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from flask_babel import gettext as _

from scorer.turns import Advice
from webapp.app.game_pages import Document
from webapp.app.guide.history import Moment, SeenHistory, moments_seen_by
from webapp.app.guide.sitting import Sitting
from webapp.app.guided_game import Choice, GuidedGame, Question
from webapp.web import guide_questions as questions
from webapp.web.guide_events import events_of, own_turn
from webapp.web.guide_gains import changed_for, gained_by
from webapp.web.words import as_sentence, as_title, spoken


def sat_down(
    sitting: Sitting, seat: int | None, names: Sequence[str], draft: str, task: str
) -> Question:
    """Ask for the only player who may see what follows, or say that they do it elsewhere.

    `task` is the game's own question to them, as a sentence.
    """
    assert seat is not None, "what is private is somebody's"
    name = names[seat]
    if not sitting.acts_for(seat):
        return waited_for(Question(_("%(name)s looks at their cards", name=name)), name)
    words = _("I am %(name)s: show my cards", name=name)
    in_hand = seat in sitting.mine
    secret = _("Only %(name)s looks: these cards are secret.", name=name)
    return Question(
        _("Hand the phone to %(name)s", name=name),
        f"{task} {secret}".strip(),
        [
            Choice(words, draft=draft, look=seat)
            if in_hand
            else Choice(words, draft=draft, take=seat),
        ],
    )


def handed_over(asks: questions.Asked, question: Question, seat: int) -> Question:
    """Let the only player who may see what follows hold the button that leads there."""
    choices = [
        replace(one, look=seat) if one.draft and replace(asks, draft=one.draft).is_private else one
        for one in question.choices
    ]
    return replace(question, choices=choices)


def waited_for(question: Question, name: str) -> Question:
    """Return a question that somebody else answers on their own phone."""
    hint = _("%(name)s does this on their own phone. This screen continues by itself.", name=name)
    return replace(question, hint=hint, choices=(), places={}, close_up=(), is_awaited=True)


def of_computer(
    game: GuidedGame,
    history: SeenHistory,
    turn: Sequence[tuple[Any, Moment]],
    advice: Advice[Any],
    document: Document,
) -> Question:
    """Return what to do for a computer player in its known turn, and its reason.

    What it has done by itself in that turn comes first.
    """
    turns, seat = game.turns, history.seat
    player = turns.decides(history.state) or 0
    begun = _begun(game, history)
    own = [at for at, (before, _moment) in enumerate(turn, 1) if turns.decides(before) == player]
    done = len(begun) + max(own, default=0)
    seen = [*begun, *moments_seen_by(turns, turn, seat)]
    first, *rest = events_of(game, seen[:done], document) or [""]
    name = document["players"][player]["name"]
    then = [as_title(words.removeprefix(f"{name} ").removeprefix(f"{name}: ")) for words in rest]
    hint = _(
        "Whoever sits nearest does it on the table for %(name)s; without pieces, just tap.",
        name=name,
    )
    why, follows = as_sentence(spoken(advice.reason)), events_of(game, seen[done:], document)
    if any(turns.places_of(moment.action) for _before, moment in turn):
        hint = " ".join([hint, _("Dashed rings on the board show where.")])
    return Question(
        first,
        hint,
        [Choice(_what_follows(game, turn, name, document), advice.action)],
        template="_computer_turn.html",
        about=(_("Then %(name)s:", name=name), then, why, follows),
    )


def changed_by_computer(
    game: GuidedGame,
    history: SeenHistory,
    turn: Sequence[tuple[Any, Moment]],
    document: Document,
    seats: Sequence[int],
) -> Sequence[str]:
    """Return the points of a computer player's known turn, and what it changes for some seats."""
    if not turn:
        return ()
    before, after = (
        next((one for one, _moment in _begun(game, history)), history.state),
        turn[-1][1],
    )
    player = game.turns.decides(history.state) or 0
    gained = gained_by(game, document, player, before, after.state)
    changed = [changed_for(game, document, seat, before, after.state) for seat in seats]
    return [" ".join([gained, *changed])] if gained else changed


def _begun(game: GuidedGame, history: SeenHistory) -> Sequence[tuple[Any, Moment]]:
    """Return what has been done in the turn in progress."""
    recent = history.recent
    before_turn = own_turn(game, history.state, recent)
    return [] if before_turn is None else recent[before_turn:]


def _what_follows(
    game: GuidedGame, turn: Sequence[tuple[Any, Moment]], name: str, document: Document
) -> str:
    """Return the button after a computer player's turn: who plays next, if anybody does."""
    after = turn[-1][1].state if turn else None
    decides = None if after is None else game.turns.player(after)
    if decides is None:
        return _("Done")
    then = str(document["players"][decides]["name"])
    if then == name:
        return _("Done: %(name)s goes on", name=name)
    return _("Done: %(name)s is next", name=then)

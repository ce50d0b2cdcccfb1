"""Hints of a guided game: what an advised action is for, what to do, and what is next best."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from flask_babel import format_decimal
from flask_babel import gettext as _

from scorer.places import Place
from scorer.turns import Advice, Alternative
from webapp.app.game_pages import Document
from webapp.app.guide.history import SeenHistory
from webapp.app.guide.sitting import Sitting
from webapp.app.guided_game import GuidedGame
from webapp.app.session.game_document import player_names
from webapp.web import guide_questions as questions
from webapp.web.guide_gains import made_harder, points_changed
from webapp.web.words import as_sentence, as_title, space_name, spoken

MOST_HINTS = 2
MOST_COMPARED = 2
"""The most next best actions that a hint names."""
MOST_WORDS = 60
"""The most words of a first hint that names the next best action, or whom nothing changes for."""
MOST_WORDS_OF_OTHER = 12
"""The longest next best action that the first hint names, in words."""


def may_be_helped(game: GuidedGame, history: SeenHistory, sitting: Sitting) -> bool:
    """Whether the viewer may have hints: as the one who decides, or if nothing is hidden."""
    decides = game.turns.decides(history.state)
    if decides is None or history.set_up["computers"][decides]:
        return False
    return (
        decides in sitting.mine if game.has_secrets(history.set_up) else sitting.acts_for(decides)
    )


def hints(
    game: GuidedGame, state: Any, help: Advice[Any], draft: str, document: Document
) -> list[str]:
    """Return what an advised action is for and what it changes for whom, and then the action.

    What it is for also says so if the action does not begin with what has been chosen, and how much
    better it is than others by estimate.
    """
    names = player_names(document)
    why = as_sentence(spoken(help.own_reason or help.reason))
    chosen = draft.partition(":")[0].split()

    def is_begun(one: Advice[Any] | Alternative[Any]) -> bool:
        return game.turns.write_action(one.action).split()[: len(chosen)] == chosen

    begun = is_begun(help)
    less = min((round(one.less, 1) for one in help.others if begun or is_begun(one)), default=None)
    if not begun:
        why = _something_else(why, less)
    if changes := points_changed(game, state, help.action, document):
        why = " ".join([why, _("Points in view: %(changes)s.", changes=", ".join(changes))])
        others = " ".join([why, _("Nobody else’s change.")])
        if game.game.table.shared and len(changes) < len(names) and _is_short(others):
            why = others
    if harder := made_harder(game, state, help.action, document):
        why = f"{why} {harder}"
    if begun and help.others:
        second = min(help.others, key=lambda one: one.less)
        other, points = _to_do(game, state, second, names), round(second.less, 1)
        if len(other.split()) > MOST_WORDS_OF_OTHER:
            other = _("see “Best moves”")
        next_best = (
            _(
                "Next best: %(other)s, an estimated %(points)s points less by the end.",
                other=other,
                points=format_decimal(points, "0.0"),
            )
            if points
            else _("Next best: %(other)s, estimated about as good.", other=other)
        )
        if _is_short(f"{why} {next_best}"):
            why = f"{why} {next_best}"
    do = _to_do(game, state, help, names)
    free = _("This is only advice: whatever else is offered is allowed, too.")
    what = as_sentence(_("try this: %(do)s", do=do))
    return [why, f"{what} {free}"]


def _is_short(hint: str) -> bool:
    return len(hint.split()) <= MOST_WORDS


def places_named(help: Advice[Any], asked: int) -> Sequence[Place]:
    """Return the places of an advised action that its first hint names, or all with the last."""
    why = spoken(help.own_reason or help.reason)
    return [
        one
        for one in help.places
        if asked == MOST_HINTS or re.search(rf"\b{re.escape(space_name(one.id))}\b", why)
    ]


def _something_else(why: str, less: float | None) -> str:
    """Return a reason for something other than was chosen, which is `less` points worse at best."""
    if less is None:
        return _("Something else is better: %(why)s", why=why)
    if not less:
        return _("Something else is about as good: %(why)s", why=why)
    points = format_decimal(less, "0.0")
    return _(
        "Something else is better, by an estimated %(points)s points: %(why)s",
        points=points,
        why=why,
    )


def compared(
    game: GuidedGame, state: Any, help: Advice[Any], document: Document
) -> list[tuple[str, str]]:
    """Return the next best actions: each with what it brings and how much less that is."""
    found = list[tuple[str, str]]()
    for one in help.others[:MOST_COMPARED]:
        do = as_title(_to_do(game, state, one, player_names(document)))
        brings = as_sentence(spoken(one.brings)) if one.brings else ""
        points = round(one.less, 1)
        less = (
            _("Estimated %(points)s points less.", points=format_decimal(points, "0.0"))
            if points
            else _("Estimated about as good.")
        )
        found.append((do, f"{brings} {less}".strip()))
    return [*dict.fromkeys(found)]


def _to_do(
    game: GuidedGame, state: Any, help: Advice[Any] | Alternative[Any], names: Sequence[str]
) -> str:
    """Return what to do in the advisor's words, else in those of its button."""
    look = None if help.do else game.look(state, help.action)
    if look is not None and look.words:
        return look.words
    named = questions.players_named(game, state, help.action, names)
    return spoken(help.do or game.turns.format_action(help.action, **named))

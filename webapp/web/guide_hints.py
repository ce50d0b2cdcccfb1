"""Hints of a guided game: what to do, what it is for, and what is next best."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from flask_babel import format_decimal
from flask_babel import gettext as _

from scorer.turns import Advice, Alternative
from webapp.app.game_pages import Document
from webapp.app.guide.history import SeenHistory
from webapp.app.guide.sitting import Sitting
from webapp.app.guided_game import GuidedGame
from webapp.app.session.game_document import player_names
from webapp.web import guide_questions as questions
from webapp.web.context import current_profile
from webapp.web.guide_gains import made_harder, points_changed
from webapp.web.words import as_sentence, as_title, spoken, spoken_name

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
    """Return an advised action with what it is for and changes for whom, and what advice is.

    It also says so if the action does not begin with what has been chosen, and how much better it
    is than others by estimate.
    """
    names = player_names(document)
    chosen = draft.partition(":")[0].split()

    def is_begun(one: Advice[Any] | Alternative[Any]) -> bool:
        return game.turns.write_action(one.action).split()[: len(chosen)] == chosen

    begun, do = is_begun(help), _to_do(game, state, help, names)
    less = min((round(one.less, 1) for one in help.others if begun or is_begun(one)), default=None)
    where = _("%(do)s, where the board is marked", do=do) if _is_unclear(do, help) else do
    why = as_sentence(spoken(help.own_reason or help.reason))
    gained = points_changed(game, state, help.action, document)
    changes = [f"{names[seat]} {', '.join(one.told)}" for seat, one in gained.items()]
    in_view = _("Points in view: %(changes)s.", changes=", ".join(changes)) if changes else ""
    own = gained.get(-1 if (seat := game.turns.decides(state)) is None else seat)
    is_first = own is not None and max(own.points, own.later) > 0
    parts = [as_sentence(where if begun else _something_else(where, less))]
    parts += [in_view, why] if is_first else [why, in_view]
    harder = made_harder(game, state, help.action, document)
    parts.append(harder)
    hint = " ".join(filter(None, parts))
    others = " ".join([hint, _("Nobody else’s points change.")])
    if game.game.table.shared and 0 < len(changes) < len(names) and _is_short(others):
        hint = others
    if begun and help.others:
        second = min(help.others, key=lambda one: one.less)
        other, points = _other(do, _to_do(game, state, second, names)), round(second.less, 1)
        if len(other.split()) > MOST_WORDS_OF_OTHER:
            other = _("see “Best moves”")
        is_put_off = own is not None and max(own.points, own.later) > points
        next_best = (
            _(
                "Next best: %(other)s, an estimated %(points)s points less by the end, with what "
                "later turns bring.",
                other=other,
                points=format_decimal(points, "0.0"),
            )
            if points and is_put_off
            else _(
                "Next best: %(other)s, an estimated %(points)s points less by the end.",
                other=other,
                points=format_decimal(points, "0.0"),
            )
            if points
            else _("Next best: %(other)s, estimated about as good.", other=other)
        )
        if _is_short(f"{hint} {next_best}") or (harder and not points):
            hint = f"{hint} {next_best}"
    return [hint, _("This is only advice: whatever else is offered is allowed, too.")]


def _is_short(hint: str) -> bool:
    return len(hint.split()) <= MOST_WORDS


def _is_unclear(do: str, help: Advice[Any]) -> bool:
    """Whether an action is told by a place's name that other places of the board have, too."""
    of_board = Counter(spoken_name(one.id) for one in current_profile().places)
    names = [spoken_name(one.id) for one in help.places if one.kind != "track"]
    return any(of_board[name] > 1 and name in do for name in names)


def _other(best: str, do: str) -> str:
    """Return the words of an action that is not the best, unlike those of the best."""
    return _("%(do)s, elsewhere than marked", do=do) if do == best else do


def _something_else(do: str, less: float | None) -> str:
    """Return what to do instead of what was chosen, which is `less` points worse at best."""
    if less is None:
        return _("Something else is better: %(do)s", do=do)
    if not less:
        return _("Something else is about as good: %(do)s", do=do)
    points = format_decimal(less, "0.0")
    return _(
        "Something else is better, by an estimated %(points)s points: %(do)s", points=points, do=do
    )


def compared(
    game: GuidedGame, state: Any, help: Advice[Any], document: Document
) -> list[tuple[str, str]]:
    """Return the next best actions: each with what it brings and how much less that is."""
    found = list[tuple[str, str]]()
    names = player_names(document)
    best = _to_do(game, state, help, names)
    for one in help.others[:MOST_COMPARED]:
        do = as_title(_other(best, _to_do(game, state, one, names)))
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

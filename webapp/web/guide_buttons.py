"""What the buttons of a guided question lead to: the only action left, places, further draws."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from scorer.places import Place
from scorer.table import Pieces
from webapp.app.guide.service import SEPARATOR
from webapp.app.guided_game import Choice, GuidedGame
from webapp.web import guide_questions as questions
from webapp.web.words import spoken


def drawn_in_a_row(
    game: GuidedGame, state: Any, names: Sequence[str]
) -> Mapping[Any, Sequence[tuple[str, str]]]:
    """Return the pieces that may be drawn after each that may be drawn now; {} for other draws.

    Only for the same purpose: the question is as it was.
    """
    turns, found = game.turns, dict[Any, list[tuple[str, str]]]()
    asked = game.question(state, "", (), names)
    for first, _odds in turns.outcomes(state):
        after = turns.after_legal(state, first) if _piece_of(game, state, first) else None
        then = None if after is None else game.question(after, "", (), names)
        is_same = asked is not None and then is not None and then.words == asked.words
        for second, _odds in turns.outcomes(after) if is_same else ():
            piece = _piece_of(game, after, second)
            if piece and type(first) is type(second):
                both = SEPARATOR.join(map(turns.write_action, (first, second)))
                found.setdefault(first, []).append((piece, both))
    return found


def _piece_of(game: GuidedGame, state: Any, action: Any) -> str:
    look = game.look(state, action)
    return look.piece if look else ""


def legal_by_button(
    asks: questions.Asked, choices: Sequence[Choice]
) -> Mapping[str, Mapping[Place, Any]]:
    """Return the legal actions by place of the board that buttons lead to, by draft."""
    turns, found = asks.game.turns, dict[str, Mapping[Place, Any]]()
    for choice in choices:
        if choice.draft and choice.look is None and choice.take is None:
            actions = replace(asks, draft=choice.draft).places().items()
            legal = {at: one for at, one in actions if turns.illegal(asks.state, one) is None}
            if legal:
                found[choice.draft] = legal
    return found


def ways_of_buttons(
    asks: questions.Asked,
    choices: Sequence[Choice],
    of_buttons: Mapping[str, Mapping[Place, Any]],
) -> Mapping[str, Sequence[Any]]:
    """Return the legal actions that buttons lead to, by draft or notation; {} without places."""
    if not of_buttons:
        return {}
    turns = asks.game.turns
    whole = [one.action for one in choices if one.action is not None]
    legal = [one for one in whole if turns.illegal(asks.state, one) is None]
    found = {draft: [*own.values()] for draft, own in of_buttons.items()}
    return found | {turns.write_action(one): [one] for one in legal}


def only_piece(
    asks: questions.Asked,
    choices: Sequence[Choice],
    of_buttons: Mapping[str, Mapping[Place, Any]],
    pieces: Pieces,
) -> Mapping[str, tuple[str, str]]:
    """Return the only piece that may go on an empty space, and the notation of its action.

    {} unless all choices are of pieces.
    """
    if not all(one.piece for one in choices if not one.aside):
        return {}
    found: dict[str, list[tuple[str, str]]] = {}
    for choice in choices:
        for place, action in of_buttons.get(choice.draft, {}).items():
            if place.kind == "spot" and place not in pieces:
                laid = choice.piece, asks.game.turns.write_action(action)
                found.setdefault(str(place), []).append(laid)
    return {place: own[0] for place, own in found.items() if len(own) == 1}


def straight(asks: questions.Asked, choice: Choice, names: Sequence[str]) -> Choice:
    """Return a choice with the only action that it leads to, which is not asked about."""
    is_shown_now = choice.draft and choice.look is None and choice.take is None
    only = replace(asks, draft=choice.draft).only_choice(names) if is_shown_now else None
    if only is None:
        return choice
    players = questions.players_named(asks.game, asks.state, only.action, names)
    does = spoken(asks.game.turns.format_action(only.action, **players))
    return replace(choice, action=only.action, draft="", note=choice.note or does)

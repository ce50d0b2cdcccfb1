"""Finishing a guided game for scoring."""

from dataclasses import replace
from typing import Any

from webapp.app.game_pages import Document
from webapp.app.guided_game import GuidedGame
from webapp.app.live.finish import finished as table_finished
from webapp.app.live.reducer import LiveTable
from webapp.app.session import flow, game_document
from webapp.app.session.board_slots import FOLLOWED, owners, with_owner


def finished(
    part: GuidedGame,
    document: Document,
    table: LiveTable,
    state: Any,
) -> Document:
    """Return a game's document with the final state of the table.

    Differences that a camera saw are ignored: the players were shown them during the game.
    """
    shown = replace(table, positions=tuple(part.turns.positions(state)))
    over = part.with_end(_answered(part, table_finished(document, shown), state), state)
    for number in range(len(owners(over))):
        done: dict[str, Any] = {"checked": [], "offered": None}
        over = with_owner(over, number, board=FOLLOWED, **done)
        over = game_document.with_board_confirmed(over, number)
    return over


def _answered(part: GuidedGame, document: Document, state: Any) -> Document:
    """Return the document with the answers to questions that the turns know."""
    answers = dict(part.turns.answers(state))
    of_players = answers.pop("players", [{}] * len(document["players"]))
    document = game_document.with_answers({**document, **answers}, of_players)
    for question in part.game.questions(document):
        for seat, own in enumerate(of_players):
            if question.of_each_player and question.id in own:
                step = flow.Step(question.id, seat)
                document = game_document.confirm(document, step.key)
        if question.id in answers:
            document = game_document.confirm(document, question.id)
    return document

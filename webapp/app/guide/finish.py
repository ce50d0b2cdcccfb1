"""Finishing a guided game for scoring."""

from dataclasses import replace
from typing import Any

from webapp.app.game_pages import Document
from webapp.app.guided_game import GuidedGame
from webapp.app.live.finish import finished as table_finished
from webapp.app.live.reducer import LiveTable
from webapp.app.session import flow, game_document
from webapp.app.session.board_slots import FOLLOWED, owners, with_owner


def finished(part: GuidedGame, document: Document, table: LiveTable, state: Any) -> Document:
    """Return a game's document with the final state of the table.

    Differences that a camera saw are ignored: the players were shown them during the game.
    """
    shown = replace(table, positions=tuple(part.turns.positions(state)))
    over = _answered(part, table_finished(document, shown), state)
    for number in range(len(owners(over))):
        done: dict[str, Any] = {"checked": [], "offered": None}
        over = with_owner(over, number, board=FOLLOWED, **done)
        over = game_document.with_board_confirmed(over, number)
    return over


def with_setup(part: GuidedGame, document: Document, state: Any) -> Document:
    """Return the document with the cards of the table, once all of them are known."""
    answers, decks = part.turns.answers(state), part.pages.decks(document)
    chosen = {deck.name: answers.get(deck.name, []) for deck in decks}
    is_complete = all(len(chosen[deck.name]) == len(deck.slots) for deck in decks)
    if not is_complete or all(chosen[deck.name] == deck.chosen for deck in decks):
        return document
    return game_document.confirm(part.pages.with_answers("cards", document, chosen), "cards")


def _answered(part: GuidedGame, document: Document, state: Any) -> Document:
    """Return the document with what the turns know of the steps."""
    document = with_setup(part, document, state)
    of_decks = {deck.name for deck in part.pages.decks(document)}
    answers = {key: own for key, own in part.turns.answers(state).items() if key not in of_decks}
    players, boards = document["players"], owners(document)
    of_players = answers.pop("players", [{}] * len(players))
    positions = answers.pop("boards", [])[-len(boards) :]
    for number, position in enumerate(positions, len(boards) - len(positions)):
        document = with_owner(document, number, **part.game.position_data(position))
    asked = {one.id: {option.id for option in one.options} for one in part.game.questions(document)}
    for key, answer in answers.items():
        named = [one["name"] for one in players if one["marker"] == answer]
        is_player = {*named} & asked.get(key, set())
        document = game_document.with_answer(document, key, named[0] if is_player else answer)
    own = [{key: it for key, it in one.items() if key != "colour"} for one in of_players]
    document, steps = game_document.with_answers(document, own), part.pages.steps(document)
    for step in steps.every:
        seats = [number for number, own in enumerate(of_players) if step in own]
        for seat in seats if step in steps.players else ():
            document = game_document.confirm(document, flow.Step(step, seat).key)
        if step not in steps.players and answers and (step in answers or step not in asked):
            document = game_document.confirm(document, step)
    return document

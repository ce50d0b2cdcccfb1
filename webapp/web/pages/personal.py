"""A player's secret card: choosing it by picture, and entering it at a live table.

It is the answer to a game's question `personal`, whose options have pictures.
"""

from collections.abc import Callable, Mapping, Sequence

from flask import Blueprint, abort, render_template, request
from flask.typing import ResponseReturnValue

from scorer.game import Option
from scorer.objective import Objective
from scorer.sentence import Verbatim
from webapp.app.game_pages import pages_of
from webapp.app.session import flow
from webapp.app.session.game_document import with_answer, without_confirmed
from webapp.app.session.saved_games import SavedGame
from webapp.server.guard import serves
from webapp.web.changes import Right, Seen, changes
from webapp.web.game_blueprints import of_step
from webapp.web.pages import live_taps, steps

QUESTION = "personal"
Groups = Sequence[tuple[str, Sequence[Objective]]]
"""Cards in groups, each with its title."""


def page(blueprint: Blueprint, address: str, groups: Callable[[SavedGame, int], Groups]) -> None:
    """Add the page of a player's card to a game's blueprint; `groups` returns what to choose from.

    One tap chooses and continues. The heading is the game's phrase `page_personal`.
    """

    @blueprint.route(f"/players/<int:player>/{address}", methods=["GET", "POST"], endpoint=QUESTION)
    @of_step(QUESTION)
    @changes(Right.SEAT, Seen.STEP)
    def view(game_id: str, player: int) -> ResponseReturnValue:
        return choose(game_id, player, groups)


def choose(
    game_id: str, player: int, groups: Callable[[SavedGame, int], Groups]
) -> ResponseReturnValue:
    game = steps.opened(game_id)
    seat = steps.seat(game, player)
    step, words = flow.Step(QUESTION, player), pages_of(game.document["game"]).words
    card = request.form.get("card", "")
    refused = request.method == "POST"
    if refused and card in known(game):
        return steps.redirect_to_next(
            steps.confirm(game_id, step, lambda kept: with_answer(kept, QUESTION, card, player))
        )
    hidden = game.seats[player].hidden
    page = render_template(
        "hidden.html" if hidden else "personal.html",
        game=game,
        step=step,
        player=player,
        seat=seat,
        heading=words.say(f"page_{QUESTION}", name=Verbatim(seat["name"])),
        groups=() if hidden else groups(game, player),
        serves=serves(),
        refused=refused,
    )
    return page, 422 if refused else 200


def keep(game_id: str) -> ResponseReturnValue:
    """Save a player's card at a live table, hidden until its owner lays it open at the end."""
    game = steps.opened(game_id)
    seat, card = live_taps.seat(game), request.form.get("card", "")
    if card not in known(game):
        abort(422, "no such personal card")
    step = flow.Step(QUESTION, seat).key
    steps.changed(
        game_id,
        step,
        lambda kept: without_confirmed(with_answer(kept, QUESTION, card, seat), (step,)),
    )
    return live_taps.answer(game_id)


def known(game: SavedGame) -> Mapping[str, Option]:
    """Return the game's secret cards by id, {} if it has none."""
    asked = pages_of(game.document["game"]).game.questions(game.document)
    return {card.id: card for one in asked if one.id == QUESTION for card in one.options}

"""What lies on the table for everybody: the cards, the Values board, the career markers."""

from flask import Blueprint, Response, render_template, request
from flask.typing import ResponseReturnValue

from webapp import card_pictures, cards, flow, forms, game_document, proposals
from webapp.companion import companion
from webapp.pages import steps
from webapp.saved_games import SavedGame

blueprint = Blueprint("table", __name__)

CARDS = flow.Step("cards")
VALUES = flow.Step("values")
MARKERS = flow.Step("markers")


@blueprint.get("/cards/<card>.svg")
def card_picture(card: str) -> ResponseReturnValue:
    """Draw a card as a small picture of its pattern."""
    picture = card_pictures.draw(cards.find(card), companion().profile)
    response = Response(picture, mimetype="image/svg+xml")
    response.headers["Cache-Control"] = "private, max-age=86400"
    return response


@blueprint.route("/games/<game_id>/cards", methods=["GET", "POST"])
def cards_on_table(game_id: str) -> ResponseReturnValue:
    """Choose the career cards, and the advanced cards by their slots."""
    game = steps.opened(game_id)
    if request.method != "POST":
        return _cards_page(forms.cards_of(game.document), game)
    form = forms.table_cards(request.form, game.document["mode"])
    if not form.valid:
        return _cards_page(form, game)
    chosen = form.value
    return steps.onward(
        steps.confirm(
            game_id,
            CARDS,
            lambda doc: game_document.with_cards(doc, chosen.career, chosen.advanced),
        )
    )


def _cards_page(form: forms.Form, game: SavedGame) -> ResponseReturnValue:
    families = ("career", "advanced") if game.document["mode"] == "full" else ("career",)
    page = render_template(
        "cards.html", form=form, game=game, step=CARDS, families=families, slots=game_document.SLOTS
    )
    return page, 200 if form.valid else 422


@blueprint.route("/games/<game_id>/values", methods=["GET", "POST"])
def values(game_id: str) -> ResponseReturnValue:
    """Put the tokens of the Values board into their order."""
    game = steps.opened(game_id)
    if request.method != "POST":
        return _values_page(forms.Form(game.document["values"]), game)
    form = forms.values(request.form)
    if not form.valid:
        return _values_page(form, game)
    return steps.onward(
        steps.confirm(
            game_id, VALUES, lambda document: game_document.with_values(document, form.value)
        )
    )


def _values_page(form: forms.Form, game: SavedGame) -> ResponseReturnValue:
    page = render_template(
        "values.html", form=form, game=game, step=VALUES, tracks=game_document.TRACKS
    )
    return page, 200 if form.valid else 422


@blueprint.route("/games/<game_id>/markers", methods=["GET", "POST"])
def markers(game_id: str) -> ResponseReturnValue:
    """Confirm who placed a marker on which career card, and who was first."""
    game = steps.opened(game_id)
    if request.method != "POST":
        return _markers_page(forms.Form({"markers": proposals.markers(game.document)}), game)
    form = forms.markers(request.form, game.document)
    if not form.valid:
        return _markers_page(form, game)
    return steps.onward(
        steps.confirm(
            game_id, MARKERS, lambda document: game_document.with_markers(document, form.value)
        )
    )


def _markers_page(form: forms.Form, game: SavedGame) -> ResponseReturnValue:
    career = game.document["career"]
    placed = form.entered["markers"]
    contested = [card for card in career if proposals.is_contested(card, placed)]
    page = render_template(
        "markers.html",
        form=form,
        game=game,
        step=MARKERS,
        shown=proposals.fulfilled(game.document),
        contested=contested,
        order=contested + game_document.without(career, contested),
    )
    return page, 200 if form.valid else 422

"""The cards on the table: chosen by their pictures, or filled in from a photograph of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from flask import Blueprint, request
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from vision.cards import UNCERTAIN_BELOW
from webapp.app.game_pages import Deck, pages_of
from webapp.app.reading.card_jobs import find_cards
from webapp.app.session import flow
from webapp.app.session.saved_games import Change, SavedGame
from webapp.web.changes import Right, Seen, changes
from webapp.web.context import services
from webapp.web.forms import Form, listed
from webapp.web.game_blueprints import of_step
from webapp.web.pages import steps
from webapp.web.pages.sent_photograph import UnreadPhotographError, read_sent
from webapp.web.pages.whole_table import answers_seen

STEP = flow.Step("cards")


@dataclass(frozen=True)
class CardsRead:
    """A photograph's result: how many cards were filled in, and the candidates of doubtful ones.

    `crowded` are the decks of which it showed more cards than a table has.
    """

    filled: int
    doubtful: tuple[tuple[str, ...], ...]
    crowded: tuple[str, ...]


def page(blueprint: Blueprint, address: str, photographed: bool = False) -> None:
    """Add the page of the `decks` to a game's blueprint; if `photographed`, one that reads them."""
    photograph = f"{blueprint.name}.photographed_cards" if photographed else ""

    @blueprint.route(address, methods=["GET", "POST"])
    @of_step(STEP.name)
    @changes(Right.TABLE, Seen.STEP)
    def cards(game_id: str) -> ResponseReturnValue:
        return choose(game_id, photograph)

    if photographed:

        @blueprint.post(f"{address}/photograph")
        @of_step(STEP.name)
        @changes(Right.TABLE)
        def photographed_cards(game_id: str) -> ResponseReturnValue:
            return read_photograph(game_id, photograph)


def choose(game_id: str, photograph: str = "") -> ResponseReturnValue:
    """Choose the cards of a game's `decks`; `photograph`, if any, is the endpoint to read them."""
    game = steps.opened(game_id)
    pages = pages_of(game.document["game"])
    if request.method != "POST":
        if photograph and not flow.is_live(game.document):
            services().reading_queue.prepare(game)
        return _page(game, _with_seen_cards(game, _form(game)), photograph)
    form = checked(pages.decks(game.document), request.form)
    return _page(
        game, form, photograph, lambda kept: pages.with_answers(STEP.name, kept, form.value)
    )


def read_photograph(game_id: str, photograph: str) -> ResponseReturnValue:
    """Fill in the page from a photograph, for players to confirm.

    The photograph is not kept, and cards of other decks in it are ignored.
    """
    game = steps.opened(game_id)
    try:
        found = read_sent(find_cards, services().boards.name_of(game.document))
    except UnreadPhotographError as error:
        return _page(game, replace(_form(game), errors={"photo": str(error)}), photograph)
    decks = pages_of(game.document["game"]).decks(game.document)
    return _page(game, cards_read(decks, found), photograph)


def cards_read(decks: Sequence[Deck], found: Sequence[Mapping[str, Any]]) -> Form:
    """The form filled in with the cards confidently `found` in a photograph, in order.

    If there are more cards of a deck than a table has, none of that deck is filled in.
    """
    entered: dict[str, list[str]] = {}
    doubtful, crowded = [], []
    for deck in decks:
        own = [one for one in found if one["card"] in deck.ids]
        sure = [one["card"] for one in own if one["confidence"] >= UNCERTAIN_BELOW]
        sure = list(dict.fromkeys(sure))
        is_crowded = len(sure) > len(deck.slots)
        entered[deck.name] = [] if is_crowded else sure
        crowded += [deck.name] if is_crowded else []
        for one in own:
            if one["confidence"] < UNCERTAIN_BELOW and one["card"] not in sure:
                doubtful.append((one["card"], *one.get("alternatives", ())))
    filled = sum(map(len, entered.values()))
    return Form(entered, {}, CardsRead(filled, tuple(doubtful), tuple(crowded)))


def checked(decks: Sequence[Deck], sent: Mapping[str, str]) -> Form:
    """The form that was sent: a card for each slot of each deck. The value is the cards by deck."""
    errors: dict[str, str] = {}
    entered = {deck.name: listed(sent.get(deck.name, "")) for deck in decks}
    for deck in decks:
        chosen, every = entered[deck.name], len(deck.slots)
        if any(card not in deck.ids for card in chosen):
            errors[deck.name] = _("One of these cards is not in the game.")
        elif len(set(chosen)) != len(chosen):
            errors[deck.name] = _("One of these cards was chosen twice.")
        elif len(chosen) != every:
            errors[deck.name] = _(
                "Choose %(all)s cards: %(chosen)s of %(all)s are chosen.",
                all=every,
                chosen=len(chosen),
            )
    return Form(entered, errors, None if errors else entered)


def _form(game: SavedGame) -> Form:
    decks = pages_of(game.document["game"]).decks(game.document)
    return Form({deck.name: list(deck.chosen) for deck in decks})


def _with_seen_cards(game: SavedGame, form: Form) -> Form:
    """The form with the cards that a photograph of the whole table shows.

    Cards whose order counts are filled in only if none of their deck is missing.
    """
    seen = [
        answer.seen if answer.value is None and answer.question.kind != "order" else answer.value
        for answer in answers_seen(game, STEP)
    ]
    filled = {
        deck.name: cards
        for deck in pages_of(game.document["game"]).decks(game.document)
        for cards in seen
        if cards and not form.entered[deck.name]
        if {*cards} <= {*deck.ids} and len(cards) <= len(deck.slots)
    }
    return replace(form, entered={**form.entered, **filled})


def _page(
    game: SavedGame, form: Form, photograph: str, change: Change | None = None
) -> ResponseReturnValue:
    return steps.form_page(
        "cards.html",
        game,
        STEP,
        form,
        change,
        decks=pages_of(game.document["game"]).decks(game.document),
        photograph=photograph,
        read=form.value if isinstance(form.value, CardsRead) else None,
    )

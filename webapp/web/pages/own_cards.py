"""The owner's cards: photographed in rows, named by tap, and then recognised."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import takewhile

from flask import (
    Blueprint,
    Response,
    abort,
    flash,
    jsonify,
    redirect,
    render_template,
    request,
    url_for,
)
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _
from flask_babel import ngettext

from calibration import Profile, ProfileError
from calibration.own_deck import (
    DeckBusyError,
    OwnDeck,
    TooManyCardsError,
    deck_to_change,
    delete_deck,
    own_deck,
    readable_deck,
    restore_deck,
    save_deck,
)
from calibration.profile import profile_version
from webapp.app.game_pages import GamePages, pages_of
from webapp.app.languages import language
from webapp.app.reading.card_jobs import cards_in_rows
from webapp.server import guard
from webapp.web.changes import Right, changes
from webapp.web.context import services
from webapp.web.failures import wants_json
from webapp.web.pages.sent_photograph import UnreadPhotographError, read_sent

blueprint = Blueprint("own_cards", __name__, url_prefix="/my-boards/cards")

DECK_ROOM = 4_000_000
"""Bytes reserved for the pictures of one photograph's cards."""
NO_CARD = "none"


@dataclass(frozen=True)
class CardName:
    """A card of a game in a list to choose from."""

    id: str
    number: str
    name: str
    deck: str


@blueprint.before_request
def _keeper_only() -> None:
    if request.endpoint != "own_cards.picture":
        guard.require_keeper()


@blueprint.get("/<path:name>")
def show(name: str, problem: str = "", chosen: Sequence[str] = ()) -> ResponseReturnValue:
    """Show a deck: the known cards, how to photograph it, and the cards to be named."""
    profile = _profile(name)
    try:
        deck = own_deck(name)
    except ProfileError:
        deck, problem = OwnDeck(), _("The file of these cards is damaged. Show your cards again.")
    every, any_kept = _names(profile.layout.game, language()), bool(deck.cards)
    known = {card.id: deck.cards[card.id] for card in every if card.id in deck.cards}
    deck = replace(deck, cards=known)  # leave out another game's cards
    page = render_template(
        "my_cards.html",
        board_name=name,
        profile=profile,
        deck=deck,
        version=profile_version(name),
        every=every,
        decks=[*dict.fromkeys(card.deck for card in every)],
        chosen=chosen or _in_order(deck, every),
        asked=[number for number, card in enumerate(deck.unnamed, 1) if not card.follows],
        no_card=NO_CARD,
        undo="undo" in request.args,
        removable=any_kept or bool(problem),
        problem=problem,
    )
    return page, 422 if problem else 200


def _in_order(deck: OwnDeck, every: Sequence[CardName]) -> Sequence[str]:
    """Return names for the unnamed cards in the game's order; "" from an uncertain one on."""
    missing = [card.id for card in every if card.id not in deck.cards]
    plain = [*takewhile(lambda card: card.follows, deck.unnamed)]
    names = [*missing, *[NO_CARD] * len(plain)][: len(plain)]
    return [*names, *[""] * (len(deck.unnamed) - len(plain))]


@blueprint.post("/<path:name>/photograph")
@changes(Right.KEEPER)
def photograph(name: str) -> ResponseReturnValue:
    """Cut out the cards of a photograph of rows; they are then to be named."""
    _profile(name)
    services().storage.take(DECK_ROOM)
    with deck_to_change(name) as deck:
        try:
            found = read_sent(cards_in_rows, len(deck.unnamed))
        except UnreadPhotographError as error:
            return _refused(name, str(error))
        if not found:
            problem = _("No card was seen. Put them apart from one another, on a table of "
                        "another colour, and photograph them from above.")  # fmt: skip
            return _refused(name, problem)
        first, *others = found.unnamed
        first = replace(first, follows=first.follows and not deck)  # the previous one is not seen
        unnamed = (*deck.unnamed, first, *others)
        photographs = (*deck.photographs, *found.photographs)
        save_deck(name, replace(deck, unnamed=unnamed, photographs=photographs))
    return (jsonify(location=url_for(".show", name=name)), 201) if wants_json() else _back(name)


@blueprint.errorhandler(ProfileError)
def _not_kept(error: ProfileError) -> ResponseReturnValue:
    if isinstance(error, TooManyCardsError):
        problem = _("These are more cards than can be saved. Leave some out.")
    elif isinstance(error, DeckBusyError):
        problem = _("Other cards of this board are just being read. Try again in a minute.")
    else:
        problem = _("The computer that runs Stargazer cannot write these cards: is its disk full?")
    return _refused((request.view_args or {})["name"], problem)


def _refused(name: str, problem: str) -> ResponseReturnValue:
    return (jsonify(message=problem), 422) if wants_json() else show(name, problem)


@blueprint.post("/<path:name>/keep")
@changes(Right.KEEPER)
def keep(name: str) -> ResponseReturnValue:
    """Save the cards under the chosen names, each used once."""
    _profile(name)
    with deck_to_change(name) as deck:
        said = _said(name, deck)
        if not said:
            return _other_cards(name)
        if not all(said):
            number = said.index("") + 1
            return show(
                name, _("Which card is number %(num)s in the photograph?", num=number), said
            )
        named = [card for card in said if card != NO_CARD]
        twice = sorted({card for card in named if named.count(card) > 1})
        if twice:
            problem = _("Two cards have the same name: %(cards)s", cards=", ".join(twice))
            return show(name, problem, said)
        shown = {card: own.jpeg for card, own in zip(said, deck.unnamed, strict=True)}
        shown.pop(NO_CARD, None)
        save_deck(name, OwnDeck({**deck.cards, **shown}))
    flash(
        ngettext(
            "%(num)d card is known now, and recognised from now on.",
            "%(num)d cards are known now, and recognised from now on.",
            len(shown),
        )
    )
    return _back(name)


def _said(name: str, deck: OwnDeck) -> Sequence[str]:
    """Return the chosen name of each unnamed card, "" for none; () for an outdated form."""
    if request.form.get("version", type=float) != profile_version(name):
        return ()
    said = [request.form.get(f"card-{number}", "") for number in range(len(deck.unnamed))]
    known = {card.id for card in _names(_profile(name).layout.game, language())}
    if not known.issuperset({*said} - {NO_CARD, ""}):
        abort(422, "no such card")
    return said


def _other_cards(name: str) -> ResponseReturnValue:
    return show(name, _("Other cards were photographed in the meantime: check these again."))


@blueprint.post("/<path:name>/missed")
@changes(Right.KEEPER)
def missed(name: str) -> ResponseReturnValue:
    """Clear the names from a card on, as one before it was not found."""
    _profile(name)
    with deck_to_change(name) as deck:
        said = _said(name, deck)
        number = request.form.get("missed", 0, type=int)
        if not said or not 0 <= number < len(said):
            return _other_cards(name)
        unnamed = [*deck.unnamed]
        unnamed[number] = replace(unnamed[number], follows=False)
        save_deck(name, replace(deck, unnamed=unnamed))
    return show(name, chosen=[*said[:number], *[""] * (len(said) - number)])


@blueprint.post("/<path:name>/forget")
@changes(Right.KEEPER)
def forget(name: str) -> ResponseReturnValue:
    _profile(name)
    with deck_to_change(name) as deck:
        save_deck(name, replace(deck, unnamed=(), photographs=()))
    return _back(name)


@blueprint.post("/<path:name>/remove")
@changes(Right.KEEPER)
def remove(name: str) -> ResponseReturnValue:
    """Delete the whole deck, even if its file is damaged."""
    _profile(name)
    try:
        delete_deck(name)
    except ProfileError:
        abort(404)
    return _back(name, undo="yes")


@blueprint.post("/<path:name>/restore")
@changes(Right.KEEPER)
def restore(name: str) -> ResponseReturnValue:
    """Restore the last deleted deck."""
    _profile(name)
    try:
        restore_deck(name)
    except ProfileError:
        return show(name, _("These cards can no longer be brought back."))
    flash(_("Your cards are back."))
    return _back(name)


@blueprint.get("/picture/<card>/<path:name>.jpg")
def picture(name: str, card: str) -> ResponseReturnValue:
    """Return a card's picture; unnamed cards and photographs by number."""
    if services().boards.known(name) is None:
        abort(404)
    deck = readable_deck(name)
    unnamed: dict[str, bytes] = {}
    if guard.keeps_boards():
        unnamed = {f"-{number}": card.jpeg for number, card in enumerate(deck.unnamed)}
        unnamed |= {f"-photograph-{number}": jpeg for number, jpeg in enumerate(deck.photographs)}
    shown = {**deck.cards, **unnamed}.get(card)
    if shown is None:
        abort(404)
    return Response(shown, mimetype="image/jpeg")


def shown_cards(name: str) -> Mapping[str, str]:
    """Return the URLs of the owner's cards of a board by id."""
    return {
        card: url_for("own_cards.picture", name=name, card=card)
        for card in readable_deck(name).cards
    }


def boards_with_cards() -> Sequence[str]:
    """Return the boards that can have cards: of the first kind, in games with cards."""
    boards = services().boards
    return [
        name
        for game in boards.games
        if type(pages_of(game)).cards is not GamePages.cards
        for name in boards.choices(game)
    ]


@lru_cache(16)
def _names(game: str, tongue: str) -> Sequence[CardName]:
    """Return the game's cards in order, without repetitions."""
    standard = services().boards.standard(game)
    found = pages_of(game).cards(standard, tongue) if standard else ()
    named = {card.id: CardName(card.id, card.number, card.name, card.deck) for card in found}
    return tuple(named.values())


def _profile(name: str) -> Profile:
    profile = services().boards.known(name) if name in boards_with_cards() else None
    if profile is None:
        abort(404)
    return profile


def _back(name: str, undo: str | None = None) -> ResponseReturnValue:
    return redirect(url_for(".show", name=name, undo=undo), 303)

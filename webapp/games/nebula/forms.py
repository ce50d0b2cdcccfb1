"""Forms for Nebula's table, with a message at the field for each mistake."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask_babel import gettext as _

from scorer.nebula.card import of_deck
from scorer.nebula.values_board import TRACKS
from vision.cards import UNCERTAIN_BELOW
from webapp.app.session.saved_games import Document
from webapp.web.forms import Form

CARDS_OF_A_DECK = 4
"""The number of career cards on a table, and of advanced ones."""


def cards_of(document: Document) -> Form:
    return Form({"career": list(document["career"]), "advanced": list(document["advanced"])})


@dataclass(frozen=True)
class CardsRead:
    """A photograph's result: how many cards were filled in, and the candidates of doubtful ones.

    `crowded` are the decks of which it showed more cards than a table has.
    """

    filled: int
    doubtful: tuple[tuple[str, ...], ...]
    crowded: tuple[str, ...]


def cards_read(found: Sequence[Mapping[str, Any]], mode: str) -> Form:
    """The form filled in with the cards confidently `found` in a photograph, in order.

    If there are more cards of a deck than a table has, none of that deck is filled in.
    """
    families = ("career", "advanced") if mode == "full" else ("career",)
    entered: dict[str, list[str]] = {"career": [], "advanced": []}
    doubtful, crowded = [], []
    for family in families:
        deck = [one for one in found if one["card"] in of_deck(family)]
        sure = [one["card"] for one in deck if one["confidence"] >= UNCERTAIN_BELOW]
        sure = list(dict.fromkeys(sure))
        if len(sure) > CARDS_OF_A_DECK:
            crowded.append(family)
        else:
            entered[family] = sure
        for one in deck:
            candidates = (one["card"], *one.get("alternatives", ()))
            if one["confidence"] < UNCERTAIN_BELOW and one["card"] not in sure:
                doubtful.append(candidates)
    filled = sum(map(len, entered.values()))
    return Form(entered, {}, CardsRead(filled, tuple(doubtful), tuple(crowded)))


def table_cards(entered: Any, mode: str) -> Form:
    """Check the cards on the table: four of each deck that the mode uses.

    The value is the career cards, and the advanced cards in the order of their slots.
    """
    errors: dict[str, str] = {}
    chosen = {"career": _listed(entered.get("career", ""))}
    chosen["advanced"] = _listed(entered.get("advanced", "")) if mode == "full" else []
    for family, picked in chosen.items():
        if family == "advanced" and mode != "full":
            continue
        if any(card not in of_deck(family) for card in picked):
            errors[family] = _("One of these cards is not in the game.")
        elif len(set(picked)) != len(picked):
            errors[family] = _("One of these cards was chosen twice.")
        elif len(picked) != CARDS_OF_A_DECK:
            errors[family] = _("Choose four cards: %(chosen)s of 4 are chosen.", chosen=len(picked))
    return Form(chosen, errors, None if errors else tuple(chosen.values()))


def values(entered: Mapping[str, str]) -> Form:
    """Check the order of the tokens on each track of the Values board."""
    errors: dict[str, str] = {}
    orders = {track: _listed(entered.get(track, "")) for track in TRACKS}
    for track, tokens in TRACKS.items():
        if any(token not in tokens for token in orders[track]):
            errors[track] = _("One of these tokens does not belong on this track.")
        elif len(set(orders[track])) != len(orders[track]):
            errors[track] = _("One of these tokens is listed twice.")
    return Form(orders, errors, None if errors else orders)


def markers(entered: Mapping[str, str], document: Document) -> Form:
    """Check the career markers: on each card exactly one player is first, if there are any."""
    errors: dict[str, str] = {}
    seats = range(len(document["players"]))
    placed: list[dict[str, str]] = [{} for _seat in seats]
    for card in document["career"]:
        at = [entered.get(f"{card}-{seat}", "none") for seat in seats]
        if any(place not in {"none", "first", "later"} for place in at):
            errors[card] = _("Choose who was first, and who followed.")
        elif at.count("first") > 1:
            errors[card] = _("Only one player can be first.")
        elif "later" in at and "first" not in at:
            errors[card] = _("Say who was first.")
        for seat, place in zip(seats, at, strict=True):
            if place in {"first", "later"}:
                placed[seat][card] = place
    return Form({"markers": placed}, errors, None if errors else placed)


def _listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()][:60]

"""Nebula's part of a document: cards and career markers."""

from collections.abc import Mapping, Sequence

from webapp.app.session.game_document import Document, with_answers, without_confirmed


def with_cards(document: Document, career: Sequence[str], advanced: Sequence[str] = ()) -> Document:
    """Set the cards; markers on a card that is no longer on the table are removed.

    If a card is new, the markers have to be confirmed again.
    """
    players = [
        {**player, "career": {card: at for card, at in player["career"].items() if card in career}}
        if "career" in player
        else player
        for player in document["players"]
    ]
    laid = {**document, "career": list(career), "advanced": list(advanced), "players": players}
    new = set(career) - set(document["career"])
    return without_confirmed(laid, ("markers",) if new else ())


def with_markers(document: Document, markers: Sequence[Mapping[str, str]]) -> Document:
    """Set each player's career markers: from card to "first" or "later"."""
    return with_answers(document, [{"career": dict(placed)} for placed in markers])


def without_markers(document: Document) -> Document:
    """Leave the markers to be proposed again."""
    players = [
        {key: value for key, value in player.items() if key != "career"}
        for player in document["players"]
    ]
    return {**document, "players": players}

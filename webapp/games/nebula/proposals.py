"""What the boards suggest: who fulfils which card, for the players to confirm."""

from collections.abc import Mapping, Sequence

from scorer.nebula.board import GalaxyBoard
from scorer.nebula.card import Card, of_deck
from scorer.nebula.edition import load_edition
from scorer.nebula.galaxy import Galaxy
from scorer.nebula.result import Table
from webapp.app.session.saved_games import Document


def galaxies(document: Document, board: GalaxyBoard) -> list[Galaxy]:
    """Return each player's galaxy as it stands, on the `board` that is played on."""
    return [Galaxy(player["stars"], player["black"], board) for player in document["players"]]


def personal(document: Document, player: int, board: GalaxyBoard) -> list[Card]:
    """Return the personal cards that the player's board fulfils."""
    every = galaxies(document, board)
    table = Table.of(every, player)
    cards = of_deck("personal").values()
    return [card for card in cards if card.check(every[player], table).fulfilled]


def fulfilled(document: Document, board: GalaxyBoard) -> list[list[str]]:
    """Return for each player the career cards on the table that their board shows fulfilled."""
    known = load_edition(document["edition"]).cards
    return [
        [card for card in document["career"] if known[card].check(galaxy).fulfilled]
        for galaxy in galaxies(document, board)
    ]


def markers(document: Document, board: GalaxyBoard) -> list[Mapping[str, str]]:
    """Return each player's career markers: those confirmed, else what the boards suggest.

    Who alone shows a card fulfilled is proposed as its first. Where several do, all of
    them are proposed as later ones: who was first is asked, never guessed.
    """
    shown = fulfilled(document, board)
    proposed: list[Mapping[str, str]] = []
    for seat, player in enumerate(document["players"]):
        if "career" in player:
            proposed.append(player["career"])
            continue
        proposed.append(
            {
                card: "first" if sum(card in others for others in shown) == 1 else "later"
                for card in shown[seat]
            }
        )
    return proposed


def is_contested(card: str, markers: Sequence[Mapping[str, str]]) -> bool:
    """Say whether players have markers on a card and nobody is known to be its first."""
    placed = {own[card] for own in markers if card in own}
    return placed == {"later"}

"""Proposals for players to confirm, from the cards that the boards fulfil."""

from collections.abc import Mapping, Sequence

from scorer.nebula.board import GalaxyBoard
from scorer.nebula.card import Card, of_deck
from scorer.nebula.contract import NEBULA
from scorer.nebula.edition import load_edition
from scorer.nebula.galaxy import Galaxy
from scorer.nebula.result import Table
from webapp.app.game_pages import Document


def galaxies(document: Document, board: GalaxyBoard) -> list[Galaxy]:
    return [NEBULA.position_from_data(board, player) for player in document["players"]]


def personal(document: Document, player: int, board: GalaxyBoard) -> list[Card]:
    """The personal cards that the player's board fulfils."""
    every = galaxies(document, board)
    table = Table.of(every, player)
    cards = of_deck("personal").values()
    return [card for card in cards if card.check(every[player], table).fulfilled]


def fulfilled(document: Document, board: GalaxyBoard) -> list[list[str]]:
    """For each player the career cards on the table that their board fulfils."""
    known = load_edition(document["edition"]).cards
    return [
        [card for card in document["career"] if known[card].check(galaxy).fulfilled]
        for galaxy in galaxies(document, board)
    ]


def markers(document: Document, board: GalaxyBoard) -> list[Mapping[str, str]]:
    """Each player's career markers: those confirmed, otherwise proposals from the boards.

    A player who alone fulfils a card is proposed as its first. If several do, all are proposed as
    later ones, as the first is asked for rather than guessed.
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
    """Whether players have markers on a card, but none is known to be first."""
    placed = {own[card] for own in markers if card in own}
    return placed == {"later"}

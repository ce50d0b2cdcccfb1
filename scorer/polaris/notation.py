"""Actions of Polaris as lines of text, and read back.

    take crescent-B3        shooting        end        draw crescent-B3
    play crescent-B3 2 0 2b2 2b2-2c2

A card is played in a sector with one of its choices; then come the places of its pieces, stars
first, as far as they are told: `nostar` and `nolink` for those that are left out.
"""

from scorer.polaris.board import BETWEEN_ENDS
from scorer.polaris.table_state import (
    Action,
    Draw,
    EndTurn,
    PlayCard,
    TakeCard,
    TakeShootingStars,
)

NO_STAR, NO_LINK = "nostar", "nolink"
MOST_PIECES = 8  # of a line, far above any card's


class NotationError(ValueError):
    """A text that is no action."""


def write_action(action: Action) -> str:
    """The line of text of an action.

    >>> write_action(PlayCard("new-B3", 1, 0, ("1b2",), (None,)))
    'play new-B3 1 0 1b2 nolink'
    """
    match action:
        case TakeCard(card):
            return f"take {card}"
        case Draw(card):
            return f"draw {card}"
        case TakeShootingStars():
            return "shooting"
        case EndTurn():
            return "end"
        case PlayCard(card, sector, choice, stars, links):
            pieces = [star or NO_STAR for star in stars] + [link or NO_LINK for link in links]
            return " ".join(["play", card, str(sector), str(choice), *pieces])


def read_action(text: str) -> Action:
    """The action of a line of text, legal or not. NotationError for what is none.

    >>> read_action("play new-B3 1 0 1b2")
    PlayCard(card='new-B3', sector=1, choice=0, stars=('1b2',), links=())
    """
    match text.split():
        case ["take", card]:
            return TakeCard(card)
        case ["draw", card]:
            return Draw(card)
        case ["shooting"]:
            return TakeShootingStars()
        case ["end"]:
            return EndTurn()
        case ["play", card, sector, choice, *pieces] if (
            sector.isdecimal() and choice.isdecimal() and len(pieces) <= MOST_PIECES
        ):
            links = [piece for piece in pieces if piece == NO_LINK or BETWEEN_ENDS in piece]
            stars = [piece for piece in pieces if piece not in links]
            return PlayCard(
                card,
                int(sector),
                int(choice),
                tuple(None if star == NO_STAR else star for star in stars),
                tuple(None if link == NO_LINK else link for link in links),
            )
    raise NotationError(f"{text[:100]!r} is no action")

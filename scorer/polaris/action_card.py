"""Action cards: the pieces a card places, their arrangement, and what else it gives."""

from dataclasses import dataclass
from typing import Literal

from scorer.polaris.board import Orientation

Deck = Literal["basic", "advanced"]


@dataclass(frozen=True)
class ShownLink:
    """A link on a card, with the numbers of the card's stars that it touches; empty for a free one.

    >>> ShownLink("horizontal", (0, 1))  # between two stars
    ShownLink(orientation='horizontal', stars=(0, 1))
    """

    orientation: Orientation
    stars: tuple[int, ...] = ()


@dataclass(frozen=True)
class Choice:
    """The pieces that a choice of a card places (P36), and the shooting stars that it gives."""

    stars: int = 0
    links: tuple[ShownLink, ...] = ()
    shooting: int = 0


@dataclass(frozen=True)
class ActionCard:
    """An action card: its moon (P34), its choices, and whether it goes onto a dawn space (P44)."""

    id: str
    deck: Deck
    moon: str
    choices: tuple[Choice, ...]
    dawn: bool = False

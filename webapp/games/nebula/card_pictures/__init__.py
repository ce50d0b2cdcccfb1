"""Cards drawn as small SVG pictures of their pattern, which remain legible at 44 px.

The vocabulary is the same on every card: a star with its colour's mark is that colour; a gold disc
is a star of any colour; a ring with rays is a highlighted space; a dashed line is an indirect link.
"""

from calibration import Profile
from scorer.families import functions_of
from scorer.nebula.card import Card
from webapp.games.nebula.card_pictures import advanced, career, personal
from webapp.games.nebula.card_pictures.mini_galaxy import MiniGalaxy
from webapp.web.card_ink import framed

FAMILIES = functions_of(personal, career, advanced)
"""Drawing functions by family: (galaxy, **parameters of the card) -> SVG elements."""

EDGES = {"personal": "#8f7be0", "career": "#d9b04c", "advanced": "#4fa9b8"}
"""The colours of thin frames that distinguish the decks."""


def draw(card: Card, profile: Profile) -> str:
    """A card's picture: a standalone square SVG, a night sky in light and dark mode."""
    pattern = FAMILIES[card.family](MiniGalaxy(profile), **card.parameters)
    return framed(card.id, pattern, EDGES[card.deck])

"""Cards drawn as small pictures of their pattern, as SVG."""

from markupsafe import escape

from calibration import Profile
from scorer.nebula.card import Card


def draw(card: Card, profile: Profile) -> str:
    """Return a card's picture: a standalone SVG, 120 x 120, a night sky in either appearance."""
    stars = [
        f'<circle cx="{x * 0.5 + 10:.1f}" cy="{y * 0.5 - 6:.1f}" r="3" fill="#44508c"/>'
        for x, y in (space.at for space in profile.spaces.values())
    ]
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 120">'
        '<rect width="120" height="120" rx="10" fill="#121a3f"/>'
        f"{''.join(stars)}<title>{escape(card.id)}</title></svg>"
    )

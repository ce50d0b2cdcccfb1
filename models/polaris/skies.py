"""Random plausible skies: stars of two to four players, links, neutral stars if two play."""

from collections.abc import Sequence

from models.synthesis.position import pick
from models.synthesis.texture import Rng
from scorer.places import Place
from scorer.polaris.board import SkyBoard
from scorer.polaris.contract import LINK, NEW_MOON
from scorer.polaris.edition import load_edition
from scorer.polaris.sky import LINKS, STARS_OF_A_PLAYER
from scorer.polaris.words import COLOURS, NEUTRAL, POLARIS

_OTHER_COLOURS = 0.15
"""The share of games with colours other than the standard edition's."""


def random_sky(rng: Rng, board: SkyBoard, most_turns: int = 110) -> dict[Place, str]:
    """The pieces after a random number of turns, with the New Moon on the sector that it faces."""
    standard = load_edition("standard").colours
    among: Sequence[str] = COLOURS if rng.random() < _OTHER_COLOURS else standard
    players = [str(colour) for colour in rng.permutation(among)[: int(rng.integers(2, 5))]]
    pieces = {Place(str(pick(rng, list(board.sectors))), "dial"): NEW_MOON}
    closed = board.starred if len(players) == 2 else ()
    pieces |= {Place(space): NEUTRAL for space in closed}
    for turn in range(int(rng.integers(0, most_turns + 1))):
        play_card(rng, board, pieces, players[turn % len(players)])
    return pieces


def play_card(rng: Rng, board: SkyBoard, pieces: dict[Place, str], colour: str) -> None:
    """Play one card: a star, perhaps with a link at it, or a link; all within one sector."""
    sector = pick(rng, list(board.sectors))
    free = [s for s in board.sectors[sector] if Place(s) not in pieces]
    own = sum(piece == colour for piece in pieces.values())
    links = sum(piece == LINK for piece in pieces.values())
    if rng.random() < 0.75 and free and own < STARS_OF_A_PLAYER:
        adjacent = [s for s in free if _is_adjacent(board, pieces, s, colour)]
        space = pick(rng, adjacent if adjacent and rng.random() < 0.6 else free)
        pieces[Place(space)] = colour
        around = [Place(link, "edge") for link in board.links_at(space)]
        empty = [link for link in around if link not in pieces]
        if empty and links < LINKS and rng.random() < 0.7:
            pieces[pick(rng, empty)] = LINK
    elif links < LINKS:
        anywhere = [Place(link, "edge") for link in board.link_spaces]
        within = [
            link
            for link in anywhere
            if link not in pieces and sector in board.sectors_of_link(link.id)
        ]
        if within:
            pieces[pick(rng, within)] = LINK


def _is_adjacent(board: SkyBoard, pieces: dict[Place, str], space: str, colour: str) -> bool:
    """Whether a link space joins the space to an own star or to Polaris."""
    return any(
        end == POLARIS or pieces.get(Place(end)) == colour
        for link in board.links_at(space)
        for end in board.link_spaces[link].ends - {space}
    )

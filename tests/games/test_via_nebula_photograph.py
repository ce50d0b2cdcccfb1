"""A photograph of the valley at the end of a game: nothing is read wrong that is not asked."""

from collections.abc import Iterator
from random import Random

from calibration import load_profile
from calibration.artwork import artwork
from calibration.drawing import Mark, Picture, Point
from scorer.places import counted
from scorer.via_nebula.game import VIA_NEBULA
from scorer.via_nebula.turns import TURNS
from tests.games.photographs import as_photograph
from tests.scorer.via_nebula_tables import played_at_random
from vision import Photo, Reader

AROUND = ((-8, 3), (0, 3.5), (8, 3), (-4, 11), (4.5, 11))
IN_A_HALF = ((0, 4), (0, 12), (-1, -11.5), (4.5, 9), (-4.5, -4))
"""Where resources lie about a place's middle, in mm; more of them lie on one another."""


def laid(at: Point, pieces: list[str], is_half: bool) -> Iterator[tuple[str, Point]]:
    """Where hands would lay the pieces of a place: what stands there above, resources below."""
    lying = 0
    for piece in pieces:
        dx, dy = {"site": (0, -4.5), "building": (0, -4.5), "craftsman": (0, -7)}.get(
            piece.partition("_")[0], (0, 0)
        )
        if piece in ("wood", "stone", "clay", "wheat", "food"):
            dx, dy = (IN_A_HALF if is_half else AROUND)[min(lying, 4)]
            lying += 1
        yield piece, (at[0] + dx, at[1] + dy)


def test_the_end_of_a_game_is_read_or_asked() -> None:
    valley, luck = load_profile("via_nebula/standard"), Random(1)
    state = played_at_random(3, 1)[-1][0]
    lying = TURNS.positions(state)[0].pieces
    marks: list[Mark] = [Picture(valley.require_reference())]
    ids = {place.id for place in valley.places}
    for place, shape in valley.places.items():
        is_half = f"{place.id}b" in ids or place.id.endswith("b")
        pieces = sorted(counted(lying, place.id).elements())
        for piece, at in laid(shape.at, pieces, is_half):
            marks += artwork("via_nebula").draw_token(piece, at, luck.uniform(0, 360))
    photo = Photo(as_photograph(valley, marks, 1), (1600, 1200), "valley.jpg")
    players = [{"colour": seat.colour} for seat in state.seats]
    roles = {"via_nebula": VIA_NEBULA.piece_roles({"players": players})}
    (board,) = Reader.of(valley).read(photo, piece_roles=roles).boards
    asked = {space for flag in board.flags for space in flag.spaces}
    wrong = {id for id in ids if counted(board.pieces, id) != counted(lying, id)}
    assert wrong <= asked and len(wrong) < 6, wrong
    assert len(asked) < 8, asked

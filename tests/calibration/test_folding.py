"""Pieces to fold: nets in their colours, of the size that a reader counts them by."""

from math import pi

import pytest

from calibration import load_profile
from calibration.artwork import further_sheets
from calibration.drawing import rasterise
from calibration.printing import PAPERS, Sheets
from calibration.via_nebula.solids import ACROSS, BOXES_MM, PITCH_MM
from scorer.table import Piece
from scorer.via_nebula.game import VIA_NEBULA

ELEMENTS = [piece for piece in VIA_NEBULA.pieces if piece.owner]


def test_each_element_of_the_valley_has_a_net_in_its_colour() -> None:
    sheets = further_sheets(load_profile("via_nebula/standard").layout)
    (sheet,) = (one for one in sheets if one.name == "solids")
    for paper in PAPERS:
        room = Sheets(paper).room()
        assert sheet.size_mm[0] <= room[0] and sheet.size_mm[1] <= room[1], "it fits a page"
    picture, number = rasterise(sheet, 3), 0
    for piece in ELEMENTS:
        side = BOXES_MM[piece.id.partition("_")[0]][0]
        for _ in range(piece.supply):
            middle = ((number % ACROSS + 0.5) * PITCH_MM, (number // ACROSS + 0.5) * PITCH_MM)
            x, y = (round(3 * (at - side / 2 + 1)) for at in middle)
            assert "#{2:02x}{1:02x}{0:02x}".format(*picture[y, x]) == piece.colour, piece.id
            number += 1
    assert number == 44


@pytest.mark.parametrize("piece", ELEMENTS[::4], ids=lambda piece: piece.id)
def test_a_box_is_seen_as_large_as_the_disc_that_it_may_be_instead(piece: Piece) -> None:
    side = BOXES_MM[piece.id.partition("_")[0]][0]
    assert side**2 == pytest.approx(pi * (piece.diameter_mm / 2) ** 2, rel=0.03)

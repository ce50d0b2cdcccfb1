"""A reading goes to JSON and comes back with every piece that was seen."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np

from scorer.board_state import BoardState, PlaceReading, TrackReading
from scorer.places import Place
from vision.reading import BoardReading

LINK, EMPTY_LINK = Place("hill-lake", "edge"), Place("lake-mill", "edge")
BOARD = BoardReading(
    profile="valley",
    game="nebula",
    to_photo=np.eye(3),
    corners=np.zeros((4, 2)),
    places={
        Place("hill"): PlaceReading("red", 0.99),
        Place("lake"): PlaceReading(None, 0.99),
        LINK: PlaceReading("bridge", 0.99),
        EMPTY_LINK: PlaceReading(None, 0.99),
    },
    tracks={"coin": TrackReading(2, 0.99, ("coin", "coin", None))},
    loose=(),
    flags=(),
)
GAME = SimpleNamespace(
    id="valley", pieces=(), admits=lambda place: ("bridge" if place.kind == "edge" else "coin",)
)


def test_pieces_on_spaces_links_and_tracks_come_back_from_a_reading_kept() -> None:
    assert LINK in BOARD.pieces and len(BOARD.pieces) == 4
    assert BoardState.from_data(BOARD.to_data(), GAME).pieces == BOARD.pieces


def test_a_reading_kept_tells_that_samples_were_left_out() -> None:
    assert "samples" not in BOARD.to_data()
    without = replace(BOARD, samples_left_out=True)
    assert BoardState.from_data(without.to_data(), GAME).samples_left_out

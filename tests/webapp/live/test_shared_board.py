"""One board for all: whoever sits there, the camera's first board is everybody's."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from scorer.places import Place
from scorer.polaris.board import STANDARD_SKY
from scorer.polaris.contract import POLARIS_GAME
from tests.webapp.live.evening_log import NOON, Evening
from webapp.app.live.reducer import Rules


@pytest.fixture
def evening() -> Evening:
    game = POLARIS_GAME
    places = [Place("1a1"), Place("2b1"), Place("1a1-1a2", "edge")]
    places += [Place(str(sector), "dial") for sector in STANDARD_SKY.sectors]
    sky = SimpleNamespace(game=game, board=STANDARD_SKY, places=dict.fromkeys(places))
    live = SimpleNamespace(
        initial_state=lambda rules: (),
        after_change=lambda rules, own, change: (*own, (change.seat, change.seconds)),
        completed=lambda *_moments: (),
    )
    return Evening(Rules(4, "", cast(Any, sky), cast(Any, live)))


def test_all_see_the_same_pieces(evening: Evening) -> None:
    evening.see(0, "placed", space="1a1", star="red")
    evening.see(0, "placed", space="1a1-1a2", star="link")
    evening.note("hand", seat=0, event={"kind": "placed", "space": "2b1", "star": "blue"})
    table = evening.table()
    (sky,) = table.positions
    assert (dict(sky.stars), sky.links) == ({"1a1": "red", "2b1": "blue"}, ("1a1-1a2",))
    assert table.own == ((0, NOON.timestamp()),) * 3


def test_another_board_is_nobodys(evening: Evening) -> None:
    evening.see(0, "placed", space="1a1", star="red")
    evening.see(1, "placed", space="2b1", star="blue")
    assert evening.table().ownerless == (("cam", 1),)
    evening.note("hand", seat=1, event={"kind": "placed", "space": "2b1", "star": "blue"})
    assert dict(evening.table().positions[0].stars) == {"1a1": "red"}


def test_of_a_piece_there_is_only_one(evening: Evening) -> None:
    """However the two events come of its leaving one place for another."""
    evening.see(0, "placed", space="4", star="new_moon")
    evening.see(0, "placed", space="5", star="new_moon")
    assert evening.table().positions[0].new_moon == 5
    evening.see(0, "removed", space="4")
    assert evening.table().positions[0].new_moon == 5
    evening.see(0, "removed", space="5")
    assert evening.table().positions[0].new_moon is None

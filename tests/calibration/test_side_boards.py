"""Boards beside those that are scored: their layouts, and proposals for other prints of them."""

from dataclasses import replace

import numpy as np
import pytest

from calibration import Profile, ProfileError, load_profile
from calibration.layout import layout_from_data
from calibration.proposal import LayoutProposal, can_propose, propose_layout
from calibration.side_boards import pattern, sheet_of, side_boards
from scorer.places import Place
from scorer.registry import find_game
from tests.side_boards import own_print, photographed

KIND, VALUES = "nebula/cluster_board", "nebula/values_board"


@pytest.fixture(scope="module")
def clusters() -> Profile:
    return pattern(KIND)


def test_a_side_board_has_those_places_where_several_tokens_may_be(clusters: Profile) -> None:
    assert clusters.layout.is_side_board and not load_profile("standard").layout.is_side_board
    assert len(clusters.spaces) == 19 and "hour.0.0" not in clusters.spaces
    assert set(clusters.game.admits(Place("boosted"))) == {
        piece.id for piece in load_profile("standard").game.pieces
    }
    assert clusters.game.admits(Place("core")) == ()
    assert not side_boards("via_nebula") and not side_boards("toy")


def test_its_layout_is_read_as_it_was_written_and_lacks_no_place(clusters: Profile) -> None:
    data = clusters.layout.to_data()
    again = layout_from_data(data)
    assert again == replace(clusters.layout, places=again.places) and again.to_data() == data
    del data["spaces"]["boosted"]
    with pytest.raises(ProfileError, match=r"spaces\.boosted"):
        layout_from_data(data)
    with pytest.raises(ProfileError, match="must be one of"):
        layout_from_data({**data, "board": "moon"})


def test_its_sheet_has_the_places_where_the_own_print_has_them(clusters: Profile) -> None:
    mine = own_print(clusters)
    sheet = sheet_of(mine)
    assert sheet.sheet.size_mm == mine.size_mm
    assert {id: at for own in sheet.spots for id, at in own.at.items()} == {
        id: shape.at for id, shape in mine.spaces.items()
    }


def test_a_board_with_tracks_has_their_squares(clusters: Profile) -> None:
    values = pattern(VALUES)
    assert len(values.spaces) == 27 and values.layout.is_side_board
    assert set(values.game.admits(Place("values.advanced.8"))) == {"I", "II", "III", "IV"}
    mine = own_print(values)
    assert layout_from_data(mine.layout.to_data()).places == mine.places
    tracks = sheet_of(mine).tracks
    assert tracks["values.colours"].at["values.colours.8"] == mine.spaces["values.colours.8"].at
    assert not sheet_of(clusters).tracks
    names = {mine.game.place_name(mine.board, id) for id in mine.spaces}
    assert len(names) == 27 and "square of the Values board 27" in names


@pytest.mark.parametrize("turns", [0, 2])
def test_the_squares_of_rows_are_named_from_their_start(turns: int) -> None:
    """Turned around, the rows look alike: where on the board they lie tells their start."""
    mine = own_print(pattern(VALUES))
    proposal = propose_layout(np.ascontiguousarray(np.rot90(photographed(mine, {}), turns)), VALUES)
    assert proposal.is_board and max(_off(proposal, mine)) < 2.0


def test_squares_that_are_not_seen_are_proposed_where_the_known_board_has_them() -> None:
    """Only circles are looked for."""
    known = pattern(VALUES)
    proposal = propose_layout(photographed(known, {}), VALUES)
    assert not proposal.is_board and len(proposal.missing) >= 27
    assert proposal.size_mm == known.size_mm and max(_off(proposal, known)) < 2.0
    inside = np.array(proposal.corners) * 0.98 + proposal.corners.mean(axis=0) * 0.02
    again = propose_layout(photographed(known, {}), VALUES, corners=np.roll(inside, 2, axis=0))
    seen = again.draft.places[Place("values.colours.0")].at
    assert max(np.abs(np.array(seen) - known.spaces["values.colours.0"].at)) < 4, "as was said"


def _off(proposal: LayoutProposal, mine: Profile) -> list[float]:
    """How far each place is from its own, in mm."""
    grown = np.array(mine.size_mm) / proposal.size_mm
    return [
        float(np.linalg.norm(np.array(proposal.draft.places[place].at) * grown - shape.at))
        for place, shape in mine.places.items()
    ]


@pytest.mark.parametrize("turns", [0, 1, 2])
def test_the_places_of_another_print_are_named_as_they_are(clusters: Profile, turns: int) -> None:
    """Without links nothing but the board's sides tells how it is turned; it is no mirror image."""
    mine = own_print(clusters)
    picture = np.ascontiguousarray(np.rot90(photographed(mine, {}), turns))
    proposal = propose_layout(picture, KIND)
    assert can_propose(KIND) and proposal.is_board and proposal.upright in range(4)
    assert max(_off(proposal, mine)) < 2.0


def test_clusters_lie_where_the_game_names_them() -> None:
    spaces = side_boards("nebula")["cluster_board"].layout.spaces
    words = find_game("nebula").words
    ways = [str(words.say(f"cluster_{number}")) for number in range(3)]
    top, right, left = (
        spaces[f"cluster.{ways.index(f'the {way} cluster')}.0"].at
        for way in ("top", "right", "left")
    )
    assert left[0] < top[0] < right[0] and top[1] < min(left[1], right[1])

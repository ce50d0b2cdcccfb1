"""What was not surely found in a photograph of a board: asked, answered, never made up."""

import io

import pytest

from calibration import load_profile
from calibration.profile import own_profile_names
from tests.webapp.conftest import jpeg
from tests.webapp.drafts.conftest import Owner
from webapp.app.boards.drafts import Drafts


def test_a_board_is_used_once_every_doubt_is_answered(owner: Owner, photograph: bytes) -> None:
    """Looking at a doubt, or loading the page anew, answers none."""
    draft = owner.add(photograph)
    layout = owner.numbered(draft)
    owner.send(f"{draft}/layout", {"layout": layout, "doubtful": ["black/8", "ar3"]})
    assert owner.state(draft)["problems"] == []
    assert list(owner.state(draft)["doubtful"]) == ["black/8", "ar3"]
    refused = owner.post(f"{draft}/use", {"title": "Attic"})
    assert refused.status_code == 422 and own_profile_names() == []
    assert "Space 9 of the track was not seen clearly" in refused.text
    assert "Aries 3 was not seen clearly" not in owner.get(f"{draft}/trial").text
    owner.send(f"{draft}/layout", {"layout": layout, "doubtful": []})
    assert owner.post(f"{draft}/use", {"title": "Attic"}).status_code == 303
    assert own_profile_names() == ["attic"]


def test_no_number_is_saved_that_nobody_typed(owner: Owner, photograph: bytes) -> None:
    draft = owner.add(photograph)
    track = owner.state(draft)["layout"]["black_track"]
    assert track["points"] == [None] * 10 and track["full"] is None
    layout = owner.numbered(draft)
    layout["black_track"]["points"][4] = None
    reported = owner.send(f"{draft}/layout", {"layout": layout, "doubtful": []}).json["problems"]
    assert reported[0]["tool"] == "track" and "Numbers are missing" in reported[0]["text"]
    assert owner.post(f"{draft}/use", {"title": "Attic"}).status_code == 422
    assert own_profile_names() == []


def test_a_square_that_is_not_there_is_deleted(owner: Owner, photograph: bytes) -> None:
    draft = owner.add(photograph)
    layout = owner.numbered(draft)
    track = layout["black_track"]
    del track["at"][8], track["points"][8]
    owner.send(f"{draft}/layout", {"layout": layout, "doubtful": []})
    owner.post(f"{draft}/use", {"title": "Attic"})
    assert load_profile("attic").board.track.points == (0, 1, 2, 4, 6, 9, 12, 15, 22)


def test_boards_that_are_not_finished_have_names_and_are_found_on_my_boards(
    owner: Owner, photograph: bytes
) -> None:
    failed = owner.add(jpeg((800, 960)))
    page = owner.get("/my-boards").text
    assert failed in page and "Nebula: no board was found in the photograph" in page
    assert "Begun " in page
    draft = owner.add(photograph)
    page = owner.get("/my-boards").text
    assert draft in page and "Nebula: a board to correct" in page
    assert failed not in page, "another photograph was taken instead"
    assert owner.get(failed).status_code == 404


def test_whoever_waits_may_take_another_photograph(
    owner: Owner, photograph: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Drafts, "propose", lambda *given: None)
    sent = {"photo": (io.BytesIO(photograph), "x.jpg"), "game": "nebula"}
    draft = owner.post("/my-boards/add", sent).headers["Location"]
    page = owner.get(draft).text
    assert "Take another photograph instead" in page and "waits on" not in page
    again = owner.post(f"{draft}/remove", {"again": "1"})
    assert again.headers["Location"] == "/my-boards/add"
    assert owner.get(draft).status_code == 404


def test_a_game_is_offered_by_its_boards_where_their_spaces_are_not_found(
    owner: Owner, photograph: bytes
) -> None:
    page = owner.get("/my-boards/add").text
    assert 'value="nebula"' in page and 'value="polaris"' not in page
    assert 'value="polaris/standard"' in page and 'value="via_nebula/standard-guild"' in page
    assert page.count("Via Nebula: Guild board") == 1, "that of the other side is the same"
    sent = {"photo": (io.BytesIO(photograph), "x.jpg"), "game": "polaris"}
    assert owner.post("/my-boards/add", sent).status_code == 422

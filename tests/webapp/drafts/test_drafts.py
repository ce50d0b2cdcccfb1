"""Add my board: from a photograph of it, empty, to a profile that games are read with."""

import io
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration import Profile, load_profile
from calibration.profile import own_profile_names
from scorer.places import Place, in_region
from tests.conftest import in_ci
from tests.games.photographs import photographed
from tests.webapp.conftest import MakeApp, TellingReader, jpeg
from tests.webapp.drafts.conftest import EDGE, Owner
from webapp.app.boards import draft_jobs
from webapp.app.boards.drafts import MOST_DRAFTS, Drafts
from webapp.app.reading.read_photograph import UnusablePhotographError


def test_a_board_comes_from_two_photographs(
    owner: Owner, photograph: bytes, reader: TellingReader, standard: Profile
) -> None:
    draft = owner.add(photograph)
    state = owner.state(draft)
    assert [problem["tool"] for problem in state["problems"]] == ["track", "track"]
    assert state["doubtful"].keys() == {"ar3", "size_mm", "black/8", "black/numbers", "marks"}
    assert len(state["layout"]["topology"]["links"]["direct"]) == 24
    assert state["names"]["ar3"] == "Aries 3"
    layout = owner.numbered(draft)
    layout["spaces"]["ar3"]["at"] = [141.0, 105.0]
    layout["black_track"]["points"][2] = 3
    kept = owner.send(f"{draft}/layout", {"layout": layout, "doubtful": []})
    assert kept.json == {"problems": [], "notices": []}
    proof = owner.post(f"{draft}/trial", {"photo": (io.BytesIO(jpeg()), "y.jpg")})
    assert proof.status_code == 303
    assert [Path(name).name for name in reader.profiles[-1]] == ["trial-1"]
    page = owner.get(f"{draft}/trial").text
    assert "6 pieces were read." in page and page.count("proof-ring") == 6
    assert "1 space is doubtful" in page and page.count(" doubted") == 1
    assert "This photograph is dark" not in page
    reader.dark = True
    owner.post(f"{draft}/trial", {"photo": (io.BytesIO(jpeg()), "y.jpg")})
    assert "This photograph is dark" in owner.get(f"{draft}/trial").text
    added = owner.post(f"{draft}/use", {"title": "Attic"}).headers["Location"]
    assert added == "/my-boards?added=attic" and "/my-boards/stars/attic" in owner.get(added).text
    mine = load_profile("attic")
    assert mine.title == "Attic" and mine.spaces["ar3"].at == (141.0, 105.0)
    assert mine.board.track.points[2] == 3 and mine.layout.topology == "standard"
    difference = cv2.absdiff(mine.require_reference(), standard.require_reference())
    assert np.median(difference) < 12
    assert owner.get(draft).status_code == 404


def test_what_is_half_done_survives_a_restart(
    make_app: MakeApp, owner: Owner, photograph: bytes
) -> None:
    draft = owner.add(photograph)
    layout = owner.numbered(draft)
    layout["topology"]["highlighted"].remove("ar3")
    problems = owner.send(f"{draft}/layout", {"layout": layout}).json["problems"]
    assert problems[0]["tool"] == "highlighted"
    assert problems[0]["text"] == "5 spaces are highlighted; here 4"
    again = Owner(make_app(rate_limits=False).test_client())
    assert again.state(draft)["problems"] == problems
    assert draft in again.get("/my-boards/add").text
    assert "5 spaces are highlighted" in again.get(f"{draft}/trial").text


@pytest.mark.parametrize(
    ("change", "tool", "message", "spaces"),
    [
        (
            lambda layout: layout["spaces"]["ar3"].update(at=[2, 105]),
            "places",
            "Aries 3: reaches over the edge of the 200 x 240 mm board",
            ["ar3"],
        ),
        (
            lambda layout: layout["spaces"]["ar1"].update(at=[100, 139]),
            "places",
            "the core: overlaps Aries 1",
            ["ar1", "core"],
        ),
        (
            lambda layout: layout["black_track"].update(points=[0, 2, 1, 4, 6, 9, 12, 15, 18, 22]),
            "track",
            "Must not fall from left to right",
            [],
        ),
        (
            lambda layout: layout["topology"]["links"]["direct"].append(["ar1", "ge1"]),
            "direct",
            "Direct and indirect links join spaces of one constellation; "
            "Aries 1 and Gemini 1 are in two",
            ["ar1", "ge1"],
        ),
        (lambda layout: layout.update(size_mm=[0, 240]), "size", "Must be more than 0", []),
        (
            lambda layout: layout["topology"]["orbits"]["4"].remove("ge5"),
            "orbits",
            "Orbit 4 has 5 spaces; here 4",
            [],
        ),
    ],
)
def test_every_broken_fact_is_reported_with_the_tool_that_mends_it(
    owner: Owner,
    photograph: bytes,
    change: Callable[[dict[str, Any]], object],
    tool: str,
    message: str,
    spaces: list[str],
) -> None:
    draft = owner.add(photograph)
    layout = owner.numbered(draft)
    change(layout)
    problem = owner.send(f"{draft}/layout", {"layout": layout}).json["problems"][0]
    hint = problem.pop("mend")
    assert problem == {"text": message, "tool": tool, "spaces": spaces}
    assert hint or tool in ("places", "size")
    refused = owner.post(f"{draft}/use", {"title": "Attic"})
    assert refused.status_code == 422 and own_profile_names() == []


@pytest.mark.parametrize(
    ("change", "spanish", "czech"),
    [
        (
            lambda layout: layout["topology"]["highlighted"].remove("ar3"),
            "Hay 5 casillas resaltadas; aquí 4",
            "Zvýrazněných políček je 5; tady 4",
        ),
        (
            lambda layout: layout["spaces"]["ar1"].update(at=[100, 139]),
            "la casilla del centro: se superpone con Aries 1",
            "centrální políčko: se překrývá s: Beran 1",
        ),
        (
            lambda layout: layout["black_track"]["at"].__setitem__(1, [22, 22]),
            "Estrellas Negras 1: se superpone con Estrellas Negras 2",
            "Černé díry 1: se překrývá s: Černé díry 2",
        ),
        (
            lambda layout: layout["topology"]["constellations"]["aries"].remove("ar3"),
            "Aries 3 no es la casilla del centro ni está en ninguna constelación",
            "Beran 3 není centrální políčko a nepatří do žádného souhvězdí",
        ),
        (
            lambda layout: layout["black_track"].update(full=3),
            "No debe ser menor que el último número",
            "Nesmí být menší než poslední číslo",
        ),
    ],
)
def test_a_broken_fact_is_reported_in_the_owners_language(
    owner: Owner,
    photograph: bytes,
    change: Callable[[dict[str, Any]], object],
    spanish: str,
    czech: str,
) -> None:
    draft = owner.add(photograph)
    layout = owner.numbered(draft)
    change(layout)
    owner.send(f"{draft}/layout", {"layout": layout})
    for language, message in ("es", spanish), ("cs", czech):
        page = owner.get(f"{draft}/state", headers={"Accept-Language": language})
        assert message in [problem["text"] for problem in page.json["problems"]]


def test_corners_move_the_picture_not_the_spaces(owner: Owner, photograph: bytes) -> None:
    draft = owner.add(photograph)
    state = owner.state(draft)
    width, height = 800 + 2 * EDGE, 960 + 2 * EDGE
    wider = [[0, 0], [1, 0], [1, 1], [0, 1]]
    answer = owner.send(f"{draft}/corners", {"corners": wider, "layout": state["layout"]}).json
    x, y = state["layout"]["spaces"]["core"]["at"]
    expected = (x * 4 + EDGE) / width * 200, (y * 4 + EDGE) / height * 240
    assert answer["layout"]["spaces"]["core"]["at"] == pytest.approx(expected, abs=0.05)
    assert answer["corners"] == wider and answer["picture"] != state["picture"]
    for wrong in ([[0, 0], [0.1, 0], [0.1, 0.1], [0, 0.1]], wider[::-1]):
        refused = owner.send(f"{draft}/corners", {"corners": wrong, "layout": state["layout"]})
        assert refused.status_code == 422 and refused.json["message"]
    assert owner.state(draft)["corners"] == wider


@pytest.mark.parametrize(
    "body",
    [b"", b"[]", b'{"layout": 3}', b'{"layout": {}, "layout": {}}', b"[" * 5000, b"x" * 300_000],
)
def test_what_no_editor_sends_changes_nothing(owner: Owner, photograph: bytes, body: bytes) -> None:
    draft = owner.add(photograph)
    before = owner.state(draft)
    assert owner.send(f"{draft}/layout", body).status_code in (400, 413)
    assert owner.send(f"{draft}/corners", body).status_code in (400, 413)
    assert owner.send(f"{draft}/layout", {"layout": {}}).json["problems"]
    for doubtful in ("ar3", [3], ["x" * 300], ["ar3"] * 3000):
        sent = {"layout": before["layout"], "doubtful": doubtful}
        assert owner.send(f"{draft}/layout", sent).status_code == 400
    assert owner.send(f"{draft}/layout", {"layout": before["layout"]}).status_code == 200
    assert owner.state(draft) == before


def test_a_photograph_that_is_none_and_a_board_that_is_not_found_are_reported(
    owner: Owner, photograph: bytes, reader: TellingReader
) -> None:
    refused = owner.post("/my-boards/add", {"photo": (io.BytesIO(b"x"), "x.jpg"), "game": "nebula"})
    assert refused.status_code == 422 and "not a photograph" in refused.text
    assert owner.post("/my-boards/add", {"game": "nebula"}).status_code == 422
    assert owner.post("/my-boards/add", {"game": "chess"}).status_code == 422
    small = owner.add(jpeg((60, 72)))
    assert "No board was found" in owner.get(small).text
    assert owner.post(f"{small}/anyway").status_code == 404
    dark = owner.add(jpeg((800, 960)))
    assert "set its corners by hand" in owner.get(dark).text
    assert owner.post(f"{dark}/anyway").status_code == 303
    assert owner.state(dark)["state"] == "proposed"
    assert owner.get("/my-boards/drafts/0123456789abcdef").status_code == 404
    draft = owner.add(photograph)
    owner.send(f"{draft}/layout", {"layout": owner.numbered(draft)})
    reader.problem = "no_board"
    owner.post(f"{draft}/trial", {"photo": (io.BytesIO(jpeg()), "y.jpg")})
    assert "The board was not found" in owner.get(f"{draft}/trial").text


def test_a_board_with_pieces_on_it_is_asked_about(
    owner: Owner, photograph: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(draft_jobs, "occupied_spaces", lambda *given: ("ar1", "core"))
    draft = owner.add(photograph)
    page = owner.get(draft).text
    assert "There seem to be pieces on this board" in page and "Take another photograph" in page
    assert "clear the board and take it again" in page and f"{draft}/preview.jpg" in page
    assert owner.post(f"{draft}/anyway").status_code == 303
    assert owner.state(draft)["state"] == "proposed"
    corners = owner.state(draft)["corners"]
    assert owner.send(f"{draft}/propose", {"corners": corners}).status_code == 202
    assert owner.proposed(draft)["state"] == "proposed", "whoever sets the corners was asked"


def test_a_game_with_another_board_leads_to_adding_it(
    owner: Owner, reader: TellingReader, photograph: bytes
) -> None:
    reader.problem = "no_board"
    game = owner.new_game("Ana")
    owner.lay_cards(game)
    owner.send_photograph(game, photo=(io.BytesIO(photograph), "x.jpg"))
    photographs = owner.wait_for_reading(game)
    link = re.search(r'href="(/my-boards/add\?[^"]+)">Add it in three minutes', photographs)
    page = owner.get(link[1].replace("&amp;", "&")).text
    use = re.search(r'action="(/my-boards/add/[^"]+)"', page)
    draft = owner.post(use[1]).headers["Location"]
    assert owner.proposed(draft)["state"] == "proposed"
    assert owner.get("/my-boards/add?game_id=x&photograph_id=y").status_code == 404


def test_an_own_board_photographed_in_a_game_starts_from_the_board_of_that_game(
    owner: Owner, photograph: bytes
) -> None:
    game = owner.new_game(
        "Ana", "Eva", markers=("blue", "red"), game="via_nebula", profile="starter"
    )
    owner.send_photograph(game, photo=(io.BytesIO(photograph), "x.jpg"))
    owner.wait_for_reading(game)
    extensions = owner.client.application.extensions["stargazer"]
    (sent,) = extensions.photographs.of(game.rpartition("/")[2])
    owner.post(f"/my-boards/add/{sent.game_id}/{sent.id}")
    (draft,) = extensions.drafts.all()
    assert draft.like == "starter"


def test_no_corners_are_offered_for_a_photograph_that_was_too_slow_to_read(
    owner: Owner, photograph: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(folder: Path) -> None:
        raise UnusablePhotographError("too_slow", "it took too long")

    monkeypatch.setattr(draft_jobs, "_load", refuse)
    draft = owner.add(photograph, "via_nebula/standard")
    page = owner.get(draft).text
    assert "took so long" in page and "preview.jpg" not in page
    assert "set its corners by hand" not in page
    assert owner.post(f"{draft}/anyway").status_code == 404


@in_ci
@pytest.mark.parametrize("laid", [0, 1, 30])
def test_pieces_on_an_own_board_of_areas_are_asked_about(owner: Owner, laid: int) -> None:
    """Its colours are its own, so that pieces are known by what they look like no more."""
    valley = load_profile("via_nebula/standard")
    hue, *rest = cv2.split(cv2.cvtColor(valley.require_reference(), cv2.COLOR_BGR2HSV))
    own = cv2.cvtColor(cv2.merge([(hue + 40) % 180, *rest]), cv2.COLOR_HSV2BGR)
    pieces: dict[Place, str] = {}
    for place in [*valley.places][:laid]:
        pieces |= in_region(place.id, {valley.game.admits(place)[0]: 1})
    picture = photographed(replace(valley, reference=np.asarray(own, np.uint8)), pieces)
    draft = owner.add(cv2.imencode(".jpg", picture)[1].tobytes(), "via_nebula/standard")
    found = owner.proposed(draft)
    if not laid:
        assert found["state"] == "proposed"
        return
    assert found["state"] == "failed"
    assert "There seem to be pieces on this board" in owner.get(draft).text
    assert owner.post(f"{draft}/anyway").status_code == 303
    assert owner.state(draft)["state"] == "proposed"


def test_looking_again_for_a_copied_board_of_areas_keeps_its_layout(owner: Owner) -> None:
    draft = owner.post("/my-boards/via_nebula/standard/copy").headers["Location"]
    before = owner.state(draft)
    sent = {"corners": before["corners"]}
    assert owner.send(f"{draft}/propose", sent).status_code == 202
    after = owner.proposed(draft)
    assert after["state"] == "proposed" and after["layout"] == before["layout"]


def test_only_so_many_boards_are_begun(owner: Owner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Drafts, "propose", lambda *given: None)
    drafts = owner.client.application.extensions["stargazer"].drafts
    for _ in range(MOST_DRAFTS):
        drafts.add("nebula", b"")
    sent = {"photo": (io.BytesIO(jpeg()), "x.jpg"), "game": "nebula"}
    refused = owner.post("/my-boards/add", sent)
    assert refused.status_code == 507 and "As many boards are being added" in refused.text


@pytest.mark.parametrize("deed", ["", "/layout", "/corners", "/propose", "/trial", "/use"])
def test_boards_are_added_by_whoever_serves(
    make_app: MakeApp, owner: Owner, photograph: bytes, deed: str
) -> None:
    draft = owner.add(photograph)
    guest = Owner(make_app(invitation="sesame", rate_limits=False).test_client())
    guest.client.environ_base["REMOTE_ADDR"] = "192.168.1.20"
    guest.get("/join/sesame")
    assert guest.get(f"{draft}/state").status_code == 403
    assert guest.post(f"{draft}{deed}" if deed else "/my-boards/add").status_code == 403
    assert owner.state(draft)["state"] == "proposed"


def test_areas_stay_where_they_are_in_the_photograph_when_corners_move() -> None:
    """A board of 100 x 100 mm turns out to be photographed 10 mm farther to the right."""
    onto = np.array([[1, 0, -10], [0, 1, 0], [0, 0, 1.0]])
    wedge = {"centre": [50, 50], "radii": [10, 30], "from": 350, "to": 380}
    layout = {"points": [1, 2, 3], "regions": {"a": {"points": [[20, 0], [30, 5]]}, "b": wedge}}
    assert draft_jobs._moved(layout, onto) == {
        "points": [1, 2, 3],
        "regions": {"a": {"points": [[10, 0], [20, 5]]}, "b": {**wedge, "centre": [40, 50]}},
    }


@pytest.mark.parametrize(
    "drawn",
    [
        {"points": [[]]},
        {"points": [[None, None], [1, 2]]},
        {"points": [["nan", 1], [1, 2]]},
        {"at": []},
        {"at": [1e308, 2]},
        {"centre": [50, 50], "radii": [10], "from": 0, "to": 90},
        {"centre": [50, 50], "radii": [10, 20, 30], "from": 0, "to": 90},
        {"centre": [50, 50], "radii": ["inf", 2], "from": 0, "to": 90},
        {"centre": [50, 50], "radii": [10, 20], "from": "nan", "to": 90},
        {"centre": [50, 50], "radii": [10, 20]},
    ],
)
def test_malformed_places_are_left_unchanged(drawn: dict[str, Any]) -> None:
    """The check of the layout reports it."""
    assert draft_jobs._moved(drawn, np.eye(3) * [2, 2, 1]) == drawn

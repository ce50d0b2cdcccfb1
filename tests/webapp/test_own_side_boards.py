"""The box's own cluster board: learned from a photograph, then read with the finished setup."""

import html
import io
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration import Profile, load_profile
from calibration.profile import own_profile_names
from calibration.side_boards import pattern, sheet_of
from scorer.places import Place
from tests.conftest import in_ci
from tests.side_boards import DAY, LAMP, corners_of, foreign_tokens, own_print, photographed
from tests.webapp.conftest import MakeApp
from tests.webapp.drafts.conftest import Owner
from webapp.app.reading.card_jobs import read_sheets, read_table
from webapp.app.reading.photograph_reader import PhotographReader

KIND = "nebula/cluster_board"
COLOURS = ("red", "purple", "yellow", "white", "blue", "orange", "black")


@pytest.fixture
def reader() -> PhotographReader:
    return PhotographReader()


@pytest.fixture
def owner(make_app: MakeApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Owner]:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("webapp.web.pages.table_setup.find_cards", lambda *_: [])
    app = make_app(rate_limits=False)
    yield Owner(app.test_client())
    app.extensions["stargazer"].drafts.close()


def picture(shown: np.ndarray) -> bytes:
    return cv2.imencode(".jpg", shown, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()


@pytest.fixture(scope="module")
def box() -> Profile:
    return own_print(pattern(KIND))


def learn(owner: Owner, box: Profile) -> str:
    """Photograph the empty board, agree to what was found, and use it; return its name."""
    draft = owner.add(picture(photographed(box, {})), f"{box.layout.game}/{box.layout.kind}")
    state = owner.state(draft)
    assert state["state"] == "proposed" and not state["problems"] and not state["parts"]
    called = state["names"].values()
    assert "star of a cluster 7" in called or "square of the Values board 7" in called
    assert "measure it" in " ".join(state["doubtful"].values())
    assert owner.get(draft).status_code == 200
    layout = {**state["layout"], "size_mm": [*box.size_mm]}
    grown = np.array(box.size_mm) / state["layout"]["size_mm"]
    layout["spaces"] = {
        id: {**own, "at": (np.array(own["at"]) * grown).tolist()}
        for id, own in layout["spaces"].items()
    }
    kept = owner.send(f"{draft}/layout", {"layout": layout, "doubtful": []})
    assert kept.json == {"problems": [], "notices": []}
    assert owner.post(f"{draft}/use", {"title": "The box"}).status_code == 303
    (name,) = own_profile_names()
    return name


def handed_over(
    owner: Owner, shown: np.ndarray, mode: str = "intro"
) -> tuple[str, Mapping[str, str]]:
    """The page about a photograph of the setup, and the tokens that a guided game gets of it."""
    sent = {"players": "2", "mode": mode, "photo": (io.BytesIO(picture(shown)), "table.jpg")}
    page = owner.post("/table/nebula", sent)
    assert page.status_code == 200, page.text
    laid = re.findall(r"laid=([^&\"]+)", html.unescape(page.text).replace("%3A", ":"))
    pairs = laid[0].replace("%2C", ",").split(",") if laid else []
    return page.text, dict(pair.split(":") for pair in pairs)


@in_ci
@pytest.mark.parametrize("light", [DAY, LAMP], ids=["day", "lamp"])
def test_the_boxs_cluster_board_hands_its_stars_to_the_guided_game(
    owner: Owner, box: Profile, light: tuple[float, float, float]
) -> None:
    learn(owner, box)
    stars = {at: COLOURS[number % 7] for number, at in enumerate(box.places)}
    page, tokens = handed_over(owner, photographed(box, stars, light))
    wanted = {at.id: star for at, star in stars.items()}
    assert tokens == wanted and "This board is set up right." in page
    left = re.search("Not checked, please look: ([^<]+)", page)
    assert left and "time marker" in left[1] and "black-star indicator" in left[1]


def test_a_star_that_is_not_on_its_space_is_missed_and_a_missing_board_is_none(
    owner: Owner, box: Profile
) -> None:
    learn(owner, box)
    stars = {at: COLOURS[number % 7] for number, at in enumerate(box.places)}
    gone, *_others = stars
    left = {at: star for at, star in stars.items() if at != gone}
    page, tokens = handed_over(owner, photographed(box, left))
    assert gone.id not in tokens and "<li>Missing: star of a cluster</li>" in page
    (svg,) = re.findall('<svg class="where-to-look".*?</svg>', page, re.DOTALL)
    assert svg.count("<circle") == 1 and "/my-boards/pictures/" in svg
    nothing = np.full((900, 1200, 3), 90, np.uint8)
    sent = {"players": "2", "photo": (io.BytesIO(picture(nothing)), "table.jpg")}
    assert owner.post("/table/nebula", sent).status_code == 422


@in_ci
def test_a_photograph_with_stars_on_it_is_not_taken_for_the_empty_board(
    owner: Owner, box: Profile
) -> None:
    """Where they are would be known as bare print for good, and stars there be missed."""
    stars = {at: COLOURS[number % 7] for number, at in enumerate([*box.places][:5])}
    draft = owner.add(picture(photographed(box, stars)), KIND)
    assert owner.state(draft)["state"] == "failed"
    assert "There seem to be pieces on this board" in owner.get(draft).text


def test_a_game_is_neither_played_on_a_side_board_nor_read_with_it(
    owner: Owner, box: Profile
) -> None:
    name = learn(owner, box)
    services = owner.client.application.extensions["stargazer"]
    assert name in services.boards.names() and name not in services.boards.choices("nebula")
    document = {"game": "nebula", "players": []}
    assert name not in services.boards.names_for(document, lambda _names: None)
    for page in ("/my-boards", f"/my-boards/stars/{name}", "/my-boards/add"):
        assert owner.get(page).status_code == 200
    changed = owner.post(f"/my-boards/{name}/change").headers["Location"]
    assert owner.state(changed)["layout"]["board"] == load_profile(name).layout.kind
    again = owner.send(f"{changed}/propose", {"corners": [[0, 0], [1, 0], [1, 1], [0, 1]]})
    assert again.status_code == 202
    assert owner.proposed(changed)["layout"]["spaces"].keys() == {at.id for at in box.places}
    assert Place("boosted") in load_profile(name).places


def test_the_setup_says_how_the_boxs_board_is_learned_until_it_is(
    owner: Owner, box: Profile
) -> None:
    said = "Does the cluster board of the box look different?"
    assert said in owner.get("/table/nebula").text and said not in owner.get("/table/polaris").text
    learn(owner, box)
    assert said not in owner.get("/table/nebula").text
    assert "Does the Values board of the box look different?" in owner.get("/table/nebula").text


@in_ci
def test_the_boxs_values_board_is_read_with_the_whole_table(owner: Owner, tmp_path: Path) -> None:
    """Its tokens are known by their colours; those that have none of their own are asked about."""
    box = own_print(pattern("nebula/values_board"))
    learn(owner, box)
    at = {
        track: {token: max(0, 5 - 2 * number) for number, token in enumerate(own.tokens)}
        for track, own in sheet_of(box).tracks.items()
    }
    marks = foreign_tokens(np.random.default_rng(3), box, at)
    file = tmp_path / "table.jpg"
    file.write_bytes(picture(photographed(box, {}, LAMP, further=marks)))
    tracks = read_table(file, "standard")["tracks"]
    assert (tracks["values.colours"]["order"], tracks["values.colours"]["certain"]) == (
        ["red", "purple", "yellow"],
        True,
    )
    others = [tracks["values.constellations"], tracks["values.advanced"]]
    assert [one["order"] for one in others] == [[], []] and not any(
        one["certain"] for one in others
    )
    assert np.abs(np.array(tracks["values.colours"]["corners"]) - corners_of(box)).max() < 4
    at["values.colours"]["blue"] = 5  # one on another
    marks = foreign_tokens(np.random.default_rng(3), box, at)
    file.write_bytes(picture(photographed(box, {}, further=marks)))
    assert not read_table(file, "standard")["tracks"]["values.colours"]["certain"]
    found = read_sheets(file, "standard")["values_board"]["tracks"]
    assert "values.constellations" not in found, "of which no token was recognised"


def test_what_is_not_known_of_the_boxs_values_board_is_left_to_the_owner(owner: Owner) -> None:
    box = own_print(pattern("nebula/values_board"))
    learn(owner, box)
    at = {track: dict.fromkeys(own.tokens, 0) for track, own in sheet_of(box).tracks.items()}
    marks = foreign_tokens(np.random.default_rng(3), box, at)
    page, _tokens = handed_over(owner, photographed(box, {}, further=marks), "full")
    assert "Not clear, please check: 2 × square of the Values board" in page
    assert "Not seen" not in page and "Does not belong" not in page

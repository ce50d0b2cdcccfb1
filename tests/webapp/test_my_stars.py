"""My stars: one photograph of the owner's pieces, looked at, kept with a board, taken back."""

import io
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import TestResponse

from calibration import owned, owner_profiles
from calibration.colour_profile import ColourProfile, Swatch
from calibration.profile import built_in_profiles, colour_profile_of
from tests.webapp.conftest import MakeApp, Player, jpeg
from tests.webapp.live.conftest import eventually
from vision.colour_calibration import ColourCalibration, ColourCalibrationError, FoundPiece
from vision.refusals import NoBoardError
from webapp.app.reading import colour_calibrations

Patch = pytest.MonkeyPatch
DEMO = Path(__file__).parents[2] / "webapp" / "demo"
HOME = "/my-boards/stars/standard"
COLOURS = {
    "red": "#c82828", "purple": "#803090", "yellow": "#d0c030", "white": "#e0e0e0",
    "blue": "#2840b0", "orange": "#d07828", "black": "#181818",
}  # fmt: skip
PIECES = tuple(
    FoundPiece((40.0 + 60 * number, 300.0), 12.0, colour, piece)
    for number, (piece, colour) in enumerate(COLOURS.items())
)
UNNAMED = tuple(FoundPiece(p.at, p.radius, p.colour) for p in PIECES[:5])


@pytest.fixture(autouse=True)
def shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[ColourCalibration | Exception]:
    """What photographs are taken to show: the last of the list; nobody's own profiles."""
    calibrations: list[ColourCalibration | Exception] = [ColourCalibration(PIECES, ())]

    def calibrate(_profile: object, _photo: object) -> ColourCalibration:
        if isinstance(calibrations[-1], Exception):
            raise calibrations[-1]
        return calibrations[-1]

    monkeypatch.setattr(colour_calibrations, "calibrate_pieces", calibrate)
    return calibrations


class Owner(Player):
    """Whoever owns the stars, at the computer that serves."""

    def show_stars(self, name: str = "standard") -> str:
        """Send a photograph of them; return the page once it is read."""
        home = f"/my-boards/stars/{name}"
        sent = self.post(f"{home}/photograph", {"photo": (io.BytesIO(jpeg()), "x.jpg")})
        assert sent.headers["Location"] == home, sent.text
        eventually(lambda: self.get(f"{home}/state").json["state"] != "waiting")
        return self.get(home).text

    def keep(self, name: str = "standard") -> TestResponse:
        """Use them as they were found."""
        return self.post(f"/my-boards/stars/{name}/keep")


@pytest.fixture
def owner(make_app: MakeApp) -> Iterator[Owner]:
    app = make_app(rate_limits=False)
    yield Owner(app.test_client())
    app.extensions["stargazer"].colour_calibrations.close()


def test_one_photograph_teaches_a_built_in_board_its_stars(owner: Owner, tmp_path: Path) -> None:
    assert HOME in owner.get("/my-boards").text
    assert "Put one star of each colour" in owner.get(HOME).text
    page = owner.show_stars()
    assert "Is every star named correctly?" in page and page.count("found-star") == 7
    assert owner.get(f"{HOME}/photograph.jpg").data.startswith(b"\xff\xd8")
    assert colour_profile_of("standard") == ColourProfile()  # nobody has looked at it yet
    assert owner.keep().status_code == 303
    assert {s.piece: s.colour for s in colour_profile_of("standard").swatches} == COLOURS
    assert "Your stars are known now" in owner.get(HOME).text
    listed = owner.get("/my-boards").text
    assert all(f'fill="{colour}"' in listed for colour in COLOURS.values())
    assert owner.get(f"{HOME}/photograph.jpg").status_code == 404  # only the colours are kept
    assert not list((tmp_path / "data" / "star-lessons").rglob("photo"))
    assert not list(built_in_profiles()["nebula/standard"].glob("stars*"))


def test_a_star_called_wrong_changes_places_with_the_one_it_is(owner: Owner) -> None:
    owner.show_stars()
    assert owner.post(f"{HOME}/piece", {"number": 0, "piece": "orange"}).status_code == 303
    owner.keep()
    kept = {s.piece: s.colour for s in colour_profile_of("standard").swatches}
    assert kept == COLOURS | {"orange": COLOURS["red"], "red": COLOURS["orange"]}
    for wrong in ({"number": 0, "piece": "red"}, {"number": 99, "piece": "red"}):
        assert owner.post(f"{HOME}/piece", wrong).status_code == 404  # nothing waits any more
    assert owner.keep().status_code == 404
    owner.show_stars()
    for refused in ({"number": 0, "piece": "green"}, {"number": "x", "piece": "red"}, {}):
        assert owner.post(f"{HOME}/piece", refused).status_code == 422
    assert owner.post(f"{HOME}/piece", {"number": -1, "piece": "red"}).status_code == 404


def test_stars_are_replaced_removed_and_brought_back(
    owner: Owner, shown: list[ColourCalibration | Exception]
) -> None:
    owner.show_stars()
    page = owner.get(owner.keep().headers["Location"]).text
    assert "These are your stars." in page and f'action="{HOME}/remove"' in page
    first = colour_profile_of("standard")
    shown.append(ColourCalibration((*PIECES[:6], FoundPiece((9, 9), 12, "#303040", "black")), ()))
    owner.show_stars()
    reported = owner.get(owner.keep().headers["Location"]).text
    assert "in place of those before" in reported and colour_profile_of("standard") != first
    owner.post(f"{HOME}/restore")
    assert colour_profile_of("standard") == first
    reported = owner.get(owner.post(f"{HOME}/remove").headers["Location"]).text
    assert (
        "Your stars were removed." in reported and colour_profile_of("standard") == ColourProfile()
    )
    assert owner.post(f"{HOME}/restore").status_code == 303
    assert colour_profile_of("standard") == first
    assert "can no longer be brought back" in owner.post(f"{HOME}/restore").text
    owner.post(f"{HOME}/remove")
    assert owner.post(f"{HOME}/remove").status_code == 404


@pytest.mark.parametrize(
    ("problem", "told", "ringed"),
    [
        (NoBoardError("x"), "The board was not found", 0),
        (ColourCalibrationError("x", "missing", (), 7), "No star was seen", 0),
        (ColourCalibrationError("x", "missing", UNNAMED[:1], 7), "1 star was seen", 1),
        (ColourCalibrationError("x", "missing", UNNAMED, 7), "5 stars were seen", 5),
        (
            ColourCalibrationError("x", "too_many", UNNAMED * 2, 7),
            "More things look like stars than the 7",
            10,
        ),
        (ColourCalibrationError("x", "too_bright"), "so bright", 0),
        (ZeroDivisionError(), "could not be read", 0),
    ],
)
def test_what_a_photograph_lacks_is_reported(
    owner: Owner,
    shown: list[ColourCalibration | Exception],
    problem: Exception,
    told: str,
    ringed: int,
) -> None:
    shown.append(problem)
    page = owner.show_stars()
    assert told in page and page.count("found-star") == ringed
    assert owner.keep().status_code == 404 and colour_profile_of("standard") == ColourProfile()
    shown.append(ColourCalibration(PIECES, ()))
    assert "Is every star named correctly?" in owner.show_stars()


def test_what_is_no_photograph_is_refused_at_once(owner: Owner) -> None:
    refused = owner.post(f"{HOME}/photograph", {"photo": (io.BytesIO(b"GIF89a"), "x.jpg")})
    assert refused.status_code == 422 and "not a photograph" in refused.text
    assert owner.post(f"{HOME}/photograph").status_code == 422
    assert owner.get(f"{HOME}/state").json == {"state": "none"}


def test_stars_that_look_alike_are_reported_before_the_game(
    owner: Owner, shown: list[ColourCalibration | Exception]
) -> None:
    red = PIECES[0]
    alike = tuple(
        FoundPiece(p.at, p.radius, red.colour, p.piece) if p.piece == "orange" else p
        for p in PIECES
    )
    shown.append(ColourCalibration(alike, (("red", "orange"), ("blue", "black"))))
    page = owner.show_stars()
    reported = "“red” and “orange” look nearly the same in this light"
    assert reported in page and "two stars of one colour" in page
    assert "“blue” and “black” may be exchanged here" in page
    owner.post(f"{HOME}/piece", {"number": 4, "piece": "blue"})
    assert "“blue” and “black” may be exchanged here" not in owner.get(HOME).text
    owner.keep()
    game = owner.new_game("Ana")
    owner.lay_cards(game)
    page = owner.get(f"{game}/photographs").text
    assert reported in page
    link = re.search(r'href="(/my-boards/stars/standard\?game=[^"]+)"', page)
    assert link is not None and f'href="{game}/photographs"' in owner.get(link[1]).text


def test_a_photograph_of_a_game_teaches_nothing(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.undo()  # the real teacher
    shutil.copy(DEMO / "ana.jpg", tmp_path / "photo")
    reported = colour_calibrations.calibrate(tmp_path, "standard")
    assert (reported["state"], reported["problem"], reported["wanted"]) == ("failed", "too_many", 7)
    assert len(reported["pieces"]) > 7 and all(
        piece["piece"] is None for piece in reported["pieces"]
    )
    assert (tmp_path / "preview.jpg").read_bytes().startswith(b"\xff\xd8")


def test_a_damaged_file_of_stars_is_reported_and_removed(owner: Owner) -> None:
    owned.replace_colour_profile("standard", ColourProfile((Swatch("red", "#c82828"),)))
    (file,) = owner_profiles().with_name("stars").rglob("standard.yaml")
    file.write_text("swatches: {")
    assert "file of its stars is damaged" in owner.get("/my-boards").text
    assert owner.post(f"{HOME}/remove").status_code == 303
    assert "damaged" not in owner.get("/my-boards").text


def test_what_was_waiting_is_read_after_a_restart(
    make_app: MakeApp, owner: Owner, shown: list[ColourCalibration | Exception]
) -> None:
    calibrations = owner.client.application.extensions["stargazer"].colour_calibrations
    calibrations.close()
    with pytest.raises(RuntimeError):
        calibrations.begin("standard", jpeg())  # written down, not read any more
    assert owner.get(f"{HOME}/state").json == {"state": "waiting"}
    again = Owner(make_app(rate_limits=False).test_client())
    eventually(lambda: again.get(f"{HOME}/state").json["state"] != "waiting")
    assert "Is every star named correctly?" in again.get(HOME).text


@pytest.mark.parametrize("deed", ["", "/photograph", "/piece", "/keep", "/remove", "/restore"])
def test_stars_are_kept_by_whoever_serves(make_app: MakeApp, deed: str) -> None:
    guest = Owner(make_app(invitation="sesame", rate_limits=False).test_client())
    guest.client.environ_base["REMOTE_ADDR"] = "192.168.1.20"
    guest.get("/join/sesame")
    ask: Callable[..., Any] = guest.post if deed else guest.get
    assert ask(f"{HOME}{deed}").status_code == 403
    assert "My stars" not in guest.get("/my-boards").text


@pytest.mark.parametrize("name", ["nobody", "../standard", "nebula/nobody", "%2e%2e/x"])
def test_only_boards_that_are_known_have_stars(owner: Owner, name: str) -> None:
    assert owner.get(f"/my-boards/stars/{name}").status_code == 404
    assert owner.post(f"/my-boards/stars/{name}/keep").status_code == 404
    assert owner.get(f"/my-boards/stars/{name}/state").status_code == 404

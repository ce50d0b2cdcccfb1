"""What makes the companion installable, and what it may keep: checks that need no browser."""

import io
import json
import re
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from tests.webapp.conftest import MakeApp, Player
from webapp.web.pages import offline
from webapp.web.score_picture import icon


def test_it_can_be_installed(player: Player) -> None:
    page = player.get("/").text
    found = re.search(r'rel="manifest" href="([^"]+)"', page)
    manifest = json.loads(player.get(found[1]).data)
    assert manifest["name"] and manifest["short_name"] and manifest["id"]
    assert manifest["display"] == "standalone"
    assert manifest["start_url"].startswith(manifest["scope"])
    assert re.fullmatch("#[0-9a-f]{6}", manifest["background_color"])
    kinds = set()
    for one in manifest["icons"]:
        data = player.get(one["src"]).data
        if one["type"] == "image/png":
            with Image.open(io.BytesIO(data)) as drawn:
                assert f"{drawn.width}x{drawn.height}" == one["sizes"]
            kinds.add((one["sizes"], one["purpose"]))
    wanted = [(size, purpose) for size in ("192x192", "512x512") for purpose in ("any", "maskable")]
    assert kinds >= set(wanted)
    assert 'name="viewport"' in page and 'name="theme-color"' in page
    touch = re.search(r'rel="apple-touch-icon" href="([^"]+)"', page)
    assert touch is not None and player.get(touch[1]).status_code == 200
    assert all(player.get(one["url"]).status_code == 200 for one in manifest["shortcuts"])


@pytest.mark.parametrize("name", icon.ICONS)
def test_the_shipped_icons_are_those_that_are_drawn(name: str) -> None:
    side, maskable = icon.ICONS[name]
    with Image.open(icon.FOLDER / name) as shipped:
        drawn = Image.open(io.BytesIO(icon.icon(side, maskable)))
        difference = ImageChops.difference(shipped.convert("RGBA"), drawn.convert("RGBA"))
        assert max(high for _low, high in difference.getextrema()) < 40, "python -m ...icon"
        corner = shipped.convert("RGBA").getpixel((0, 0))
    assert isinstance(corner, tuple) and (corner[3] == 255) is maskable


def test_a_maskable_icon_has_its_drawing_within_the_circle_that_is_left() -> None:
    with Image.open(icon.FOLDER / "maskable-512.png") as drawn:
        picture = drawn.convert("RGB")
    ground = picture.getpixel((0, 0))
    for x in range(0, 512, 4):
        for y in range(0, 512, 4):
            if ((x - 256) ** 2 + (y - 256) ** 2) ** 0.5 > 512 * 0.4:
                assert picture.getpixel((x, y)) == ground


def test_the_worker_is_there_for_all_pages_and_keeps_what_is_shipped(player: Player) -> None:
    answer = player.get("/service-worker.js")
    assert answer.mimetype == "text/javascript" and "no-cache" in answer.headers["Cache-Control"]
    found = re.search(r"const SHIPPED = (\{.*\});", answer.text)
    reported = json.loads(found[1])
    assert all(player.get(name).status_code == 200 for name in reported["assets"])
    linked = re.findall(r'(?:href|src)="(/static/[^"]+\.(?:css|js))"', player.get("/").text)
    assert set(linked) <= set(reported["assets"])
    assert "worker-src 'self'" in answer.headers["Content-Security-Policy"]


def test_another_release_is_another_version(tmp_path: Path) -> None:
    files = {
        "static/style/a.css": "a",
        "static/script/service_worker.js": "w",
        "templates/page.html": "p",
        "translations/cs/LC_MESSAGES/messages.mo": "m",
    }
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content)
    seen = set()
    for name in files:
        seen.add(offline.version(tmp_path / "static"))
        (tmp_path / name).write_text("changed")
        offline.version.cache_clear()
    assert len({*seen, offline.version(tmp_path / "static")}) == 5
    offline.version.cache_clear()
    offline.shipped.cache_clear()


def test_only_pages_without_anybodys_card_may_be_kept(player: Player) -> None:
    game = player.play_to_score("Ana", "Luis")
    begun = player.new_game("Eva", "Ana")
    player.lay_cards(begun)
    boards = (f"{begun}/photographs", f"{begun}/players/0/review")
    for page in ("/", f"{game}/score", f"{game}/score/0", f"{game}/about", *boards):
        assert player.get(page).headers.get(offline.KEPT), page
    for page in (
        f"{begun}/nebula/players/0/personal",
        f"{begun}/live",
        "/preferences",
        "/invite",
        "/backup",
        f"{game}/share/score.png",
    ):
        assert offline.KEPT not in player.get(page).headers, page


def test_what_is_kept_is_one_sessions(make_app: MakeApp) -> None:
    app = make_app(rate_limits=False)
    one, other = Player(app.test_client()), Player(app.test_client())
    one.new_game("Ana")
    codes = {who.get("/").headers[offline.KEPT] for who in (one, other)}
    assert len(codes) == 2
    assert one.get("/").headers[offline.KEPT] in codes, "the same again"


def test_another_language_drops_cached_pages(player: Player) -> None:
    english, czech = (
        player.get("/lessons/nebula/first_star", headers={"Accept-Language": language}).headers
        for language in ("en", "cs")
    )
    assert english[offline.KEPT] != czech[offline.KEPT]


def test_whoever_leaves_leaves_nothing_behind(make_app: MakeApp) -> None:
    app = make_app(rate_limits=False, invitation="open-sesame")
    phone = Player(app.test_client())
    phone.client.environ_base["REMOTE_ADDR"] = "192.168.1.20"
    assert phone.get("/join/open-sesame").status_code == 303
    assert "Leave the table" in phone.get("/preferences").text
    left = phone.post("/leave")
    assert left.headers["Clear-Site-Data"] == '"cache", "storage"'
    assert phone.get("/").status_code == 401
    assert phone.get("/service-worker.js").status_code == 200, "it learns of that"


def test_a_note_typed_while_away_is_a_conflict_when_another_came_first(player: Player) -> None:
    game = player.new_game("Ana", "Luis")
    page = player.get(f"{game}/about").text
    assert 'name="was" value=""' in page and "data-queue" in page
    player.post(f"{game}/note", {"note": "first", "was": ""})
    late = player.post(f"{game}/note", {"note": "second", "was": ""}, headers={"X-Partial": "1"})
    assert late.status_code == 409 and "first" in late.json["message"]


def test_pages_promise_to_send_only_what_they_store(player: Player) -> None:
    game = player.new_game("Ana", "Luis")
    waits, keeps = "here you can go on once it is back", "is sent when it is back"
    for page in ("/lessons/nebula/first_star", "/my-boards/stars/standard"):
        assert waits in player.get(page).text and keeps not in player.get(page).text, page
    for page in (f"{game}/live", f"{game}/photographs"):
        assert keeps in player.get(page).text and waits not in player.get(page).text, page

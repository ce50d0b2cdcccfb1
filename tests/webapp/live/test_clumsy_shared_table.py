"""A shared table at which things go wrong: what nobody saw, what was misread, what is cleared."""

import re

from tests.webapp.live.conftest import SkyTable
from tests.webapp.polaris_skies import COLOURS, NAMES

NOBODYS = "On a space [a-z0-9, ]+ is a purple star, and nobody at this table plays purple"


def test_a_camera_that_comes_late_accuses_nobody_however_late_it_tells(sky: SkyTable) -> None:
    sky.lay("1a1=red", "3b1=red", "2a1=blue", "4a1=blue", found=True)
    sky.lay("2b1=yellow")
    sky.lay("5a1=yellow", "5a1-5b1", "5c1=red", found=True)
    page = sky.page()
    assert 'class="ask wrong"' not in page and "<b>Luis</b>" in page
    assert 'data-light="2b1"' in page


def test_a_misread_star_that_is_put_right_accuses_nobody(sky: SkyTable) -> None:
    sky.face(1)
    sky.lay("1a1=yellow", "2a1=blue", "3a1=red")
    assert sky.tap("star", seat=0, space="1a1", star="red") == 204
    sky.see(kind="replaced", space="2a1", star="yellow", was="blue")
    assert sky.stars() == {"1a1": "red", "2a1": "yellow", "3a1": "red"}
    assert 'class="ask wrong"' not in sky.page()


def test_a_star_of_nobodys_is_somebodys_by_one_tap(sky: SkyTable) -> None:
    sky.game = sky.begin(NAMES[:3])
    sky.id = sky.game.rsplit("/", 1)[1]
    sky.face(1)
    sky.lay("3r1=purple", "1a1=red", "4a1=red", "2b1=yellow")
    sky.face(2)
    page = sky.page()
    first, second = re.findall(r'<li class="ask wrong">.*?</li>', page, re.DOTALL)
    assert re.search(NOBODYS, first)
    assert "<b>" not in first and "Leave it like this" not in first, (
        "nobody is accused, and it counts"
    )
    assert re.findall(r'id="whose-3r1-\w+" name="star" value="(\w*)"', first) == [*COLOURS[:3], ""]
    assert "placed in no single sector" in second.lower()
    assert 'class="space taken broken" data-space="3r1"' in page
    assert sky.tap("entries", kind="leave", broken="nobodys_star 3r1") == 422
    assert sky.tap("star", seat=0, space="3r1", star="blue") == 204
    assert "nobody at this table" not in sky.page()
    sky.player.post(f"{sky.game}/live/finish")
    seen = [board for board in sky.document()["boards"] if board["board"]]
    assert [board["stars"]["3r1"] for board in seen] == ["blue"] * 2, "phase 1 and the end"


def test_what_cannot_be_scored_is_said_shown_and_put_right_in_all_phases(sky: SkyTable) -> None:
    sky.game = sky.begin(NAMES[:3])
    sky.id = sky.game.rsplit("/", 1)[1]
    sky.face(1)
    sky.lay("1a1=red", "3r1=purple")
    sky.face(2)
    sky.lay("5b1=yellow")
    for sector in (3, 4, 5):
        sky.face(sector)
    wrong = f"{sky.game}/unscorable"
    review = sky.player.post(f"{sky.game}/live/finish").headers["Location"]
    assert "nobody at this table plays purple" in sky.player.get(review).text
    assert sky.confirm_boards(5).headers["Location"] == wrong
    page = sky.player.get(wrong).text
    assert re.search(NOBODYS, page)
    assert "Phase 1, Phase 2, " in page and "phases[0]" not in page
    assert re.findall(r'class="space taken lit" data-space="(\w+)"', page) == ["3r1"]
    assert sky.player.post(wrong, {"space": "3r1", "star": "moon"}).status_code == 422
    answer = sky.player.post(wrong, {"space": "3r1", "star": "blue"})
    assert answer.headers["Location"] == f"{sky.game}/polaris/players/0/objective"
    boards = sky.document()["boards"]
    assert [board["stars"]["3r1"] for board in boards] == ["blue"] * 5
    assert boards[0]["stars"] == {"1a1": "red", "3r1": "blue"}
    sky.player.post(f"{sky.game}/players/0/star", {"space": "2b1", "star": "purple"})
    for number in range(5):
        answer = sky.player.post(f"{sky.game}/players/{number}/review")
    assert answer.headers["Location"] == wrong, "a photograph's would not be scored either"


def test_what_is_no_new_turn_is_said_by_a_tap_and_undone(sky: SkyTable) -> None:
    sky.face(1)
    sky.lay("1a1=red")
    sky.tap("entries", kind="turn")
    page = sky.page()
    assert 'id="turn-undo"' in page and "The turn is over" in page
    sky.lay("1b1=red")
    assert 'id="turn-joined"' in sky.page() and 'id="turn-undo"' not in sky.page()
    assert sky.tap("entries", kind="joined", turn=2) == 204
    page = sky.page()
    assert 'data-light="1a1 1b1"' in page and "It still belonged to the turn before" in page
    undo = re.search(r'/entries/(\d+)"[^>]*>(?:(?!</form>).)*id="turn-undo"', page, re.DOTALL)
    assert sky.tap(f"entries/{undo[1]}", what="nothing") == 204
    assert 'data-light="1b1"' in sky.page()
    assert sky.tap("entries", kind="before", turn=2) == 204
    page = sky.page()
    assert "Nothing has been placed in this turn yet." in page
    assert "What this turn placed was already there" in page
    assert sky.tap("entries", kind="before", turn=2) == 204, "nothing where another turn has begun"
    assert (
        sky.tap("entries", kind="before", turn=9) == 422
        and sky.tap("entries", kind="mine", turn=1) == 422
    )


def test_a_table_cleared_by_mistake_accuses_nobody_until_the_game_goes_on(sky: SkyTable) -> None:
    lying = [f"{sector}{at}" for sector in (1, 2, 3, 4) for at in ("a1", "b1")]
    sky.lay(*(f"{space}=red" for space in lying), found=True)
    for space in lying[1:]:
        sky.see(kind="removed", space=space, was="red")
    page = sky.page()
    assert "The boards are being cleared" in page and 'class="ask wrong"' not in page
    assert 'class="space broken"' not in page
    assert sky.tap("playing") == 204
    page = sky.page()
    assert page.count('class="ask wrong"') == 1
    assert "7 stars and links that were there before are missing" in page
    assert page.count('class="space broken"') == 7, "they are shown instead of named"
    sky.lay(*(f"{space}=red" for space in lying[1:]))
    assert 'class="ask wrong"' not in sky.page()

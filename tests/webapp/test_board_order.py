"""Photographs of a shared table in the wrong order: put right where nobody said which is which."""

import io
import re
from collections.abc import Mapping
from typing import Any

import pytest

from scorer.polaris.board import STANDARD_SKY
from tests.webapp.conftest import Player, TellingReader, jpeg
from tests.webapp.polaris_skies import read_sky
from tests.webapp.test_polaris_pages import begin, lay

SPACES = STANDARD_SKY.star_spaces
PUT_RIGHT = 'id="put-in-order"'
DOUBT = 'id="order-doubt"'


def sky(phase: int, sector: int | None = None) -> Mapping[str, Any]:
    """Six stars a phase, and the New Moon in the sector of that number unless it is told."""
    stars = dict.fromkeys(SPACES[: 6 * phase], "red")
    return {
        **read_sky(stars, ()),
        "new_moon": {"sector": sector or phase, "confidence": 0.99},
    }


def photograph(
    browser: Player, reader: TellingReader, game: str, *skies: Mapping[str, Any], **more: Any
) -> str:
    """Send photographs that show these skies; return the list when they are read."""
    page = ""
    for one in skies:
        reader.boards = [one]
        assert browser.send_photograph(game, **more).status_code == 303
        page = browser.wait_for_reading(game)
    return page


def stars_of(page: str) -> list[int]:
    return [int(count) for count in re.findall(r"(\d+) stars(?! and)", page)]


def tap(player: Player, game: str, page: str) -> str:
    """Tap the button of the notice; return the page that follows."""
    form = re.search(r'<form method="post" action="([^"]*/order)">(.*?)</form>', page, re.DOTALL)
    fields = dict(re.findall(r'name="(revision|order)" value="([^"]*)"', form[2]))
    assert player.post(form[1], fields).status_code == 303
    late = player.post(form[1], fields)
    assert late.status_code == 409 and "Somebody else has just changed this" in late.text
    return player.get(f"{game}/photographs").text


@pytest.mark.parametrize("phases", [(3, 1, 5, 2, 4), (1, 2, 3, 4, 5)])
def test_photographs_chosen_in_the_wrong_order_are_put_in_the_one_that_fits(
    player: Player, reader: TellingReader, phases: tuple[int, ...]
) -> None:
    page = photograph(player, reader, begin(player), *map(sky, phases))
    assert stars_of(page) == [6, 12, 18, 24, 30]
    assert (PUT_RIGHT in page) is (phases[0] != 1) and DOUBT not in page


def test_of_which_phase_a_photograph_is_is_believed_and_asked_about(
    player: Player, reader: TellingReader
) -> None:
    game = begin(player)
    photograph(player, reader, game, sky(2), player=0)
    page = photograph(player, reader, game, sky(1), player=1)
    assert stars_of(page) == [12, 6] and PUT_RIGHT not in page
    assert "6 stars and links that were there before are missing" in page
    assert "Swap Phase 1 and Phase 2" in page[page.index(DOUBT) :]
    page = tap(player, game, page)
    assert stars_of(page) == [6, 12] and DOUBT not in page and PUT_RIGHT not in page
    page = photograph(player, reader, game, sky(4))
    assert stars_of(page) == [6, 12, 24], "by itself nothing goes where no photograph is"
    assert "the New Moon faces sector 4, and it should face sector 3 by now" in page
    page = tap(player, game, page)
    assert page.index("24 stars") > page.index("Phase 4") and DOUBT not in page


def test_a_person_has_the_last_word(player: Player, reader: TellingReader) -> None:
    game = begin(player)
    photograph(player, reader, game, sky(2), sky(1))
    player.post(f"{game}/photographs/players/0/swap", {"other": "1"})
    page = photograph(player, reader, game, sky(3))
    assert stars_of(page) == [12, 6, 18] and DOUBT in page
    sure = player.post(f"{game}/photographs/done").text
    assert "needs a photograph" in sure, "the doubt is no reason to stay: the two missing are"


def test_a_board_that_somebody_entered_stays_where_it_is(
    player: Player, reader: TellingReader
) -> None:
    game = begin(player)
    player.post(f"{game}/photographs/players/0/hand")
    lay(player, game, 0, dict.fromkeys(SPACES[:12], "red"))
    page = photograph(player, reader, game, sky(1))
    assert stars_of(page) == [12, 6] and PUT_RIGHT not in page
    assert stars_of(tap(player, game, page)) == [6, 12]


def test_a_sector_that_fits_nowhere_is_asked_about_without_a_swap(
    player: Player, reader: TellingReader
) -> None:
    game = begin(player)
    page = photograph(player, reader, game, sky(1), sky(2), sky(3, sector=1), sky(4), sky(5))
    assert stars_of(page) == [6, 12, 18, 24, 30]
    doubt = page[page.index(DOUBT) :]
    assert "the New Moon faces sector 1, and it should face sector 3 by now" in doubt
    assert "Is this the right photograph?" in doubt and "/order" not in page
    assert player.post(f"{game}/photographs/done").status_code == 303, "nothing is in the way"
    assert "What is on" not in player.get(f"{game}/players/2/review").text, "it changes no point"
    reported = {"space": "3", "star": "new_moon", "back": f"{game}/photographs"}
    assert all(f'value="{value}"' in doubt for value in reported.values())
    answer = player.post(f"{game}/players/2/star", reported)
    assert answer.headers["Location"] == f"{game}/photographs"
    assert DOUBT not in player.get(f"{game}/photographs").text


def test_an_order_that_is_none_is_refused(player: Player) -> None:
    nebula = player.new_game("Ana", "Luis")
    game = begin(player)
    for order in ("", "0", "0,1,2,3,3", "0,1,2,3,x", "1,2,3,4,5", "0,1,2,3,4,5"):
        assert player.post(f"{game}/photographs/order", {"order": order}).status_code == 422
    assert player.post(f"{nebula}/photographs/order", {"order": "1,0"}).status_code == 422


def test_several_files_of_one_form_are_put_in_order(
    player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    reported = [sky(2), sky(1), sky(3)]
    reading = TellingReader.__call__

    def one_after_the_other(self: TellingReader, *asked: Any) -> Any:
        self.boards = [reported.pop(0)]
        return reading(self, *asked)

    monkeypatch.setattr(TellingReader, "__call__", one_after_the_other)
    game = begin(player)
    files = [(io.BytesIO(jpeg()), f"{number}.jpg") for number in range(3)]
    assert player.post(f"{game}/photographs", {"photo": files}).status_code == 303
    page = player.wait_for_reading(game)
    assert stars_of(page) == [6, 12, 18] and PUT_RIGHT in page

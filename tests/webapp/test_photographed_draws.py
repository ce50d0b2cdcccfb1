"""Stars that people drew and laid out, told by one photograph instead of a tap each."""

import html
import io
import re
from collections.abc import Mapping
from random import Random

import pytest
from flask import Flask

from calibration import load_profile
from calibration.artwork import token_sheets
from scorer.nebula.playing import TURNS
from scorer.nebula.turns.state import Phase
from tests.webapp.conftest import TellingReader, jpeg
from tests.webapp.guided import Guided

CLUSTERS = next(
    one
    for one in token_sheets(load_profile("standard").layout)
    if one.sheet.name == "cluster_board"
)


@pytest.fixture
def refilling(app: Flask, reader: TellingReader) -> Guided:
    """A game in which several stars of the clusters are due; photographs show no other board."""
    reader.boards = []
    guided, luck = Guided(app, "Ana", "Luis"), Random(1)
    while guided.state.phase is not Phase.REFILL or len(guided.state.due) < 5:
        choices = TURNS.actions(guided.state)
        action = luck.choice(choices) if choices else TURNS.drawn(guided.state, luck)
        guided.do(TURNS.write_action(action))
    return guided


def lies(guided: Guided, **other: str) -> dict[str, str]:
    """What lies on the clusters' places, with red on those that are due; `other` by place."""
    there = {place: tokens[0] for place, tokens in CLUSTERS.tokens_in(guided.state).items()}
    there |= dict.fromkeys(due(guided), "red")
    return there | {key.replace("_", "."): token for key, token in other.items()}


def due(guided: Guided) -> list[str]:
    return [f"cluster.{n}.{space}" for n, space in guided.state.due]


def photograph(
    guided: Guided, monkeypatch: pytest.MonkeyPatch, spots: Mapping[str, str], seen: int = -1
) -> str:
    """The page after a photograph with these tokens was sent."""
    sheets = {"cluster_board": {"spots": spots, "tracks": {}, "corners": []}} if spots else {}
    monkeypatch.setattr("webapp.web.pages.token_sheets.read_sheets", lambda *_: sheets)
    seen = guided.history.number if seen < 0 else seen
    sent = {"seen": seen, "photo": (io.BytesIO(jpeg()), "clusters.jpg")}
    answer = guided.player.post(f"{guided.game}/guide/photograph", sent, follow_redirects=True)
    return html.unescape(guided.text_of(answer))


def confirm(guided: Guided, laid: list[str], seen: int = -1) -> int:
    seen = guided.history.number if seen < 0 else seen
    form = {"seen": seen, "laid": laid}
    return guided.player.post(f"{guided.game}/guide/lay", form).status_code


def test_a_refill_is_shown_as_photographed_and_counts_once_confirmed(
    refilling: Guided, monkeypatch: pytest.MonkeyPatch
) -> None:
    places, before = due(refilling), refilling.state
    assert 'id="photograph"' in refilling.page()
    page = photograph(refilling, monkeypatch, lies(refilling))
    assert "Does it lie there like this?" in page and "Ringed in red" not in page
    assert refilling.state == before, "nothing counts yet"
    chosen = re.findall(r'value="([^"]+)" selected', page)
    assert chosen == [f"{place}:red" for place in places]
    assert confirm(refilling, ["", *chosen]) == 303
    assert refilling.state.phase is not Phase.REFILL
    laid = CLUSTERS.tokens_in(refilling.state)
    assert all(laid[place] == ["red"] for place in places)
    refilling.back()
    assert refilling.state == before, "one step back takes back all of it"


def test_a_star_that_is_not_clear_is_asked_and_ends_what_is_taken_over_if_left_open(
    refilling: Guided, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, third, *_others = due(refilling)
    spots = lies(refilling)
    del spots[second]
    page = photograph(refilling, monkeypatch, spots)
    assert page.count("empty or not clear") == 1
    chosen = re.findall(r'value="([^"]+)" selected', page)
    assert f"{second}:red" not in chosen
    assert confirm(refilling, chosen) == 303
    assert due(refilling)[:2] == [second, third] and first not in due(refilling)


def test_another_star_where_the_game_has_one_is_pointed_out(
    refilling: Guided, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = CLUSTERS.tokens_in(refilling.state)
    place, (star,) = next(one for one in there.items() if one[0].startswith("cluster."))
    other = "blue" if star != "blue" else "white"
    page = photograph(refilling, monkeypatch, {**lies(refilling), place: other})
    assert "Ringed in red" in page
    assert due(refilling)[-1] in lies(refilling)
    bare = next(at for at in CLUSTERS.spots[0].at if at not in lies(refilling))
    assert "Ringed in red" in photograph(refilling, monkeypatch, {**lies(refilling), bare: "red"})


def test_a_photograph_of_something_else_and_a_late_one_change_nothing(
    refilling: Guided, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = refilling.state
    assert "No board with tokens was found" in photograph(refilling, monkeypatch, {})
    seen = refilling.history.number
    page = photograph(refilling, monkeypatch, lies(refilling))
    chosen = re.findall(r'value="([^"]+)" selected', page)
    refilling.do("draw white")
    assert confirm(refilling, chosen, seen) == 409
    assert "moved on" in photograph(refilling, monkeypatch, lies(refilling), seen)
    laid = ",".join(chosen)
    stale = refilling.player.get(f"{refilling.game}/guide?laid={laid}&at={seen}").text
    assert "Does it lie there like this?" not in stale and "Draw a star" in stale
    refilling.back()
    assert refilling.state == before


def test_the_photograph_is_offered_where_it_saves_taps(app: Flask, guided: Guided) -> None:
    offer = 'id="photograph"'
    assert offer not in guided.page(), "somebody decides"
    begun = Guided(app, "Ana", "Luis")
    assert offer in begun.page(), "all clusters are due"
    begun.lay_table()
    begun.back()
    assert offer not in begun.page(), "a single star is tapped in"

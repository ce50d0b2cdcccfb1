"""A photograph of the finished setup: what a board lacks, and what does not belong there yet."""

import html
import io
import re
from typing import Any

import pytest
from flask import Flask

from calibration import load_profile
from calibration.artwork import token_sheets
from scorer.nebula.turns.state import Phase
from scorer.places import Place, counted, in_region
from scorer.via_nebula.game import GOODS
from tests.conftest import in_ci
from tests.webapp.conftest import Player, TellingReader, jpeg, players_form
from tests.webapp.guided import Guided, GuidedTable
from webapp.app.game_pages import pages_of
from webapp.app.setup_check import _begun, check_setup, check_sheet

GALAXY = load_profile("standard")
VALUES, CLUSTERS = token_sheets(GALAXY.layout)
SKY, VALLEY = load_profile("polaris/standard"), load_profile("via_nebula/standard")
MOON = {Place("1", "dial"): "new_moon"}


def neutral(colour: str) -> dict[Place, str]:
    """The stars that are nobody's with two players, of a colour that nobody plays."""
    return {Place(at): colour for at in SKY.board.starred}


@pytest.mark.parametrize("colour", ["neutral", "white", "yellow"])
def test_a_sky_for_two_needs_its_neutral_stars_of_any_colour(colour: str) -> None:
    pages, stars = pages_of("polaris"), neutral(colour)
    right = check_setup(pages, SKY, {**stars, **MOON}, 2, mode="phases")
    assert not right.lacks and not right.extra
    (gone, *_others) = stars
    left = {at: piece for at, piece in stars.items() if at != gone} | {Place("1b1"): "red"}
    found = check_setup(pages, SKY, {**left, **MOON}, 2, mode="phases")
    assert ("neutral", gone.id) in found.lacks and ("red", "1b1") in found.extra
    of_four = check_setup(pages, SKY, {**stars, **MOON}, 4, mode="phases")
    assert not of_four.lacks and len(of_four.extra) == 10


def test_what_chance_lays_may_be_anything_but_has_to_be_there() -> None:
    pages = pages_of("via_nebula")
    empty = check_setup(pages, VALLEY, {}, 2)
    places = [at for _piece, at in empty.lacks]
    assert len(places) == 24 and all(piece == "" for piece, _at in empty.lacks)
    token = next(piece.id for piece in pages.game.pieces if piece.supply == 1)
    lying: dict[Place, str] = {}
    for at in places[1:]:
        lying |= in_region(at, {token: 1})
    found = check_setup(pages, VALLEY, lying, 2)
    assert found.lacks == [("", places[0])] and not found.extra
    assert counted(lying, places[1])[token] == 1


@in_ci
@pytest.mark.parametrize("players", [2, 4])
def test_any_valley_that_chance_lays_is_right_and_fewer_resources_are_not(players: int) -> None:
    pages, number = pages_of("via_nebula"), 5 if players == 4 else 4
    assert pages.guided is not None
    for seed in range(100, 105):
        state, _document = _begun(pages, VALLEY, players, seed, {})
        pieces = dict(pages.game.pieces_of(pages.guided.turns.positions(state)[0]))
        right = check_setup(pages, VALLEY, pieces, players)
        assert not right.lacks and not right.extra
        at, kind = next((at.id, piece) for at, piece in pieces.items() if piece in GOODS)
        others = {own: piece for own, piece in pieces.items() if own.id != at}
        for left in range(number + 2):
            found = check_setup(pages, VALLEY, others | in_region(at, {kind: left}), players)
            lacks = number - left if left else 1  # a token would do
            assert (found.lacks, found.extra) == ([("", at)] * lacks, [(kind, at)] * -lacks)
        found = check_setup(pages, VALLEY, others | in_region(at, {"tile": 1}), players)
        assert (found.lacks, found.extra) == ([("", at)], [("tile", at)])


@pytest.mark.parametrize("players", [2, 4])
def test_of_a_pile_only_the_top_is_compared(players: int) -> None:
    pages, guild = pages_of("via_nebula"), load_profile("via_nebula/standard-guild")
    piles = [place.id for place in guild.layout.places if place.id.startswith("pile")]
    tops: dict[Place, str] = {}
    for pile in piles:
        tops |= in_region(pile, {"tile": 1})
    found = check_setup(pages, guild, tops, players)
    assert len(piles) == 4 and not found.lacks and not found.extra
    found = check_setup(pages, guild, in_region(piles[0], {"tile": 1}), players)
    assert {at for _piece, at in found.lacks} == {*piles[1:]}


def test_the_page_says_what_a_photograph_lacks_and_what_it_is_not_read_for(
    player: Player, reader: TellingReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webapp.games.polaris.pages.PolarisPages.cards", lambda *_: [])
    lying = {at.id: {"star": "yellow", "confidence": 1.0} for at in [*neutral("yellow")][1:]}
    empty = {at.id: {"star": None, "confidence": 1.0} for at in SKY.places if at.kind == "spot"}
    reader.boards = [
        {
            "profile": SKY.name,
            "game": "polaris",
            "corners": [[0, 0], [9, 0], [9, 9], [0, 9]],
            "spaces": {**empty, **lying},
            "new_moon": {"sector": 1, "confidence": 1.0},
            "flags": [],
        }
    ]
    sent = {"players": "2", "photo": (io.BytesIO(jpeg()), "sky.jpg")}
    answer = player.post("/table/polaris", sent)
    assert answer.status_code == 200, answer.text
    assert reader.profiles == [("polaris/standard",)]
    assert (
        answer.text.count("<li>Missing: ") == 1 and "Does not belong there yet" not in answer.text
    )
    assert "please look: cards, action card, telescope, score marker" in answer.text
    assert player.post("/table/polaris", {"players": "2"}).status_code == 422
    reader.boards[0]["spaces"]["1b1"] = {"star": "red", "confidence": 1.0}
    again = player.post("/table/polaris", {**sent, "photo": (io.BytesIO(jpeg()), "sky.jpg")}).text
    assert again.count("<li>Missing: ") == again.count("<li>Does not belong there yet: ") == 1


def read_values(*gone: str, moved: str = "") -> dict[str, Any]:
    """All value tokens at their starts but those that are `gone` and the one that has `moved`."""
    tracks = {}
    for track, spots in VALUES.tracks.items():
        start, first, *_others = spots.at
        at = {token: first if token == moved else start for token in spots.tokens}
        tracks[track] = {"places": {token: id for token, id in at.items() if token not in gone}}
    return {"tracks": tracks, "spots": {}}


def read_clusters(**changed: str | None) -> dict[str, Any]:
    """A red star on every space, hour markers and the indicator at their starts."""
    spots: dict[str, str | None] = {}
    for own in CLUSTERS.spots:
        for number, id in enumerate(own.at):
            token = next(iter(own.tokens)) if len(own.tokens) == 1 else "red"
            is_start = id.endswith(".0") and (number == 0 or own.term == "time_marker")
            spots[id] = token if len(own.tokens) > 1 or is_start else None
    return {"tracks": {}, "spots": spots | {id.replace("_", "."): t for id, t in changed.items()}}


def test_each_value_token_stands_at_its_start() -> None:
    pages = pages_of("nebula")
    right = check_sheet(pages, GALAXY, VALUES, read_values(), 2, mode="full")
    assert (right.lacks, right.extra, right.wanted) == ([], [], 14)
    gone = check_sheet(pages, GALAXY, VALUES, read_values("blue"), 2, mode="full")
    assert (gone.lacks, gone.extra) == ([("blue", "values.colours.0")], [])
    moved = check_sheet(pages, GALAXY, VALUES, read_values(moved="aries"), 2, mode="full")
    assert moved.extra == [("aries", "values.constellations.1")] and len(moved.lacks) == 1
    assert check_sheet(pages, GALAXY, VALUES, read_values(), 2, mode="intro").wanted == 0


def test_the_clusters_are_full_of_any_stars_and_what_is_not_clear_is_left_out() -> None:
    pages = pages_of("nebula")
    right = check_sheet(pages, GALAXY, CLUSTERS, read_clusters(), 2, mode="full")
    assert (right.lacks, right.extra, right.wanted) == ([], [], 23)
    wrong = read_clusters(cluster_1_2=None, hour_0_0=None, hour_0_3="hour", boosted=None)
    found = check_sheet(pages, GALAXY, CLUSTERS, wrong, 2, mode="full")
    assert sorted(found.lacks) == [("", "boosted"), ("", "cluster.1.2"), ("hour", "hour.0.0")]
    assert found.extra == [("hour", "hour.0.3")]
    del wrong["spots"]["boosted"], wrong["spots"]["hour.0.3"]
    found = check_sheet(pages, GALAXY, CLUSTERS, wrong, 2, mode="full")
    assert len(found.lacks) == 2 and not found.extra


def test_the_page_names_what_a_sheet_lacks_and_where_nothing_is_clear(
    player: Player, reader: TellingReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    clusters = read_clusters(cluster_1_2=None)
    del clusters["spots"]["hour.0.3"]
    sheets = {"values_board": read_values("blue", moved="aries"), "cluster_board": clusters}
    monkeypatch.setattr("webapp.web.pages.table_setup.find_cards", lambda *_: [])
    monkeypatch.setattr("webapp.web.pages.token_sheets.read_sheets", lambda *_: sheets)
    reader.boards = []
    sent = {"players": "2", "mode": "full", "photo": (io.BytesIO(jpeg()), "table.jpg")}
    text = player.post("/table/nebula", sent).text
    assert re.findall(r"<li>((?:Missing|Not |Does not )[^<]+)</li>", text) == [
        "Not seen: blue",
        "Not seen: Aries",
        "Does not belong there yet: Aries",
        "Missing: star of a cluster",
        "Not clear, please check: space inside a cluster",
    ]
    assert text.count("beneath another one") == 1
    pictures = re.findall('<svg class="where-to-look".*?</svg>', text, re.DOTALL)
    assert [one.count("<circle") for one in pictures] == [3, 2]
    left = re.search("Not checked, please look: ([^<]+)", text)
    assert left and "time marker" in left[1] and "boosted" not in left[1]
    assert "Values board" not in left[1]
    clusters["spots"]["hour.0.3"] = None
    again = {**sent, "photo": (io.BytesIO(jpeg()), "table.jpg")}
    left = re.search("Not checked, please look: ([^<]+)", player.post("/table/nebula", again).text)
    assert left and "time marker" not in left[1]


def test_what_a_photograph_shows_of_the_draws_is_handed_to_the_guided_game(
    app: Flask, player: Player, reader: TellingReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    clusters = read_clusters(cluster_0_1="blue", boosted="white")
    del clusters["spots"]["cluster.1.2"]
    monkeypatch.setattr("webapp.web.pages.table_setup.find_cards", lambda *_: [])
    monkeypatch.setattr(
        "webapp.web.pages.token_sheets.read_sheets", lambda *_: {"cluster_board": clusters}
    )
    reader.boards = []
    sent = {"players": "2", "mode": "intro", "photo": (io.BytesIO(jpeg()), "table.jpg")}
    text = player.post("/table/nebula", sent).text
    (ready,) = re.findall(r'class="primary" href="([^"]+)"', text)
    page = player.get(html.unescape(ready)).text
    hidden = dict(re.findall(r'type="hidden" name="(play|laid)" value="([^"]+)"', page))
    form = players_form("Ana", "Luis", mode="intro") | hidden
    form |= {"guided": "yes", "game": "nebula"}
    address, query = player.post("/games/new", form).headers["Location"].split("?")
    page = player.get(f"{address}?{query.replace('draft=hand', 'draft=hand:-,-')}").text
    chosen = re.findall(r'value="([^"]+)" selected', page)
    assert len(chosen) == 18 and page.count("empty or not clear") == 1
    assert chosen[1] == "cluster.0.1:blue" and chosen[-1] == "boosted:white"
    given = {"draws": "hand", "computers": "-,-", "laid": ["cluster.1.2:black", *chosen]}
    assert player.post(address, given).status_code == 303
    guided = GuidedTable.of(app, address.split("/")[2])
    state = guided.history.state
    assert state.phase is Phase.DEAL and state.boosted == "white"
    assert [*map(" ".join, state.clusters)] == [
        "red blue red red red red",
        "red red black red red red",
        "red red red red red red",
    ]
    guided.back()
    assert guided.history.state == guided.history.start


def test_draws_are_taken_over_up_to_the_first_unknown_token(app: Flask) -> None:
    guided = Guided(app, "Ana", "Luis", draws="")
    seen = {"cluster.0.0": "red", "cluster.0.1": "moon", "cluster.0.2": "blue"}
    laid = ",".join(map(":".join, seen.items()))
    form = {"draws": "hand", "computers": "-,-", "laid": laid}
    assert guided.player.post(f"{guided.game}/guide", form).status_code == 303
    assert guided.state.clusters[0] == ("red", None, None, None, None, None)

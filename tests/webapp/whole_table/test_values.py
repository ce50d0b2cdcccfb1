"""The tracks of the Values board in a photograph of the whole table."""

import re

from flask import Flask

from tests.webapp.conftest import Player, document_of
from tests.webapp.whole_table.conftest import TRACKS, FakeTableReader, photograph


def test_the_page_of_the_values_begins_with_what_is_seen_and_asks_about_the_doubtful_track(
    player: Player, app: Flask, table_reader: FakeTableReader, game: str
) -> None:
    doubtful = {"order": ["aries"], "certain": False}
    table_reader.tracks = {**TRACKS, "values.constellations": doubtful}
    photograph(player, game)
    assert player.post(f"{game}/table").headers["Location"] == f"{game}/nebula/values"
    kept = document_of(app, game)
    assert "values" not in kept["confirmed"] and not any(kept["values"].values()), "nobody said so"
    page = player.get(f"{game}/nebula/values").text
    entered = dict(
        re.findall(r'<input type="hidden" form="step" name="(\w+)" value="([\w,]*)">', page)
    )
    assert (entered["colours"], entered["constellations"], entered["advanced"]) == (
        "red,blue",
        "aries",
        "II",
    )
    sections = dict(re.findall(r'data-track="(\w+)"(.*?)</section>', page, re.DOTALL))
    assert [track for track in sections if "Not read for certain" in sections[track]] == [
        "constellations"
    ]
    player.post(f"{game}/nebula/values", {**entered, "constellations": "taurus,aries"})
    assert document_of(app, game)["values"]["constellations"] == ["taurus", "aries"]
    page = player.get(f"{game}/nebula/values").text
    assert "Not read for certain" not in page and 'value="taurus,aries"' in page


def test_a_doubtful_track_is_not_accepted_as_one_without_a_token(
    player: Player, app: Flask, table_reader: FakeTableReader, game: str
) -> None:
    sheet = [[300, 300], [400, 300], [400, 350], [300, 350]]
    doubtful = {"order": [], "certain": False, "corners": sheet}
    table_reader.tracks = {**TRACKS, "values.colours": doubtful}
    photograph(player, game)
    player.post(f"{game}/table")
    page = player.get(f"{game}/nebula/values").text
    assert 'viewBox="298.0 298.0 104.0 54.0"' in page, "the sheet in the photograph"
    assert 'name="unmoved-colours"' in page and 'name="unmoved-advanced"' not in page
    assert "unmoved-values.colours" in player.get(f"{game}/table").text
    sent = {"colours": "", "constellations": "", "advanced": "II"}
    refused = player.post(f"{game}/nebula/values", sent)
    assert refused.status_code == 422
    assert "values" not in document_of(app, game)["confirmed"], "nobody said that none has moved"
    both = {**sent, "colours": "red", "unmoved-colours": "yes"}
    player.post(f"{game}/nebula/values", both)
    assert document_of(app, game)["values"]["colours"] == []
    assert "values" in document_of(app, game)["confirmed"]


def picture_of_token(page: str) -> str:
    """What a page shows on the first token of the first track, "" if only its name."""
    found = re.search(r'<button type="button" class="value-token".*?>(.*?)<span>', page, re.DOTALL)
    return found[1].strip() if found else ""


def test_a_doubtful_track_is_asked_in_the_review(
    player: Player, app: Flask, table_reader: FakeTableReader, game: str
) -> None:
    sheet = [[300, 300], [400, 300], [400, 350], [300, 350]]
    doubtful = {"order": ["red", "blue"], "certain": False, "corners": sheet}
    certain = {name: {**track, "corners": sheet} for name, track in TRACKS.items()}
    table_reader.tracks = {**certain, "values.colours": doubtful}
    page = photograph(player, game)
    assert 'name="values.colours" value="red,blue"' in page and "values.advanced" not in page
    assert 'viewBox="298.0 298.0 104.0 54.0"' in page and page.count("300,300 400,300") == 1
    assert 'class="doubtful" points="300,300 400,300' in page
    own = player.get(f"{game}/nebula/values").text
    assert picture_of_token(page) == picture_of_token(own) != ""
    untouched = {"values.colours": "red,blue"}
    both = dict.fromkeys(("in-order-values.colours", "unmoved-values.colours"), "yes")
    nothing = {"values.colours": ""}
    for sent in ({}, untouched, {**untouched, **both}, nothing, {"values.colours": "no token"}):
        player.post(f"{game}/table", sent)
        assert "values" not in document_of(app, game)["confirmed"], sent
    player.post(f"{game}/table", {"values.colours": "blue,red,blue"})
    assert document_of(app, game)["values"]["colours"] == ["blue", "red"]
    assert "values" in document_of(app, game)["confirmed"]
    right = player.new_game("Ana", "Luis")
    assert 'name="in-order-values.colours"' in photograph(player, right)
    player.post(f"{right}/table", {**untouched, "in-order-values.colours": "yes"})
    assert document_of(app, right)["values"]["colours"] == ["red", "blue"]
    other = player.new_game("Ana", "Luis")
    photograph(player, other)
    player.post(f"{other}/table", {**untouched, "unmoved-values.colours": "yes"})
    assert document_of(app, other)["values"]["colours"] == []
    assert "values" in document_of(app, other)["confirmed"]


def test_tracks_of_a_board_that_was_not_found_are_not_accepted_as_ones_without_tokens(
    player: Player, app: Flask, table_reader: FakeTableReader, game: str
) -> None:
    table_reader.tracks = {}
    photograph(player, game)
    player.post(f"{game}/table")
    sent = {"colours": "red", "constellations": "", "advanced": ""}
    ticked = {"unmoved-constellations": "yes"}
    assert player.post(f"{game}/nebula/values", {**sent, **ticked}).status_code == 422
    assert "values" not in document_of(app, game)["confirmed"], "one is still open"
    player.post(f"{game}/nebula/values", {**sent, **ticked, "unmoved-advanced": "yes"})
    assert document_of(app, game)["values"]["colours"] == ["red"]


def test_an_answer_replaces_a_doubtful_track(
    player: Player, app: Flask, table_reader: FakeTableReader, game: str
) -> None:
    table_reader.tracks = {**TRACKS, "values.colours": {"order": [], "certain": False}}
    photograph(player, game)
    player.post(f"{game}/table")
    answers = {"colours": "blue,red", "constellations": "", "advanced": "II"}
    player.post(f"{game}/nebula/values", answers)
    assert document_of(app, game)["values"]["colours"] == ["blue", "red"]

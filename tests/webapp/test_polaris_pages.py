"""Polaris through its pages: one sky for all, seen in five phases, from new game to winner."""

import io
import json
import re
from collections.abc import Mapping
from typing import Any

import pytest
import yaml
from flask import Flask

from calibration import load_profile
from scorer.polaris.board import STANDARD_SKY
from scorer.polaris.game_file import game_from_data
from scorer.polaris.score import score_game
from tests.webapp.conftest import Player, TellingReader, document_of, game_at, totals
from tests.webapp.polaris_skies import CARDS, COLOURS, LINKS, NAMES, STARS, read_sky


def begin(player: Player, mode: str = "phases", names: tuple[str, ...] = NAMES) -> str:
    form = {"game": "polaris", "count": str(len(names)), "mode": mode}
    for seat, (name, colour) in enumerate(zip(names, COLOURS, strict=False)):
        form |= {f"name-{seat}": name, f"marker-{seat}": colour}
    answer = player.post("/games/new", form)
    assert answer.status_code == 303, answer.text
    return game_at(answer.headers["Location"])


def lay(player: Player, game: str, number: int, pieces: Mapping[str, str]) -> None:
    for place, piece in pieces.items():
        answer = player.post(f"{game}/players/{number}/star", {"space": place, "star": piece})
        assert answer.status_code == 303, answer.text


def finish(player: Player, game: str, seats: int, **more: str) -> None:
    """Tell what no camera sees at the end."""
    for seat in range(seats):
        reported = player.post(
            f"{game}/polaris/players/{seat}/objective", {"card": f"PO{seat + 1}"}
        )
        assert reported.status_code == 303, reported.text
    left = {f"shooting-{seat}": str(seat) for seat in range(seats)}
    assert (
        player.post(f"{game}/polaris/stock", {**left, **more}).headers["Location"]
        == f"{game}/score"
    )


def test_the_game_is_chosen_where_a_new_one_is_begun(player: Player) -> None:
    page = player.get("/games/new").text
    assert re.search(r'game=nebula" aria-current="true".*game=polaris"><img', page, re.DOTALL)
    page = player.get("/games/new?game=polaris").text
    assert 'value="phases" checked' in page and 'name="count" value="1"' not in page
    begin(player)
    assert 'value="phases" checked' in player.get("/games/new").text, "the one played last"


def test_five_skies_entered_by_hand_lead_to_the_winner(player: Player) -> None:
    game = begin(player)
    answer = player.post(f"{game}/polaris/objectives", {"common": ",".join(CARDS)})
    assert answer.headers["Location"] == f"{game}/photographs"
    added: list[dict[str, str]] = [
        {"1b1": "red", "3a1": "blue"},
        {"1b2": "red", "2r3": "yellow", "1b1-1b2": "link"},
        {"polaris-1b1": "link"},
        {"1c2": "red", "1b2-1c2": "link"},
        {"3b1": "blue", "3a1-3b1": "link"},
    ]
    for phase, pieces in enumerate(added):
        reported = player.post(
            f"{game}/polaris/phases/{phase + 1}/telescope", {"telescope": str(phase % 4)}
        )
        assert reported.status_code == 303
        player.post(f"{game}/photographs/players/{phase}/hand")
        lay(player, game, phase, pieces)
        assert player.post(f"{game}/players/{phase}/review").status_code == 303
    page = player.get(f"{game}/polaris/phases/3").text
    assert ">−2</span>" in page and "-2<" not in page
    assert "Ana: 3 stars in line" in page and "marker at" in page
    assert 'data-light="polaris 1b1 1b2' in page or 'data-light="1b2 1b1 polaris' in page
    finish(player, game, 4)
    page = player.get(f"{game}/score").text
    phases = [
        {"card": card, "telescope": NAMES[k % 4], **_sky(added[: k + 1])}
        for k, card in enumerate(CARDS)
    ]
    players = [
        {"name": name, "colour": colour, "shooting": k, "personal": f"PO{k + 1}"}
        for k, (name, colour) in enumerate(zip(NAMES, COLOURS, strict=True))
    ]
    counted = score_game(game_from_data({"players": players, "phases": phases, **_sky(added)}))
    assert sorted(totals(page)) == sorted(one.total for one in counted.players)
    sheet = player.get(f"{game}/score/0").text
    assert sheet.count('<svg class="galaxy still"') == 5, "each phase's line has its sky"
    line = re.search(r'data-board="(\d)" data-light="([^"]*)"[^>]*>\s*<img[^>]*C11', sheet)
    assert line is not None and line[1] == "2" and "1b1-1b2" in line[2]
    exported = yaml.safe_load(player.get(f"{game}/share/game.yaml").text)
    assert score_game(game_from_data(exported)).to_data() == counted.to_data()


def _sky(added: list[dict[str, str]]) -> dict[str, Any]:
    pieces = {place: piece for some in added for place, piece in some.items()}
    return {
        "stars": {place: piece for place, piece in pieces.items() if piece != "link"},
        "links": [place.split("-") for place, piece in pieces.items() if piece == "link"],
    }


def test_what_lay_before_is_where_an_entry_begins_and_is_missed_where_it_went(
    player: Player,
) -> None:
    game = begin(player)
    player.post(f"{game}/photographs/players/0/hand")
    lay(player, game, 0, {"1b1": "red", "1b2": "red", "1b1-1b2": "link"})
    player.post(f"{game}/photographs/players/1/hand")
    page = player.get(f"{game}/players/1/review").text
    assert page.count('class="space taken"') == 2 and 'class="space edge taken"' in page
    page = player.get(f"{game}/players/1/review").text
    assert "3 of 225 spaces" in page and "no longer" not in page
    lay(player, game, 1, {"1b2": ""})
    page = player.get(f"{game}/players/1/review").text
    reported = re.findall(r'(?s)class="break">.*?</li>', page)[0]
    assert "sector 1" in reported and "1b2" not in reported, "said by what is printed there"


def test_a_game_of_two_begins_with_the_neutral_stars(player: Player) -> None:
    game = begin(player, "end", NAMES[:2])
    player.post(f"{game}/photographs/players/0/hand")
    page = player.get(f"{game}/players/0/review").text
    assert page.count('data-star="neutral"') == len(STANDARD_SKY.starred)
    lay(player, game, 0, {"1b1": "red", "1b2": "red", "1b1-1b2": "link"})
    assert 'class="break"' not in player.get(f"{game}/players/0/review").text
    player.post(f"{game}/players/0/review")
    assert "Enter a number" in player.post(f"{game}/polaris/stock", {"shooting-0": "x"}).text
    finish(player, game, 2, **{"score_marker-0": "21", "score_marker-1": "30"})
    assert totals(player.get(f"{game}/score").text) == [30, 21]


def test_photographs_are_the_phases_and_a_doubtful_link_is_asked(
    player: Player, reader: TellingReader
) -> None:
    game = begin(player)
    player.post(f"{game}/polaris/objectives", {"common": ",".join(CARDS)})
    reader.boards = [read_sky(STARS, LINKS, doubtful="1b2-1c2")]
    for _phase in CARDS:
        player.read_photograph(game)
    assert player.get(f"{game}/photographs/list").text.count("6 stars, 4 links") == 5
    assert player.post(f"{game}/photographs/done").status_code == 303
    page = player.get(f"{game}/players/0/review").text
    assert "What is on a link space of sector 1?" in page
    for phase in range(5):
        lay(player, game, phase, {"1b2-1c2": ""})
        assert player.post(f"{game}/players/{phase}/review").status_code == 303
    assert player.get(game).headers["Location"] == f"{game}/polaris/players/0/objective"
    for seat in range(4):
        player.post(f"{game}/polaris/players/{seat}/objective", {"card": "PO1"})
    assert player.get(game).headers["Location"] == f"{game}/polaris/telescopes"
    reported = {f"telescope-{phase}": "1" for phase in range(5)}
    assert (
        player.post(f"{game}/polaris/telescopes", reported).headers["Location"]
        == f"{game}/polaris/stock"
    )


def test_a_personal_card_is_seen_by_its_owner_alone_until_the_score(player: Player) -> None:
    game = begin(player, "end")
    player.post(f"{game}/polaris/players/0/objective", {"card": "PO7"})
    other = Player(player.client.application.test_client())
    page = other.get(f"{game}/polaris/players/0/objective").text
    assert "PO7" not in page and "hidden until the score is counted" in page


def test_an_unfinished_game_s_file_asks_for_each_sky_that_nobody_saw(player: Player) -> None:
    game = begin(player)
    player.post(f"{game}/polaris/objectives", {"common": ",".join(CARDS)})
    for phase in range(5):
        player.post(f"{game}/polaris/phases/{phase + 1}/telescope", {"telescope": "0"})
    player.post(f"{game}/photographs/players/0/hand")
    lay(player, game, 0, STARS)
    player.post(f"{game}/photographs/players/1/hand")  # begins with what lay before: nobody's word
    file = player.get(f"{game}/share/game.yaml").data
    written = yaml.safe_load(file)
    assert written["phases"][0]["stars"] == STARS
    assert [one.get("photo") for one in (*written["phases"][1:4], written)] == [
        f"board-{number}.jpg" for number in range(2, 6)
    ]
    with pytest.raises(
        ValueError, match=r"not read yet: board-2.jpg, board-3.jpg, board-4.jpg, board-5.jpg"
    ):
        score_game(game_from_data(written))
    answer = player.post("/games/import", {"game": (io.BytesIO(file), "game.yaml")})
    again = game_at(answer.headers["Location"])
    assert yaml.safe_load(player.get(f"{again}/share/game.yaml").data) == written


def test_an_exported_game_is_brought_back_with_its_phases(player: Player) -> None:
    phases = [
        {
            "card": card,
            "telescope": "Ana",
            "stars": STARS,
            "links": [link.split("-") for link in LINKS],
        }
        for card in CARDS
    ]
    players = [
        {"name": name, "colour": colour, "shooting": 2, "personal": f"PO{k + 1}"}
        for k, (name, colour) in enumerate(zip(NAMES, COLOURS, strict=True))
    ]
    data = {"format": 1, "game": "polaris", "players": players, "phases": phases}
    file = (io.BytesIO(json.dumps(data).encode()), "game.json")
    answer = player.post("/games/import", {"game": file}, content_type="multipart/form-data")
    game = answer.headers["Location"]
    assert game.endswith("/score")
    counted = score_game(game_from_data(data))
    assert sorted(totals(player.get(game).text)) == sorted(one.total for one in counted.players)


@pytest.mark.parametrize("page", ["objectives", "stock", "telescopes", "phases/1"])
def test_another_game_has_no_such_pages(player: Player, page: str) -> None:
    assert player.get(f"{player.new_game('Ana')}/polaris/{page}").status_code == 404


def test_the_sky_is_drawn_with_every_link_space(player: Player) -> None:
    game = begin(player, "end")
    player.post(f"{game}/photographs/players/0/hand")
    page = player.get(f"{game}/players/0/review").text
    profile = load_profile("polaris/standard")
    edges = [place.id for place in profile.places if place.kind == "edge"]
    assert len(edges) == 145 and all(f'id="space-{edge}"' in page for edge in edges)
    assert 'id="space-polaris"' not in page, "nothing can lie on Polaris"


def test_what_changes_the_points_most_is_asked_first_and_what_changes_none_is_not(
    player: Player, reader: TellingReader
) -> None:
    game = begin(player, "end")
    board = read_sky(STARS, LINKS)
    doubtful = ("4c3-4c4", "1b1-1b2", "3a1-3b1")  # nobody's; 3 points or 0; 0 or two lonely stars
    for link in doubtful:
        board["links"][link]["confidence"] = 0.6
    flags = [
        {"kind": "uncertain", "spaces": [link], "alternatives": {"link": 0.5, "empty": 0.5}}
        for link in doubtful
    ]
    reader.boards = [{**board, "flags": flags}]
    player.read_photograph(game)
    page = player.get(f"{game}/players/0/review").text
    asked = re.search(r'data-doubts="([^"]*)"', page)
    assert asked is not None and asked[1].split(",") == ["3a1-3b1", "1b1-1b2"]


def test_more_shooting_stars_than_are_usual_can_be_chosen(player: Player, app: Flask) -> None:
    game = begin(player)
    page = player.get(f"{game}/polaris/stock").text
    first = page.split("</fieldset>")[0]
    usual, further = first.split("<details><summary>More</summary>")
    counts = [
        [int(count) for count in re.findall(r'name="shooting-0"\s+value="(\d+)"', part)]
        for part in (usual, further)
    ]
    assert counts == [[*range(13)], [*range(13, 41)]]
    left = {f"shooting-{seat}": count for seat, count in enumerate(("0", "40", "12", "3"))}
    assert player.post(f"{game}/polaris/stock", left).status_code == 303
    assert document_of(app, game)["players"][1]["shooting"] == 40
    page = player.get(f"{game}/polaris/stock").text
    assert page.count("<details open><summary>More</summary>") == 1

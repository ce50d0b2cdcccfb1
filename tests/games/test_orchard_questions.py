"""What a camera could not count is asked on the pages, and counts once it is answered."""

import re
from collections import Counter
from collections.abc import Sequence

import pytest

from calibration import load_profile
from scorer.places import counted
from scorer.registry import find_game
from tests.games.orchard_table import BASKET, PROFILES, Orchard
from webapp.app.live import recording
from webapp.app.live.worker import Correction
from webapp.app.session.board_slots import with_owner
from webapp.app.session.document_check import is_readable
from webapp.app.session.game_document import pieces_of


def doubtful(orchard: Orchard, *answers: list[str]) -> None:
    """Let a camera ask what is in Ana's basket."""
    orchard.see(board=BASKET, kind="doubtful", space="basket", answers=[*answers])


def test_a_doubtful_count_is_asked_for_and_one_tap_answers(
    orchard: Orchard, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until then nothing of it counts; the camera hears the answer, also where it is as known."""
    corrections: list[Correction] = []
    monkeypatch.setattr(orchard.service.workers, "send", lambda *told: corrections.append(told[-1]))
    orchard.see(board=BASKET, kind="placed", space="basket", star="pear", count=1)
    doubtful(orchard, ["2 plum", "1 pear"], ["1 plum", "1 pear"])
    page = orchard.page()
    assert "Plum on basket: how many?" in page and 'class="flag ask"' in page
    assert re.findall(r'name="held" value="([^"]*)"', page) == [
        "1 pear",
        *(f"1 pear,{n} plum" for n in range(1, 5)),
    ]
    (others,) = re.findall(r'<select name="kind".*?</select>', page)
    assert re.findall(r'value="(\w*)"', others) == ["", "quince"], "something else"
    assert counted(orchard.boards()[1], "basket") == {"pear": 1}, "nobody has said it yet"
    close_up = f"{orchard.game}/live/cameras/close-up?seat=1&region=basket"
    assert orchard.player.get(close_up).status_code == 404 and "close-up" not in page
    orchard.service.close_ups[orchard.id, "cam", BASKET, "basket"] = b"jpeg"
    assert orchard.player.get(close_up).data == b"jpeg" and "close-up" in orchard.page()
    assert "is empty now" not in page and "doubtful" not in orchard.page().split("time-line")[1]

    assert orchard.tap("regions", **orchard.asked(), held="2 plum,1 pear") == 204
    assert counted(orchard.boards()[1], "basket") == {"plum": 2, "pear": 1}
    assert "how many?" not in orchard.page() and 'class="flag ask"' not in orchard.page()
    assert orchard.player.get(close_up).status_code == 404
    assert [one.regions for one in corrections] == [{"basket": ["pear", "plum", "plum"]}]

    assert "Ana: basket: 2 × plum, 1 × pear" in orchard.page()

    doubtful(orchard, ["2 plum", "1 pear"], ["2 plum"])
    assert orchard.tap("regions", **orchard.asked(), held="1 pear,2 plum") == 204
    assert "how many?" not in orchard.page()
    assert len(corrections) == 2, "it is as it was known, and the camera asks no more"


def test_doubts_about_several_kinds_are_one_question(orchard: Orchard) -> None:
    doubtful(orchard, ["1 plum"], ["1 quince"], [])
    page = orchard.page()
    assert "What is on basket?" in page and "Nothing" in page
    fields = {"kind": ["plum", "quince", "pear"], "count": ["0", "2", "1"]}
    asked = orchard.asked()
    for wrong in ("99 plum", "x plum", "1 nothing", "\u0663 plum", "2 plum,1 plum"):
        assert orchard.tap("regions", **asked, held=wrong) == 422
    assert orchard.tap("regions", **{**asked, "region": "w1"}, held="") == 422
    assert orchard.tap("regions", **asked) == 422, "that says nothing, not that nothing is there"
    for counts in (["1"], ["1", ""], ["1", "0"]):
        kinds = ["plum", "plum" if counts[1:] == ["0"] else "pear"]
        assert orchard.tap("regions", **asked, kind=kinds, count=counts) == 422
    assert orchard.tap("regions", **asked, **fields) == 204
    assert counted(orchard.boards()[1], "basket") == {"quince": 2, "pear": 1}
    doubtful(orchard, ["1 plum"], [])
    orchard.see(board=BASKET, kind="settled", space="basket")
    assert "on basket" not in orchard.page(), "the camera sees it well now"
    assert counted(orchard.boards()[1], "basket") == {"quince": 2, "pear": 1}


def test_a_late_answer_overwrites_nothing(orchard: Orchard) -> None:
    doubtful(orchard, ["2 plum"], ["1 plum"])
    asked = orchard.asked()
    first = {**asked, "held": "2 plum", "tap": "0" * 32}
    assert orchard.tap("regions", **first) == 204
    orchard.see(board=BASKET, kind="placed", space="basket", star="pear", count=1)
    assert orchard.tap("regions", **asked, held="1 plum") == 409
    assert orchard.tap("regions", **first) == 204, "delivered again, as no answer came"
    doubtful(orchard, ["2 plum", "1 pear"], ["1 plum", "1 pear"])
    assert orchard.tap("regions", **asked, held="1 plum") == 409, "that was asked before"
    before = orchard.asked()
    doubtful(orchard, ["2 plum", "1 pear"], ["1 plum", "1 pear"])
    assert orchard.tap("regions", **before, held="1 plum") == 409, "a hand was there meanwhile"
    assert counted(orchard.boards()[1], "basket") == {"plum": 2, "pear": 1}
    assert f'name="entry" value="{orchard.asked()["entry"]}"' in orchard.page()


@pytest.mark.parametrize("known", [(), ("plum", "plum", "pear")])
def test_an_answer_is_taken_back_as_a_whole(
    orchard: Orchard, monkeypatch: pytest.MonkeyPatch, known: Sequence[str]
) -> None:
    """The region is asked about again; a camera hears no answer, but to look anew."""
    told: list[Correction] = []
    monkeypatch.setattr(orchard.service.workers, "send", lambda *one: told.append(one[-1]))
    for kind in dict.fromkeys(known):
        held = {"space": "basket", "star": kind, "count": known.count(kind)}
        orchard.see(board=BASKET, kind="placed", **held)
    doubtful(orchard, ["2 plum", "1 pear"], ["1 plum"])
    asked = orchard.asked()
    assert orchard.tap("regions", **asked, held="2 plum,1 pear") == 204
    assert len(told) == 1 and not orchard.live_table.doubts
    answer = orchard.live_table.number
    assert orchard.tap(f"entries/{answer}", what="instead", space="w1") == 422
    assert f'data-correct="{orchard.game}/live/entries/{answer}"' in orchard.page()
    assert orchard.tap(f"entries/{answer}", what="nothing") == 204
    assert counted(orchard.boards()[1], "basket") == Counter(known)
    assert orchard.asked() == asked and len(told) == 2
    assert not told[-1].regions and told[-1].reopened == {"basket": sorted(known)}
    assert orchard.tap(f"entries/{answer}", what="again") == 204
    assert counted(orchard.boards()[1], "basket") == {"plum": 2, "pear": 1}
    assert told[-1].regions == {"basket": ["pear", "plum", "plum"]}


def test_counting_one_kind_answers_for_no_other(
    orchard: Orchard, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[Correction] = []
    monkeypatch.setattr(orchard.service.workers, "send", lambda *one: told.append(one[-1]))

    def left() -> Sequence[set[str]]:
        return [{*one} for one in orchard.live_table.doubts[1, "basket"].answers]

    doubtful(orchard, ["2 plum"], ["1 plum"])
    orchard.see(board=BASKET, kind="placed", space="basket", star="quince", count=1)
    assert left() == [{"2 plum", "1 quince"}, {"1 plum", "1 quince"}]
    orchard.see(board=BASKET, kind="removed", space="basket", star="quince", count=0)
    doubtful(orchard, ["2 plum"], ["2 plum", "1 pear"], ["1 plum", "1 pear"])
    asked = orchard.asked()
    by_hand = {"seat": 1, "space": "basket", "star": "plum"}
    assert orchard.tap("star", **by_hand, count=2) == 204
    assert left() == [{"2 plum"}, {"2 plum", "1 pear"}] and not told
    assert orchard.tap("regions", **asked, held="1 plum,1 pear") == 409, "plums were counted"
    assert orchard.tap("star", **by_hand, count=3) == 204
    assert left() == [{"3 plum"}, {"3 plum", "1 pear"}] and not told
    assert orchard.tap("star", seat=1, space="basket", star="pear", count=1) == 204
    assert not orchard.live_table.doubts
    assert [one.regions for one in told] == [{"basket": ["pear", *["plum"] * 3]}]


def test_impossible_answers_are_dropped_and_the_question_remains(orchard: Orchard) -> None:
    doubtful(orchard, ["2 plum"], ["99 plum"], ["1 nothing"], ["1 plum"])
    assert orchard.live_table.doubts[1, "basket"].answers == (("2 plum",), ("1 plum",))
    answers = [["99 plum"], ["1 plum"], ["2 plum"]]
    event = {"kind": "doubtful", "board": BASKET, "space": "basket", "answers": answers, "t": 0.0}
    orchard.service.log.append(orchard.id, [("seen", {"source": "cam", "event": event})])
    assert "Plum on basket: how many?" in orchard.page(), "it was written before the pieces changed"


def test_kinds_not_in_play_are_no_answers(
    orchard: Orchard, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unless it is known to lie there."""
    in_play = {"plum": "plum", "pear": "pear"}
    monkeypatch.setattr(type(find_game("orchard")), "piece_roles", lambda *_: in_play)
    doubtful(orchard, ["1 plum"], ["1 quince"], ["1 pear", "1 plum"])
    question = orchard.page().split('id="doubt-1-basket"')[1].split("</details>")[0]
    assert 'value="1 plum,1 pear"' in question and "quince" not in question
    assert orchard.tap("regions", **orchard.asked(), held="1 quince") == 422
    orchard.see(board=BASKET, kind="placed", space="basket", star="quince", count=1)
    assert orchard.tap("regions", **orchard.asked(), held="1 quince") == 204


def test_a_recording_contains_doubtful_counts(orchard: Orchard) -> None:
    doubtful(orchard, ["2 plum"], ["1 plum"])
    orchard.see(board=BASKET, kind="settled", space="basket")
    text = recording.write(orchard.service.log.entries(orchard.id))
    events = recording.read(text, *map(load_profile, PROFILES)).events
    assert [event["kind"] for event in events] == ["doubtful", "settled"]


def test_unanswered_questions_are_shown_at_the_end_of_the_game(orchard: Orchard) -> None:
    orchard.see(board=BASKET, kind="placed", space="basket", star="pear", count=1)
    doubtful(orchard, ["2 plum", "1 pear"], ["1 pear"])
    answer = orchard.player.post(f"{orchard.game}/live/finish")
    assert answer.status_code == 303
    page = orchard.player.get(answer.headers["Location"]).text
    assert "The camera could not count what is on basket (Ana: Basket). Check it." in page
    page = orchard.player.get(f"{orchard.game}/players/1/review").text
    assert "Plum on basket: how many?" in page and 'data-doubts="basket"' in page
    assert re.findall(r'name="answer" value="([^"]*)"', page) == ["2 plum", "0 plum"]
    source = orchard.document["boards"][1]["board"]
    assert source["doubtful"] == {"basket": ["2 plum", "0 plum"]}
    for counts, is_right in ((["1 plum"], True), (["2 nothing"], False), (["x plum"], False)):
        board = {**source, "doubtful": {"basket": counts}}
        assert is_readable(with_owner(orchard.document, 1, board=board)) == is_right
    basket = f"{orchard.game}/players/1/tracks/basket"
    assert orchard.player.post(basket, {"answer": "2 plum"}).status_code == 303
    page = orchard.player.get(f"{orchard.game}/players/1/review").text
    assert 'data-doubts=""' in page
    lying = pieces_of(orchard.document, 1, load_profile(PROFILES[1]).board)
    assert counted(lying, "basket") == {"plum": 2, "pear": 1}


def test_doubts_about_a_board_without_pieces_are_not_shown_at_the_end(orchard: Orchard) -> None:
    """Nothing is known of Eva's basket but that it is doubtful: it is photographed, or entered."""
    orchard.see(board=BASKET, kind="placed", space="basket", star="pear", count=1)
    orchard.see(board=BASKET + 1, kind="doubtful", space="basket", answers=[["1 plum"], []])
    answer = orchard.player.post(f"{orchard.game}/live/finish")
    page = orchard.player.get(answer.headers["Location"]).text
    assert "could not count" not in page and "Not seen on the table" in page

"""A seat: who has it, who sees its card and when, and how it is given back."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from tests.webapp.conftest import HERE, Player, both_databases
from tests.webapp.evening import ANA, EVA, LUIS, Evening
from webapp.app.database import open_database
from webapp.app.session import game_document, seats
from webapp.app.session.saved_games import Games
from webapp.app.session.seats import NotYourSeatError

pytestmark = both_databases

CARD = "O19"
FORGOTTEN = "the card that was entered here is forgotten"


@pytest.fixture
def evening(tmp_path: Path, database_url: str) -> Iterator[Evening]:
    """A game in which Ana has entered her card at the live table."""
    made = Evening(tmp_path / "data", database_url)
    made.lay_boards()
    assert made.enter(made.ana, ANA, CARD) == 204
    yield made
    made.close()


def secret(evening: Evening, player: Player, seat: int = ANA) -> str:
    """What the live table shows somebody in the place of a seat's card."""
    page = player.get(f"{evening.game}/live/table?mine={seat}").text
    return page.split('id="secret">')[1].split("</section>")[0]


def warned(evening: Evening, player: Player) -> bool:
    """Whether somebody is told of a lost seat, at the table and on the way to the score."""
    reported = {
        FORGOTTEN in player.get(f"{evening.game}/{page}").text
        for page in ("live/table", "photographs", "nebula/players/0/personal")
    }
    assert len(reported) == 1
    return reported.pop()


def lay_open_all(evening: Evening) -> str:
    """Let everybody lay their card open; return where the game then goes on."""
    evening.finish(evening.luis)
    for player, seat, card in (
        (evening.ana, ANA, CARD),
        (evening.luis, LUIS, "O3"),
        (evening.eva, EVA, "O5"),
    ):
        assert evening.lay_open(player, seat, card) == 303
    where: str = evening.luis.get(evening.game).headers["Location"]
    return where


def test_who_enters_a_card_has_the_seat_and_alone_sees_it(evening: Evening) -> None:
    assert f"/assets/nebula/cards/{CARD}.svg" in secret(evening, evening.ana)
    for other in (evening.luis, evening.guest, evening.computer):
        assert CARD not in secret(evening, other)
        assert "another device has this seat" in secret(evening, other)
        assert "Choose it" not in secret(evening, other)
        page = other.get(f"{evening.game}/nebula/players/0/personal").text
        assert "another device has this seat" in page and "O1" not in page


@pytest.mark.parametrize("card", [CARD, "O2"])
def test_another_ones_card_is_not_overwritten_nor_guessed(evening: Evening, card: str) -> None:
    for other in (evening.luis, evening.computer):
        assert evening.enter(other, ANA, card) == 403
        assert evening.lay_open(other, ANA, card) == 403
        refused = other.post(f"{evening.game}/nebula/players/0/personal", {"card": card})
        assert refused.status_code == 403
        assert "This seat belongs to another device" in refused.text
    assert evening.card_for(evening.ana, ANA) == CARD


def test_its_owner_changes_a_card(evening: Evening) -> None:
    assert evening.enter(evening.ana, ANA, "O2") == 204
    assert "/assets/nebula/cards/O2.svg" in secret(evening, evening.ana)


def test_one_device_for_everybody_goes_from_the_live_table_to_the_score(evening: Evening) -> None:
    one = evening.ana
    for seat in (LUIS, EVA):
        assert evening.enter(one, seat, f"O{seat}") == 204
    assert evening.finish(one) == f"{evening.game}/nebula/markers", "no card is asked for again"
    answer = one.post(f"{evening.game}/nebula/markers", {})
    assert answer.headers["Location"] == f"{evening.game}/score"


def test_whoever_ends_the_game_waits_for_those_who_have_a_card(evening: Evening) -> None:
    evening.enter(evening.luis, LUIS, "O3")
    evening.enter(evening.eva, EVA, "O5")
    assert evening.finish(evening.luis) == f"{evening.game}/nebula/players/0/personal"
    page = evening.luis.get(f"{evening.game}/nebula/players/0/personal").text
    assert CARD not in page and 'id="waiting"' in page
    evening.ana.post(f"{evening.game}/live/finish")
    assert (
        evening.luis.get(evening.game).headers["Location"]
        == f"{evening.game}/nebula/players/2/personal"
    )
    page = evening.luis.get(f"{evening.game}/nebula/players/0/personal").text
    assert 'id="waiting"' not in page and "Continue" in page, "Ana has laid her card open"
    assert CARD not in page, "but it is hidden until all are"
    evening.eva.post(f"{evening.game}/nebula/players/2/personal", {"card": "O5"})
    assert evening.luis.get(evening.game).headers["Location"] == f"{evening.game}/nebula/markers"


def test_at_the_end_all_see_every_card_and_may_correct_it(evening: Evening) -> None:
    assert lay_open_all(evening) == f"{evening.game}/nebula/markers"
    shared = evening.luis.get(f"{evening.game}/share/game.yaml").text
    assert "personal" not in shared, "the markers are not confirmed yet"
    evening.luis.post(f"{evening.game}/nebula/markers", {})
    assert CARD in evening.luis.get(f"{evening.game}/score/0").text
    shared = evening.luis.get(f"{evening.game}/share/game.yaml").text
    assert [shared.count(card) for card in (CARD, "O3", "O5")] == [1, 1, 1]
    assert CARD in secret(evening, evening.guest)
    answer = evening.guest.post(f"{evening.game}/nebula/players/0/personal", {"card": "O2"})
    assert answer.headers["Location"] == f"{evening.game}/score"
    assert "O2" in evening.luis.get(f"{evening.game}/score/0").text


def test_the_shared_file_leaves_a_hidden_card_out_also_for_its_owner(evening: Evening) -> None:
    assert CARD not in evening.ana.get(f"{evening.game}/share/game.yaml").text


def test_a_card_entered_for_another_round_is_hidden_again(evening: Evening) -> None:
    lay_open_all(evening)
    evening.luis.post(f"{evening.game}/nebula/markers", {})
    evening.luis.post(f"{evening.game}/live/restart")
    assert evening.enter(evening.ana, ANA, "O2") == 204
    assert "/assets/nebula/cards/O2.svg" in secret(evening, evening.ana)
    assert "O2" not in secret(evening, evening.guest)
    assert "O5" not in secret(evening, evening.guest, EVA)


def test_undoing_and_redoing_touch_no_card(evening: Evening) -> None:
    evening.lay_open(evening.ana, ANA, "O2")
    for _ in range(20):
        evening.luis.post(f"{evening.game}/undo")
    assert evening.card_for(evening.ana, ANA) == "O2"
    for _ in range(20):
        evening.luis.post(f"{evening.game}/players/0/review/redo")
    assert evening.card_for(evening.ana, ANA) == "O2"


def test_a_player_who_has_a_hidden_card_is_not_taken_out_by_another(evening: Evening) -> None:
    evening.enter(evening.eva, EVA, "O5")
    two = {"count": "2", "mode": "full", "name-0": "Ana", "name-1": "Luis"}
    two |= {"marker-0": "teal", "marker-1": "coral"}
    assert evening.luis.post(f"{evening.game}/players", two).status_code == 403
    assert evening.card_for(evening.eva, EVA) == "O5"
    assert evening.eva.post(f"{evening.game}/players", two).status_code == 303
    evening.luis.post(f"{evening.game}/undo")
    assert "Choose it" in secret(evening, evening.luis, EVA), "the seat is free again"


def test_an_undone_player_keeps_the_seat_and_the_card(evening: Evening) -> None:
    four = {f"name-{seat}": name for seat, name in enumerate(("Ana", "Luis", "Eva", "Rut"))}
    four |= {f"marker-{seat}": m for seat, m in enumerate(("teal", "coral", "lime", "violet"))}
    evening.luis.post(f"{evening.game}/players", {"count": "4", "mode": "full", **four})
    assert evening.enter(evening.guest, 3, "O8") == 204
    assert evening.luis.post(f"{evening.game}/undo").status_code == 403
    assert evening.card_for(evening.guest, 3) == "O8"
    assert evening.guest.post(f"{evening.game}/undo").status_code == 303


def test_its_owner_gives_a_seat_back(evening: Evening) -> None:
    assert "Give the seat back" in secret(evening, evening.ana)
    assert evening.ana.post(f"{evening.game}/players/0/give-back").status_code == 303
    assert not warned(evening, evening.ana)
    assert evening.enter(evening.luis, ANA, "O2") == 204


def test_the_computer_that_serves_gives_a_seat_back_unseen_and_its_owner_is_notified(
    evening: Evening,
) -> None:
    assert "Give the seat back" in secret(evening, evening.computer)
    assert not warned(evening, evening.ana)
    count = evening.app.extensions["stargazer live"].notifier.count(evening.id)
    answer = evening.computer.post(f"{evening.game}/players/0/give-back")
    assert answer.status_code == 303
    assert evening.app.extensions["stargazer live"].notifier.count(evening.id) > count, (
        "tables hear it"
    )
    assert CARD not in secret(evening, evening.computer)
    assert warned(evening, evening.ana) and not warned(evening, evening.luis)
    with evening.app.extensions["stargazer"].games._sessions.begin() as session:
        assert holds(session, CARD) == [], "the card is nowhere any more"
    assert evening.enter(evening.ana, ANA, CARD) == 204
    assert not warned(evening, evening.ana)


def holds(session: Session, card: str) -> list[str]:
    """The tables in which a card is written."""
    names = ("games", "revisions", "seats", "live_entries")
    rows = {name: repr(session.execute(text(f"SELECT * FROM {name}")).all()) for name in names}
    return [name for name, row in rows.items() if card in row]


def test_whoever_lost_a_seat_is_warned_and_refused(evening: Evening) -> None:
    evening.computer.post(f"{evening.game}/players/0/give-back")
    assert evening.enter(evening.guest, ANA, "O2") == 204
    assert warned(evening, evening.ana)
    assert evening.enter(evening.ana, ANA, CARD) == 403


def test_a_guest_gives_no_other_seat_back(evening: Evening) -> None:
    assert "Give the seat back" not in secret(evening, evening.luis)
    answer = evening.luis.post(f"{evening.game}/players/0/give-back")
    assert answer.status_code == 403
    assert evening.card_for(evening.ana, ANA) == CARD
    assert evening.luis.post(f"{evening.game}/players/7/give-back").status_code == 404


def test_a_browser_is_known_from_its_first_page_and_no_slow_answer_takes_that_back(
    evening: Evening,
) -> None:
    phone = evening.phone(9)
    first = phone.get("/preferences")
    assert "stargazer=" in "".join(first.headers.getlist("Set-Cookie"))
    answer = phone.get(f"{evening.game}/live/table")
    assert "Set-Cookie" not in answer.headers, "it would put an older session over a newer one"
    assert evening.enter(phone, LUIS, "O3") == 204
    assert "O3" in secret(evening, phone, LUIS)


def test_a_program_that_keeps_no_cookies_gets_none(evening: Evening) -> None:
    answer = evening.computer.client.post("/api/score", base_url=HERE, json={})
    assert "Set-Cookie" not in answer.headers


ANA_AND_LUIS = [("Ana", "teal"), ("Luis", "coral")]


def test_two_phones_that_enter_one_card_at_once_do_not_share_the_seat(tmp_path: Path) -> None:
    games = Games(open_database(f"sqlite:///{tmp_path / 'stargazer.db'}"))
    game = games.create(game_document.new_game(ANA_AND_LUIS, "full", "nebula"))

    def enter(card: str, browser: str) -> None:
        games.change(
            game.id,
            "personal-0",
            lambda doc: game_document.with_answer(doc, "personal", card, 0),
            browser,
        )

    enter("O1", "a")
    with pytest.raises(NotYourSeatError):
        enter("O1", "b")
    assert games.open(game.id, "a").document["players"][0]["personal"] == "O1"
    assert games.open(game.id, "b").document["players"][0]["personal"] is None
    assert games.open(game.id).document["players"][0]["personal"] is None


def test_what_is_kept_of_a_document_has_no_card() -> None:
    document = game_document.new_game(ANA_AND_LUIS, "full", "nebula")
    document = game_document.confirm(
        game_document.with_answer(document, "personal", "O19", 0), "personal-0"
    )
    kept = seats.kept(document)
    assert "O19" not in repr(kept) and "personal-0" not in kept["confirmed"]
    again: Mapping[str, Any] = seats.view(kept, {0: seats.Seat("a", "O19", True)}, "a")
    assert again["players"][0]["personal"] == "O19" and "personal-0" in again["confirmed"]


def test_an_error_of_the_database_does_not_tell_what_was_to_be_written(tmp_path: Path) -> None:
    sessions = open_database(f"sqlite:///{tmp_path / 'stargazer.db'}")
    with pytest.raises(OperationalError) as failed, sessions.begin() as session:
        session.execute(text("INSERT INTO nowhere VALUES (:card)"), {"card": "O19"})
    assert "O19" not in str(failed.value)

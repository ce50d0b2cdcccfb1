"""My cards: a deck of other artwork, shown in rows, named, recognised, backed up and shared."""

import io
import os
import re
import threading
import zipfile
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from flask import Flask

from calibration import load_profile, owned, owner_profiles, versions
from calibration.layout import ProfileError
from calibration.own_deck import OwnDeck, delete_deck, encode_card, own_deck, save_deck, unpack_deck
from calibration.profile import deck_path, profile_version
from tests.webapp.conftest import MakeApp, Player, jpeg
from vision.cards import UNCERTAIN_BELOW
from webapp.app.reading import card_jobs
from webapp.app.reading.card_jobs import deck_of, find_cards
from webapp.web.pages import own_cards
from webapp.web.pages.own_cards import CardName

HOME = "/my-boards/cards/via_nebula/standard"
NAMES = [f"N{number}" for number in range(1, 6)]
SIZE = (120, 190)


@pytest.fixture(autouse=True)
def few_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """Five cards of a game, whose drawn ones are not looked at."""
    names = [CardName(card, card, f"Card {card}", "Deck") for card in NAMES]
    monkeypatch.setattr(own_cards, "_names", lambda *_: names)


def face(seed: int) -> np.ndarray:
    """A card to its edge as nobody here draws it."""
    rng = np.random.default_rng(100 + seed)
    width, height = SIZE
    drawn = np.full((height, width, 3), rng.integers(150, 250, 3), np.uint8)
    for _ in range(9):
        x, y, radius = rng.integers([15, 15, 6], [width - 15, height - 15, 22]).tolist()
        cv2.circle(drawn, (x, y), radius, rng.integers(0, 256, 3).tolist(), -1, cv2.LINE_AA)
    return drawn


def table(cards: Sequence[int | None], turn: float = 0.0) -> bytes:
    """Rows of three on a dark table, each card turned; None where none is seen."""
    image = np.full((520, 640, 3), (40, 60, 70), np.uint8)
    for number, seed in enumerate(cards):
        if seed is None:
            continue
        laid = cv2.getRotationMatrix2D((SIZE[0] / 2, SIZE[1] / 2), turn, 1.0)
        laid[:, 2] += (50 + number % 3 * 200, 40 + number // 3 * 240)
        cv2.warpAffine(face(seed), laid, (640, 520), image, cv2.INTER_AREA, cv2.BORDER_TRANSPARENT)
    return cv2.imencode(".jpg", image)[1].tobytes()


def show(player: Player, picture: bytes) -> str:
    player.post(f"{HOME}/photograph", {"photo": (io.BytesIO(picture), "x.jpg")})
    return player.get(HOME).text


def selected(page: str) -> list[str]:
    """What is chosen of each card's names, "" for nothing."""
    cards = re.findall(r'<select name="card-\d+".*?</select>', page, re.DOTALL)
    return ["".join(re.findall(r'value="([\w-]+)" selected', card)) for card in cards]


def version_of(page: str) -> str:
    (version,) = re.findall(r'name="version" value="([\d.]+)"', page)
    return str(version)


def limit_cards(monkeypatch: pytest.MonkeyPatch, names: Collection[str]) -> None:
    """Let Via Nebula have no other cards than these, so that a deck of them is a whole one."""
    every = [card for card in card_jobs._cards("via_nebula/standard") if card.id in names]
    monkeypatch.setattr(card_jobs, "_cards", lambda _: every)
    card_jobs.shown_deck.cache_clear()


def keep(player: Player, *names: str, page: str = "") -> str:
    """Keep the cards of a page by these names: of the page as it is now, if none is given."""
    said = {f"card-{number}": name for number, name in enumerate(names)}
    version = version_of(page or player.get(HOME).text)
    sent = player.post(f"{HOME}/keep", {**said, "version": version})
    return sent.text if sent.status_code != 303 else player.get(HOME).text


def test_a_deck_shown_in_rows_is_recognised_from_then_on(
    player: Player, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert HOME in player.get("/my-boards").text
    page = show(player, table(range(5), turn=2.0))
    assert selected(page) == NAMES, "in the game's order"
    photograph = tmp_path / "later.jpg"
    photograph.write_bytes(table([3, 0, 77, 4], turn=160.0))
    assert own_deck("via_nebula/standard").cards == {}, "nobody has confirmed a name"
    assert "5 cards are known now" in keep(player, *NAMES)
    assert player.get(f"{HOME.replace('cards', 'cards/picture/N1')}.jpg").data[:2] == b"\xff\xd8"

    def sure() -> list[str]:
        found = find_cards(photograph, "via_nebula/standard")
        assert [card["card"] for card in found] == ["N4", "N1", "N5"]
        return [card["card"] for card in found if card["confidence"] >= UNCERTAIN_BELOW]

    assert not sure(), "most cards with this back were not shown: it may be one of those"
    limit_cards(monkeypatch, NAMES)
    assert sure() == ["N4", "N1", "N5"], "and the one that is no card of the deck is none"


def test_names_are_asked_once_more_where_two_are_the_same_and_a_card_may_be_left_out(
    player: Player,
) -> None:
    show(player, table([0, 1]))
    assert "Two cards have the same name: N1" in keep(player, "N1", "N1")
    assert own_deck("via_nebula/standard").cards == {}
    page = player.get(HOME).text
    (left_out,) = {*re.findall(r'<option value="(\w+)">No card', page)}
    keep(player, "N3", left_out)
    assert [*own_deck("via_nebula/standard").cards] == ["N3"]
    page = show(player, table([1, 2]))
    assert selected(page) == ["", ""], "which one comes next is not known"
    assert re.findall(r'<option value="(\w+)" data-known', page) == ["N3", "N3"], "is replaced"
    assert "Which card is number 2 in the photograph?" in keep(player, "N1", "")
    player.post(f"{HOME}/forget")
    assert len(selected(show(player, table([3, 4])))) == 2
    assert "check these again" in keep(player, "N1", "N2", page=page), "others by now"
    assert [*own_deck("via_nebula/standard").cards] == ["N3"]
    player.post(f"{HOME}/forget")
    assert own_deck("via_nebula/standard").unnamed == []


@pytest.mark.parametrize(
    ("cards", "names"),
    [
        ((0, None, 2, 3, 4), ["N1", "", "", ""]),
        ((0, 1, None, 3, 4, 2), ["N1", "N2", "", "", ""]),
        ((0, 1, 2, None, 4), ["N1", "N2", "N3", ""]),
        ((None, 1, 2, 3, 4), ["", "", "", ""]),
    ],
    ids=["between", "end of a row", "begin of a row", "first"],
)
@pytest.mark.parametrize("turn", [0.0, 3.0])
def test_nothing_is_named_after_a_gap(
    player: Player, cards: Sequence[int | None], names: Sequence[str], turn: float
) -> None:
    page = show(player, table(cards, turn))
    assert f"{len(names)} cards found" in page
    assert selected(page) == names
    assert f"missing before number {names.index('') + 1}?" in page


def test_a_card_that_was_missed_is_said_on_the_photograph(player: Player) -> None:
    page = show(player, table([0, 1, 2]))
    (address,) = re.findall(r'href="([^"]*-photograph-0[^"]*)"', page)
    shown = cv2.imdecode(np.frombuffer(player.get(address).data, np.uint8), cv2.IMREAD_COLOR)
    assert shown.shape == (520, 640, 3) and np.ptp(shown[135, 110]) > 60, "numbered in its middle"
    said = {
        "missed": 1,
        "card-0": "N2",
        "card-1": "N3",
        "card-2": "N4",
        "version": version_of(page),
    }
    assert selected(player.post(f"{HOME}/missed", said).text) == ["N2", "", ""]
    assert selected(player.get(HOME).text) == ["N1", "", ""], "after the page is opened again"
    assert player.post(f"{HOME}/missed", said).status_code == 422, "of a page that is past"
    keep(player, "N1", "N3", "N4")
    assert player.get(address).status_code == 404, "the photograph is not kept"


def test_photographs_that_arrive_at_once_lose_no_cards(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    reading, found = threading.Event(), own_cards.read_sent

    def slow(*asked: Any) -> Any:
        cards = found(*asked)
        if not reading.is_set():
            reading.set()
            other.start()
            other.join(0.5)  # it waits for this one
        return cards

    monkeypatch.setattr(own_cards, "read_sent", slow)
    one, two = Player(app.test_client()), Player(app.test_client())
    other = threading.Thread(target=show, args=(two, table([3, 4])))
    show(one, table([0, 1, 2]))
    other.join()
    deck = own_deck("via_nebula/standard")
    assert len(deck.unnamed) == 5 and len(deck.photographs) == 2


def test_a_strange_deck_s_unknown_cards_are_none_of_the_game(
    player: Player, tmp_path: Path
) -> None:
    pictures = {card: encode_card(face(number)) for number, card in enumerate(["N1", "evil"])}
    save_deck("via_nebula/standard", OwnDeck(pictures))
    assert "1 of 5 cards are known" in player.get(HOME).text
    photograph = tmp_path / "x.jpg"
    photograph.write_bytes(table([0, 1]))
    assert [card["card"] for card in find_cards(photograph, "via_nebula/standard")] == ["N1"]
    save_deck("via_nebula/standard", OwnDeck({"evil": pictures["evil"]}))
    assert not deck_of("via_nebula/standard")[1], "the printed ones are looked for"


def test_the_cards_of_a_kept_version_have_their_pictures(player: Player) -> None:
    standard = load_profile("via_nebula/standard")
    name = owned.add_profile(standard.layout, standard.require_reference())
    save_deck(name, OwnDeck({"N1": encode_card(face(1))}))
    kept = versions.keep_version(load_profile(name))
    assert player.get(f"/my-boards/cards/picture/N1/{kept}.jpg").data[:2] == b"\xff\xd8"


@pytest.mark.parametrize("deed", ["keep", "missed", "forget", "photograph"])
def test_cards_that_cannot_be_written_are_said_to_be_unkept(
    player: Player, monkeypatch: pytest.MonkeyPatch, deed: str
) -> None:
    page = show(player, table([0]))

    def full(*_asked: object) -> None:
        raise ProfileError("cards.zip", [("", "cannot be written (No space left on device)")])

    monkeypatch.setattr(own_cards, "save_deck", full)
    picture = {"photo": (io.BytesIO(table([1])), "x.jpg")} if deed == "photograph" else {}
    said = {"card-0": "N1", "missed": 0, "version": version_of(page), **picture}
    sent = player.post(f"{HOME}/{deed}", said)
    assert sent.status_code == 422 and "cannot write these cards" in sent.text


def test_more_cards_than_a_deck_holds_are_refused(
    player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("calibration.own_deck.MOST_CARDS", 1)
    sent = player.post(f"{HOME}/photograph", {"photo": (io.BytesIO(table([0, 1])), "x.jpg")})
    assert sent.status_code == 422 and "more cards than can be saved" in sent.text


def test_a_photograph_without_cards_says_so(player: Player) -> None:
    sent = player.post(f"{HOME}/photograph", {"photo": (io.BytesIO(jpeg()), "x.jpg")})
    assert sent.status_code == 422 and "No card was seen" in sent.text
    assert player.get("/my-boards/cards/nowhere").status_code == 404


def test_a_removed_deck_can_be_brought_back(player: Player) -> None:
    show(player, table([0]))
    keep(player, "N1")
    assert "Undo" in player.get(player.post(f"{HOME}/remove").headers["Location"]).text
    assert own_deck("via_nebula/standard").cards == {}
    player.post(f"{HOME}/restore")
    assert [*own_deck("via_nebula/standard").cards] == ["N1"]


def test_a_backup_brings_the_deck_back(player: Player, make_app: MakeApp) -> None:
    show(player, table([0, 1]))
    keep(player, "N1", "N2")
    kept = own_deck("via_nebula/standard").cards
    backups = make_app().extensions["stargazer"].backups
    saved = b"".join(backups.written())
    player.post(f"{HOME}/remove")
    file = owner_profiles().with_name("saved.zip")
    file.write_bytes(saved)
    backups.restore(file)
    assert own_deck("via_nebula/standard").cards.keys() == kept.keys()
    deck_path("via_nebula/standard").write_bytes(b"no zip")
    backups.restore(file)
    assert own_deck("via_nebula/standard").cards.keys() == kept.keys(), "in place of a damaged one"


def test_a_shared_board_brings_its_deck_and_a_changed_one_keeps_it(
    player: Player, tmp_path: Path
) -> None:
    standard = load_profile("via_nebula/standard")
    name = owned.add_profile(standard.layout, standard.require_reference())
    save_deck(name, OwnDeck({"N1": encode_card(face(1))}))
    packed = owned.pack_profile(load_profile(name))
    versions.change_profile(name, standard.layout, standard.require_reference())
    assert [*own_deck(name).cards] == ["N1"]
    save_deck(name, OwnDeck({"N1": encode_card(face(1)), "N2": encode_card(face(2))}))
    versions.undo_change(name)
    assert [*own_deck(name).cards] == ["N1", "N2"], "a card is no change of the board"
    save_deck(name, OwnDeck())
    versions.undo_change(name)
    assert not own_deck(name), "nor is a removed one"
    save_deck(name, OwnDeck({"N1": encode_card(face(1)), "N2": encode_card(face(2))}))
    kept = versions.keep_version(load_profile(name))
    assert [*own_deck(kept).cards] == ["N1", "N2"]
    assert [*own_deck(owned.unpack_profile(packed)).cards] == ["N1"]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("N1.jpg", b"no picture"),
        ("N1.jpg", encode_card(np.zeros((2000, 20, 3), np.uint8))),
        (
            "N1.jpg",
            encode_card(np.zeros((20, 20, 3), np.uint8)).replace(b"\0\x14" * 2, b"\xff" * 4),
        ),
        ("../N1.jpg", encode_card(face(1))),
    ],
)
def test_what_a_stranger_made_is_not_taken_over(name: str, content: bytes) -> None:
    standard = load_profile("via_nebula/standard")
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        packed.writestr(name, content)
    whole = io.BytesIO(owned.pack_profile(standard))
    with zipfile.ZipFile(whole, "a") as board:
        board.writestr("cards.zip", out.getvalue())
    with pytest.raises(ProfileError, match=r"cards\.zip"):
        owned.unpack_profile(whole.getvalue())


@pytest.mark.parametrize(
    ("compressed", "damaged"),
    [
        (zipfile.ZIP_LZMA, lambda raw: raw[:60] + b"\xff" * 40 + raw[100:]),
        (zipfile.ZIP_STORED, lambda raw: raw.replace("é".encode(), b"\xff\xfe")),
    ],
)
def test_a_damaged_file_of_cards_is_refused(
    compressed: int, damaged: Callable[[bytes], bytes]
) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compressed) as packed:
        packed.writestr("é1.jpg", encode_card(face(1)))
    with pytest.raises(ProfileError, match="no whole file"):
        unpack_deck(damaged(out.getvalue()), "cards.zip")


def test_a_board_is_backed_up_though_its_deck_is_damaged(player: Player) -> None:
    standard = load_profile("via_nebula/standard")
    name = owned.add_profile(standard.layout, standard.require_reference())
    save_deck(name, OwnDeck({"N1": encode_card(face(1))}))
    whole = owned.pack_profile(load_profile(name))
    deck_path(name).write_bytes(b"half a file")
    packed = io.BytesIO(owned.pack_profile(load_profile(name)))
    assert "cards.zip" not in zipfile.ZipFile(packed).namelist()
    assert owned.bring_back_profile(whole, name) == name
    assert [*own_deck(name).cards] == ["N1"]


def test_the_version_of_a_board_changes_with_its_deck_though_its_layout_is_newer(
    player: Player,
) -> None:
    standard = load_profile("via_nebula/standard")
    name = owned.add_profile(standard.layout, standard.require_reference())
    save_deck(name, OwnDeck({"N1": encode_card(face(1))}))
    os.utime(deck_path(name), (1, 1))
    before = profile_version(name)
    delete_deck(name)
    assert profile_version(name) != before


def test_a_damaged_deck_is_said_on_its_page_and_stops_no_photograph(
    player: Player, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    show(player, table([0]))
    keep(player, "N1")
    (file,) = owner_profiles().with_name("decks").rglob("*.zip")
    file.write_bytes(b"half a file")
    assert "is damaged" in player.get(HOME).text
    monkeypatch.setattr("webapp.app.reading.card_jobs.printed_deck", lambda *_: _NoDeck())
    photograph = tmp_path / "x.jpg"
    photograph.write_bytes(table([0]))
    assert find_cards(photograph, "via_nebula/standard") == []
    player.post(f"{HOME}/remove")
    assert "is damaged" not in player.get(HOME).text


class _NoDeck:
    def find(self, *_asked: object, **_more: object) -> list[object]:
        return []

"""Cards of the market that a camera misses: asked about, never taken by themselves."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from types import SimpleNamespace
from typing import Annotated, Any, cast

import pytest
from flask import Flask

from scorer.open_table import OnTable, market
from scorer.via_nebula.edition import STANDARD
from scorer.via_nebula.turns import TURNS
from tests.webapp.conftest import Player
from webapp.app import guided_game
from webapp.app.game_pages import pages_of
from webapp.app.guide.history import KIND, History, Moment
from webapp.app.guide.market import MissingCard, missing_cards, ways_to_take
from webapp.app.guide.service import GuideService
from webapp.app.live.by_hand import NewEntry
from webapp.app.live.log import Camera, LogFullError
from webapp.app.live.reducer import CardCount, LiveTable
from webapp.app.live.service import LiveService
from webapp.app.live.worker import CardSeen, Seen
from webapp.web.context import current_profile
from webapp.web.table_strip import card_of_market


@dataclass(frozen=True)
class Cards:
    """A state with nothing but a market."""

    open: Annotated[tuple[str, ...], OnTable("card", market=True)] = ()


def missing(
    counts: Mapping[int, int], markets: Mapping[int, str], undone: int = 0
) -> Mapping[str, int]:
    """Missing cards by id after counts of "a" and markets, such as "aab", by their entries."""
    moments = [Moment("", "tap", Cards(tuple(own)), number) for number, own in markets.items()]
    history = History({}, Cards(tuple("aab")), tuple(moments), undone=undone)
    seen = tuple(CardCount(*each) for each in counts.items())
    table = cast(LiveTable, SimpleNamespace(cards={("cam", "a"): seen}))
    found = [*missing_cards(history, table)]
    assert all(one.expected == list(counts.values())[-1] + one.count for one in found)
    return {one.card: one.count for one in found}


@pytest.mark.parametrize(
    ("counts", "markets", "count"),
    [
        ({1: 2}, {}, 0),
        ({1: 1}, {}, 0),  # the other one is covered
        ({1: 2, 2: 1}, {}, 1),
        ({1: 2, 2: 1, 3: 0}, {}, 2),
        ({1: 2, 2: 1, 3: 2}, {}, 0),  # laid back
        ({1: 2, 2: 1}, {3: "ab"}, 0),  # and then tapped
        ({1: 2, 3: 1}, {2: "ab"}, 0),  # tapped first
        ({1: 2, 3: 1, 4: 0}, {2: "ab"}, 1),
        ({1: 2, 2: 1, 4: 0}, {3: "ab"}, 1),
        ({1: 2, 2: 1, 4: 0}, {3: "ab", 5: "b"}, 0),
        ({1: 2, 2: 1}, {3: "aa"}, 1),  # another card was taken
        ({1: 2, 4: 1, 5: 2}, {2: "ab", 3: "aab"}, 0),  # and dealt again
        ({1: 2, 4: 1, 5: 2, 6: 1}, {2: "ab", 3: "aab"}, 1),
        ({3: 1, 4: 0}, {1: "ab", 2: "aab"}, 1),  # taken before a camera saw any
    ],
)
def test_what_was_taken_by_an_action_is_not_missing(
    counts: Mapping[int, int], markets: Mapping[int, str], count: int
) -> None:
    assert missing(counts, markets) == ({"a": count} if count else {})


def test_nothing_is_missing_just_after_an_undo() -> None:
    assert missing({1: 2, 2: 1}, {}, undone=1) == {"a": 1}
    assert missing({1: 2, 2: 1}, {}, undone=3) == {}
    assert missing({1: 2, 2: 1, 4: 0}, {}, undone=3) == {"a": 1}


class Table:
    """A guided game at its first decision."""

    def __init__(self, app: Flask, computers: str = "-,-", game: str = "ptolemaeus") -> None:
        self.app, self.player = app, Player(app.test_client())
        self.game = self.player.new_game(
            "Ana", "Eva", mode="", markers=("red", "blue"), game=game, guided="yes"
        )
        self.id = self.game.split("/")[2]
        if game == "ptolemaeus":
            self.player.post(f"{self.game}/questions/date", {"answer": "1969-07-20"})
        form = {"draws": "program", "computers": computers}
        assert self.player.post(f"{self.game}/guide", form).status_code == 303

    @property
    def live(self) -> LiveService:
        found: LiveService = self.app.extensions["stargazer live"]
        return found

    @property
    def history(self) -> History:
        service: GuideService = self.app.extensions["stargazer guide"]
        found = service.history(self.app.extensions["stargazer"].games.open(self.id))
        assert found is not None
        return found

    @property
    def market(self) -> Counter[str]:
        return market(self.history.state)

    def see(self, *cards: CardSeen) -> None:
        self.live.record_cards(self.id, "cam", cards)

    def see_all(self) -> str:
        """Let a camera see the market; return its first card."""
        self.see(*(CardSeen(*each) for each in self.market.items()))
        return next(iter(self.market))

    def page(self, player: Player | None = None) -> str:
        answer = (player or self.player).get(f"{self.game}/guide/now")
        assert answer.status_code == 200, answer.text
        return answer.text

    def tap(self, page: str, **form: object) -> None:
        assert self.player.post(f"{self.game}/guide/{page}", form).status_code == 303

    def cards(self) -> Sequence[Mapping[str, Any]]:
        return [one.data for one in self.live.log.entries(self.id) if one.kind == "card"]


@pytest.fixture
def table(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Table:
    monkeypatch.setattr(guided_game, "LUCK", Random(5))
    return Table(app)


def test_whether_a_missing_card_was_taken_is_asked_and_a_yes_takes_it(table: Table) -> None:
    card = table.see_all()
    assert 'id="taken"' not in table.page()
    before, hand = table.market, table.history.state.seats[0].hand
    table.see(CardSeen(card))
    assert table.market == before, "nothing is taken by itself"
    page = table.page()
    assert f'value="take {card}"' in page.partition('id="taken"')[2].partition("deciding")[0]
    assert "is no longer on the table. What happened?" in page and "Ana takes a card" in page
    table.tap("do", move=f"take {card}", seen=table.history.number)
    assert Counter(table.history.state.seats[0].hand) == Counter((*hand, card))
    assert 'id="taken"' not in table.page()


def test_a_missing_contract_is_called_by_what_it_needs(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guided_game, "LUCK", Random(5))
    table, luck = Table(app, game="via_nebula"), Random(2)
    state, done = table.history.state, list[NewEntry]()
    while not (wanted := [card for card in state.open if ways_to_take(TURNS, state, card)]):
        action = TURNS.drawn(state, luck) or luck.choice(TURNS.actions(state))
        done.append((KIND, {"do": TURNS.write_action(action), "by": "tap"}))
        state = TURNS.after(state, action)
    table.live.log.append(table.id, done)
    table.see(CardSeen(wanted[0], 1))
    table.see(CardSeen(wanted[0]))
    asked = table.page().partition('id="taken"')[2].partition("What happened?")[0]
    needs = STANDARD.contracts[wanted[0]].name
    assert f"{needs[0].upper()}{needs[1:]} contract is no longer on the table" in asked
    assert f"/{wanted[0]}" in asked.partition("<img")[2].partition(">")[0]


@pytest.mark.parametrize(
    ("game", "name"),
    [
        ("polaris", "Basic action B6 (New Moon)"),
        ("ptolemaeus", "a sextant"),
        ("via_nebula", "clay and wheat contract"),
    ],
)
def test_every_card_has_a_name_of_its_own(app: Flask, game: str, name: str) -> None:
    part = pages_of(game).guided
    with app.test_request_context(f"/lessons/{game}/{part.pages.game.course.lessons[0].id}"):
        ids = {one.id for one in part.pages.cards(current_profile(), "en")}
        names = Counter(card_of_market(part, id).name for id in ids)
    assert name in names and set(names.values()) == {1}


def test_cards_are_noted_even_if_there_is_no_room_for_events(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_events: object) -> None:
        raise LogFullError

    monkeypatch.setattr(table.live, "record", full)
    card, count = next(iter(table.market.items()))
    seen = Seen([{"kind": "board_found"}], None, (), True, cards=[CardSeen(card, count)])
    table.live._write_seen(Camera(table.id, "cam", ""), seen)
    assert [one["card"] for one in table.cards()] == [card]


def test_a_card_that_was_not_taken_counts_again_and_may_be_missed_again(table: Table) -> None:
    card = table.see_all()
    table.see(CardSeen(card))
    table.tap("card", card="comet")
    assert 'id="taken"' in table.page(), "that is another card"
    table.tap("card", card=card)
    assert 'id="taken"' not in table.page()
    there = table.market[card]
    assert [one["here"] for one in table.cards() if one["card"] == card] == [
        there,
        there - 1,
        there,
    ]
    table.see(CardSeen(card, there))
    assert len(table.cards()) == len(table.market) + 2, "that is known"
    table.see(CardSeen(card))
    assert 'id="taken"' in table.page()


def test_a_card_taken_by_a_tap_or_laid_back_is_not_asked_about(table: Table) -> None:
    card = table.see_all()
    table.see(CardSeen(card))
    table.see(CardSeen(card, table.market[card]))
    assert 'id="taken"' not in table.page()
    table.tap("do", move=f"take {card}", seen=table.history.number)
    table.see(CardSeen(card))
    assert 'id="taken"' not in table.page()


def test_only_phones_that_may_decide_are_asked(table: Table) -> None:
    card = table.see_all()
    other = Player(table.app.test_client())
    assert other.post(f"{table.game}/guide/seat", {"seat": 0}).status_code == 303
    table.see(CardSeen(card))
    assert 'id="taken"' in table.page(other) and 'id="taken"' not in table.page()


def test_what_a_computer_takes_is_not_asked(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guided_game, "LUCK", Random(5))
    table = Table(app, "apprentice,-")
    card = table.see_all()
    table.see(CardSeen(card))
    assert 'id="taken"' not in table.page()


def test_cards_of_a_game_that_is_begun_again_are_forgotten(table: Table) -> None:
    table.see_all()
    game = table.app.extensions["stargazer"].games.open(table.id)
    assert table.live.table(game).cards
    table.live.tell(table.id, "restart", {})
    assert not table.live.table(game).cards


def test_each_camera_misses_a_card_for_itself() -> None:
    history = History({}, Cards(("a", "b")), (Moment("", "tap", Cards(("b",)), 5),))
    one, two = (CardCount(1, 1), CardCount(3, 0)), (CardCount(2, 1), CardCount(4, 0))
    table = cast(LiveTable, SimpleNamespace(cards={("left", "a"): one, ("right", "a"): two}))
    assert [*missing_cards(history, table)] == []
    before = History({}, Cards(("a", "b")))
    assert [*missing_cards(before, table)] == [
        MissingCard(camera, "a", 1, 1) for camera in ("left", "right")
    ]

"""Cards beside the boards: what is taken is missed, what is covered, lifted or moved is not."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from typing import Any

import cv2
import numpy as np
import pytest

from tests.conftest import in_ci
from tests.live.inline import Inline
from vision.cards import CardReading
from vision.live import Frame
from vision.live.market import CardChange, MarketWatch

SIZE, CARD = (320, 180), (22, 32)
TABLE, SKIN = (60, 95, 130), (120, 150, 200)
NOISE = np.random.default_rng(1).integers(0, 15, (5, SIZE[1], SIZE[0], 3), np.uint8)
MARKET = [("leo", (40, 60)), ("libra", (70, 60)), ("libra", (100, 60)), ("virgo", (130, 60))]
COUNTS = {"leo": 1, "libra": 2, "virgo": 1}
Laid = Sequence[tuple[str, tuple[int, int]]]
Hand = tuple[tuple[int, int], tuple[int, int]]


def corners(at: tuple[int, int], size: tuple[int, int] = CARD) -> np.ndarray:
    (x, y), (w, h) = at, (size[0] / 2, size[1] / 2)
    return np.array([[x - w, y - h], [x + w, y - h], [x + w, y + h], [x - w, y + h]])


class Table:
    """A table of drawn cards, with a finder that finds those that no hand is on."""

    def __init__(self, cards: Laid = tuple(MARKET), counts: Mapping[str, int] = COUNTS) -> None:
        self.cards, self.hand, self.light = list(cards), list[Hand](), 1.0
        self.confidence: dict[str, float] = {}
        self.searches, self.t = 0, 0.0
        self.watch = MarketWatch(self.find, Inline())
        self.watch.expect(counts)

    def find(self, _image: np.ndarray, _boards: Sequence[np.ndarray]) -> Sequence[CardReading]:
        self.searches += 1
        return [
            CardReading(card, self.confidence.get(card, 0.99), corners(at))
            for card, at in self.cards
            if not any(
                np.all(np.abs(np.subtract(at, middle)) < np.divide(size, 2))
                for middle, size in self.hand
            )
        ]

    def frame(self) -> np.ndarray:
        picture = np.full((SIZE[1], SIZE[0], 3), TABLE, np.uint8)
        for card, at in self.cards:
            face = np.random.default_rng(sum(card.encode())).integers(0, 255, (5, 4, 3))
            drawn = cv2.resize(face.astype(np.uint8), CARD, interpolation=cv2.INTER_CUBIC)
            x, y = at[0] - CARD[0] // 2, at[1] - CARD[1] // 2
            picture[y : y + CARD[1], x : x + CARD[0]] = drawn
        for middle, size in self.hand:
            cv2.fillConvexPoly(picture, corners(middle, size).astype(np.int32), SKIN)
        lit = np.clip(picture * self.light, 0, 240).astype(np.uint8)
        return np.asarray(cv2.add(lit, NOISE[round(4 * self.t) % len(NOISE)]))

    def wait(self, seconds: float = 15.0) -> list[CardChange]:
        """What is reported while nothing is done; frames come four times a second."""
        reported: list[CardChange] = []
        for _ in range(round(4 * seconds)):
            self.t += 0.25
            reported += self.watch.see(Frame(self.t, self.frame()), [])
        return reported

    def reach(self, at: tuple[int, int], seconds: float = 0.75) -> list[CardChange]:
        """A hand comes over a place and moves there, as nothing on a table is still."""
        reported = []
        for number in range(round(4 * seconds)):
            self.hand = [((at[0] + 5 * (number % 2), at[1]), (46, 56))]
            reported += self.wait(0.25)
        return reported

    def do(self, at: tuple[int, int], act: Callable[[], object]) -> list[CardChange]:
        before = self.reach(at)
        act()
        after = self.reach(at)
        self.hand = []
        return before + after


@pytest.fixture
def table() -> Table:
    found = Table()
    assert sorted(found.wait()) == sorted(COUNTS.items())
    assert found.searches == 1, "nothing changes"
    return found


def test_a_card_that_is_taken_is_missed_once(table: Table) -> None:
    taken = table.cards[0]
    assert table.do(taken[1], lambda: table.cards.remove(taken)) == []
    assert table.wait(9) == [], "it may have been lifted to be read"
    assert table.wait() == [("leo", None)]
    assert table.wait(30) == []
    assert table.searches <= 6


def test_of_two_alike_one_is_missed(table: Table) -> None:
    taken = table.cards[2]
    table.do(taken[1], lambda: table.cards.remove(taken))
    assert table.wait() == [("libra", None)]


@pytest.mark.parametrize(
    ("away", "gone", "back"), [(0.5, [], []), (8.0, [], []), (None, [("leo", None)], [("leo", 1)])]
)
def test_a_card_that_is_lifted_and_soon_laid_back_is_not_missed(
    table: Table, away: float | None, gone: list[Any], back: list[Any]
) -> None:
    lifted = table.cards[0]
    table.do(lifted[1], lambda: table.cards.remove(lifted))
    assert (table.wait() if away is None else table.wait(away)) == gone
    laid = table.do(lifted[1], lambda: table.cards.append(lifted))
    assert [*laid, *table.wait(20)] == back


@pytest.mark.parametrize("to", [(100, 110), (215, 120)])
def test_a_card_that_is_moved_is_not_missed_until_it_is_taken_from_there(
    table: Table, to: tuple[int, int]
) -> None:
    moved, there = table.cards[3], ("virgo", to)

    def move() -> None:
        table.cards.remove(moved)
        table.cards.append(there)

    assert table.do(moved[1], move) == [] and table.wait(20) == []
    table.do(there[1], lambda: table.cards.remove(there))
    assert table.wait() == [("virgo", None)]


def test_a_card_laid_far_away_from_the_others_was_taken(table: Table) -> None:
    taken = table.cards[0]

    def take() -> None:
        table.cards.remove(taken)
        table.cards.append(("leo", (295, 155)))

    table.do(taken[1], take)
    assert table.wait() == [("leo", None)]
    assert table.wait(30) == []


def test_a_card_under_a_resting_hand_is_not_missed(table: Table) -> None:
    table.hand = [(table.cards[0][1], (46, 56))]
    assert table.wait(30) == []
    assert table.searches <= 4, "nothing changes"
    table.hand = []
    assert table.wait(20) == []


def test_a_card_that_is_read_with_doubt_is_not_missed(table: Table) -> None:
    table.confidence["leo"] = 0.5
    assert table.do(table.cards[0][1], lambda: None) == []
    assert table.wait(20) == []


def test_a_card_that_is_moved_and_read_with_doubt_is_not_missed(table: Table) -> None:
    moved = table.cards[3]

    def move() -> None:
        table.cards.remove(moved)
        table.cards.append(("virgo", (100, 110)))
        table.confidence["virgo"] = 0.9

    assert table.do(moved[1], move) == [] and table.wait(20) == []


def test_one_is_missed_where_those_left_are_read_with_doubt(table: Table) -> None:
    taken = table.cards[0]

    def take() -> None:
        table.cards.remove(taken)
        table.confidence = {"libra": 0.6, "virgo": 0.6}  # too few cards show the light

    table.do(taken[1], take)
    assert table.wait(20) == [("leo", None)]


def test_when_all_cards_vanish_at_once_none_was_taken(table: Table) -> None:
    cards = table.cards
    table.do((85, 60), lambda: setattr(table, "cards", []))
    assert table.wait(30) == []
    table.cards = [(card, (x + 50, y + 30)) for card, (x, y) in cards]
    assert sorted(table.wait(30)) == sorted(COUNTS.items())


def test_a_card_in_the_place_of_another_is_found_and_the_other_missed(table: Table) -> None:
    taken = table.cards[0]

    def replace_it() -> None:
        table.cards[0] = ("pisces", taken[1])

    table.watch.expect({**COUNTS, "pisces": 1})
    table.do(taken[1], replace_it)
    assert sorted(table.wait(20), key=str) == [("leo", None), ("pisces", 1)]


def test_another_light_is_no_reason_to_search(table: Table) -> None:
    before = table.searches
    table.light = 0.7
    assert table.wait(20) == [] and table.searches <= before + 1


@in_ci
def test_a_hand_that_comes_and_goes_elsewhere_costs_few_searches() -> None:
    table = Table(MARKET[:3])  # the fourth card is out of view
    for number in range(40):
        table.do((200 + 3 * (number % 7), 125), lambda: None)
        assert not [one for one in table.wait(1.5) if one[1] is None]
    assert table.searches <= 12, "within two minutes"


@in_ci
def test_where_no_card_is_in_view_searches_become_rare() -> None:
    table = Table(())
    for number in range(60):
        table.do((200 + 3 * (number % 7), 125), lambda: None)
        table.watch.expect({**COUNTS, "leo": 1 + number % 2})  # each turn takes and deals
        table.wait(1.5)
    assert table.searches <= 9, "within three minutes"
    table.cards = [*MARKET]
    assert table.wait(1) == [] and ("leo", 1) in table.wait(90), "once they are laid"


def test_nothing_is_searched_where_no_card_is_expected() -> None:
    table = Table(counts={})
    assert table.wait(20) == [] and table.searches == 0


def test_cards_that_are_not_expected_are_not_reported() -> None:
    table = Table(counts={"leo": 1})
    assert table.wait(20) == [("leo", 1)]


def test_boards_are_handed_to_the_search() -> None:
    areas: list[Sequence[np.ndarray]] = []

    def find(_image: np.ndarray, boards: Sequence[np.ndarray]) -> Sequence[CardReading]:
        areas.append(boards)
        return []

    table = Table()
    table.watch = MarketWatch(find, Inline())
    table.watch.expect(COUNTS)
    board = corners((150, 100), (50, 50))
    for number in range(12):
        table.watch.see(Frame(number / 4, table.frame()), [board])
    assert areas and areas[0][0] is board


class Later(Inline):
    """Runs everything when it is told to."""

    def __init__(self) -> None:
        self.waiting: list[Callable[[], None]] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        done: Future[Any] = Future()
        self.waiting.append(lambda: done.set_result(fn(*args, **kwargs)))
        return done

    def run(self) -> None:
        while self.waiting:
            self.waiting.pop()()


def test_a_search_from_before_a_pause_reports_nothing_after_it() -> None:
    table, executor = Table(), Later()
    table.watch = MarketWatch(table.find, executor)
    table.watch.expect(COUNTS)
    assert table.wait() == [] and len(executor.waiting) == 1
    executor.run()  # it has ended, and nobody has looked at it
    table.watch.expect({})
    assert table.wait(1) == []
    table.cards = [card for card in table.cards if card[0] != "leo"]
    table.watch.expect(COUNTS)
    assert table.wait(2) == [], "these cards may be gone"
    executor.run()
    assert sorted(table.wait(1)) == [("libra", 2), ("virgo", 1)]


def test_a_search_that_fails_is_logged_and_repeated_much_later(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def fail(_image: np.ndarray, _boards: Sequence[np.ndarray]) -> Sequence[CardReading]:
        raise cv2.error("damaged")

    table = Table()
    table.watch = MarketWatch(fail, Inline())
    table.watch.expect(COUNTS)
    assert table.wait(110) == []
    assert [one.message for one in caplog.records] == ["the search for cards failed"]
    table.wait(20)
    assert len(caplog.records) == 2


@in_ci
def test_known_cards_outlast_a_search_that_fails(table: Table) -> None:
    find, taken = table.find, table.cards[0]

    def fail(_image: np.ndarray, _boards: Sequence[np.ndarray]) -> Sequence[CardReading]:
        raise cv2.error("damaged")

    table.watch._find = fail
    table.do(taken[1], lambda: table.cards.remove(taken))
    assert table.wait(20) == []
    table.watch._find = find
    assert table.wait(130) == [("leo", None)]

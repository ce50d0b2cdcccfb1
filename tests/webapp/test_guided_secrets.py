"""In a guided game what was dealt to a seat reaches no other phone, whatever that asks for.

Two worlds are alike in everything but one seat's cards. Every address of the server, every stream
and every form is walked through by those who do not sit there: the answers must be alike too.
"""

import json
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import FULL_MATRIX, in_full
from tests.webapp.conftest import Player
from tests.webapp.evening import print_nothing
from tests.webapp.every_form import Request, may_tell_of
from tests.webapp.guided_evening import NAMES, PLANTED, GuidedEvening
from tests.webapp.test_secrets import answer
from webapp.app import guided_game as every_game
from webapp.app.backup import rows
from webapp.app.database import reading
from webapp.app.guide.history import extended
from webapp.app.live.entry import Entry
from webapp.games.nebula.guide import game as nebula_game
from webapp.web import event_streams

GAMES = ("nebula", "polaris", "ptolemaeus", "via_nebula")
DRAFTS = {
    "nebula": ("", "time", "look"),
    "polaris": ("", "card", "take"),
    "ptolemaeus": ("", "observe", "play", "take"),
    "via_nebula": ("", "build", "craftsman"),
}
WITH_PICTURES = ("nebula", "polaris", "ptolemaeus")
FORMS = ("guide.back", "guide.do", "guide.on", "guide.sit")
"""What somebody else may send, beside opening every page."""


EVERY_PLANTED = {card for cards in PLANTED.values() for card in cards}


class Steady(random.Random):
    """Luck that is the same in both worlds, however often it is asked."""

    def random(self) -> float:
        return 0.5

    def choices(self, population: Sequence[Any], *_: object, **_odds: object) -> list[Any]:
        """Nothing that is planted: a pile holds one world's, and the other's is in a hand."""
        drawn = [one for one in population if getattr(one, "card", "") not in EVERY_PLANTED]
        return [drawn[len(drawn) // 2]]


@pytest.fixture(
    params=in_full(
        [(game, seat) for game in GAMES for seat in range(3)],
        *[("nebula", 0), ("polaris", 1), ("ptolemaeus", 2), ("via_nebula", 1)],
    ),
    ids=str,
)
def worlds(
    tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Sequence[GuidedEvening], int]]:
    """Two evenings alike in everything but a seat's cards, and whose these are."""
    monkeypatch.setattr(event_streams, "MOST_LISTENERS", 0)  # they end when all is told
    print_nothing(monkeypatch)
    game, seat = request.param
    for guided_game in (nebula_game, every_game):
        monkeypatch.setattr(guided_game, "LUCK", Steady())
    made = [GuidedEvening(tmp_path / str(world), game, seat, world) for world in (0, 1)]
    yield made, seat
    for evening in made:
        evening.close()


def of_the_guide(evening: GuidedEvening, seat: int) -> Iterator[Request]:
    """Every screen of the guide, as if the phone had been handed to a seat, too."""
    guide, at = f"{evening.game}/guide", f"&at={evening.history.number}"
    for look in (at, f"{at}&look={seat}", f"{at}&of={seat}", f"{at}&of={seat}&look={seat}"):
        yield Request("guide.show", f"{guide}?draft=card{look}&hint=3")
        yield Request("guide.now", f"{guide}/now?{look}")
        for draft in DRAFTS[evening.part.game.id]:
            yield Request("guide.now", f"{guide}/now?draft={draft}&hint=3{look}")
    yield Request("guide.secret", f"{guide}/secret?seat={seat}")


def of_the_server(evening: GuidedEvening, _seat: int) -> Iterator[Request]:
    """Every other address that there is, streams too, and what may be sent to the guide."""
    shown = (one for one in evening.requests("GET") if one.endpoint not in OTHERS_COVER)
    yield from (one for one in shown if may_tell_of(one, evening.id))
    yield from (one for one in evening.requests("POST") if one.endpoint in FORMS)


def at_each_step(evening: GuidedEvening, _seat: int) -> Iterator[Request]:
    yield Request("guide.now", f"{evening.game}/guide/now")


def of_its_table(evening: GuidedEvening, seat: int) -> Iterator[Request]:
    """Every other address of the game itself, streams too."""
    return (one for one in of_the_server(evening, seat) if evening.id in one.path and not one.form)


OTHERS_COVER = (
    "static",
    "offline.worker",
    "nebula_assets.card_picture",
    "polaris_assets.card_picture",
    "ptolemaeus_assets.card_picture",
    "via_nebula_assets.card_picture",
)
STEPS, LEAST_STEPS = 20, 6
"""Of a game at random; fewer where an event has the cards discarded."""
LEAST = 100 if FULL_MATRIX else 70
"""Addresses of the server that are asked for."""
Asked = Callable[[GuidedEvening, int], Iterator[Request]]
Who = Callable[[GuidedEvening], Player]


def alike(evenings: Sequence[GuidedEvening], seat: int, asked: Asked, who: Who) -> int:
    """Ask for everything in both worlds; how much that was."""
    count = 0
    for one, other in zip(*(list(asked(evening, seat)) for evening in evenings), strict=True):
        answers = [
            answer(who(evening), request)
            for evening, request in zip(evenings, (one, other), strict=True)
        ]
        assert answers[0] == answers[1], f"{one.path} tells what is another seat's"
        count += 1
    return count


def forward(evenings: Sequence[GuidedEvening], seat: int) -> Iterator[str]:
    """Moments of the game: before anybody chose, at the seat's turn, after its first card."""
    yield "dealt"
    for evening in evenings:
        if evening.part.game.id == "nebula":
            for player in range(3):
                evening.do(f"choose {evening.state.hands[player].dealt[0]}")
        for _turn in range(seat if evening.part.game.id == "polaris" else 0):
            evening.do("shooting")
    yield "in play"


def test_no_other_phone_is_given_a_seats_cards(worlds: tuple[Sequence[GuidedEvening], int]) -> None:
    evenings, seat = worlds
    walkers: Sequence[Who] = (
        lambda evening: evening.phones[(seat + 1) % 3],
        lambda evening: evening.guest if seat else evening.computer,
    )
    for moment, _name in enumerate(forward(evenings, seat)):
        due = walkers if FULL_MATRIX else walkers[(moment + seat) % 2 :][:1]
        assert all(alike(evenings, seat, of_the_guide, who) > 10 for who in due)
    if seat == 0:
        assert alike(evenings, seat, of_the_server, lambda evening: evening.guest) > LEAST


def both_may(evenings: Sequence[GuidedEvening]) -> Sequence[str]:
    """What may be done in both worlds alike, without a card that only one of them has."""
    written = [
        {evening.part.turns.write_action(one) for one in evening.part.turns.actions(evening.state)}
        for evening in evenings
    ]
    planted = set(PLANTED[evenings[0].part.game.id])
    return sorted(one for one in set.intersection(*written) if planted.isdisjoint(one.split()))


def still_hold(evenings: Sequence[GuidedEvening], seat: int) -> bool:
    """Whether no event has made the seat show what was planted."""
    for world, evening in enumerate(evenings):
        at = getattr(evening.state, "table", evening.state)  # Polaris' state has a table
        own = repr((at.hands if hasattr(at, "hands") else at.seats)[seat])
        if not all(repr(card) in own for card in PLANTED[evening.part.game.id][world::2]):
            return False
    return True


def by_turns(phones: Sequence[int], step: int) -> Who:
    return lambda evening: evening.phones[phones[step % len(phones)]]


def test_whatever_is_played_a_hand_stays_hidden(
    worlds: tuple[Sequence[GuidedEvening], int],
) -> None:
    """A game at random: after each step those who decide, or only look on, learn nothing."""
    evenings, seat = worlds
    luck, told, others = random.Random(seat), 0, [(seat + 1) % 3, (seat + 2) % 3, 3]
    for _moment in forward(evenings, seat):
        pass
    for evening in evenings:
        evening.luis.post(f"{evening.game}/guide/right", {"seen": evening.history.number})
    for step in range(STEPS):
        if due := both_may(evenings):
            action = luck.choice(due)
            for evening in evenings:
                evening.do(action)
        if not due or not still_hold(evenings, seat):
            break
        states = [evening.part.turns.seen_by(evening.state, (seat + 1) % 3) for evening in evenings]
        assert states[0] == states[1], f"{action} tells what is another seat's"
        told += alike(evenings, seat, at_each_step, by_turns(others, step))
    assert told >= LEAST_STEPS
    if FULL_MATRIX and still_hold(evenings, seat):
        assert alike(evenings, seat, of_its_table, lambda evening: evening.guest) > 2


@pytest.mark.parametrize("game", GAMES)
def test_the_owner_looks_again_and_nobody_else_does(game: str, tmp_path: Path) -> None:
    evening, seat = GuidedEvening(tmp_path, game, 2, 0), 2
    card = PLANTED[game][0]
    picture = f"{card}.svg" if game in WITH_PICTURES else card
    try:
        for _moment in forward([evening], seat):
            path = f"{evening.game}/guide/secret?seat={seat}"
            text = evening.eva.get(path).text
            assert picture in text
            for nosy in (evening.ana, evening.luis, evening.guest, evening.computer):
                assert nosy.get(path).status_code == 403
            assert f"secret?seat={seat}" in evening.eva.get(f"{evening.game}/guide").text
            assert picture not in evening.ana.get(f"{evening.game}/guide").text
    finally:
        evening.close()


def test_nobody_chooses_for_another_seat(tmp_path: Path) -> None:
    evening = GuidedEvening(tmp_path, "nebula", 0, 0)
    try:
        assert 'id="back"' not in evening.ana.get(f"{evening.game}/guide").text, (
            "nothing to take back"
        )
        before, card = evening.state, evening.state.hands[0].dealt[0]
        for nosy in (evening.eva, evening.guest, evening.computer):
            assert "Another phone has this seat." in evening.act(nosy, f"choose {card}")
            assert f"{NAMES[0]} looks at their cards" in evening.act(nosy, "choose ?")
        assert evening.state == before
        evening.act(evening.ana, f"choose {card}")
        assert evening.state.hands[0].personal == card
        assert 'id="back"' in evening.ana.get(f"{evening.game}/guide").text
        assert 'id="back"' not in evening.eva.get(f"{evening.game}/guide").text
        form = {"seen": 10**6}
        evening.eva.post(f"{evening.game}/guide/back", form)
        assert evening.state.hands[0].personal == card
    finally:
        evening.close()


def test_a_backup_keeps_the_deal_for_the_computer_that_dealt_it(tmp_path: Path) -> None:
    evening = GuidedEvening(tmp_path, "polaris", 0, 0)
    try:
        games = evening.app.extensions["stargazer"].games
        with reading(games._sessions) as session:
            game = rows.game_of(session, evening.id)
        kept = rows.to_data(game, lambda text: text[::-1])
        assert "PO1" in json.dumps(game.parts["live"], default=str)
        assert "PO1" not in json.dumps(kept["live"])
        here = rows.from_data(kept, "game", lambda text: text[::-1])
        assert [one["data"] for one in here.parts["live"]] == [
            one["data"] for one in game.parts["live"]
        ]
        elsewhere = rows.from_data(kept, "game", lambda _text: None)
        profile = evening.app.extensions["stargazer"].boards.of(game.document)
        history = None
        for row in elsewhere.parts["live"]:
            entry = Entry(row["number"], row["kind"], row["data"], row["at"])
            history = extended(evening.part, profile, history, entry)
        assert history is None, "nobody there knows how it goes on"
    finally:
        evening.close()

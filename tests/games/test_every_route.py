"""Every page about a game, of every game, at moments of it: the right one, or none at all.

`python -m tests.campaign --part routes` asks every page at every moment.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import pytest

from tests.conftest import FULL_MATRIX
from tests.games.every_game import DELETED, Moment, every_play, foreign_keys, some_plays
from tests.games.playthroughs import Asked, Server
from webapp.server.guard import SAFE_METHODS
from webapp.web.changes import Right, Seen, change_of

MOMENTS = 130 if FULL_MATRIX else 60
FEWEST = {"requests": 650, "pages": 100, "moments": MOMENTS, "games and modes": 5}
"""What is asked at least. A page or a game that joins is asked by itself."""

HOSTS = (Right.CLOSED, Right.SEAT_OR_HOST)
LAYS_OPEN = ("guide.sit", "guide.finish")
"""The one gives a seat back as well; after the other nothing is secret by the game's own rules."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server at which every game is known."""
    made = Server(tmp_path_factory.mktemp("games"), phones=2)
    yield made
    made.close()


@pytest.fixture(scope="module")
def moments(server: Server) -> list[Moment]:
    """The moments of a game of each kind, played by each way to its score, or by half of them."""
    plays = every_play() if FULL_MATRIX else some_plays()
    return [moment for play in plays for moment in server.moments(play)]


def test_no_page_answers_for_another_game(server: Server, moments: list[Moment]) -> None:
    foreign, asked = foreign_keys(moments), Asked()
    assert all(foreign.values()), "each game has something of its own"
    for _mode, some in groupby(moments, lambda moment: (moment.play.game, moment.play.mode)):
        of_mode = list(some)
        for at, moment in enumerate(of_mode):  # between them they are asked for every page
            server.ask_all(moment, foreign, asked, slice(at, None, len(of_mode)))
    print(asked)
    assert not asked.problems, "\n".join(asked.problems)
    assert {name: min(most, FEWEST[name]) for name, most in asked.counted.items()} == FEWEST


@pytest.mark.parametrize("seed", range(2))
def test_a_walk_leads_nowhere_strange(server: Server, moments: list[Moment], seed: int) -> None:
    asked = Asked()
    server.walk(seed, 40, moments, foreign_keys(moments), asked)
    assert not asked.problems, "\n".join(asked.problems)
    assert asked.codes.total() == 40


def test_every_change_declares_by_whose_right(server: Server) -> None:
    changing = [rule for rule in server.app.url_map.iter_rules() if rule.methods - SAFE_METHODS]
    with server.app.app_context():
        assert len(changing) > 90
        assert [rule.endpoint for rule in changing if change_of(rule.endpoint) is None] == []


def test_a_change_that_declares_no_right_is_refused(tmp_path: Path) -> None:
    server = Server(tmp_path)
    tapped: list[str] = []
    server.app.add_url_rule("/g/<game_id>", "new", tapped.append, methods=["POST"])
    try:
        assert server.player.post("/g/0").status_code == 403 and not tapped
    finally:
        server.close()


def test_what_was_decided_on_another_revision_is_shown_anew(
    server: Server, moments: list[Moment]
) -> None:
    """Nothing is written, and the answer is a page of the game as it is."""
    counted: Counter[int] = Counter()
    for moment in moments[:: 8 if FULL_MATRIX else 10]:
        if moment.step == DELETED:
            continue
        server.bring_back(moment)
        server.player.get(f"/games/{moment.game_id}/score")  # keeps what it counted, once
        moment = server.moment(moment.play, moment.step, moment.game_id)
        for asked in server.changes(moment, Seen.REVISION, Seen.STEP):
            form = {**asked.form(), "revision": 10**6, "shown": 10**6}
            answer = server.player.post(asked.path, form)
            told = f"{moment}: {asked.path}: {answer.status_code}"
            counted[answer.status_code] += 1
            if server.change(asked).seen is Seen.REVISION:
                assert answer.status_code in (404, 409), told
                assert answer.status_code == 404 or "<h1" in answer.text, told
            else:  # an answer that the game has already is no change
                assert answer.status_code in (303, 404, 409, 422), told
            assert server.is_as_at(moment), told
    assert counted[409] > (50 if FULL_MATRIX else 20), counted


def test_nobody_changes_what_is_secret_of_another_seat(
    server: Server, moments: list[Moment]
) -> None:
    """Whoever sits there has answered; whatever another phone sends, the answer stays."""
    refused = 0
    for moment in moments[1 :: 6 if FULL_MATRIX else 10]:
        if moment.step == DELETED:
            continue
        server.bring_back(moment)
        if not server.plant(moment.game_id, seat=0):
            continue
        planted = server.moment(moment.play, moment.step, moment.game_id)
        for asked in server.changes(moment, *Seen):
            if server.change(asked).right in HOSTS or asked.endpoint in LAYS_OPEN:
                continue  # the host, as each phone is here, gives any seat back
            code = server.ask(asked, server.phones[1]).status_code
            refused += code == 403
            seats = server.moment(moment.play, moment.step, moment.game_id).rows["seats"]
            assert seats[:1] == planted.rows["seats"][:1], f"{moment}: {asked.path}: {code}"
            assert server.change(asked).right is not Right.SEAT or code in (403, 404), asked.path
            if not server.is_as_at(planted):
                server.bring_back(planted)
    assert refused > 10

"""Every page about a game, of every game, at moments of it: the right one, or none at all.

`python -m tests.campaign --part routes` asks every page at every moment.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

import pytest

from tests.conftest import FULL_MATRIX, in_ci
from tests.games.every_game import DELETED, Moment, every_play, foreign_keys, some_plays
from tests.games.playthroughs import Asked, Server
from tests.webapp.every_form import Request
from webapp.web.changes import Right, Seen

MOMENTS = 130 if FULL_MATRIX else 25
FEWEST = {"requests": 200, "pages": 105, "moments": MOMENTS, "games and modes": 5}
"""What is asked at least. A page or a game that joins is asked by itself."""

EACH = 4
"""In one of so many kinds of game a page is asked for that every game has."""

EACH_CHANGE = 16
"""Of so many changes in a row one is asked for."""

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
    kinds = groupby(moments, lambda moment: (moment.play.game, moment.play.mode))
    for kind, (_mode, some) in enumerate(kinds):
        of_mode = list(some)
        for at, moment in enumerate(of_mode):  # between them they are asked for every page

            def is_due(
                number: int, page: Request, kind: int = kind, at: int = at, of: int = len(of_mode)
            ) -> bool:
                alike = not (FULL_MATRIX or server.owner(page.endpoint))
                turn = kind + sum(map(ord, page.endpoint))
                return number % of == at and not (alike and turn % EACH)

            server.ask_all(moment, foreign, asked, is_due)
    print(asked)
    assert not asked.problems, "\n".join(asked.problems)
    assert {name: min(most, FEWEST[name]) for name, most in asked.counted.items()} == FEWEST


@pytest.mark.parametrize("seed", range(2))
def test_a_walk_leads_nowhere_strange(server: Server, moments: list[Moment], seed: int) -> None:
    asked = Asked()
    server.walk(seed, 40, moments, foreign_keys(moments), asked)
    assert not asked.problems, "\n".join(asked.problems)
    assert asked.codes.total() == 40


@in_ci
def test_what_was_decided_on_another_revision_is_shown_anew(
    server: Server, moments: list[Moment]
) -> None:
    """Nothing is written, and the answer is a page of the game as it is."""
    counted: Counter[int] = Counter()
    for moment, asked in _in_turn(server, moments, Seen.REVISION, Seen.STEP):
        form = {**asked.form(), "revision": 10**6, "shown": 10**6}
        answer = server.player.post(asked.path, form)
        reported = f"{moment}: {asked.path}: {answer.status_code}"
        counted[answer.status_code] += 1
        if server.change(asked).seen is Seen.REVISION:
            assert answer.status_code in (404, 409), reported
            assert answer.status_code == 404 or "<h1" in answer.text, reported
        else:  # an answer that the game has already is no change
            assert answer.status_code in (303, 404, 409, 422), reported
        assert server.is_as_at(moment), reported
    assert counted[409] > 20, counted


@in_ci
def test_nobody_changes_what_is_secret_of_another_seat(
    server: Server, moments: list[Moment]
) -> None:
    """Whoever sits there has answered; whatever another phone sends, the answer stays."""
    refused = 0
    for moment, asked in _in_turn(server, moments, *Seen, planted=True):
        if server.change(asked).right in HOSTS or asked.endpoint in LAYS_OPEN:
            continue  # the host, as each phone is here, gives any seat back
        code = server.ask(asked, server.phones[1]).status_code
        refused += code == 403
        seats = server.seats(moment.game_id)
        assert seats[:1] == moment.rows["seats"][:1], f"{moment}: {asked.path}: {code}"
        assert server.change(asked).right is not Right.SEAT or code in (403, 404), asked.path
        if not server.is_as_at(moment):
            server.bring_back(moment)
    assert refused > 10, refused


def _in_turn(
    server: Server, moments: Sequence[Moment], *seen: Seen, planted: bool = False
) -> Iterator[tuple[Moment, Request]]:
    """Moments, each brought back, and some of the changes there.

    Each change that a game has is asked for in each of its modes.
    `planted`: at moments of which somebody else has the first seat, with an answer that is secret.
    """
    number, had, sent = 0, set[tuple[str, str, str]](), set[tuple[str, str, str]]()
    for moment in moments:
        if moment.step == DELETED:
            continue
        server.bring_back(moment)
        if planted and not server.plant(moment.game_id, seat=0):
            continue
        server.player.get(f"/games/{moment.game_id}/score")  # keeps what it counted, once
        now = server.moment(moment.play, moment.step, moment.game_id)
        number += 1
        there = (one for one in server.changes(now, *seen) if server.has(now, one))
        for at, asked in enumerate(there):
            change = moment.play.game, moment.play.mode, asked.endpoint
            had.add(change)
            if (number + at) % EACH_CHANGE == 0:
                sent.add(change)
                yield now, asked
    assert had == sent, had - sent

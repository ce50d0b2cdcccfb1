"""The gate of every change: each address, of each kind of game, by each caller, in each state.

Stand-ins answer instead of the views, so that what is said is the gate's alone and a request costs
next to nothing. What the pages themselves do is asked in `test_every_route`.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

import pytest

from tests.games.every_game import LACKING, NAMES, every_play, players
from tests.games.playthroughs import SOMEBODY, Server
from tests.webapp.conftest import HERE, Player
from tests.webapp.evening import INVITATION
from tests.webapp.every_form import requests
from webapp.app.session import seats
from webapp.server import guard
from webapp.web.changes import Right, Seen, change_of

CALLERS = ("host", "keeper", "member", "owner", "guest")
"""Who serves, and phones: one that may change boards, one that joined each table, one that has the
first seat where something is secret, one that has nothing but the invitation."""
EVERYBODY = frozenset(CALLERS)
MAY: Mapping[Right, frozenset[str]] = {
    **dict.fromkeys((Right.ANYBODY, Right.TABLE, Right.DECISION, Right.CLOSED), EVERYBODY),
    Right.HOST: frozenset({"host"}),
    Right.KEEPER: frozenset({"host", "keeper"}),
    **dict.fromkeys((Right.MEMBER, Right.CLOSED_MEMBER), frozenset({"host", "member", "owner"})),
    Right.SEAT: frozenset({"owner"}),
    Right.SEAT_OR_HOST: frozenset({"host", "owner"}),
}
CLOSED = (Right.CLOSED, Right.CLOSED_MEMBER)
OF_BROKEN_GAMES = {"games.as_it_is"}
PASSED = 200
STALE = 10**6


@dataclass(frozen=True)
class Address:
    """An address, whose page it is ("" for any game's), and what it declares for a change."""

    method: str
    endpoint: str
    path: str
    owner: str
    names_seat: bool
    right: Right | None = None
    seen: Seen = Seen.ANY


@dataclass
class Kind:
    """A kind of game with one of it; `taken`: the first seat has an owner, who hides something."""

    game: str
    mode: str
    id: str
    taken: bool

    def has(self, address: Address) -> bool:
        """Whether it has such a page."""
        lacking = LACKING.get((self.game, self.mode), set())
        return address.owner in ("", self.game) and address.endpoint not in lacking

    def admits(self, address: Address, caller: str) -> bool:
        """Whether a caller has the right to a change."""
        assert address.right is not None
        free = address.right in (Right.SEAT, Right.SEAT_OR_HOST) and not self.taken
        return free or caller in MAY[address.right]


class Gate:
    """A server behind whose gate nothing is done."""

    def __init__(self, server: Server) -> None:
        """Begin a game of each kind, let each caller in, then put the stand-ins up."""
        self.server, self.app = server, server.app
        self.games = self.app.extensions["stargazer"].games
        self._players = {name: self._caller(number) for number, name in enumerate(CALLERS)}
        plays = {(play.game, play.mode): None for play in every_play()}
        self.kinds = [self._begun(game, mode) for game, mode in plays]
        self._let_in()
        self._tokens = {name: player.token() for name, player in self._players.items()}
        self._owners = {name: server.owner(name) for name in self.app.view_functions}
        for name, view in self.app.view_functions.items():
            self.app.view_functions[name] = _stand_in(view)
        of_blueprints = self.app.before_request_funcs
        for blueprint in [name for name in of_blueprints if name is not None]:
            del of_blueprints[blueprint]  # what they ask for besides is not the gate's

    def _caller(self, number: int) -> Player:
        client = self.app.test_client()
        if number:
            client.environ_base["REMOTE_ADDR"] = f"192.168.1.{20 + number}"
        player = Player(client)
        if number:
            assert player.get(f"/join/{INVITATION}").status_code == 303
        return player

    def _begun(self, game: str, mode: str) -> Kind:
        host = self._players["host"]
        answer = host.post("/games/new", players(game, mode, *NAMES))
        assert answer.status_code == 303, answer.text
        id = answer.headers["Location"].split("/")[2]
        return Kind(game, mode, id, self.server.plant(id, seat=0))

    def _let_in(self) -> None:
        """Let each caller be who they are."""
        with self.app.test_request_context(base_url=HERE):
            secret = guard.keeper_token()
        given: Mapping[str, Mapping[str, Any]] = {
            "keeper": {"keeper": secret},
            "member": {"tables": [kind.id for kind in self.kinds]},
            "owner": {"browser": SOMEBODY},
        }
        for name, kept in given.items():
            with self._players[name].client.session_transaction(base_url=HERE) as session:
                session.update(kept)
        for kind in self.kinds:
            if not kind.taken:  # the owner has a seat there all the same: by joining
                with self._players["owner"].client.session_transaction(base_url=HERE) as session:
                    session["tables"] = [*session.get("tables", ()), kind.id]

    def addresses(self, kind: Kind, method: str) -> Iterator[Address]:
        """Each address about a game, once."""
        seen = set()
        about = {rule.endpoint for rule in self.server.rules()}
        for asked in requests(self.app, kind.id, "0" * 16, method):
            if asked.endpoint in about - seen:
                seen.add(asked.endpoint)
                yield self._address(method, asked.endpoint, asked.path)

    def others(self) -> Iterator[Address]:
        """Each address that changes something, and is about no game."""
        about = {rule.endpoint for rule in self.server.rules()}
        for asked in requests(self.app, "", "", "POST"):
            if asked.endpoint not in about:
                yield self._address("POST", asked.endpoint, asked.path)

    def _address(self, method: str, endpoint: str, path: str) -> Address:
        with self.app.app_context():
            change = change_of(endpoint)
        declared = () if change is None else (change.right, change.seen)
        names_seat = self.app.url_map.is_endpoint_expecting(endpoint, "player")
        return Address(method, endpoint, path, self._owners[endpoint], names_seat, *declared)

    def ask(self, address: Address, caller: str, **form: Any) -> int:
        """The code of the answer."""
        client, path = self._players[caller].client, address.path
        if address.method == "GET":
            return client.get(path, base_url=HERE).status_code
        seat = 1 if address.names_seat else 0  # where the address says whose, the form does not
        reported = {"csrf_token": self._tokens[caller], "seat": seat, **form}
        return client.post(path, base_url=HERE, data=reported).status_code

    def revision(self, kind: Kind) -> int:
        """The one at which a game stands."""
        return self.server.saved(kind.id).revision


def _stand_in(view: Callable[..., Any]) -> Callable[..., Any]:
    def passed(**_of_the_address: Any) -> tuple[str, int]:
        return "", PASSED

    passed.__dict__ |= {mark: vars(view)[mark] for mark in ("change", "step") if mark in vars(view)}
    return passed


@pytest.fixture(scope="module")
def gate(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gate]:
    """One of a server at which every game is known."""
    server = Server(tmp_path_factory.mktemp("gate"), invitation=INVITATION)
    yield Gate(server)
    server.close()


def test_every_change_declares_by_whose_right(gate: Gate) -> None:
    every = [*gate.others(), *gate.addresses(gate.kinds[0], "POST")]
    assert len(every) > 90
    assert [one.endpoint for one in every if one.right is None] == []


def test_a_page_is_there_where_its_game_has_it(gate: Gate) -> None:
    for kind in gate.kinds:
        for page in gate.addresses(kind, "GET"):
            is_there = kind.has(page) or page.endpoint in OF_BROKEN_GAMES
            assert gate.ask(page, "guest") == (PASSED if is_there else 404), (kind, page)


def test_who_has_the_right_changes_a_game_that_is_there(gate: Gate) -> None:
    """Each caller asks for each change in a game of some kind, and each kind is asked for all."""
    reported: set[tuple[str, str]] = set()
    for number, kind in enumerate(gate.kinds):
        for at, change in enumerate(gate.addresses(kind, "POST")):
            assert change.right is not None
            asking = {CALLERS[(number + at) % len(CALLERS)]}
            if kind.taken and (change.owner == kind.game or change.right in (Right.SEAT,)):
                asking = EVERYBODY
            for caller in sorted(asking):
                code = gate.ask(change, caller, revision=gate.revision(kind))
                expected = PASSED if kind.admits(change, caller) else 403
                if not kind.has(change) and change.right not in CLOSED:
                    expected = 404
                assert code == expected, (kind, change, caller)
                reported.add((change.endpoint, caller))
    assert len(reported) == len({endpoint for endpoint, _caller in reported}) * len(CALLERS)


def test_who_has_the_right_changes_what_is_about_no_game(gate: Gate) -> None:
    for change, caller in product(gate.others(), CALLERS):
        assert change.right in (Right.ANYBODY, Right.HOST, Right.KEEPER), change
        expected = PASSED if caller in MAY[change.right] else 403
        assert gate.ask(change, caller) == expected, (change, caller)


def test_a_seat_is_anybodys_once_nothing_is_secret(
    gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = next(kind for kind in gate.kinds if kind.taken)
    of_seats = [one for one in gate.addresses(kind, "POST") if one.right is Right.SEAT]
    of_seats = [one for one in of_seats if kind.has(one)]
    monkeypatch.setattr(seats, "is_over", lambda document: True)
    for change, caller in product(of_seats, CALLERS):
        assert gate.ask(change, caller) == PASSED, (change, caller)
    assert of_seats


def test_what_was_decided_on_another_revision_is_refused(gate: Gate) -> None:
    for kind in gate.kinds:
        revision = gate.revision(kind)
        for change in gate.addresses(kind, "POST"):
            needs_it = change.seen is Seen.REVISION
            if not kind.has(change) or not kind.admits(change, "host"):
                continue
            if not needs_it and kind is not gate.kinds[0]:
                continue
            assert gate.ask(change, "host", revision=STALE) == (409 if needs_it else PASSED), change
            if needs_it:
                assert gate.ask(change, "host") == 400, change
                assert gate.ask(change, "host", revision=revision) == PASSED, change


def test_nobody_changes_a_game_that_is_deleted(gate: Gate) -> None:
    kind = gate.kinds[-1]
    gate.games.delete(kind.id)
    try:
        for change in gate.addresses(kind, "POST"):
            expected = PASSED if change.right in CLOSED else 404
            assert gate.ask(change, "host", revision=1) == expected, change
        for page in gate.addresses(kind, "GET"):
            expected = PASSED if page.endpoint in OF_BROKEN_GAMES else 404
            assert gate.ask(page, "host") == expected, page
    finally:
        gate.games.restore(kind.id)


def test_a_change_that_declares_no_right_is_refused(gate: Gate) -> None:
    change = next(one for one in gate.others() if one.right is Right.ANYBODY)
    view = gate.app.view_functions[change.endpoint]
    gate.app.view_functions[change.endpoint] = _stand_in(lambda: None)
    try:
        assert gate.ask(change, "host") == 403
    finally:
        gate.app.view_functions[change.endpoint] = view

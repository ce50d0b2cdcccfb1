"""What hostile callers do all at once while an honest guest opens pages."""

import itertools
import json
import os
import signal
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from typing import Any

import psutil

from tests.campaign.findings import Findings, side_by_side
from tests.campaign.hostile import bombs, large_frame
from tests.campaign.server import HERE, HOST, NETWORK, Answer, Browser, Server
from tests.campaign.strangers import hold_the_door
from tests.commands.conftest import GAME
from tests.webapp.conftest import CARDS, game_at, players_form
from tests.webapp.live.test_long_logs import events

REPLACED_WITHIN = 90.0
"""Seconds after which a frozen worker has been replaced."""
HOSTILE = 150
"""The first of the hostile guests' addresses on the network."""


@dataclass(frozen=True)
class Scene:
    """A server, for how long it is attacked, and where it is noted how that went."""

    server: Server
    seconds: float
    findings: Findings

    def guest(self, number: int = 0) -> Browser:
        return Browser(self.server, NETWORK.format(HOSTILE + number)).join()

    def game(self, *names: str) -> str:
        host = Browser(self.server, HOST.format(9))
        game = host.post("/games/new", players_form(*(names or ("Ana", "Luis"))))
        path = game_at(game.headers["Location"])
        host.post(f"{path}/nebula/cards", CARDS)
        return path

    def again_and_again(self, ask: Callable[[int], Answer], at_once: int) -> None:
        """Ask and ask until the time is over, several at a time, and judge the answers."""
        until = time.monotonic() + self.seconds

        def keep_asking(number: int) -> None:
            while time.monotonic() < until:
                self.judge(ask(number))

        side_by_side(keep_asking, range(at_once), at_once)

    def judge(self, answer: Answer) -> None:
        """Note how a request went."""
        self.findings.count(str(answer.status or "hung up"), answer.seconds)
        if answer.hung:
            self.findings.add("hang", "an attacker's own request", answer.body)
        elif answer.status >= 500 and answer.status not in {503, 507}:
            self.findings.add("5xx", str(answer.status), answer.body)


def quiet(scene: Scene) -> None:
    time.sleep(scene.seconds)


def slow_connections(scene: Scene) -> None:
    """370 strangers' connections that are silent, or send a header or a body byte by byte."""
    hold_the_door(scene.server.port, scene.seconds, addresses=1, flood=False)


def slow_connections_from_everywhere(scene: Scene) -> None:
    """The same from sixty addresses."""
    hold_the_door(scene.server.port, scene.seconds, addresses=60, flood=False)


def strangers_flood(scene: Scene) -> None:
    """As many requests and connections as one program can make, besides the slow ones."""
    hold_the_door(scene.server.port, scene.seconds, addresses=60, flood=True)


def guests_flood(scene: Scene) -> None:
    """Eight guests who open pages without pause."""
    game, guests = scene.game(), [scene.guest(number) for number in range(8)]
    pages = itertools.cycle(
        ["/", f"{game}/live", f"{game}/nebula/cards", "/assets/nebula/cards/V5.svg"]
    )
    scene.again_and_again(lambda number: guests[number].get(next(pages)), len(guests))


def slow_guests(scene: Scene) -> None:
    """Guests who hold a hundred connections each whose bodies trickle in, with their cookies."""
    guests = [scene.guest(number) for number in range(3)]
    until = time.monotonic() + scene.seconds
    with ExitStack() as open_until_then:
        held = []
        for guest, _ in itertools.product(guests, range(100)):
            with suppress(OSError):
                address = (HERE, scene.server.port)
                one = socket.create_connection(address, 5, source_address=(guest.address, 0))
                held.append(open_until_then.enter_context(one))
                head = f"POST /api/score HTTP/1.1\r\nHost: {HERE}\r\nCookie: {guest.cookie}\r\n"
                one.sendall(f"{head}Content-Length: 90000\r\n\r\n".encode())
        while time.monotonic() < until:
            for one in held:
                with suppress(OSError):
                    one.send(b" ")
            time.sleep(0.5)


def many_tabs(scene: Scene) -> None:
    """A guest with sixty tabs that all listen to a game's news."""
    game, guest = scene.game(), scene.guest()
    scene.again_and_again(lambda _: guest.get(f"{game}/live/events?after=0"), 60)


def picture_bombs(scene: Scene) -> None:
    """Pictures of thousands of scans, megapixels and segments, to be read and to be kept."""
    game, guests = scene.game(), [scene.guest(number) for number in range(4)]
    pictures = itertools.cycle(sorted(bombs().items()))

    def send(number: int) -> Answer:
        name, picture = next(pictures)
        form = {"photo": (picture, name), "player": 0}
        path = "/api/read" if number % 2 else f"{game}/photographs"
        return guests[number].post(path, form)

    scene.again_and_again(send, len(guests))


def long_scores(scene: Scene) -> None:
    """`/api/score` with as many players as it takes, and far more."""
    few, many = ({**GAME, "players": [{"name": "x"}] * count} for count in (6_500, 40_000))
    _send_json(scene, [json.dumps(one).encode() for one in (few, many)])


def huge_json(scene: Scene) -> None:
    """JSON that is wide, deep, large or long."""
    _send_json(
        scene,
        [
            json.dumps({f"k{number}": 0 for number in range(105_000)}).encode(),
            json.dumps({f"k{number}": 0 for number in range(8_000)}).encode(),
            b'{"players": ' + b"[" * 49_000 + b"]" * 49_000 + b"}",
            b'{"format": ' + b"9" * 99_000 + b"}",
            b'{"format": "' + b"x" * 31_000_000 + b'"}',
            json.dumps({**GAME, "career": ["V5"] * 12_000}).encode(),
        ],
    )


def _send_json(scene: Scene, bodies: list[bytes]) -> None:
    guests, turns = [scene.guest(number) for number in range(8)], itertools.cycle(bodies)
    kind = {"Content-Type": "application/json"}

    def send(number: int) -> Answer:
        return guests[number].ask("POST", "/api/score", next(turns), kind)

    scene.again_and_again(send, len(guests))


def long_recordings(scene: Scene) -> None:
    """Recordings of 20,000 events, played at once, and their news asked for from the beginning."""
    games, guests = [scene.game(), scene.game()], [scene.guest(number) for number in range(4)]
    lines = "".join(json.dumps(event) + "\n" for event in events(20_000)).encode()

    def ask(number: int) -> Answer:
        game = games[number % 2]
        if number < 2:
            return guests[number].post(
                f"{game}/live/replay", {"recording": (lines, "long.jsonl"), "speed": "all"}
            )
        return guests[number].get(f"{game}/live/events?after=0")

    scene.again_and_again(ask, len(guests))
    for game in games:
        guests[0].post(f"{game}/live/replay/stop")


def frozen_worker(scene: Scene) -> None:
    """A camera's worker that is frozen, large frames that go on coming, and taps elsewhere."""
    large = large_frame()
    game, other = scene.game(), scene.game()
    guests = [scene.guest(number) for number in range(3)]
    before = set(_workers(scene.server))
    until = time.monotonic() + REPLACED_WITHIN
    while guests[0].push(game, "one", large).status != 202 and time.monotonic() < until:
        time.sleep(0.2)
    frozen = [one for one in _workers(scene.server) if one not in before]
    if not frozen:
        scene.findings.add("other", "there is no worker to freeze", b"")
    for one in frozen:
        one.send_signal(signal.SIGSTOP)
    seats = itertools.cycle("01")

    def ask(number: int) -> Answer:
        if number < 2:
            return guests[number].push(game, "one", large)
        tap = {"seat": next(seats), "space": "core", "star": "red"}
        answer = guests[number].tap(f"{other}/live/star", tap)
        scene.findings.count("taps in another game", answer.seconds)
        return answer

    scene.again_and_again(ask, len(guests))
    _, left = psutil.wait_procs(frozen, REPLACED_WITHIN)
    for one in left:
        scene.findings.add("hang", "a frozen worker that is not replaced", b"")
        os.kill(one.pid, signal.SIGKILL)


def _workers(server: Server) -> Iterator[psutil.Process]:
    for one in server.family()[1:]:
        with suppress(psutil.Error):
            if "spawn_main" in " ".join(one.cmdline()):
                yield one


SCENARIOS: Mapping[str, Callable[[Scene], Any]] = {
    one.__name__.replace("_", " "): one
    for one in (
        quiet,
        slow_connections,
        slow_connections_from_everywhere,
        strangers_flood,
        slow_guests,
        guests_flood,
        many_tabs,
        picture_bombs,
        long_scores,
        huge_json,
        long_recordings,
        frozen_worker,
    )
}

"""Kill -9 while guests write: what was acknowledged is there after the restart, and there once.

Now and then another server is started on the same folder while one serves, or two at once: one
serves, the other says so and ends.
"""

import random
import sqlite3
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass, field
from itertools import product

from scorer.nebula import COLOURS, STANDARD_BOARD
from tests.campaign.findings import Findings
from tests.campaign.server import HANGS_AFTER, HOST, Browser, NotServedError, Server
from tests.webapp.conftest import players_form

WRITERS = 4
LONGEST_LIFE = 3.0
"""Seconds that a server is written to by all before it is killed."""
PHOTOGRAPHED = 4
"""Photographs are sent once in so many lives: reading them takes the time of all else."""
STARTUP = 3.0
"""Seconds within which a server is killed that has not come to serve."""
READ_WITHIN = 300.0
"""Seconds for the photographs that are waiting in the end."""
Write = tuple[str | None, ...]
"""What it is, the game's id (None for a game: a player's name tells it), and what of it."""

CURRENT = """from games join revisions on game_id = id and number = revision
    where id = coalesce(?1, id) and """
COUNTS = {
    "game": f"select count(*) {CURRENT} document ->> '$.players[0].name' = ?2",
    "correction": f"select count(*) {CURRENT} document ->> ('$.players[0].stars.' || ?2) = ?3",
    "tap": """select count(*) from live_entries where game_id = ?
        and data ->> '$.event.space' = ? and data ->> '$.event.star' = ?""",
    "photograph": "select count(*) from photographs where game_id = ? and player = ?",
}
"""How often a write is in the database."""


@dataclass
class Ledger:
    """What was sent, and whether it was acknowledged; a write is in it before it is sent."""

    acknowledged: dict[Write, bool] = field(default_factory=dict)

    def check(self, server: Server, findings: Findings) -> None:
        """Compare with what a server has kept: acknowledged, once; not acknowledged, once or not.

        The server need not run: the database is read as it stands.
        """
        with closing(sqlite3.connect(server.data / "stargazer.db")) as database:
            for (what, *key), acknowledged in self.acknowledged.items():
                (times,) = database.execute(COUNTS[what], key).fetchone()
                told = f"{what} {key}: {times} times".encode()
                if times > 1:
                    findings.add("doubled", what, told)
                elif acknowledged and times < 1:
                    findings.add("lost", what, told)
                findings.count(f"{what}s acknowledged", times=int(acknowledged))
            for game, photograph in database.execute("select game_id, id from photographs"):
                file = server.data / "photographs" / game / f"{photograph}.photo"
                if not file.is_file() or not file.stat().st_size:
                    findings.add("lost", "a photograph's file", str(file).encode())


class Writer:
    """Somebody who begins games and writes as fast as the server takes it, until it is gone."""

    def __init__(
        self, browser: Browser, name: str, rng: random.Random, picture: bytes | None
    ) -> None:
        """The players' names begin with `name`, which is nobody else's."""
        self.ledger, self.begun = Ledger(), threading.Event()
        self._browser, self._name, self._rng, self._picture = browser, name, rng, picture

    def write(self) -> None:
        """Write until there is nobody to write to."""
        with suppress(AssertionError):  # of the first page, which has a token
            self._browser.token()
            while self._play(f"{self._name}.{len(self.ledger.acknowledged)}"):
                pass

    def _play(self, name: str) -> bool:
        """Write all that there is to write in a game; return whether the server is still there."""
        begun: Write = ("game", None, name)
        self.ledger.acknowledged[begun] = False
        answer = self._browser.post("/games/new", players_form(name, "Luis", "Eva", "Rut"))
        if answer.status != 303:
            return answer.status != 0
        self.ledger.acknowledged[begun] = True
        game = answer.headers["Location"].split("/")[2]
        pieces = list(product(STANDARD_BOARD.spaces, COLOURS))
        writes = [("photograph", game, seat) for seat in "23" if self._picture]
        writes += [("correction", game, space, "red") for space in STANDARD_BOARD.spaces]
        writes += [("tap", game, *piece) for piece in self._rng.sample(pieces, 60)]
        for write in self._rng.sample(writes, len(writes)):
            self.ledger.acknowledged[write] = False
            status = self._send(*write)
            if status == 0:
                return False
            self.ledger.acknowledged[write] = status < 400
            self.begun.set()
        return True

    def _send(self, what: str, game: str, *of_game: str) -> int:
        page = f"/games/{game}"
        if what == "photograph":
            form = {"photo": (self._picture, "a.jpg"), "player": of_game[0]}
            return self._browser.post(f"{page}/photographs", form).status
        path = f"{page}/live/star" if what == "tap" else f"{page}/players/0/star"
        space, star = of_game
        return self._browser.tap(path, {"seat": 0, "space": space, "star": star}).status


def attack(server: Server, seed: int, count: int, findings: Findings, picture: bytes) -> None:
    """Kill a server that serves `count` times, and another one that has only begun to, at times."""
    written = Ledger()
    for number in range(count):
        if findings.is_over:
            break
        if number % 10 == 0:
            print(f"  {number} kills", flush=True)
        rng = random.Random(f"{seed} kill {number}")
        if number % 10 == 5:
            _kill_at_start(server, rng, findings)
        _start(server, number, findings)
        if number:
            findings.count("restarts")
        photographed = picture if number % PHOTOGRAPHED == 0 else None
        writers = [
            Writer(Browser(server, HOST.format(2 + one)), f"{number}.{one}", rng, photographed)
            for one in range(WRITERS)
        ]
        threads = [threading.Thread(target=writer.write) for writer in writers]
        for thread in threads:
            thread.start()
        if number % 10 == 8:
            _refused(Server(server.data.parent), findings)
        for writer in writers:
            writer.begun.wait(HANGS_AFTER)
        time.sleep(rng.uniform(0, LONGEST_LIFE))
        _kill(server, findings)
        for thread in threads:
            thread.join()
        of_round = Ledger({k: v for one in writers for k, v in one.ledger.acknowledged.items()})
        of_round.check(server, findings)
        written.acknowledged |= of_round.acknowledged
    server.start()
    findings.count("restarts")
    _read_to_the_end(server, findings)
    again = Findings(findings.folder / "again")
    written.check(server, again)
    findings.bad += again.bad


def _kill(server: Server, findings: Findings) -> None:
    left = server.kill()
    findings.count("kills")
    if left:
        findings.add("other", f"{left} processes outlive their server", b"")


def _kill_at_start(server: Server, rng: random.Random, findings: Findings) -> None:
    server.begin()
    time.sleep(rng.uniform(0, STARTUP))
    _kill(server, findings)


def _start(server: Server, number: int, findings: Findings) -> None:
    """Start a server; now and then another one on its folder at the same moment."""
    if number % 10 != 3:
        server.start()
        return
    rival = Server(server.data.parent)
    with ThreadPoolExecutor() as pool:
        begun = [pool.submit(one.start) for one in (server, rival)]
        refusals = [one.exception() for one in begun]
    serving = [one for one, refusal in zip((server, rival), refusals, strict=True) if not refusal]
    findings.count("two servers at once")
    if len(serving) != 1:
        findings.add("other", f"{len(serving)} of two servers serve", str(refusals).encode())
    if server not in serving:
        for one in serving:
            _kill(one, findings)
        server.start()


def _refused(rival: Server, findings: Findings) -> None:
    """Start a server on the folder of one that serves; it is to say so and end."""
    findings.count("second servers")
    try:
        rival.start()
    except NotServedError as refusal:
        if "is served already" not in str(refusal):
            findings.add("other", "a second server ends without its word", str(refusal).encode())
    else:
        findings.add("other", "a second server serves the same folder", b"")
        rival.kill()


def _read_to_the_end(server: Server, findings: Findings) -> None:
    """Wait until every photograph is read, or told why not."""
    deadline, waiting = time.monotonic() + READ_WITHIN, "select count(*) from photographs"
    waiting += " where state = 'waiting'"
    with closing(sqlite3.connect(server.data / "stargazer.db")) as database:
        while database.execute(waiting).fetchone()[0]:
            if time.monotonic() > deadline:
                findings.add("hang", "photographs that are never read", b"")
                return
            time.sleep(0.5)
        states = "select state, coalesce(problem, ''), count(*) from photographs group by 1, 2"
        for state, problem, times in database.execute(states):
            findings.count(f"photographs {state} {problem}".strip(), times=times)
        (sound,) = database.execute("pragma integrity_check").fetchone()
        if sound != "ok":
            findings.add("lost", "the database is damaged", str(sound).encode())

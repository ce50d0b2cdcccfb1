"""Kill -9 while guests write: what was acknowledged is there after the restart, and there once.

Now and then another server is started on the same folder while one serves, or two at once: one
serves, the other says so and ends.
"""

import random
import sqlite3
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

from tests.campaign.evening import Ledger, Writer, beside
from tests.campaign.findings import Findings
from tests.campaign.server import HANGS_AFTER, HOST, Browser, NotServedError, Server

WRITERS = 4
LONGEST_LIFE = 3.0
"""Seconds that a server is written to by all before it is killed."""
LONGER = 4
"""So many times as long at most, where something is done that takes its time."""
PHOTOGRAPHED = 4
"""Photographs are sent once in so many lives: reading them takes the time of all else."""
STARTUP = 3.0
"""Seconds within which a server is killed that has not come to serve."""
READ_WITHIN = 300.0
"""Seconds within which one of the photographs is read that are waiting in the end: starting what
reads them takes most of it on a computer that is busy with other things."""


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
        also = list(beside(number))
        writers = [
            Writer(
                Browser(server, HOST.format(2 + one)), f"{number}.{one}", rng, photographed, done
            )
            for one, done in enumerate([*also, *[""] * (WRITERS - len(also))])
        ]
        threads = [threading.Thread(target=writer.write) for writer in writers]
        for thread in threads:
            thread.start()
        if number % 10 == 8:
            _refused(Server(server.data.parent), findings)
        for writer in writers:
            writer.begun.wait(HANGS_AFTER)
        time.sleep(rng.uniform(0, LONGEST_LIFE * (LONGER if also else 1)))
        _kill(server, findings)
        for thread in threads:
            thread.join()
        of_round = Ledger()
        for writer in writers:
            of_round.add(writer.ledger)
        of_round.check(server, findings)
        written.add(of_round)
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
    """Wait until every photograph is read, or told why not, as long as it goes on."""
    waiting = "select count(*) from photographs where state = 'waiting'"
    with closing(sqlite3.connect(server.data / "stargazer.db")) as database:
        left, since = 0, time.monotonic()
        while now := database.execute(waiting).fetchone()[0]:
            if now != left:
                left, since = now, time.monotonic()
            elif time.monotonic() - since > READ_WITHIN:
                findings.add("hang", "photographs that are never read", b"")
                return
            time.sleep(0.5)
        states = "select state, coalesce(problem, ''), count(*) from photographs group by 1, 2"
        for state, problem, times in database.execute(states):
            findings.count(f"photographs {state} {problem}".strip(), times=times)
        (sound,) = database.execute("pragma integrity_check").fetchone()
        if sound != "ok":
            findings.add("lost", "the database is damaged", str(sound).encode())

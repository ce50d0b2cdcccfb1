"""Attack a server of one's own, and say what did not hold.

    python -m tests.campaign [--part routes|walks|requests|files|kills|waits] [--seed N] ...

Every page at every moment of every game, and walks in any order from one to the next; requests that
no page sends, files that lie, kill -9 while guests write, and callers who hold the server up;
meanwhile an honest guest opens pages, and it is measured how long it waits. It all
happens in a network namespace of Linux that lasts as long as the command does: nobody else is
reached. What is found is kept in the folder that is printed; the exit code is 1 where anything is.
"""

import argparse
import os
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import mkdtemp

import psutil
from rich.console import Console
from rich.table import Table

from tests.campaign import files, kills, requests, scenarios, walks
from tests.campaign.findings import KINDS, Findings
from tests.campaign.hostile import pictures
from tests.campaign.server import ENDS_WITHIN, HOST, NETWORK, Browser, Server
from tests.campaign.waits import HonestGuest, Waits
from tests.webapp.conftest import CARDS, game_at, players_form

INSIDE = "STARGAZER_CAMPAIGN"
"""Set in the environment of the command that runs in a network of its own."""
NETWORK_OF_ITS_OWN = 'ip link set lo up && ip route add local 10.91.7.0/24 dev lo && exec "$@"'
PARTS = ("routes", "walks", "requests", "files", "kills", "waits")
HONEST = NETWORK.format(250)


@dataclass(frozen=True)
class Row:
    """A part of the campaign as the table shows it; `waits` None where no guest could come."""

    name: str
    findings: Findings
    seconds: float
    waits: Waits | None


def main() -> int:
    """Attack, print the table; 1 where something did not hold."""
    given = _options()
    if INSIDE not in os.environ:
        os.environ[INSIDE] = str(given.seed)
        again = [sys.executable, "-m", "tests.campaign", *sys.argv[1:], "--seed", str(given.seed)]
        there = ["unshare", "--map-root-user", "--net", "sh", "-c", NETWORK_OF_ITS_OWN, "sh"]
        os.execvp("unshare", [*there, *again])
    folder = given.keep or Path(mkdtemp(prefix="stargazer-campaign-"))
    print(f"seed {given.seed}; findings and logs in {folder}", flush=True)
    rows = [row for part in given.part or PARTS for row in _rows(part, given, folder / part)]
    _print(rows)
    return int(any(row.findings.bad for row in rows))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m tests.campaign", description=__doc__)
    parser.add_argument("--part", choices=PARTS, action="append", help="only this; again for more")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--requests", type=int, default=17_000)
    parser.add_argument("--walks", type=int, default=3_000, help="requests of the walks")
    parser.add_argument("--files", type=int, default=3_600)
    parser.add_argument("--kills", type=int, default=140)
    parser.add_argument("--minutes", type=float, default=30, help="of a part at most")
    parser.add_argument("--seconds", type=float, default=20, help="of each scenario of the waits")
    parser.add_argument("--only", choices=scenarios.SCENARIOS, help="of the waits")
    parser.add_argument("--keep", type=Path, help="folder for findings and logs")
    return parser.parse_args()


def _rows(part: str, given: argparse.Namespace, folder: Path) -> Iterator[Row]:
    """Do one part, with a server of its own."""
    (folder / "data").mkdir(parents=True)
    if part in ("routes", "walks"):
        yield _in_process(part, given, folder)
        return
    server, picture = Server(folder), pictures()["plain.jpg"]
    findings = Findings(folder, time.monotonic() + 60 * given.minutes)
    if part == "kills":
        begun = time.monotonic()
        kills.attack(server, given.seed, given.kills, findings, picture)
        end(server, findings)
        yield Row(part, findings, time.monotonic() - begun, None)
        return
    server.start()
    if part == "waits":
        for name, scenario in scenarios.SCENARIOS.items():
            if given.only in {None, name}:
                scene = scenarios.Scene(server, given.seconds, Findings(folder / name))
                yield watched(name, server, scene.findings, partial(scenario, scene))
        end(server, findings)
        yield Row("after all of them", findings, 0, None)
        return
    if part == "requests":
        attack = partial(requests.attack, server, given.seed, given.requests, findings, picture)
    else:
        attack = partial(files.attack, server, given.seed, given.files, findings, folder)
    row = watched(part, server, findings, attack)
    end(server, findings)
    yield row


def _in_process(part: str, given: argparse.Namespace, folder: Path) -> Row:
    """Do a part that needs no network."""
    findings, begun = Findings(folder, time.monotonic() + 60 * given.minutes), time.monotonic()
    print(f"{part} ...", flush=True)
    if part == "routes":
        walks.ask_everything(folder / "data", given.seed, findings)
    else:
        walks.walk(folder / "data", given.seed, given.walks, findings)
    return Row(part, findings, time.monotonic() - begun, None)


def watched(name: str, server: Server, findings: Findings, attack: Callable[[], object]) -> Row:
    """Attack while an honest guest opens pages, and look at how long it waits for them."""
    host = Browser(server, HOST.format(250))
    game = host.post("/games/new", players_form("Honest", "Guest"))
    path = game_at(game.headers["Location"])
    host.post(f"{path}/nebula/cards", CARDS)
    pages = [
        "/",
        f"{path}/nebula/cards",
        f"{path}/live",
        f"{path}/photographs",
        "/assets/nebula/cards/V5.svg",
    ]
    guest = HonestGuest(Browser(server, HONEST).join(), pages)
    print(f"{name} ...", flush=True)
    try:
        guest.since(time.monotonic())  # it has come, and the server is warm
        begun = time.monotonic()
        attack()
        seconds, waits = time.monotonic() - begun, guest.since(begun)
    finally:
        guest.close()
    print(f"  {waits}", flush=True)
    if waits.failed:
        findings.add("other", f"{waits.failed} pages an honest guest was refused", b"")
    return Row(name, findings, seconds, waits)


def end(server: Server, findings: Findings) -> None:
    """See whether a server is still well, end it with Ctrl-C, and look into its log."""
    answer = Browser(server, HOST.format(251)).get("/")
    if answer.status != 200:
        findings.add("other", f"the server answers {answer.status} after it all", answer.body)
    family = server.family()
    if not server.stop():
        findings.add("hang", "the server does not end at Ctrl-C", b"")
    for process in psutil.wait_procs(family[1:], ENDS_WITHIN)[1]:
        findings.add("other", "a process outlives its server", str(process).encode())
    read_log(server, findings)


def read_log(server: Server, findings: Findings) -> None:
    """Find the errors in a server's log that nobody had thought of."""
    for traceback in server.tracebacks():
        error = next((line for line in traceback.splitlines()[1:] if line[:1] not in " "), "?")
        findings.add("traceback", error, traceback.encode())


def _print(rows: Sequence[Row]) -> None:
    console = Console(width=max(150, Console().width))
    for row in rows:
        console.print(f"{row.name}: {row.findings}", highlight=False)
    table = Table("attack", "seconds", "sent", *KINDS, "pages", "failed", title="What did not hold")
    for column in ("median", "99 %", "longest wait", "load"):
        table.add_column(column)
    for row in rows:
        found = [str(row.findings.bad[kind]) for kind in KINDS]
        sent = str(sum(row.findings.counts.values()))
        cells = [row.name, f"{row.seconds:.0f}", sent, *found]
        if row.waits is not None:
            waits, failed = row.waits, str(row.waits.failed)
            times = (f"{wait:.2f} s" for wait in (waits.median, waits.p99, waits.longest))
            cells += [str(len(waits.pages)), failed, *times, f"{waits.load:.1f}"]
        table.add_row(*cells)
    console.print(table)


if __name__ == "__main__":
    sys.exit(main())

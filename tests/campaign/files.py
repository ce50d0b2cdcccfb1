"""Files that are broken or lie: uploaded to a server, and given to the commands.

Whatever is in a file, it is read or told in a line, and the other files of the call are done.
"""

import json
import random
import shutil
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import yaml

from tests.campaign.findings import Findings, Kind, side_by_side
from tests.campaign.hostile import changed_lines, changed_picture, changed_text, pictures
from tests.campaign.server import HOST, NETWORK, Answer, Browser, Server
from tests.commands.conftest import GAME
from tests.commands.test_command_line import shell
from tests.test_fuzzed_files import EDITION, LABELS, LAYOUT
from tests.webapp.conftest import game_at, players_form
from tests.webapp.live.test_long_logs import events

SHARES = {
    "picture uploaded": 0.1,
    "picture read": 0.2,
    "game uploaded": 0.15,
    "game scored": 0.15,
    "edition scored": 0.1,
    "labels evaluated": 0.05,
    "recording uploaded": 0.15,
    "record replayed": 0.085,
    "layout printed": 0.015,
}
"""Of all files, and what is done with them."""
AT_A_TIME = 20
"""Files of a game that they are sent to, or of a call."""
AT_ONCE = 4
CALL_WITHIN = 300.0
"""Seconds for a call with all its files; each of them may cost a reader some."""
GOOD = {"players": [{"name": "Good", "stars": {"core": "red"}}]}


def attack(server: Server, seed: int, count: int, findings: Findings, folder: Path) -> None:
    """Give `count` files to the server and to the commands, all kinds mixed."""
    records = shell("simulate", "--games", "2", "--json").stdout.splitlines()
    jobs = [
        (what, tuple(batch))
        for what, share in SHARES.items()
        for batch in _batched(
            range(max(1, round(share * count))), 1 if what.startswith("layout") else AT_A_TIME
        )
    ]
    random.Random(seed).shuffle(jobs)

    def give(job: tuple[int, tuple[str, Sequence[int]]]) -> None:
        place, (what, batch) = job
        if findings.is_over:
            return
        drawn = [random.Random(f"{seed} {what} {number}") for number in batch]
        if what.endswith("uploaded"):
            _upload(server, place, what, drawn, findings)
            return
        call_in = folder / str(place)
        call_in.mkdir()
        _call(what, drawn, call_in, findings, records)

    side_by_side(give, enumerate(jobs), AT_ONCE)


def _batched(numbers: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    for start in range(0, len(numbers), size):
        yield numbers[start : start + size]


def _upload(
    server: Server, place: int, what: str, drawn: Sequence[random.Random], findings: Findings
) -> None:
    """Send a batch of files as one guest, who has an address and a game of their own."""
    guest = Browser(server, NETWORK.format(2 + place % 190)).join()
    host = Browser(server, HOST.format(2 + place % 190))
    made = host.post("/games/new", players_form("Ana", "Luis"))
    game = game_at(made.headers["Location"])
    for number, rng in enumerate(drawn):
        suffix = ".json"
        if what == "picture uploaded":
            suffix, data = changed_picture(rng)
            form = {"photo": (data, f"a{suffix}"), "player": 0}
            answer = guest.post("/api/read" if number % 2 else f"{game}/photographs", form)
        elif what == "game uploaded":
            data = changed_text(rng, GAME, as_json=True)
            answer = guest.ask("POST", "/api/score", data, {"Content-Type": "application/json"})
        else:
            data = changed_lines(rng, list(events(30)))
            form = {"recording": (data, "a.jsonl"), "speed": "all"}
            answer = guest.post(f"{game}/live/replay", form)
        _judge(what, answer, data, suffix, findings)
    deadline = time.monotonic() + 25 * len(drawn)
    while 'data-busy="no"' not in guest.get(f"{game}/photographs/list").text:
        if time.monotonic() > deadline:
            findings.add("hang", f"{what}: photographs that are never read", game.encode())
            return
        time.sleep(0.5)


def _judge(what: str, answer: Answer, data: bytes, suffix: str, findings: Findings) -> None:
    findings.count(f"{what}: {answer.status or 'hung up'}", answer.seconds)
    if answer.hung:
        findings.add("hang", what, data, suffix)
    elif answer.status >= 500 and answer.status not in {503, 507}:
        findings.add("5xx", f"{what}: {answer.status}", data, suffix)


def _call(
    what: str, drawn: Sequence[random.Random], folder: Path, findings: Findings, records: list[str]
) -> None:
    """Give a batch of files to a command, a good one last."""
    named, arguments = CALLS[what](drawn, folder, records)
    begun = time.monotonic()
    try:
        done = shell(*arguments, timeout=CALL_WITHIN)
    except subprocess.TimeoutExpired:
        findings.add("hang", what, _evidence(named))
        return
    findings.count(f"{what}: files", time.monotonic() - begun, len(drawn))
    problem = _problem(what, done, named)
    if problem:
        reported = f"{problem}\n{done.returncode}\n{done.stderr[-6000:]}\n{done.stdout[-6000:]}\n"
        kind: Kind = "traceback" if problem == "traceback" else "other"
        findings.add(kind, f"{what}: {problem}", reported.encode() + _evidence(named))
    else:
        shutil.rmtree(folder)


def _evidence(named: Sequence[Path]) -> bytes:
    return "\n".join(map(str, named)).encode()


def _problem(what: str, done: subprocess.CompletedProcess[str], named: Sequence[Path]) -> str:
    """Say what is wrong with how a command ended; "" where nothing is."""
    if "Traceback" in done.stderr:
        return "traceback"
    if done.returncode not in {0, 2, 3, 4}:
        return f"ends with {done.returncode}"
    reported = done.stderr.splitlines()
    if any(not line.startswith("stargazer: ") or not line.isprintable() for line in reported):
        return "words that are not ours"
    if what.startswith(("layout", "labels")):
        return (
            "" if bool(reported) == bool(done.returncode) or what != "layout printed" else "no word"
        )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    of_files = Counter(str(answer.get("file", answer.get("photo", ""))) for answer in answers)
    if what == "record replayed":
        return "" if of_files[str(named[-1])] else "the others are not done"
    if len(answers) != len(named) or "error" in answers[-1]:
        return "the others are not done"
    return ""


Given = tuple[Sequence[Path], Sequence[object]]


def _pictures(drawn: Sequence[random.Random], folder: Path, _: list[str]) -> Given:
    named = []
    for number, rng in enumerate(drawn):
        suffix, data = changed_picture(rng)
        named.append(folder / f"{number}{suffix}")
        named[-1].write_bytes(data)
    named.append(folder / "good.jpg")
    named[-1].write_bytes(pictures()["plain.jpg"])
    return named, ["read", "--json", *named]


def _games(drawn: Sequence[random.Random], folder: Path, _: list[str]) -> Given:
    named = [_written(rng, GAME, folder / str(number)) for number, rng in enumerate(drawn)]
    return [*named, _good(folder)], ["score", "--json", *named, _good(folder)]


def _editions(drawn: Sequence[random.Random], folder: Path, _: list[str]) -> Given:
    named = []
    for number, rng in enumerate(drawn):
        edition = _written(rng, EDITION, folder / f"edition-{number}")
        named.append(folder / f"{number}.yaml")
        named[-1].write_text(yaml.safe_dump({**GAME, "edition": edition.name}))
    return [*named, _good(folder)], ["score", "--json", *named, _good(folder)]


def _labels(drawn: Sequence[random.Random], folder: Path, _: list[str]) -> Given:
    for number, rng in enumerate(drawn):
        (folder / f"{number}.jpg").write_bytes(pictures()["plain.jpg"])
        (folder / f"{number}.json").write_bytes(changed_text(rng, LABELS, as_json=True))
    return [folder], ["evaluate", "--json", folder]


def _layouts(drawn: Sequence[random.Random], folder: Path, _: list[str]) -> Given:
    (named,) = [_written(rng, LAYOUT, folder / str(number)) for number, rng in enumerate(drawn)]
    return [named], ["print", "--profile", named, "--out", folder / "out.pdf"]


def _records(drawn: Sequence[random.Random], folder: Path, records: list[str]) -> Given:
    named = []
    for number, rng in enumerate(drawn):
        named.append(folder / f"{number}.jsonl")
        record = json.loads(rng.choice(records))
        named[-1].write_bytes(changed_text(rng, record, as_json=True))
    named.append(folder / "good.jsonl")
    named[-1].write_text(records[0])
    return named, ["replay", "--json", *named]


def _written(rng: random.Random, data: Any, path: Path) -> Path:
    as_json = rng.random() < 0.5
    file = path.with_suffix(".json" if as_json else ".yaml")
    file.write_bytes(changed_text(rng, data, as_json))
    return file


def _good(folder: Path) -> Path:
    path = folder / "good.yaml"
    path.write_text(yaml.safe_dump(GOOD))
    return path


CALLS: dict[str, Callable[[Sequence[random.Random], Path, list[str]], Given]] = {
    "picture read": _pictures,
    "game scored": _games,
    "edition scored": _editions,
    "labels evaluated": _labels,
    "layout printed": _layouts,
    "record replayed": _records,
}

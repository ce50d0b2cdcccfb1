"""Archives: incremental reading, crashes on the way, and the overhead of the engine.

    python -m tests.benchmarks.archive [--photographs 200] [--broken 0] [--kills 5]
        [--unread 100000] [--unread-kills 0] [--cluster] [--workers 1 4] [--keep FOLDER]

Makes small, distinct photographs of the sample game's boards (shifted, dimmed and noisy), reads
some of them in a bare loop, then all with `stargazer archive`, which is killed (SIGKILL) at random
and restarted. With `--cluster` a scheduler and two workers read, and are killed and restarted
instead while the command continues; its progress goes to standard error. `--keep` keeps photographs
and archive in a folder, where an interrupted run continues; `--broken` adds files that are not
pictures. `--workers` reads all photographs once more with each number of workers, without kills,
for comparison with the bare loop. Finally it archives `--unread` files without reading them, to see
whether the archive itself stays linear and its memory constant; `--unread-kills` does only that,
with kills. Prints CPU seconds, which do not depend on other load, except for the comparisons of
workers; exits with 1 if a photograph is missing or duplicated.
"""

import argparse
import json
import os
import random
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import psutil
import pyarrow.parquet as pq

from scorer.table import UNKNOWN_TABLE
from tests.commands.killed_archive import Instant, attempt
from vision.photo import load_photo
from webapp.app.archive.reading import Archive
from webapp.app.reading.executors import CLUSTER, read_boards
from webapp.app.reading.read_photograph import UnusablePhotographError
from webapp.app.reading.read_version import read_version

ROOT = Path(__file__).parents[2]
BARE = 20
"""Photographs in the bare loop."""
LEAST_FREE = 5_000_000_000
"""The run stops when the disk has fewer bytes left."""
LOOKED_EVERY = 10.0
"""Seconds between measurements of an archive in progress."""
COMMAND = "from webapp.cli.main import main; main()"


def photographs(folder: Path, count: int, side: int, chance: np.random.Generator) -> None:
    """Write distinct JPEGs with a longer side of `side` px."""
    boards = [load_photo(ROOT / f"webapp/demo/{name}.jpg").image for name in ("ana", "luis")]
    height = side * 3 // 4
    small = [
        np.asarray(cv2.resize(one, (side, height), interpolation=cv2.INTER_AREA)) for one in boards
    ]
    noise = [chance.normal(0, 2, small[0].shape).astype(np.float32) for _ in range(64)]
    for number in range(count):
        x, y = chance.uniform(-4, 4), chance.uniform(-4, 4)
        moved = np.array([[1, 0, x], [0, 1, y]], np.float32)
        picture = np.asarray(
            cv2.warpAffine(
                small[number % 2], moved, (side, height), borderMode=cv2.BORDER_REPLICATE
            )
        )
        noisy = picture * np.float32(chance.uniform(0.8, 1.1)) + noise[chance.integers(64)]
        written = np.clip(noisy, 0, 255).astype(np.uint8)
        cv2.imwrite(str(folder / f"{number:06}.jpg"), written, [cv2.IMWRITE_JPEG_QUALITY, 85])


@contextmanager
def cpu_seconds(of: int, spent: dict[str, float], name: str) -> Iterator[None]:
    """Record the CPU seconds of this process or its children."""
    before = resource.getrusage(of)
    yield
    after = resource.getrusage(of)
    spent[name] = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def bare_loop(paths: list[Path], profiles: list[str]) -> Counter[str]:
    """Read all photographs in this process."""
    came_of_it: Counter[str] = Counter()
    for path in paths:
        try:
            read_boards(path, path.name, profiles, 1, UNKNOWN_TABLE)
            came_of_it["read"] += 1
        except UnusablePhotographError as error:
            came_of_it[error.problem] += 1
    return came_of_it


def killed_archive(folder: Path, out: Path, kills: int, chance: random.Random) -> int:
    """Run the command to its end with random kills before; return their number."""
    command = [sys.executable, "-c", COMMAND, "archive", str(folder), "--out", str(out)]
    command += ["--profile", "standard", "--processes", "1"]
    killed = 0
    while True:
        process = psutil.Popen(command, stdout=subprocess.DEVNULL, cwd=ROOT)
        try:
            process.wait(chance.uniform(5, 40) if killed < kills else None)
        except psutil.TimeoutExpired:
            victims = [process, *process.children(recursive=True)]
            chance.choice(victims).send_signal(signal.SIGKILL)  # the command, or a reading process
            killed += 1
        if process.wait() == 0:
            return killed


class Cluster:
    """A scheduler and its workers, one of which is randomly killed and restarted."""

    def __init__(self, scratch: Path, chance: random.Random, workers: int = 2) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{self._port}"
        self._log = (scratch / "cluster.log").open("w")
        self._chance = chance
        self._parts = [self._start(number) for number in range(1 + workers)]
        self.killed: Counter[str] = Counter()
        self._ended = threading.Event()
        self._killer: threading.Thread | None = None

    def _start(self, number: int) -> psutil.Popen:
        worker = [sys.executable, "-c", COMMAND, "worker", self.address, "--processes", "1"]
        scheduler = [sys.executable, "-m", "distributed.cli.dask_scheduler"]
        scheduler += ["--host", "127.0.0.1", "--port", str(self._port), "--no-dashboard"]
        return psutil.Popen(
            worker if number else scheduler, stdout=self._log, stderr=self._log, cwd=ROOT
        )

    @property
    def parts(self) -> Sequence[psutil.Popen]:
        """The running scheduler and workers."""
        return tuple(self._parts)

    def wait_for_scheduler(self) -> None:
        """Wait until it listens; the command would give up after some seconds."""
        while True:
            with suppress(OSError), socket.create_connection(("127.0.0.1", self._port), 1):
                return
            time.sleep(0.2)

    def kill_at_random(self, kills: int, apart: tuple[float, float]) -> None:
        """Kill random processes, a random number of seconds `apart`, until `close`."""

        def go_on() -> None:
            while self.killed.total() < kills and not self._ended.wait(
                self._chance.uniform(*apart)
            ):
                number = self._chance.randrange(len(self._parts))
                self._parts[number].kill()
                self._parts[number].wait()
                self.killed["worker" if number else "scheduler"] += 1
                self._parts[number] = self._start(number)

        self._killer = threading.Thread(target=go_on)
        self._killer.start()

    def close(self) -> None:
        self._ended.set()
        if self._killer is not None:
            self._killer.join()
        for part in self._parts:
            part.kill()
            part.wait()
        self._log.close()


class Watch:
    """Measures an archive in progress: rows, CPU seconds, and memory of all processes."""

    def __init__(self, cluster: Cluster, out: Path) -> None:
        self._cluster, self._out = cluster, out
        self._begun, self._rows = time.monotonic(), 0
        self._worked: dict[tuple[int, float], float] = {}
        self._mb: dict[int, int] = {}
        self.steps: list[dict[str, Any]] = []

    def until_ended(self, command: psutil.Popen) -> int:
        """Measure and print until the command ends; return its exit code."""
        while True:
            self._look(command)
            try:
                code = int(command.wait(LOOKED_EVERY))
                self._look(command)
                return code
            except psutil.TimeoutExpired:
                if shutil.disk_usage(self._out.parent).free < LEAST_FREE:
                    command.terminate()
                    raise SystemExit("stopped: the disk is nearly full") from None

    def _look(self, command: psutil.Popen) -> None:
        for number, part in enumerate((command, *self._cluster.parts)):
            with suppress(psutil.Error):
                family = [part, *part.children(recursive=True)]
                self._mb[number] = round(sum(one.memory_info().rss for one in family) / 1e6)
                for one in family:
                    times = one.cpu_times()
                    self._worked[one.pid, one.create_time()] = times.user + times.system
        rows = sum(
            pq.read_metadata(part).num_rows for part in self._out.glob("part-??????.parquet")
        )
        if rows == self._rows:
            return
        self._rows = rows
        step = {
            "photographs": rows,
            "minutes": round((time.monotonic() - self._begun) / 60, 1),
            "cpu_s": round(sum(self._worked.values())),
            "command_mb": self._mb[0],
            "scheduler_and_workers_mb": [mb for number, mb in self._mb.items() if number],
            "killed": self._cluster.killed.total(),
        }
        self.steps.append(step)
        print(json.dumps(step), file=sys.stderr, flush=True)


def archive_on_cluster(
    folder: Path, out: Path, options: argparse.Namespace, chance: random.Random
) -> dict[str, Any]:
    """Archive while parts of the cluster are killed; return the kills and the measurements.

    A command that fails is run again, at most once per kill.
    """
    cluster = Cluster(folder.parent, chance)
    command = [sys.executable, "-c", COMMAND, "archive", str(folder), "--out", str(out)]
    command += ["--profile", "standard"]
    environment = {**os.environ, CLUSTER: cluster.address}
    watch, failed = Watch(cluster, out), 0
    cluster.wait_for_scheduler()
    process = psutil.Popen(command, stdout=subprocess.DEVNULL, cwd=ROOT, env=environment)
    try:
        cluster.kill_at_random(options.kills, tuple(options.apart))
        while watch.until_ended(process):
            failed += 1
            if failed > options.kills:
                raise SystemExit("the archive was not finished: see what the command said")
            process = psutil.Popen(command, stdout=subprocess.DEVNULL, cwd=ROOT, env=environment)
    finally:
        with suppress(psutil.NoSuchProcess):
            process.kill()
        cluster.close()
    tenths = [*watch.steps[: -1 : max(1, len(watch.steps) // 10)], *watch.steps[-1:]]
    return {**cluster.killed, "command failed and run again": failed, "steps": tenths}


def read_by(workers: int, folder: Path, out: Path) -> dict[str, float]:
    """Return the seconds per photograph of archiving a folder with `workers` workers."""
    cluster = Cluster(folder.parent, random.Random(7), workers)
    command = [sys.executable, "-c", COMMAND, "archive", "--out", str(out), "--profile", "standard"]
    environment = {**os.environ, CLUSTER: cluster.address}
    first = sorted(folder.iterdir())[: 2 * workers]

    def archive(*what: Path) -> float:
        begun = time.monotonic()
        run = [*command, *map(str, what)]
        subprocess.run(run, check=True, stdout=subprocess.DEVNULL, cwd=ROOT, env=environment)
        return time.monotonic() - begun

    try:
        time.sleep(10)  # until all workers have connected
        archive(*first)  # loads each worker's models
        nothing = archive(*first)
        took = archive(folder) - nothing
        count = len(list(folder.iterdir())) - len(first)
        return {"workers": workers, "seconds_a_photograph": took / count}
    finally:
        cluster.close()


def judged(out: Path, wanted: int) -> dict[str, Any]:
    """Return how many photographs are missing or duplicated, and their outcomes."""
    rows = [
        row
        for file in out.glob("*.parquet")
        for row in pq.read_table(file, columns=["photograph", "problem"]).to_pylist()
    ]
    seen = Counter(row["photograph"] for row in rows)
    problems = Counter(row["problem"] or "read" for row in rows)
    doubled = sum(count > 1 for count in seen.values())
    return {"missing": wanted - len(seen), "doubled": doubled, "came of it": dict(problems)}


def unread(folder: Path, out: Path, count: int) -> list[dict[str, float]]:
    """Archive files without reading them, in steps; return each step's time and memory."""
    paths = [folder / f"{number}.jpg" for number in range(count)]
    for path in paths:
        path.write_text(path.name)
    steps = []
    for part in range(1, 5):
        spent: dict[str, float] = {}
        with cpu_seconds(resource.RUSAGE_SELF, spent, "cpu_s"):
            Archive(out, Instant(), ["standard"]).read(paths[: count * part // 4])
        memory = psutil.Process().memory_info().rss / 1e6
        steps.append({"photographs": count * part // 4, **spent, "memory_mb": memory})
    return steps


def killed_unread(count: int, kills: int, chance: random.Random) -> int:
    """Archive files without reading them, with kills before; print and judge the result."""
    with tempfile.TemporaryDirectory() as made:
        folder, out = Path(made) / "few", Path(made) / "out"
        folder.mkdir()
        paths = [folder / f"{number}.jpg" for number in range(count)]
        for path in paths:
            path.write_text(path.name)
        read_version(["standard"])  # cached for all forked processes
        begun = time.monotonic()
        attempt(paths, Path(made) / "measured", 0)  # 0: never killed
        whole, killed = time.monotonic() - begun, 0
        while not attempt(paths, out, whole * chance.uniform(0.02, 0.12) if killed < kills else 0):
            killed += 1
        took = time.monotonic() - begun - whole
        begun = time.monotonic()
        attempt(paths, out, 0)
        again, result = time.monotonic() - begun, judged(out, count)
    seconds = {"seconds_without_kills": whole, "seconds": took, "seconds_with_nothing_new": again}
    print(json.dumps({**result, "killed": killed, **seconds}, indent=1))
    return int(bool(result["missing"] or result["doubled"]))


def main() -> int:
    """Run the measurements; return 1 if photographs are missing or duplicated."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--photographs", type=int, default=200)
    parser.add_argument("--broken", type=int, default=0, help="files that are no pictures, besides")
    parser.add_argument("--side", type=int, default=320, help="px of the longer side")
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--unread", type=int, default=100_000)
    parser.add_argument("--unread-kills", type=int, default=0, help="of a run of its own, alone")
    parser.add_argument("--cluster", action="store_true")
    parser.add_argument(
        "--apart", type=float, nargs=2, default=(2, 8), help="seconds between kills of the cluster"
    )
    parser.add_argument("--keep", type=Path, help="keep photographs and archive in this folder")
    parser.add_argument("--workers", type=int, nargs="*", default=[], help="to compare")
    parser.add_argument("--seed", type=int, default=30)
    options = parser.parse_args()
    if options.unread_kills:  # it forks, so it must run before any thread is started
        return killed_unread(options.unread, options.unread_kills, random.Random(options.seed))
    spent: dict[str, float] = {}
    with ExitStack() as kept:
        scratch = Path(kept.enter_context(tempfile.TemporaryDirectory()))
        made = options.keep or scratch
        folder, few, out = made / "photographs", scratch / "few", made / "out"
        for one in (folder, few, out):
            one.mkdir(parents=True, exist_ok=True)
        if len(list(folder.glob("??????.jpg"))) < options.photographs:
            generator = np.random.default_rng(options.seed)
            photographs(folder, options.photographs, options.side, generator)
        paths = sorted(folder.glob("??????.jpg"))
        for number in range(options.broken):
            (folder / f"broken-{number}.jpg").write_text(f"no picture {number}")
        bare_loop(paths[:2], ["standard"])  # loads the models
        begun = time.monotonic()
        with cpu_seconds(resource.RUSAGE_SELF, spent, "bare"):
            bare = bare_loop(paths[:BARE], ["standard"])
        spent["bare_wall"] = (time.monotonic() - begun) / BARE
        wanted = options.photographs + options.broken
        left = judged(out, wanted)["missing"]
        with cpu_seconds(resource.RUSAGE_CHILDREN, spent, "archive"):
            killed: object
            if options.cluster:
                killed = archive_on_cluster(folder, out, options, random.Random(7))
            else:
                killed = killed_archive(folder, out, options.kills, random.Random(7))
        result = judged(out, wanted)
        compared = [
            read_by(workers, folder, scratch / f"by-{workers}") for workers in options.workers
        ]
        steps = unread(few, scratch / "unread", options.unread)
        result["unread"] = judged(scratch / "unread", options.unread)
    print(
        json.dumps(
            {
                **result,
                "killed": killed,
                "bare_cpu_s_each": spent["bare"] / BARE,
                "bare_s_each": spent["bare_wall"],
                "workers": compared,
                "bare": dict(bare),
                "archive_cpu_s_each": spent["archive"] / left if left else None,
                "unread_steps": steps,
            },
            indent=1,
        )
    )
    parts = (result, result["unread"])
    return int(any(part["missing"] or part["doubled"] for part in parts))


if __name__ == "__main__":
    sys.exit(main())

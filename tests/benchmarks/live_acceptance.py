"""Quality and speed of live tracking on a long film with known truth.

    python -m tests.benchmarks.live_acceptance                  # ten minutes of one board
    python -m tests.benchmarks.live_acceptance --boards 4
    python -m tests.benchmarks.live_acceptance --profile polaris/standard --minutes 2 --seed 3
    python -m tests.benchmarks.live_acceptance --replay 60      # an hour more, for the memory

Renders the film (cached in ``--folder``; this takes about as long as watching it), then watches it:
events found, missed and false, the delay after the arm left, and the cost per frame. ``--replay``
watches that many more minutes, for the memory's slope. ``--frames`` saves a picture of each missed
and false event.
"""

import argparse
import json
import resource
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any

import cv2
import numpy as np

from calibration import Profile, load_profile
from tests.films.film import SIZE, shoot
from tests.films.script import random_script
from tests.films.verdict import judge
from vision.live import FileSource, Frame, ModelFrameReader, Tracker

STILL_AFTER = 2.0
"""Seconds after the arm left from which the table counts as still."""


class Meter:
    """The cost of frames, by whether an arm is in the picture, has just left, or left long ago."""

    def __init__(self, arms: list[tuple[float, float]]) -> None:
        self._arms = arms
        self.cpu: dict[str, list[float]] = {"arm": [], "after": [], "still": []}
        self.wall: dict[str, list[float]] = {"arm": [], "after": [], "still": []}

    def add(self, t: float, cpu: float, wall: float) -> None:
        if any(a <= t <= b for a, b in self._arms):
            when = "arm"
        elif any(b < t <= b + STILL_AFTER for _, b in self._arms):
            when = "after"
        else:
            when = "still"
        self.cpu[when].append(cpu)
        self.wall[when].append(wall)

    def rows(self) -> Iterator[str]:
        for when, spent in self.cpu.items():
            if spent:
                walls = self.wall[when]
                yield (
                    f"{when:6} {len(spent):6} frames: {1000 * np.mean(spent):5.1f} ms of CPU each"
                    f" ({30 * np.mean(spent):.2f} of a core at 30 a second);"
                    f" {1 / np.mean(walls):.0f} frames a second"
                    f" (median {1000 * median(walls):.1f} ms,"
                    f" 99 of 100 below {1000 * np.quantile(walls, 0.99):.0f} ms)"
                )


def film(
    folder: Path,
    profile: Profile,
    minutes: float,
    boards: int,
    seed: int,
    fps: int,
    size: tuple[int, int] = SIZE,
) -> tuple[Path, Any]:
    """Render the film of a profile's boards unless it exists."""
    reported = (
        f"{profile.layout.game}-{profile.name}-{minutes:g}min-{boards}-{seed}-{fps}-{size[1]}p"
    )
    path = folder / f"{reported}.mp4"
    if not path.with_suffix(".json").is_file():
        folder.mkdir(parents=True, exist_ok=True)
        rng = np.random.default_rng(seed)
        script = random_script(rng, profile, 60 * minutes, boards)
        begun = perf_counter()
        shoot(script, profile, path, seed, size, fps)
        print(f"rendered {path} in {perf_counter() - begun:.0f} s")
    return path, json.loads(path.with_suffix(".json").read_text())


def measured(path: Path, tracker: Tracker, meter: Meter, t0: float = 0.0) -> list[dict[str, Any]]:
    """Watch the film, including decoding."""
    reported: list[dict[str, Any]] = []
    moments = FileSource(path).moments()
    while True:
        cpu, wall = process_time(), perf_counter()
        moment = next(moments, None)
        if moment is None:
            return reported + [e.to_data() for e in tracker.finish()]
        assert isinstance(moment, Frame)
        reported += [e.to_data() for e in tracker.see(Frame(t0 + moment.t, moment.image))]
        meter.add(moment.t, process_time() - cpu, perf_counter() - wall)


def report(truth: Mapping[str, Any], told: list[dict[str, Any]]) -> None:
    verdict = judge(truth, told)
    print(
        f"{len(truth['events'])} true events: {len(verdict.found)} found,"
        f" {len(verdict.missed)} missed; {len(verdict.false)} false"
    )
    delays = np.array(verdict.delays)
    if len(delays):
        print(
            f"delay from the arm's leaving: median {np.median(delays):.2f} s,"
            f" 9 of 10 below {np.quantile(delays, 0.9):.2f} s, longest {delays.max():.2f} s"
        )
    for name, events in (("missed", verdict.missed), ("false", verdict.false)):
        for event in events:
            print(f"  {name}: {dict(event)}")
    others = [e["kind"] for e in told if e["kind"].startswith("board")]
    print("boards:", {kind: others.count(kind) for kind in sorted(set(others))})


def keep_frames(path: Path, truth: Mapping[str, Any], told: list[dict[str, Any]], to: Path) -> None:
    """Save the film's frame at each false event, and shortly after each missed one."""
    verdict = judge(truth, told)
    to.mkdir(parents=True, exist_ok=True)
    film = cv2.VideoCapture(str(path))
    for name, events, later in (("missed", verdict.missed, 0.6), ("false", verdict.false, 0.0)):
        for event in events:
            film.set(cv2.CAP_PROP_POS_MSEC, 1000 * (event["t"] + later))
            there, image = film.read()
            place = event.get("space", f"{event['kind']}-{event.get('count')}")
            if there:
                file = f"{name}-{event['t']:.1f}s-board-{event['board']}-{place}.png"
                cv2.imwrite(str(to / file), image)
    film.release()


def resident_mb() -> float:
    """Return this process' resident memory in MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


def replay(path: Path, seconds: float, minutes: float, tracker: Tracker) -> None:
    """Watch the film repeatedly; print the growth of memory per hour."""
    times, sizes, t0 = [], [], seconds
    while t0 < seconds + 60 * minutes:
        measured(path, tracker, Meter([]), t0)
        t0 += seconds
        times.append(t0 / 3600)
        sizes.append(resident_mb())
    slope = np.polyfit(times, sizes, 1)[0] if len(times) > 1 else float("nan")
    print(
        f"memory: {sizes[0]:.0f} MB, then {sizes[-1]:.0f} MB after {minutes:g} minutes more:"
        f" {slope:+.1f} MB an hour"
    )


def main() -> None:
    """Run the measurement and print it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--profile", default="standard", help="any game's, by name or folder")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--boards", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fps", type=int, default=15)
    parser.add_argument("--size", type=int, nargs=2, default=SIZE, help="of a frame, in px")
    parser.add_argument("--replay", type=float, default=0, help="minutes of replay for memory")
    parser.add_argument("--frames", type=Path, help="folder for pictures of what went wrong")
    parser.add_argument("--folder", type=Path, default=Path("runs/films"))
    given = parser.parse_args()
    profile, size = load_profile(given.profile), (given.size[0], given.size[1])
    path, truth = film(
        given.folder, profile, given.minutes, given.boards, given.seed, given.fps, size
    )
    tracker = Tracker(ModelFrameReader(profile))
    meter = Meter([(a, b) for a, b in truth["arms"]])
    reported = measured(path, tracker, meter)
    report(truth, reported)
    if given.frames:
        keep_frames(path, truth, reported, given.frames)
    print(*meter.rows(), sep="\n")
    if given.replay:
        replay(path, 60 * given.minutes, given.replay, tracker)


if __name__ == "__main__":
    main()

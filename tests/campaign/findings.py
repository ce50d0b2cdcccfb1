"""What an attack found: counts, and what must not be, with all that is needed to see it again."""

import math
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeVar

KEPT = 40
"""Findings of an attack that are kept as files; the others are counted."""
Job = TypeVar("Job")
Kind = Literal["5xx", "traceback", "hang", "lost", "doubled", "other"]
KINDS: tuple[Kind, ...] = ("5xx", "traceback", "hang", "lost", "doubled", "other")


@dataclass
class Findings:
    """How an attack went. `folder` keeps what it did wherever that found something.

    Nothing new is begun after `until`, by `time.monotonic`.
    """

    folder: Path
    until: float = math.inf
    counts: Counter[str] = field(default_factory=Counter)
    bad: Counter[Kind] = field(default_factory=Counter)
    slowest: float = 0.0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def count(self, what: str, seconds: float = 0.0, times: int = 1) -> None:
        """Note that something went as it may, and how long it took."""
        with self._lock:
            self.counts[what] += times
            self.slowest = max(self.slowest, seconds)

    def add(self, kind: Kind, problem: str, evidence: bytes, suffix: str = ".txt") -> None:
        """Note something that must not be."""
        with self._lock:
            self.bad[kind] += 1
            found = sum(self.bad.values())
        if found <= KEPT:
            self.folder.mkdir(parents=True, exist_ok=True)
            path = self.folder / f"{found:03}{suffix}"
            path.write_bytes(evidence)
            print(f"  found: {kind}: {problem}: {path}", flush=True)

    @property
    def is_over(self) -> bool:
        """Whether the attack has had its time."""
        return time.monotonic() > self.until

    def __str__(self) -> str:
        """The counts, in one line."""
        reported = ", ".join(f"{what} {count}" for what, count in sorted(self.counts.items()))
        return f"{reported}; slowest {self.slowest:.1f} s"


def side_by_side(work: Callable[[Job], None], jobs: Iterable[Job], at_once: int) -> None:
    """Do all jobs, some at a time; what one raises is raised."""
    with ThreadPoolExecutor(at_once) as pool:
        for _ in pool.map(work, jobs):
            pass

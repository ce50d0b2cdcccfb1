"""Processes for long work."""

import signal
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context


def process_pool(count: int | None) -> ProcessPoolExecutor:
    """So many workers, as many as there are cores for None, each a fresh interpreter.

    A forked one would inherit the locks of OpenCV's threads, and hang.
    """
    return ProcessPoolExecutor(count, get_context("spawn"), initializer=_leave_interrupts)


def _leave_interrupts() -> None:
    """Ctrl-C is for whoever waits for the workers to answer."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

"""A progress bar on standard error, if that is a terminal."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress


class ProgressBar:
    """Called with the steps done and their total; draws nothing outside a terminal."""

    def __init__(self, doing: str, drawn: "Progress | None") -> None:
        """`doing` names the work; `drawn` draws the bar, if any."""
        self._drawn = drawn
        self._task = drawn.add_task(doing, total=None, visible=False) if drawn else None

    def __call__(self, done: int, total: int) -> None:
        """Show that `done` of `total` steps are done; a single step gets no bar."""
        if self._drawn is not None and self._task is not None:
            self._drawn.update(self._task, completed=done, total=total, visible=total > 1)

    @contextmanager
    def hidden(self) -> Iterator[None]:
        """Hide the bar while something is printed."""
        if self._drawn is None:
            yield
            return
        self._drawn.stop()
        yield
        self._drawn.start()


@contextmanager
def progress_bar(doing: str) -> Iterator[ProgressBar]:
    """A bar that is removed when the work is done."""
    if not sys.stderr.isatty():
        yield ProgressBar(doing, None)
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    drawn = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=False,  # standard output may be a file
        redirect_stderr=False,
    )
    with drawn:
        yield ProgressBar(doing, drawn)

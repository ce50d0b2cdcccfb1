"""A progress bar on standard error, only where a person watches."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress


class ProgressBar:
    """Called with what is done and how much there is; draws nothing where nobody watches."""

    def __init__(self, doing: str, drawn: "Progress | None") -> None:
        """`doing` says what takes so long; `drawn` is what draws it."""
        self._drawn = drawn
        self._task = drawn.add_task(doing, total=None, visible=False) if drawn else None

    def __call__(self, done: int, total: int) -> None:
        """Show that `done` of `total` steps are done; a bar is drawn for more than one."""
        if self._drawn is not None and self._task is not None:
            self._drawn.update(self._task, completed=done, total=total, visible=total > 1)

    @contextmanager
    def hidden(self) -> Iterator[None]:
        """Take the bar off the terminal while something is printed."""
        if self._drawn is None:
            yield
            return
        self._drawn.stop()
        yield
        self._drawn.start()


@contextmanager
def progress_bar(doing: str) -> Iterator[ProgressBar]:
    """Give a bar for as long as the work lasts, and then take it away."""
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
        redirect_stdout=False,  # standard output may be a file: it is left alone
        redirect_stderr=False,
    )
    with drawn:
        yield ProgressBar(doing, drawn)

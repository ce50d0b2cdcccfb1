"""A view to read of: what a page reads of the database is as it was when the page first read of it.

A live or a guided table is not part of it: its projection, in memory, may be further on. A request
that writes goes on in a second view, in which it sees what it wrote.
"""

import threading
from collections.abc import Callable, Hashable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar, cast

Found = TypeVar("Found")


class ReadView:
    """What one thread has looked up and opened, kept until the view is ended; for no other one."""

    def __init__(self) -> None:
        """Nothing is looked up yet."""
        self._cached: dict[Hashable, Any] = {}
        self._opened = ExitStack()
        self._thread = threading.get_ident()
        self._users, self._is_over = 0, False

    @property
    def is_open(self) -> bool:
        """Whether the calling thread may read of it."""
        return not self._is_over and self._thread == threading.get_ident()

    def cached(self, key: Hashable, look: Callable[[], Found]) -> Found:
        """Return what `look` finds, which is looked up once."""
        if key not in self._cached:
            self._cached[key] = look()
        return cast(Found, self._cached[key])

    def enter(self, context: AbstractContextManager[Found]) -> Found:
        """Enter what is left when the view is ended."""
        return self._opened.enter_context(context)

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """Keep the snapshot open while in use."""
        self._users += 1
        try:
            yield
        finally:
            self._users -= 1
            self._leave_if_over()

    def end(self) -> None:
        """Leave what was entered, as soon as it is not used any more."""
        self._is_over = True
        self._leave_if_over()

    def _leave_if_over(self) -> None:
        if self._is_over and not self._users:
            self._opened.close()


_current: ContextVar[ReadView | None] = ContextVar("read view", default=None)
_thread = threading.local()


def current() -> ReadView | None:
    """The view that this thread reads of; None where it reads whatever there is by now."""
    view = _current.get()
    return view if view is not None and view.is_open else None


@contextmanager
def one_view() -> Iterator[None]:
    """One consistent snapshot for a request; what the thread writes itself it sees all the same."""
    before = _current.set(ReadView())
    try:
        yield
    finally:
        view = current()
        _current.reset(before)
        if view is not None:
            view.end()


def mark() -> Hashable:
    """What changes when this thread writes, or reads of another view."""
    return current(), getattr(_thread, "renewed", 0)


def renew(ended: ReadView | None = None) -> None:
    """Read of a new view from now on: where one is named, only if that is still the current one."""
    _thread.renewed = getattr(_thread, "renewed", 0) + 1
    view = current()
    if view is not None and ended in (None, view):
        _current.set(ReadView())
        view.end()


def cached(key: Hashable, look: Callable[[], Found]) -> Found:
    """Return what `look` finds: looked up once in a view, each time where there is none."""
    view = current()
    return look() if view is None else view.cached(key, look)

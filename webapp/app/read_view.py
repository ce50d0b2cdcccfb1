"""Read views: a page reads the database as it was at its first read.

Live and guided tables are not included: their in-memory projection may be newer. A request that
writes continues in a new view, which includes what it wrote.
"""

import threading
from collections.abc import Callable, Hashable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar, cast

Found = TypeVar("Found")


class ReadView:
    """One thread's cached results and open contexts, kept until the view ends."""

    def __init__(self) -> None:
        self._cached: dict[Hashable, Any] = {}
        self._opened = ExitStack()
        self._thread = threading.get_ident()
        self._users, self._is_over = 0, False

    @property
    def is_open(self) -> bool:
        """Whether the calling thread can read from it."""
        return not self._is_over and self._thread == threading.get_ident()

    def cached(self, key: Hashable, look: Callable[[], Found]) -> Found:
        """Return the cached result of `look`, which is called once."""
        if key not in self._cached:
            self._cached[key] = look()
        return cast(Found, self._cached[key])

    def enter(self, context: AbstractContextManager[Found]) -> Found:
        """Enter a context that is left when the view ends."""
        return self._opened.enter_context(context)

    @contextmanager
    def in_use(self) -> Iterator[None]:
        self._users += 1
        try:
            yield
        finally:
            self._users -= 1
            self._leave_if_over()

    def end(self) -> None:
        """Exit the entered contexts as soon as the view is no longer in use."""
        self._is_over = True
        self._leave_if_over()

    def _leave_if_over(self) -> None:
        if self._is_over and not self._users:
            self._opened.close()


_current: ContextVar[ReadView | None] = ContextVar("read view", default=None)
_thread = threading.local()


def current() -> ReadView | None:
    """Return this thread's view; None if it reads the latest data."""
    view = _current.get()
    return view if view is not None and view.is_open else None


@contextmanager
def one_view() -> Iterator[None]:
    """Give a request one consistent snapshot, except for its own writes."""
    before = _current.set(ReadView())
    try:
        yield
    finally:
        view = current()
        _current.reset(before)
        if view is not None:
            view.end()


def mark() -> Hashable:
    """Return a token that changes when this thread writes or switches to another view."""
    return current(), getattr(_thread, "renewed", 0)


def renew(ended: ReadView | None = None) -> None:
    """Start a new view; with `ended`, only if that is still the current one."""
    _thread.renewed = getattr(_thread, "renewed", 0) + 1
    view = current()
    if view is not None and ended in (None, view):
        _current.set(ReadView())
        view.end()


def cached(key: Hashable, look: Callable[[], Found]) -> Found:
    """Return what `look` finds, once per view; without a view, call it each time."""
    view = current()
    return look() if view is None else view.cached(key, look)

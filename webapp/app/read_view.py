"""A view to read of: all that a page shows is as it was when the page read the first of it."""

from collections.abc import Callable, Hashable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar, cast

Found = TypeVar("Found")


class ReadView:
    """What one thread has looked up and opened, kept until the view is ended."""

    def __init__(self) -> None:
        """Nothing is looked up yet."""
        self._found: dict[Hashable, Any] = {}
        self._opened = ExitStack()
        self._users, self._is_over = 0, False

    def found(self, key: Hashable, look: Callable[[], Found]) -> Found:
        """Return what `look` finds, which is looked up once."""
        if key not in self._found:
            self._found[key] = look()
        return cast(Found, self._found[key])

    def enter(self, context: AbstractContextManager[Found]) -> Found:
        """Enter what is left when the view is ended."""
        return self._opened.enter_context(context)

    @contextmanager
    def used(self) -> Iterator[None]:
        """Leave nothing meanwhile. Where anything goes wrong, the next view is read of."""
        self._users += 1
        try:
            yield
        except BaseException:
            renew(self)
            raise
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


def current() -> ReadView | None:
    """The view that this thread reads of; None where it reads whatever there is by now."""
    return _current.get()


@contextmanager
def one_view() -> Iterator[None]:
    """Have this thread read of one view; what it writes itself it sees all the same."""
    before = _current.set(ReadView())
    try:
        yield
    finally:
        try:
            renew()
        finally:
            _current.reset(before)


def renew(ended: ReadView | None = None) -> None:
    """Read of a new view from now on: where one is named, only if that is still the current one."""
    view = _current.get()
    if view is not None and ended in (None, view):
        _current.set(ReadView())
        view.end()


def looked_up(key: Hashable, look: Callable[[], Found]) -> Found:
    """Return what `look` finds: looked up once in a view, each time where there is none."""
    view = _current.get()
    return look() if view is None else view.found(key, look)

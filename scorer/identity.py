"""Keys for caches on objects that are never changed but do not hash by content."""

from typing import Generic, TypeVar

T = TypeVar("T")


class Same(Generic[T]):
    """A cache key that is equal only for the same object."""

    def __init__(self, it: T) -> None:
        """Keep `it` alive, so that its id is not reused."""
        self.it = it

    def __hash__(self) -> int:
        return id(self.it)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self.it is other.it

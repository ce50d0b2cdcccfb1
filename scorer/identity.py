"""Caches of what is made of an object that nobody changes, and that has no hash of its content."""

from typing import Generic, TypeVar

T = TypeVar("T")


class Same(Generic[T]):
    """An object, as the key of a cache: equal to that of the same object alone."""

    def __init__(self, it: T) -> None:
        """Keep the object, lest another one have its identity."""
        self.it = it

    def __hash__(self) -> int:
        """Of its identity."""
        return id(self.it)

    def __eq__(self, other: object) -> bool:
        """Whether it is the same object."""
        return isinstance(other, Same) and self.it is other.it

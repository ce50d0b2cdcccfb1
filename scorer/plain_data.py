"""Plain data of records and game files: strict comparison, and display in messages."""

import reprlib
from collections.abc import Mapping


def exactly(found: object, right: object) -> bool:
    """Whether plain data matches `right`: types must agree (`true` is not 1), extra keys may exist.

    >>> exactly({"a": 1, "b": 2}, {"a": 1}), exactly([True], [1])
    (True, False)
    """
    if isinstance(right, Mapping):
        if not isinstance(found, Mapping):
            return False
        return all(exactly(found.get(key), value) for key, value in right.items())
    if isinstance(right, list):
        if not isinstance(found, list) or len(found) != len(right):
            return False
        return all(map(exactly, found, right))
    return type(found) is type(right) and found == right


def shown(value: object) -> str:
    """A value for a message: its repr, shortened."""
    try:
        return _BRIEFLY.repr(value)
    except ValueError:  # Python refuses to print integers of thousands of digits
        return "a number as long as that"


_BRIEFLY = reprlib.Repr()
_BRIEFLY.maxstring = _BRIEFLY.maxlong = _BRIEFLY.maxother = 40

"""Plain data, as records and game files hold it: compared, and shown in messages."""

import reprlib
from collections.abc import Mapping


def exactly(found: object, right: object) -> bool:
    """Whether plain data is what it must be: no `true` for 1, nor 1.0; more keys are no matter.

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
    """A value as a message shows it: as written, cut short."""
    try:
        return _BRIEFLY.repr(value)
    except ValueError:  # Python prints no number of thousands of digits
        return "a number as long as that"


_BRIEFLY = reprlib.Repr()
_BRIEFLY.maxstring = _BRIEFLY.maxlong = _BRIEFLY.maxother = 40

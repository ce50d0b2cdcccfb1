"""Only our own words reach the terminal: libraries written in C are kept from speaking there."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def libraries_silenced() -> Iterator[None]:
    """Discard what is written to file 2 itself; `sys.stderr` goes where that went before.

    libpng and libjpeg write what they think of a damaged picture there, past Python. Also to be
    used as a decorator. Does nothing where `sys.stderr` is not file 2, as in tests.
    """
    spoken = sys.stderr
    try:
        number = spoken.fileno()
    except (AttributeError, OSError):  # no stream at all, or none with a file
        number = None
    if number != 2:
        yield
        return
    spoken.flush()
    ours = os.dup(number)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, number)
    os.close(nowhere)
    try:
        with os.fdopen(
            ours, "w", buffering=1, encoding=spoken.encoding, errors=spoken.errors, closefd=False
        ) as sys.stderr:
            yield
    finally:
        sys.stderr = spoken
        os.dup2(ours, number)
        os.close(ours)

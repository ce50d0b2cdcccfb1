"""Keep C libraries from writing to the terminal."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def libraries_silenced() -> Iterator[None]:
    """Discard writes to file descriptor 2, except those through `sys.stderr`.

    libpng and libjpeg write warnings about damaged pictures there, bypassing Python. Also works as
    a decorator. Does nothing if `sys.stderr` is not descriptor 2, as in tests.
    """
    spoken = sys.stderr
    try:
        number = spoken.fileno()
    except (AttributeError, OSError):  # no stream, or none with a file
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

"""The contract of a source of frames, in a module of its own for each source to import."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np


class SourceError(Exception):
    """A source that cannot be used: what is wrong and what to do, in one line."""


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture, (H, W, 3) uint8 BGR, at ``t`` seconds of the source's clock."""

    t: float
    image: np.ndarray


@dataclass(frozen=True)
class Notice:
    """The source was lost, or came back, at ``t`` seconds of its clock."""

    t: float
    kind: Literal["source_lost", "source_back"]


@dataclass(frozen=True)
class Silence:
    """There is still no frame at ``t`` seconds of the source's clock."""

    t: float


Moment = Frame | Notice | Silence


class Source(Protocol):
    """Anything that delivers frames."""

    recorded: bool
    """Whether ``t`` is the time of a recording, whose frames come as fast as they are consumed.

    Otherwise it is that of a clock that started with ``moments``.
    """

    def moments(self) -> Iterator[Moment]:
        """Frames, and notices of the source's loss and return, until it ends or is closed.

        While it is away there is a Silence every second or two, so that nothing waits for it:
        players' corrections are handled between two moments. One picture is not enough for a
        reading: a source with few pictures repeats the last one.
        """

    def close(self) -> None:
        """End ``moments`` soon; may be called from any thread."""

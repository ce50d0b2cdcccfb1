"""What a source of frames gives and promises: apart from the sources, for each to import."""

from __future__ import annotations

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
    """The source went away, or came back, at ``t`` seconds of its clock."""

    t: float
    kind: Literal["source_lost", "source_back"]


@dataclass(frozen=True)
class Silence:
    """There is still no frame at ``t`` seconds of the source's clock."""

    t: float


Moment = Frame | Notice | Silence


class Source(Protocol):
    """Whatever frames come from."""

    recorded: bool
    """Whether ``t`` is the time of a recording, whose frames come as fast as they are asked for.

    Of any other source it goes by a clock that began with ``moments``.
    """

    def moments(self) -> Iterator[Moment]:
        """Frames, and word of the source's going and coming back, until it ends or is closed.

        While it is away there is a Silence every second or two, so that nobody has to wait for it:
        what players say meanwhile is heard between two moments. One picture is not enough to tell
        what lies somewhere: a source whose pictures are few gives the last one again.
        """

    def close(self) -> None:
        """End ``moments`` soon, from whatever thread."""

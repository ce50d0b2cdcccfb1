"""What reading a photograph gives, or why it gives nothing."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scorer.game import RolesByGame


class UnusablePhotographError(Exception):
    """A file from which no board could be read.

    `problem` is one word, for a page to put in the player's language; str() a whole line.
    `preview` is a JPEG of what was photographed, where that is known.
    """

    def __init__(self, problem: str, message: str, preview: bytes | None = None) -> None:
        """`problem` is not_a_photograph, no_board, no_colours, unknown_board, unreadable,
        too_slow or failed.

        Of one that is to show an empty board also not_empty.
        Of a photograph that a game file names also several_boards or not_of_the_game.
        """
        super().__init__(message)
        self.problem, self.preview = problem, preview

    def __reduce__(self) -> tuple[type["UnusablePhotographError"], tuple[str, str, bytes | None]]:
        """The process that reads hands it over whole."""
        return type(self), (self.problem, str(self), self.preview)


class ReaderClosedError(Exception):
    """The server stops: what is being read is read by the next one."""


@dataclass(frozen=True)
class ReadPhotograph:
    """What reading gives: the reading's data, and JPEGs of the whole and of each board.

    `dark` says of each board whether it is too dark for colours to be told well.
    """

    reading: Mapping[str, Any]
    preview: bytes
    boards: tuple[bytes, ...]
    dark: tuple[bool, ...] = ()


def mark_in_hand(path: Path) -> Path:
    """Return the file that says that the reading process has the photograph at `path` in hand.

    It is left behind only where that process ended before it was done, and did not outlive the
    server: whatever ended both may have been the photograph.
    """
    return path.with_suffix(".reading")


ReadFile = Callable[[Path, str, Sequence[str], int, RolesByGame], ReadPhotograph]
"""Reads the file at a path, under a name, with whichever of the profiles of these names fits.

The number says how many boards are expected: one may be anybody's alone, or one of many. Then
comes what may lie on them.

Raises UnusablePhotographError.
"""

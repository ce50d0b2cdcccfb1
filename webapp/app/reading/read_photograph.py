"""The result of reading a photograph, or why there is none."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scorer.table import RolesByGame


class UnusablePhotographError(Exception):
    """No board could be read from a file.

    `problem` is one word, for pages to translate; str() is a full line. `preview` is a JPEG of the
    photograph, if available.
    """

    def __init__(self, problem: str, message: str, preview: bytes | None = None) -> None:
        """Set `problem` to one of a fixed set of words.

        These are not_a_photograph, no_board, no_colours, unknown_board, unreadable, too_slow and
        failed; for a photograph of an empty board also not_empty; for one named in a game file also
        several_boards or not_of_the_game.
        """
        super().__init__(message)
        self.problem, self.preview = problem, preview

    def __reduce__(self) -> tuple[type["UnusablePhotographError"], tuple[str, str, bytes | None]]:
        """Keep all attributes when pickled."""
        return type(self), (self.problem, str(self), self.preview)


class ReaderClosedError(Exception):
    """The server is stopping; the next one reads what is unfinished."""


@dataclass(frozen=True)
class ReadPhotograph:
    """The reading's data, and JPEGs of the photograph and of each board.

    `dark` says for each board whether it is too dark to distinguish colours well.
    """

    reading: Mapping[str, Any]
    preview: bytes
    boards: tuple[bytes, ...]
    dark: tuple[bool, ...] = ()


def mark_in_hand(path: Path) -> Path:
    """Return the file that marks the photograph at `path` as being read.

    It is left behind only if the reading process and the server ended before it was done, possibly
    because of the photograph.
    """
    return path.with_suffix(".reading")


ReadFile = Callable[[Path, str, Sequence[str], int, RolesByGame], ReadPhotograph]
"""Reads the file at a path, under a name, with whichever of the named profiles matches.

The other arguments are the expected number of boards, and the piece roles. Raises
UnusablePhotographError.
"""

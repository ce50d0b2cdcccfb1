"""Normalisation of names and notes that people type."""

import unicodedata

from webapp.app.session import game_document

LONGEST_NAME = 40
MOST_PLAYERS = 4
"""The number of seats in forms, for any table."""


def note(text: str) -> str:
    """Return a note with normalised line ends and without invisible characters, shortened."""
    kept = text.replace("\r\n", "\n").replace("\r", "\n")
    seen = "".join(c for c in kept if c in "\n\t" or unicodedata.category(c)[0] != "C")
    return seen.strip()[: game_document.LONGEST_NOTE].strip()


def tidy(name: str) -> str:
    """Return a name on one line without invisible characters."""
    name = unicodedata.normalize("NFC", name)
    visible = "".join(
        " " if char.isspace() else char
        for at, char in enumerate(name)
        if char.isspace() or unicodedata.category(char)[0] != "C" or _joins(name, at)
    )
    return " ".join(visible.split())


def _joins(name: str, at: int) -> bool:
    """Whether there is a zero-width joiner between emoji there, as in a family emoji."""
    beside = [unicodedata.category(char) for char in (*name[at - 1 : at], *name[at + 1 : at + 2])]
    return name[at] == "\u200d" and len(beside) == 2 and {*beside} <= {"So", "Sk", "Mn"}

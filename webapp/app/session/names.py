"""Names and notes that people type, as they are kept."""

import unicodedata

from webapp.app.session import game_document

LONGEST_NAME = 40
MOST_PLAYERS = 4
"""At any table: a form has so many seats."""


def note(text: str) -> str:
    """Return what was written down as it is kept: its lines, without what cannot be seen."""
    kept = text.replace("\r\n", "\n").replace("\r", "\n")
    seen = "".join(c for c in kept if c in "\n\t" or unicodedata.category(c)[0] != "C")
    return seen.strip()[: game_document.LONGEST_NOTE].strip()


def tidy(name: str) -> str:
    """Return a name in one line, without what cannot be seen."""
    name = unicodedata.normalize("NFC", name)
    visible = "".join(
        " " if char.isspace() else char
        for at, char in enumerate(name)
        if char.isspace() or unicodedata.category(char)[0] != "C" or _joins(name, at)
    )
    return " ".join(visible.split())


def _joins(name: str, at: int) -> bool:
    """Whether what cannot be seen there makes one picture of two, as in the emoji of a family."""
    beside = [unicodedata.category(char) for char in (*name[at - 1 : at], *name[at + 1 : at + 2])]
    return name[at] == "\u200d" and len(beside) == 2 and {*beside} <= {"So", "Sk", "Mn"}

"""A log of a live evening, written in short words."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from calibration import load_profile
from webapp.app.game_pages import pages_of
from webapp.app.live.entry import Entry
from webapp.app.live.reducer import LiveTable, Rules, reduce

STANDARD = load_profile("standard")


def rules(mode: str = "full", career: tuple[str, ...] = ("V1", "V7")) -> Rules:
    """What the table of a game of two depends on."""
    document = {"players": [{}, {}], "mode": mode, "career": career, "edition": "standard"}
    return pages_of("nebula").live.rules(document, STANDARD)


RULES = rules()
ARIES = dict(
    zip(("ar1", "ar2", "ar3", "ar4", "ar5", "ar6"), ("red", "blue", "white") * 2, strict=True)
)
NOON = datetime(2026, 11, 20, 12)


class Evening:
    """A log that is being written, with short words for what happens."""

    def __init__(self, rules: Rules = RULES) -> None:
        self.rules = rules
        self.entries: list[Entry] = []

    def note(self, kind: str, **data: Any) -> int:
        """Write an entry; return its number."""
        self.entries.append(Entry(len(self.entries) + 1, kind, data, NOON))
        return len(self.entries)

    def see(self, board: int, kind: str, source: str = "cam", **more: Any) -> int:
        """The camera sees something on one of its boards."""
        return self.note(
            "seen", source=source, event={"t": 0.0, "board": board, "kind": kind, **more}
        )

    def place(self, board: int, stars: Mapping[str, str]) -> list[int]:
        """The camera sees stars placed."""
        return [self.see(board, "placed", space=s, star=c) for s, c in stars.items()]

    def table(self, until: int | None = None) -> LiveTable:
        """The table as the log tells it."""
        return reduce(self.rules, self.entries, until)

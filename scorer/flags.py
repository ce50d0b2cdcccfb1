"""What a score or a reading draws attention to."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from scorer.sentence import Sentence


@dataclass(frozen=True)
class Flag:
    """Something that a person should look at: its kind, the spaces concerned, and what more.

    >>> Flag("no_values").to_data()
    {'kind': 'no_values', 'spaces': []}
    """

    kind: str
    spaces: tuple[str, ...] = ()
    more: Mapping[str, Any] = field(default_factory=dict)

    def to_data(self) -> dict[str, Any]:
        """The flag as JSON data."""
        return {"kind": self.kind, "spaces": list(self.spaces), **self.more}


@dataclass(frozen=True)
class RuleBreak(Flag):
    """A rule that a position breaks as it lies; `.kind` is one of the flag kinds of a reading."""

    reason: Sentence | str = ""

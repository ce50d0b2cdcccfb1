"""Flags: what a score or a reading draws attention to."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from scorer.sentence import Phrasebook, Sentence, Value
from scorer.topology import Link


@dataclass(frozen=True)
class Flag:
    """Something for a person to look at: its kind, the spaces concerned, and further data.

    `reason` puts it into words, "" if the game has none.

    >>> Flag("hidden", ("a1",)).to_data()
    {'kind': 'hidden', 'spaces': ['a1']}
    """

    kind: str
    spaces: tuple[str, ...] = ()
    more: Mapping[str, Any] = field(default_factory=dict)
    reason: Sentence | str = field(default="", compare=False)

    @property
    def places(self) -> tuple[str, ...]:
        """The spaces concerned, and the links where links are pieces.

        >>> Flag("taken_away", ("1a1",), {"links": ["1a1-1a2"]}).places
        ('1a1', '1a1-1a2')
        """
        return (*self.spaces, *self.more.get("links", ()))

    def to_data(self) -> dict[str, Any]:
        """The flag as JSON data without its reason, which is for people."""
        return {"kind": self.kind, "spaces": list(self.spaces), **self.more}

    def in_words(self) -> dict[str, Any]:
        """The flag as JSON data with its reason, in English."""
        return {**self.to_data(), "reason": str(self.reason)}


@dataclass(frozen=True)
class RuleBreak(Flag):
    """A rule that a position breaks; `.kind` is one of the flag kinds of a reading.

    `links` are those between spaces that break the rule, for drawing. While a break is `unscorable`
    no score can be counted.
    """

    links: tuple[Link, ...] = field(default=(), compare=False)
    unscorable: bool = field(default=False, compare=False)

    @classmethod
    def of(
        cls, words: Phrasebook, rule: str, phrase: str = "", /, *spaces: str, **values: Value
    ) -> "RuleBreak":
        """A break of `rule`, with the text of a phrase, by default the one named like the rule."""
        return cls(rule, spaces, reason=words.say(phrase or rule, **values))


class IllegalActionError(ValueError):
    """An action that the rules forbid in this state; `.broken` is the rule, with the reason."""

    def __init__(self, broken: RuleBreak) -> None:
        self.broken = broken
        super().__init__(str(broken.reason))

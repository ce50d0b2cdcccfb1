"""What a score or a reading draws attention to."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from scorer.sentence import Phrasebook, Sentence, Value
from scorer.topology import Link


@dataclass(frozen=True)
class Flag:
    """Something that a person should look at: its kind, the spaces concerned, and what more.

    `reason` says it in words, where the game has any.

    >>> Flag("hidden", ("a1",)).to_data()
    {'kind': 'hidden', 'spaces': ['a1']}
    """

    kind: str
    spaces: tuple[str, ...] = ()
    more: Mapping[str, Any] = field(default_factory=dict)
    reason: Sentence | str = field(default="", compare=False)

    @property
    def places(self) -> tuple[str, ...]:
        """The spaces concerned, and the links where those are pieces.

        >>> Flag("taken_away", ("1a1",), {"links": ["1a1-1a2"]}).places
        ('1a1', '1a1-1a2')
        """
        return (*self.spaces, *self.more.get("links", ()))

    def to_data(self) -> dict[str, Any]:
        """The flag as JSON data, without its reason: that is for people."""
        return {"kind": self.kind, "spaces": list(self.spaces), **self.more}

    def in_words(self) -> dict[str, Any]:
        """The same with its reason, in English."""
        return {**self.to_data(), "reason": str(self.reason)}


@dataclass(frozen=True)
class RuleBreak(Flag):
    """A rule that a position breaks as it lies; `.kind` is one of the flag kinds of a reading.

    `links` are those whose ends must not lie as they do, for a board that is drawn. While it is
    `unscorable` no score can be counted.
    """

    links: tuple[Link, ...] = field(default=(), compare=False)
    unscorable: bool = field(default=False, compare=False)

    @classmethod
    def of(
        cls, words: Phrasebook, rule: str, phrase: str = "", /, *spaces: str, **values: Value
    ) -> "RuleBreak":
        """A rule's break in the words of a phrase, by default that of the rule's own name."""
        return cls(rule, spaces, reason=words.say(phrase or rule, **values))


class IllegalActionError(ValueError):
    """An action that the rules forbid in this state; `.broken` says which rule and why."""

    def __init__(self, broken: RuleBreak) -> None:
        """Keep the rule that the action would break; the text is its reason."""
        self.broken = broken
        super().__init__(str(broken.reason))

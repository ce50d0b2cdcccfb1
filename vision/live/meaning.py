"""What a board's stars mean: rules that they break, objectives that they meet. Pure functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scorer.nebula import Card, Galaxy, Table

Told = tuple[str, dict[str, Any]]
"""An event's kind and its own keys."""


@dataclass(frozen=True)
class Meaning:
    """The rule breaks that were told, as (rule, spaces), and each card's (progress, met)."""

    breaks: tuple[tuple[str, tuple[str, ...]], ...] = ()
    progress: Mapping[str, tuple[float, bool]] = field(default_factory=dict)


def tell(
    before: Meaning, galaxy: Galaxy, cards: Sequence[Card], table: Table
) -> tuple[Meaning, list[Told]]:
    """The galaxy's meaning, and what is new in it.

    >>> tell(Meaning(), Galaxy({"core": "red", "ar1": "red"}), (), Table())[1]
    [('rule_break', {'rule': 'same_colour_link', 'spaces': ['core', 'ar1']})]
    """
    breaks = tuple((b.kind, b.spaces) for b in galaxy.rule_breaks())
    told: list[Told] = []
    for kind, among, others in (
        ("rule_mended", before.breaks, breaks),
        ("rule_break", breaks, before.breaks),
    ):
        for rule, spaces in among:
            if (rule, spaces) not in others:
                told.append((kind, {"rule": rule, "spaces": list(spaces)}))
    progress = {}
    for card in cards:
        result = card.check(galaxy, table)
        met = bool(result.fulfilled) if result.fulfilled is not None else result.progress >= 1
        progress[card.id] = (round(result.progress, 4), met)
        if progress[card.id] != before.progress.get(card.id, (0.0, False)):
            told.append(
                ("objective", {"card": card.id, "progress": progress[card.id][0], "met": met})
            )
    return Meaning(breaks, progress), told

"""Flags of readings and scores, in words."""

from collections.abc import Mapping, Sequence
from typing import Any

_WORDS = {
    "uncertain": "not sure what lies on {spaces}{alternatives}: look there",
    "hidden": "something covers {spaces}: look there",
}
"""Texts for flags of the camera; games give the reasons of their own flags."""


def flag_in_words(flag: Mapping[str, Any]) -> str:
    """The text of a flag of a reading or a score: its reason, otherwise from its kind.

    >>> flag_in_words({"kind": "no_core", "spaces": ["core"], "reason": "the core is empty"})
    'the core is empty'
    """
    if flag.get("reason"):
        return str(flag["reason"])
    kind = str(flag["kind"])
    words = _WORDS.get(kind, kind.replace("_", " "))
    phase = f"phase {flag['phase']}: " if "phase" in flag else ""
    return phase + words.format(
        spaces=_listed(flag.get("spaces", ())) or "the board",
        alternatives=_alternatives(flag.get("alternatives", {})),
    )


def _listed(names: Sequence[str]) -> str:
    *others, last = names or [""]
    return f"{', '.join(others)} and {last}" if others else last


def _alternatives(chances: Mapping[str, float]) -> str:
    if not chances:
        return ""
    ranked = sorted(chances.items(), key=lambda item: -item[1])
    return " (" + ", ".join(f"{star} {chance:.0%}" for star, chance in ranked) + ")"

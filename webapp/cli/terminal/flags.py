"""The flags of readings and scores, in words."""

from collections.abc import Mapping, Sequence
from typing import Any

_WORDS = {
    "uncertain": "not sure what lies on {spaces}{alternatives}: look there",
    "hidden": "something covers {spaces}: look there",
}
"""What a camera did not see well; a game gives the reasons of its own flags."""


def flag_in_words(flag: Mapping[str, Any]) -> str:
    """Say a flag of a reading or a score; one without a reason by its kind.

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

"""The flags of readings and scores, in words."""

from collections.abc import Mapping, Sequence
from typing import Any

_WORDS = {
    "uncertain": "not sure what lies on {spaces}{alternatives}: look there",
    "hidden": "something covers {spaces}: look there",
    "same_colour_link": "{spaces} are linked and hold the same colour",
    "not_connected": "no way over occupied spaces from {spaces} to the core",
    "no_core": "the core is empty although the galaxy has stars",
    "black_gap": "the black-star track has a gap",
    "black_on_galaxy": "a black star lies on {spaces}",
    "colour_on_track": "a coloured star lies on the black-star track",
    "too_many": "more stars of one colour than the game has, on {spaces}",
    "claim_not_shown": "claimed, but the board does not show it",
    "no_values": "no values given: no token has moved",
    "no_opponents": "there is nobody to compare black stars with",
}


def flag_in_words(flag: Mapping[str, Any]) -> str:
    """Say a flag of a reading or a score; one of an unknown kind by its kind.

    >>> flag_in_words({"kind": "same_colour_link", "spaces": ["ar3", "ar4"]})
    'ar3 and ar4 are linked and hold the same colour'
    """
    words = _WORDS.get(flag["kind"], flag["kind"].replace("_", " "))
    said = words.format(
        spaces=_listed(flag.get("spaces", ())) or "the board",
        alternatives=_alternatives(flag.get("alternatives", {})),
    )
    card = flag.get("card")
    return f"{card}: {said}" if card else said


def _listed(names: Sequence[str]) -> str:
    *others, last = names or [""]
    return f"{', '.join(others)} and {last}" if others else last


def _alternatives(chances: Mapping[str, float]) -> str:
    if not chances:
        return ""
    ranked = sorted(chances.items(), key=lambda item: -item[1])
    return " (" + ", ".join(f"{star} {chance:.0%}" for star, chance in ranked) + ")"

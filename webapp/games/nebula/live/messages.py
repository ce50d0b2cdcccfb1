"""Nebula's table in words, in the language of whoever asks."""

from collections.abc import Iterator, Mapping
from typing import Any

from flask_babel import gettext as _

from scorer.nebula import BLACK, CARDS, COLOURS, CONSTELLATIONS, WORDS
from scorer.nebula.ending import Ending
from webapp.app.languages import language
from webapp.app.live.view_model import Alert
from webapp.games.nebula.live.view_model import NebulaViewModel
from webapp.games.nebula.words import token_name


def format_entry(kind: str, event: Mapping[str, Any], name: str) -> str:
    """Return what a player told by a tap."""
    if kind == "claim":
        return _("%(name)s: marker on %(card)s", name=name, card=event["card"])
    if kind == "value":
        return _format_value(event)
    if kind == "indicator":
        return (
            _("Black indicator: a square forward")
            if event["by"] > 0
            else _("Black indicator: a square back")
        )
    return _("The bag is empty") if event["empty"] else _("The bag is not empty after all")


def _format_value(event: Mapping[str, Any]) -> str:
    token = event.get("token")
    if token is None:
        return _("Black indicator moved")
    name = value_token_name(token)
    if event.get("by", 1) < 0:
        return _("Value token %(token)s: a square back", token=name)
    return _("Value token %(token)s: a square forward", token=name)


def star_name(star: str) -> str:
    """Return what a star of a colour is called in a list: "red star"."""
    key = "piece_black" if star == BLACK else "piece"
    return WORDS.say(key, piece=star).in_language(language())


def value_token_name(token: str) -> str:
    """Return what a value token is called, an advanced slot as one."""
    if token in COLOURS or token in CONSTELLATIONS:
        return token_name(token)
    return _("card %(slot)s", slot=token)


def ending_name(ending: Ending) -> str:
    """Return what a condition of the game's end is called."""
    return {
        "indicator": _("Black indicator"),
        "constellations": _("Finished constellations"),
        "markers": _("Career markers"),
        "bag": _("Bag empty"),
    }[ending.kind]


def format_ending(ending: Ending) -> str:
    """Return that a condition is met."""
    return {
        "indicator": _("the black indicator is at its last square"),
        "constellations": _("three constellations are finished"),
        "markers": _("enough markers lie on the career cards"),
        "bag": _("the bag is empty"),
    }[ending.kind]


def track_name(track: str) -> str:
    """Return what a track of the Values board is called."""
    return {
        "colours": _("Colours"),
        "constellations": _("Constellations"),
        "advanced": _("Advanced cards"),
    }[track]


def alerts(before: NebulaViewModel, after: NebulaViewModel) -> Iterator[Alert]:
    """Say what is new at the table between two moments, cards first."""
    yield from _new_completions(before, after)
    was_met = {ending.kind for ending in before.endings if ending.met}
    for ending in after.endings:
        if ending.met and ending.kind not in was_met:
            why = format_ending(ending)
            yield Alert("ending", _("The game ends with this round: %(why)s", why=why))
    asked = {due.entry for due in before.state.dues}
    for due in after.state.dues:
        if due.entry not in asked:
            square = due.square
            yield Alert("due", _("Move the black indicator to square %(square)s", square=square))


def _new_completions(before: NebulaViewModel, after: NebulaViewModel) -> Iterator[Alert]:
    for card, seats in after.state.completed.items():
        for place, seat in enumerate(seats):
            if seat in before.state.completed.get(card, ()):
                continue
            name = after.document["players"][seat]["name"]
            title = CARDS[card].name.in_language(language())
            words = (
                _("%(name)s is the first to complete %(card)s", name=name, card=title)
                if place == 0
                else _("%(name)s completes %(card)s", name=name, card=title)
            )
            yield Alert("objective", words)

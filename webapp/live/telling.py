"""The table in words, in the language of whoever asks: entries, alerts, and what to do."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from flask_babel import gettext as _
from flask_babel import ngettext

from scorer.nebula import BLACK, CARDS, COLOURS, CONSTELLATIONS
from scorer.nebula.ending import Ending
from webapp.games.nebula.words import token_name
from webapp.languages import language
from webapp.live.fold import LiveTable, Step
from webapp.live.outlook import Outlook
from webapp.presentation import piece_name, said, space_name

AlertKind = Literal["objective", "break", "mended", "ending", "due"]


@dataclass(frozen=True)
class Alert:
    """Something that the table wants to hear of: its kind, and how it is said."""

    kind: AlertKind
    say: str


def step_said(step: Step, players: Sequence[Mapping[str, Any]]) -> str:
    """Return what happened in a step, as one would say it."""
    event, kind = step.event, step.entry.kind
    name = players[step.seat]["name"] if step.seat is not None else ""
    if kind in ("seen", "hand"):
        return f"{name}: {_event_said(event)}"
    if kind == "claim":
        return _("%(name)s: marker on %(card)s", name=name, card=event["card"])
    if kind == "value":
        return _value_said(event)
    if kind == "indicator":
        return (
            _("Black indicator: a square forward")
            if event["by"] > 0
            else _("Black indicator: a square back")
        )
    if kind == "bag":
        return _("The bag is empty") if event["empty"] else _("The bag is not empty after all")
    return _("A new game begins")


def _event_said(event: Mapping[str, Any]) -> str:
    kind = event["kind"]
    if kind == "black":
        count = event["count"]
        return ngettext("%(num)d black star", "%(num)d black stars", count)
    space = space_name(event["space"])
    if kind == "removed":
        return _("%(space)s is empty now", space=space)
    return f"{star_name(event['star'])}, {space}"


def _value_said(event: Mapping[str, Any]) -> str:
    token = event.get("token")
    if token is None:
        return _("Black indicator moved")
    name = value_token_name(token)
    if event.get("by", 1) < 0:
        return _("Value token %(token)s: a square back", token=name)
    return _("Value token %(token)s: a square forward", token=name)


def star_name(star: str) -> str:
    """Return what a star of a colour is called in a list: "red star"."""
    if star == BLACK:
        return _("black star")
    return _("%(colour)s star", colour=piece_name(star))


def value_token_name(token: str) -> str:
    """Return what a value token is called, an advanced slot as one."""
    if token in COLOURS or token in CONSTELLATIONS:
        return token_name(token)
    return _("card %(slot)s", slot=token)


def camera_said(name: str, among: Sequence[str] = ()) -> str:
    """Return what a camera is called, with its number where several `among` these are called so."""
    said = _kind_of_camera(name)
    alike = [other for other in among if _kind_of_camera(other) == said]
    return f"{said} {alike.index(name) + 1}" if len(alike) > 1 else said


def _kind_of_camera(name: str) -> str:
    kind, _dash, code = name.partition("-")
    if kind == "replay":
        return _("A recording")
    if kind == "camera":
        return _("A device's camera")
    if kind == "source" and code.isdecimal():
        return _("Camera %(number)s", number=code)
    return _("A stream") if kind == "stream" else _("A film")


def advice(rule: str) -> str:
    """Return what to do about a broken rule."""
    texts = {
        "same_colour_link": _("Take one of the two away, or lay another colour there."),
        "not_connected": _("Each star needs a link to another one: lay it beside them."),
        "no_core": _("The first star lies on the core: lay one there."),
        "black_on_galaxy": _("Lay it on the track above the galaxy."),
        "too_many": _("Count them: one of these stars may be of another colour."),
    }
    return texts[rule]


def ending_name(ending: Ending) -> str:
    """Return what a condition of the game's end is called."""
    return {
        "indicator": _("Black indicator"),
        "constellations": _("Finished constellations"),
        "markers": _("Career markers"),
        "bag": _("Bag empty"),
    }[ending.kind]


def ending_said(ending: Ending) -> str:
    """Return that a condition is met."""
    return {
        "indicator": _("the black indicator is at its last square"),
        "constellations": _("three constellations are finished"),
        "markers": _("enough markers lie on the career cards"),
        "bag": _("the bag is empty"),
    }[ending.kind]


def alerts(before: Outlook, after: Outlook) -> Iterator[Alert]:
    """Say what is new at the table between two moments, the most important first."""
    players = after.document["players"]
    yield from _new_completions(before.table, after.table, players)
    old = {(seat, broken.kind, broken.spaces) for seat, broken in before.breaks}
    new = {(seat, broken.kind, broken.spaces) for seat, broken in after.breaks}
    for seat, broken in after.breaks:
        if (seat, broken.kind, broken.spaces) not in old:
            name = players[seat]["name"]
            yield Alert("break", f"{name}: {said(broken.reason)}. {advice(broken.kind)}")
    for seat, broken in before.breaks:
        if (seat, broken.kind, broken.spaces) not in new:
            name = players[seat]["name"]
            yield Alert("mended", _("%(name)s: put right", name=name))
    was_met = {ending.kind for ending in before.endings if ending.met}
    for ending in after.endings:
        if ending.met and ending.kind not in was_met:
            why = ending_said(ending)
            yield Alert("ending", _("The game ends with this round: %(why)s", why=why))
    asked = {due.entry for due in before.table.dues}
    for due in after.table.dues:
        if due.entry not in asked:
            square = due.square
            yield Alert("due", _("Move the black indicator to square %(square)s", square=square))


def _new_completions(
    before: LiveTable, after: LiveTable, players: Sequence[Mapping[str, Any]]
) -> Iterator[Alert]:
    for card, seats in after.completed.items():
        for place, seat in enumerate(seats):
            if seat in before.completed.get(card, ()):
                continue
            name, title = players[seat]["name"], CARDS[card].name.in_language(language())
            words = (
                _("%(name)s is the first to complete %(card)s", name=name, card=title)
                if place == 0
                else _("%(name)s completes %(card)s", name=name, card=title)
            )
            yield Alert("objective", words)

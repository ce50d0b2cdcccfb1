"""The table in words, in the current language: events, alerts, cameras."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from flask_babel import gettext as _

from scorer.sentence import Verbatim
from webapp.app.live.camera_worker import Status
from webapp.app.live.reducer import Rules, Step
from webapp.app.live.view_model import Alert, TableViewModel
from webapp.app.live_game import LiveGame
from webapp.web.words import as_title, spoken, spoken_name


def format_step(step: Step, players: Sequence[Mapping[str, Any]], rules: Rules) -> str:
    kind, live = step.entry.kind, rules.live
    if kind in ("seen", "hand"):
        words = format_event(step.event, live)
        owner = None if step.seat is None else rules.slots[step.seat].seat
        return as_title(words) if owner is None else f"{players[owner]['name']}: {words}"
    name = "" if step.seat is None else Verbatim(players[step.seat]["name"])
    if kind == "restart":
        return _("An earlier game continues") if "to" in step.event else _("A new game begins")
    if kind == "playing":
        return _("The game continues")
    return live.format_entry(kind, step.event, name)


def format_event(event: Mapping[str, Any], live: LiveGame) -> str:
    """Return a change of a board in words."""
    if "count" in event and "space" not in event:
        return live.pages.words.count(event["kind"], event["count"])
    space = spoken_name(event["space"])
    if "count" in event or event.get("held"):
        held = event.get("held") or {event["star"]: event["count"]}
        counts = (f"{count} × {live.pages.words.name(kind)}" for kind, count in held.items())
        return f"{space}: {', '.join(counts)}"
    if event["kind"] == "removed" or "held" in event:
        return _("%(space)s is empty now", space=space)
    return live.pages.words.laid(event["star"], space)


def format_camera(name: str, among: Sequence[str] = ()) -> str:
    """Return a camera's name, numbered if several `among` these have the same."""
    said = _kind_of_camera(name)
    alike = [other for other in among if _kind_of_camera(other) == said]
    return f"{said} {alike.index(name) + 1}" if len(alike) > 1 else said


def format_status(status: Status) -> str:
    """Return a camera's status in a few words."""
    boards = status.boards
    sure = [board for board in boards if board["sure"]]
    texts = {
        "starting": _("Getting ready"),
        "lost": _("No picture. It resumes by itself when it is back."),
        "dying": _(
            "Watching keeps failing. It is tried again once a minute; the server's log "
            "says why. What was known is kept."
        ),
        "failed": status.message,
        "ended": _("The film has ended"),
        "unknown": _("This board looks different from the known ones. Add it on My boards."),
    }
    if status.state in texts:
        return texts[status.state]
    if not boards:
        return _("Looking for a board")
    if len(sure) < len(boards):
        return _("Not sure where a board is; what was known is kept")
    return _watching(boards)


def format_cameras(cameras: Sequence[Status]) -> tuple[str, str]:
    """Return the summary status of a game's cameras: a lamp ("on", "lost" or "") and words."""
    states = {status.state for status in cameras}
    if states & {"lost", "failed"} and "watching" in states:
        return "lost", _("One of the cameras gives no picture. What was known is kept.")
    if states & {"lost", "failed"}:
        return "lost", _("The camera gives no picture. What was known is kept.")
    if "dying" in states:
        return "lost", _(
            "Watching keeps failing; the page Cameras says more. What was known is kept."
        )
    if "unknown" in states:
        return "", _("The camera sees an unknown board")
    if "watching" in states:
        boards = [board for status in cameras for board in status.boards]
        if not boards:
            return "", _("The camera is looking for a board")
        if not all(board["sure"] for board in boards):
            return "", _("Not sure where a board is; what was known is kept")
        return "on", _watching(boards)
    if "starting" in states:
        return "", _("The camera is getting ready")
    return "", _("No camera is watching")


def _watching(boards: Sequence[Mapping[str, Any]]) -> str:
    if any(board.get("samples_left_out") for board in boards):
        return _("Watching, without “My stars”: the light is different")
    return _("Watching")


def _kind_of_camera(name: str) -> str:
    kind, _dash, code = name.partition("-")
    if kind == "replay":
        return _("A recording")
    if kind == "camera":
        return _("A device's camera")
    if kind == "source" and code.isdecimal():
        return _("Camera %(number)s", number=code)
    return _("A stream") if kind == "stream" else _("A film")


def alerts(before: TableViewModel, after: TableViewModel) -> Iterator[Alert]:
    """Yield what is new between two states of a table, met objectives first."""
    live = after.rules.live
    own = list(live.alerts(before, after))
    yield from (alert for alert in own if alert.kind == "objective")
    old = {(board, broken.kind, broken.places) for board, broken in before.breaks}
    new = {(board, broken.kind, broken.places) for board, broken in after.breaks}
    for board, broken in after.breaks if after.table.full_until is None else ():
        if (board, broken.kind, broken.places) not in old:
            name, words = after.who_broke(board, broken), spoken(broken.reason)
            message = f"{name}: {words}. " if name else f"{as_title(words)}. "
            yield Alert("break", (message + live.pages.words.advice(broken.kind)).rstrip())
    for board, broken in before.breaks:
        if (board, broken.kind, broken.places) not in new:
            name = before.who_broke(board, broken)
            yield Alert("mended", _("%(name)s: corrected", name=name) if name else _("Corrected"))
    yield from (alert for alert in own if alert.kind != "objective")
    if after.table.full_until is not None and before.table.full_until is None:
        yield Alert("ending", _("The boards are being cleared. Is the game over?"))

"""Declarations of routes that change something: the required right and the expected state.

The gate (`webapp.web.pages.gate`) checks them before the route runs, and refuses undeclared routes.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, TypeVar

from flask import current_app, request

View = TypeVar("View", bound=Callable[..., Any])


class Right(Enum):
    """Who may make a change. The store checks in addition that only owners change secrets."""

    ANYBODY = auto()
    """Anybody invited; not about a saved game."""
    HOST = auto()
    """The computer that serves."""
    KEEPER = auto()
    """Those who may change boards: the host, and phones that the host allows."""
    TABLE = auto()
    """Anybody invited, on a saved game."""
    MEMBER = auto()
    """Those who have joined a saved game's table, and the host."""
    SEAT = auto()
    """The owner of the seat named in the URL or form; anybody if it is free, or nothing is
    secret any more."""
    SEAT_OR_HOST = auto()
    """The owner of that seat, and the host."""
    DECISION = auto()
    """Whoever decides now in a guided game, checked while its log is locked
    (`webapp.app.guide.sitting.check_acts`)."""
    CLOSED = auto()
    """Anybody invited, on a saved game that is deleted or unreadable."""
    CLOSED_MEMBER = auto()
    """`MEMBER`, also on an unreadable saved game."""


class Seen(Enum):
    """The state that a client must have seen."""

    ANY = auto()
    """None: independent taps on single places, and additions to a log."""
    REVISION = auto()
    """The revision in the form's `revision`."""
    STEP = auto()
    """What the step's page showed at the revision in the form's `shown`."""
    ENTRY = auto()
    """The last log entry, in the form's `seen`."""


@dataclass(frozen=True)
class Change:
    """The declaration of a route."""

    right: Right
    seen: Seen = Seen.ANY


def changes(right: Right, seen: Seen = Seen.ANY) -> Callable[[View], View]:
    """Declare what a view requires for requests that change something."""

    def declared(view: View) -> View:
        view.change = Change(right, seen)  # type: ignore[attr-defined]
        return view

    return declared


def change_of(endpoint: str | None) -> Change | None:
    """Return an endpoint's declaration, None if there is none."""
    found: Change | None = getattr(current_app.view_functions.get(endpoint or ""), "change", None)
    return found


def seen_revision() -> int | None:
    """Return the revision that must still be current, None if it does not matter."""
    change = change_of(request.endpoint)
    needs_it = change is not None and change.seen is Seen.REVISION
    return request.form.get("revision", type=int) if needs_it else None

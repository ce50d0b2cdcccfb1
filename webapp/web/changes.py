"""What a route that changes something declares: by whose right, and against which state.

The gate (`webapp.web.pages.gate`) asks for it before the route runs, and lets nothing through that
declares nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, TypeVar

from flask import current_app, request

View = TypeVar("View", bound=Callable[..., Any])


class Right(Enum):
    """Who may do it. Of whatever is secret, the store lets its owner alone change it besides."""

    ANYBODY = auto()
    """Whoever is invited; it is about no saved game."""
    HOST = auto()
    """Whoever sits at the computer that serves."""
    KEEPER = auto()
    """Whoever may change boards: the host, and the phones that the host lets."""
    TABLE = auto()
    """Whoever is invited, of a saved game."""
    MEMBER = auto()
    """Whoever has joined the table of a saved game, or sits at the computer that serves."""
    SEAT = auto()
    """Whoever has the seat that the address or the form names; anybody where it is free, or where
    nothing is secret any more."""
    SEAT_OR_HOST = auto()
    """Whoever has that seat, or sits at the computer that serves."""
    DECISION = auto()
    """Whoever has to decide now in a guided game: known where its log is locked, and judged there
    (`webapp.app.guide.sitting.check_acts`)."""
    CLOSED = auto()
    """Whoever is invited, of a saved game that was deleted or cannot be read."""
    CLOSED_MEMBER = auto()
    """As `MEMBER`, also of a saved game that cannot be read."""


class Seen(Enum):
    """Which state somebody has to have seen."""

    ANY = auto()
    """None: taps that stand beside each other, on one place each, or that are added to a log."""
    REVISION = auto()
    """The revision that the form names as `revision`."""
    STEP = auto()
    """What the step's page showed at the revision that the form names as `shown`."""
    ENTRY = auto()
    """The last entry of the log, which the form names as `seen`."""


@dataclass(frozen=True)
class Change:
    """What a route declares."""

    right: Right
    seen: Seen = Seen.ANY


def changes(right: Right, seen: Seen = Seen.ANY) -> Callable[[View], View]:
    """Declare of a view what it needs where its request changes something."""

    def declared(view: View) -> View:
        view.change = Change(right, seen)  # type: ignore[attr-defined]
        return view

    return declared


def change_of(endpoint: str | None) -> Change | None:
    """Return what an endpoint declares; None where it declares nothing."""
    found: Change | None = getattr(current_app.view_functions.get(endpoint or ""), "change", None)
    return found


def seen_revision() -> int | None:
    """Return the revision that must not have changed; None where that does not matter."""
    change = change_of(request.endpoint)
    needs_it = change is not None and change.seen is Seen.REVISION
    return request.form.get("revision", type=int) if needs_it else None

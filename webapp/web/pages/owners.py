"""Owners of boards as pages show them: players, or snapshots of a shared table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask_babel import gettext as _

from webapp.app.game_pages import pages_of
from webapp.app.session import flow
from webapp.app.session.board_slots import KIND, MOMENT, SEAT, is_shared, owners
from webapp.app.session.saved_games import Document


@dataclass(frozen=True)
class Owner:
    """An owner's name, their `sign` in a disc of their colour, and their board.

    `board` and `offered` are those of the document. Boards of the same `kind` can be swapped.
    """

    name: str
    sign: str
    marker: str
    board: Mapping[str, Any] | None
    offered: Mapping[str, Any] | None
    is_moment: bool
    kind: str = ""

    @property
    def title(self) -> str:
        return self.name if self.is_moment else _("The board of %(name)s", name=self.name)

    @property
    def is_it(self) -> str:
        """The question whether a photograph shows it."""
        if self.is_moment:
            return _("%(moment)s: is this the board?", moment=self.name)
        return _("Is this the board of %(name)s?", name=self.name)

    @property
    def which(self) -> str:
        """The question which of two boards counts."""
        if self.is_moment:
            return _("%(moment)s: which board counts?", moment=self.name)
        return _("Which board of %(name)s counts?", name=self.name)

    @property
    def other(self) -> str:
        """The message that a photograph shows another board."""
        if self.is_moment:
            return _("%(moment)s: a photograph shows another board.", moment=self.name)
        return _("A photograph shows another board of %(name)s.", name=self.name)

    @property
    def board_label(self) -> str:
        if self.is_moment:
            return _("%(moment)s: what is on the board", moment=self.name)
        return _("The stars on the board of %(name)s", name=self.name)

    @property
    def correct(self) -> str:
        """The label of the link to its review."""
        if self.is_moment:
            return _("%(moment)s: correct it", moment=self.name)
        return _("Correct the board of %(name)s", name=self.name)

    @property
    def photograph(self) -> str:
        if self.is_moment:
            return _("%(moment)s: the photograph", moment=self.name)
        return _("The photograph of the board of %(name)s", name=self.name)

    def swap(self, other: "Owner") -> str:
        """Return the label for swapping it with another board."""
        if self.is_moment:
            return _("Swap %(one)s and %(other)s", one=self.name, other=other.name)
        return _("Swap the boards of %(one)s and %(other)s", one=self.name, other=other.name)


def owners_of(document: Document) -> Sequence[Owner]:
    return [owner_of(document, number) for number in range(len(owners(document)))]


def owner_of(document: Document, number: int) -> Owner:
    own = owners(document)[number]
    shared = is_shared(document)
    pages = pages_of(document["game"])
    name = pages.words.moment(own[MOMENT]) if shared else own["name"]
    if KIND in own or not name:
        name = pages.words.owner_of(document, number)
    seat = document["players"][own[SEAT]] if SEAT in own else own
    sign = str(number + 1) if seat is own and shared else name[:1].upper()
    return Owner(
        name,
        sign,
        seat.get("marker", MOMENT),
        own["board"],
        own.get("offered"),
        shared,
        own.get(KIND, ""),
    )


def step_of(step: flow.Step, document: Document) -> str:
    """Return the owner or player that a step is about, "" if there is none now."""
    if step.player is None:
        return ""
    if step.name == flow.REVIEW:
        known = step.player < len(owners(document))
        return owner_of(document, step.player).name if known else ""
    players = document["players"]
    return str(players[step.player]["name"]) if step.player < len(players) else ""

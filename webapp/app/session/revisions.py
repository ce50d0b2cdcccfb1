"""The revisions of a game: a tree, so that what was undone stays known when another step follows.

Undoing leads to the revision that a step was made from, redoing to the latest that was made from
the present one. What is on neither way is an earlier state like any other, to be brought back.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from itertools import pairwise
from typing import Any, TypeAlias

from sqlalchemy import Select, Text, bindparam, delete, func, select, type_coerce, update
from sqlalchemy.orm import Session, aliased

from webapp.app.database import GameRow, RevisionRow, now
from webapp.app.session.document_check import is_readable
from webapp.app.session.seats import Browser

Standing: TypeAlias = "Select[GameRow, RevisionRow, str | None]"

REVISIONS_KEPT = 200
"""Of a game."""
BROUGHT_BACK = "brought-back"
"""The step that makes an earlier state the present one."""


@dataclass(frozen=True)
class EarlierState:
    """A game as it was kept after a step.

    `browser` is whose step it was, None for the server's own; `seat` is the one that they have.
    """

    number: int
    step: str
    at: datetime
    browser: Browser
    document: Mapping[str, Any]
    seat: int | None = None


def add(
    session: Session,
    game: GameRow,
    step: str,
    document: dict[str, Any],
    by: Browser,
    delivery: str | None = None,
) -> None:
    """Make a document the present one, and keep no more revisions than there may be."""
    of_game = RevisionRow.game_id == game.id
    numbers = select(func.max(RevisionRow.number), func.count()).where(of_game)
    last, count = session.execute(numbers).one()
    number, parent = (0, None) if last is None else (last + 1, game.revision)
    session.add(
        RevisionRow(
            game_id=game.id,
            number=number,
            step=step,
            document=document,
            parent=parent,
            browser=by,
            delivery=delivery,
        )
    )
    game.revision = number
    game.changed_at = now()
    session.flush()
    if count >= REVISIONS_KEPT:
        _thin_out(session, game)


def has_arrived(session: Session, game_id: str, delivery: str) -> bool:
    """Say whether a step of a game that a phone calls so is known already."""
    query = select(RevisionRow.number).where(
        RevisionRow.game_id == game_id, RevisionRow.delivery == delivery
    )
    return session.scalars(query).first() is not None


def every(session: Session, game_id: str) -> Sequence[EarlierState]:
    """Return all states of a game that are kept and can be read, the latest first."""
    rows = session.scalars(
        select(RevisionRow)
        .where(RevisionRow.game_id == game_id)
        .order_by(RevisionRow.number.desc())
    )
    return [
        EarlierState(row.number, row.step, row.at, row.browser, row.document)
        for row in rows
        if is_readable(row.document)
    ]


def raw(session: Session, game: GameRow) -> dict[str, Any]:
    """Return a game's states as they are kept, each document as a text."""
    columns = (RevisionRow.number, RevisionRow.parent, RevisionRow.step)
    text = type_coerce(RevisionRow.document, Text)
    of_game = RevisionRow.game_id == game.id
    found = session.execute(select(*columns, text).where(of_game).order_by(RevisionRow.number))
    keys = ("number", "parent", "step", "document")
    states = [dict(zip(keys, row, strict=True)) for row in found]
    return {"id": game.id, "revision": game.revision, "revisions": states}


def damaged(session: Session, game_id: str) -> dict[str, Any] | None:
    """Return a game's states as `raw` does if some cannot be read; None for others, or no game."""
    game = session.get(GameRow, game_id)
    rows = session.scalars(select(RevisionRow).where(RevisionRow.game_id == game_id))
    if game is None or game.deleted_at is not None or all(is_readable(r.document) for r in rows):
        return None
    return raw(session, game)


@cache
def standing() -> tuple[Standing, type[RevisionRow]]:
    """Ask for games, their present revision and the step to redo, in one query: always the same.

    The second is what stands for the revision that a game stands at.
    """
    current, after, made = aliased(RevisionRow), aliased(RevisionRow), aliased(RevisionRow)
    latest = (
        select(func.max(made.number))
        .where(made.game_id == GameRow.id, made.parent == GameRow.revision)
        .correlate(GameRow)
        .scalar_subquery()
    )
    query = (
        select(GameRow, current, after.step)
        .join(current, (current.game_id == GameRow.id) & (current.number == GameRow.revision))
        .outerjoin(after, (after.game_id == GameRow.id) & (after.number == latest))
    )
    return query, current


@cache
def standing_of_one() -> Standing:
    """Ask for the game of the parameter `game_id` like that."""
    return standing()[0].where(GameRow.id == bindparam("game_id"))


def _thin_out(session: Session, game: GameRow) -> None:
    """Delete what is too much: of old runs of one step, such as corrections; else the oldest.

    What was made from a revision that goes counts as made from the one before it.
    """
    of_game = RevisionRow.game_id == game.id
    query = select(RevisionRow.number, RevisionRow.step, RevisionRow.parent)
    kept = session.execute(query.where(of_game).order_by(RevisionRow.number)).all()
    for _more in range(len(kept) - REVISIONS_KEPT):
        oldest = (one for one in kept if one.number != game.revision)
        gone = next(_within_runs(kept), None) or next(oldest)
        made_from_it = of_game & (RevisionRow.parent == gone.number)
        session.execute(update(RevisionRow).where(made_from_it).values(parent=gone.parent))
        session.execute(delete(RevisionRow).where(of_game, RevisionRow.number == gone.number))
        kept = session.execute(query.where(of_game).order_by(RevisionRow.number)).all()


def _within_runs(kept: Sequence[Any]) -> Iterator[Any]:
    """The revisions that the same step follows, the oldest first; the latest are left alone."""
    recent = max(one.number for one in kept) - REVISIONS_KEPT // 2
    for one, after in pairwise(kept):
        if one.step == after.step and after.parent == one.number and one.number < recent:
            yield one

"""A game's revisions: a tree, so that undone revisions are kept when another step follows.

Undo goes to a revision's parent, redo to the latest child. Revisions on neither path can be brought
back as earlier states.
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
"""The limit per game."""
BROUGHT_BACK = "brought-back"
"""The step that makes an earlier state the current one."""


@dataclass(frozen=True)
class EarlierState:
    """A revision of a game.

    `browser` made the step, None for the server; `seat` is that browser's seat.
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
    """Add a document as the current revision, and delete excess revisions."""
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
    """Return whether a step with this delivery id has been stored."""
    query = select(RevisionRow.number).where(
        RevisionRow.game_id == game_id, RevisionRow.delivery == delivery
    )
    return session.scalars(query).first() is not None


def every(session: Session, game_id: str) -> Sequence[EarlierState]:
    """Return all readable revisions of a game, the latest first."""
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
    """Return a game's revisions as stored, each document as text."""
    columns = (RevisionRow.number, RevisionRow.parent, RevisionRow.step)
    text = type_coerce(RevisionRow.document, Text)
    of_game = RevisionRow.game_id == game.id
    found = session.execute(select(*columns, text).where(of_game).order_by(RevisionRow.number))
    keys = ("number", "parent", "step", "document")
    states = [dict(zip(keys, row, strict=True)) for row in found]
    return {"id": game.id, "revision": game.revision, "revisions": states}


def damaged(session: Session, game_id: str) -> dict[str, Any] | None:
    """Return the same as `raw` if any revision is unreadable; None otherwise, or without a game."""
    game = session.get(GameRow, game_id)
    rows = session.scalars(select(RevisionRow).where(RevisionRow.game_id == game_id))
    if game is None or game.deleted_at is not None or all(is_readable(r.document) for r in rows):
        return None
    return raw(session, game)


@cache
def standing() -> tuple[Standing, type[RevisionRow]]:
    """Return the query for games, their current revision and the step to redo; it is cached.

    The second value is the query's alias of the current revision.
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
    """Return that query for the game of the parameter `game_id`."""
    return standing()[0].where(GameRow.id == bindparam("game_id"))


def _thin_out(session: Session, game: GameRow) -> None:
    """Delete excess revisions: within old runs of one step, such as corrections; else the oldest.

    Children of a deleted revision become children of its parent.
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
    """Yield revisions followed by one of the same step, the oldest first, except recent ones."""
    recent = max(one.number for one in kept) - REVISIONS_KEPT // 2
    for one, after in pairwise(kept):
        if one.step == after.step and after.parent == one.number and one.number < recent:
            yield one

"""The revisions of a game: a tree, so that what was undone stays known when another step follows.

Undoing leads to the revision that a step was made from, redoing to the latest that was made from
the present one. What is on neither way is an earlier state like any other, to be brought back.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Any

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from webapp.database import GameRow, RevisionRow, now
from webapp.seats import Browser

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
    last = session.scalar(select(func.max(RevisionRow.number)).where(of_game))
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
    _thin_out(session, game)


def has_arrived(session: Session, game_id: str, delivery: str) -> bool:
    """Say whether a step of a game that a phone calls so is known already."""
    query = select(RevisionRow.number).where(
        RevisionRow.game_id == game_id, RevisionRow.delivery == delivery
    )
    return session.scalars(query).first() is not None


def every(session: Session, game_id: str) -> Sequence[EarlierState]:
    """Return all states of a game that are kept, the latest first."""
    rows = session.scalars(
        select(RevisionRow)
        .where(RevisionRow.game_id == game_id)
        .order_by(RevisionRow.number.desc())
    )
    return [EarlierState(row.number, row.step, row.at, row.browser, row.document) for row in rows]


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

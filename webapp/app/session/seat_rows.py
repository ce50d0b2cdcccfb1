"""The seats of games in the database."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import asdict

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from webapp.app.database import GameRow, SeatRow, now
from webapp.app.session.seats import Seat, Seats

OF_GAMES = select(SeatRow).where(SeatRow.game_id.in_(bindparam("game_ids", expanding=True)))


def of_games(session: Session, game_ids: Iterable[str]) -> Mapping[str, Seats]:
    """Return the seats of games by the game's id, in one query."""
    found: dict[str, dict[int, Seat]] = defaultdict(dict)
    for row in session.scalars(OF_GAMES, {"game_ids": list(game_ids)}):
        found[row.game_id][row.number] = Seat(row.owner, row.card, row.laid_open, row.lost_by)
    return found


def keep(session: Session, row: GameRow, before: Seats, after: Seats) -> None:
    """Write down what has changed of a game's seats."""
    for number in before.keys() - after.keys():
        session.delete(session.get_one(SeatRow, (row.id, number)))
    for number, seat in after.items():
        if seat != before.get(number):
            session.merge(SeatRow(game_id=row.id, number=number, **asdict(seat)))
    if after != before:
        row.changed_at = now()

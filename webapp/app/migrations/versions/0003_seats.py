"""Seats: whose they are, and the hidden cards, which go out of the documents and their history."""

from collections.abc import Callable, Iterator
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

GAMES = sa.table("games", sa.column("id"), sa.column("revision"))
REVISIONS = sa.table(
    "revisions", sa.column("game_id"), sa.column("number"), sa.column("document", sa.JSON)
)
Cards = dict[int, tuple[str | None, bool]]
"""By seat: the card, and whether its step is confirmed."""


def upgrade() -> None:
    """Make the table and move the cards into it; nobody has those seats yet."""
    table = op.create_table(
        "seats",
        sa.Column(
            "game_id",
            sa.String(16),
            sa.ForeignKey("games.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("owner", sa.String(32)),
        sa.Column("card", sa.String(20)),
        sa.Column("laid_open", sa.Boolean, nullable=False),
        sa.Column("lost_by", sa.String(32)),
    )
    for game_id, _number, document in list(_current()):
        rows = [
            {
                "game_id": game_id,
                "number": number,
                "card": player["personal"],
                "laid_open": f"personal-{number}" in document["confirmed"],
            }
            for number, player in enumerate(document["players"])
            if player.get("personal")
        ]
        if rows:
            op.bulk_insert(table, rows)
    _rewrite(_without_cards)


def downgrade() -> None:
    """Put the cards back into every revision and drop the table."""
    cards: dict[str, Cards] = {}
    for game_id, number, card, laid_open in op.get_bind().execute(
        sa.text("SELECT game_id, number, card, laid_open FROM seats WHERE card IS NOT NULL")
    ):
        cards.setdefault(game_id, {})[number] = card, laid_open
    _rewrite(lambda game_id, document: _with_cards(document, cards.get(game_id, {})))
    op.drop_table("seats")


def _current() -> Iterator[Any]:
    current = (REVISIONS.c.game_id == GAMES.c.id) & (REVISIONS.c.number == GAMES.c.revision)
    yield from op.get_bind().execute(
        sa.select(REVISIONS.c.game_id, REVISIONS.c.number, REVISIONS.c.document).where(current)
    )


def _rewrite(change: Callable[[str, dict[str, Any]], dict[str, Any]]) -> None:
    """Change every document, a game at a time: a long evening's fit into memory, all may not."""
    connection = op.get_bind()
    for (game_id,) in connection.execute(sa.select(GAMES.c.id)).all():
        of_game = REVISIONS.c.game_id == game_id
        for number, document in connection.execute(
            sa.select(REVISIONS.c.number, REVISIONS.c.document).where(of_game)
        ).all():
            connection.execute(
                sa.update(REVISIONS)
                .where(of_game, REVISIONS.c.number == number)
                .values(document=change(game_id, document))
            )


def _without_cards(_game_id: str, document: dict[str, Any]) -> dict[str, Any]:
    players = [
        {key: value for key, value in player.items() if key != "personal"}
        for player in document["players"]
    ]
    confirmed = [step for step in document["confirmed"] if not step.startswith("personal-")]
    return {**document, "players": players, "confirmed": confirmed}


def _with_cards(document: dict[str, Any], cards: Cards) -> dict[str, Any]:
    none = (None, False)
    seats = [cards.get(number, none) for number in range(len(document["players"]))]
    players = [
        {**player, "personal": card}
        for player, (card, _) in zip(document["players"], seats, strict=True)
    ]
    laid_open = [f"personal-{number}" for number, (_, shown) in enumerate(seats) if shown]
    return {**document, "players": players, "confirmed": [*document["confirmed"], *laid_open]}

"""Computed scores, and delivery ids, by which repeated deliveries are detected."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0010"


def upgrade() -> None:
    """Add the table and columns; existing rows have no delivery id."""
    op.create_table(
        "counts",
        sa.Column(
            "game_id",
            sa.String(16),
            sa.ForeignKey("games.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("score", sa.JSON, nullable=False),
        sa.Column("at", sa.DateTime, nullable=False),
    )
    for table in ("revisions", "photographs"):
        op.add_column(table, sa.Column("delivery", sa.String(32)))
        op.create_index(f"ix_{table}_delivery", table, ["game_id", "delivery"], unique=True)

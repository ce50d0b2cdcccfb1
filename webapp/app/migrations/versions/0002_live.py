"""Games watched live: the log of each, and the cameras that watch."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "live_entries",
        _of_a_game(),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String(12), nullable=False),
        sa.Column("data", sa.JSON, nullable=False),
        sa.Column("at", sa.DateTime, nullable=False),
    )
    op.create_table(
        "live_sources",
        _of_a_game(),
        sa.Column("name", sa.String(40), primary_key=True),
        sa.Column("address", sa.String(500), nullable=False),
        sa.Column("running", sa.Boolean, nullable=False),
        sa.Column("memory", sa.JSON),
    )


def _of_a_game() -> sa.Column[str]:
    return sa.Column(
        "game_id", sa.String(16), sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True
    )


def downgrade() -> None:
    """Drop the tables."""
    op.drop_table("live_sources")
    op.drop_table("live_entries")

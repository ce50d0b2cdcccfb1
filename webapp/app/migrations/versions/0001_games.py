"""Games, their revisions and their photographs."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "games",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.Column("changed_at", sa.DateTime, nullable=False, index=True),
        sa.Column("deleted_at", sa.DateTime),
    )
    op.create_table(
        "revisions",
        sa.Column(
            "game_id",
            sa.String(16),
            sa.ForeignKey("games.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("step", sa.String(40), nullable=False),
        sa.Column("document", sa.JSON, nullable=False),
        sa.Column("at", sa.DateTime, nullable=False),
    )
    op.create_table(
        "photographs",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column(
            "game_id",
            sa.String(16),
            sa.ForeignKey("games.id", ondelete="CASCADE"),
            nullable=False,
            index=True,
        ),
        sa.Column("player", sa.Integer, nullable=False),
        sa.Column("state", sa.String(10), nullable=False, index=True),
        sa.Column("problem", sa.String(40)),
        sa.Column("reading", sa.JSON),
        sa.Column("added_at", sa.DateTime, nullable=False),
    )


def downgrade() -> None:
    """Drop the tables."""
    for table in ("photographs", "revisions", "games"):
        op.drop_table(table)

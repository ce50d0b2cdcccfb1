"""The shelf: what games ended in, and the persons who played them."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Make the tables; they are filled from the games when the shelf is looked at."""
    op.create_table(
        "results",
        sa.Column(
            "game_id",
            sa.String(16),
            sa.ForeignKey("games.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("at", sa.DateTime, nullable=False),
        sa.Column("state", sa.String(12), nullable=False),
        sa.Column("game", sa.String(100), nullable=False),
        sa.Column("mode", sa.String(100), nullable=False),
        sa.Column("board", sa.String(100), nullable=False),
        sa.Column("profile", sa.String(300), nullable=False),
        sa.Column("version", sa.Float, nullable=False),
        sa.Column("names", sa.JSON, nullable=False),
        sa.Column("standings", sa.JSON, nullable=False),
        sa.Column("words", sa.Text, nullable=False),
    )
    op.create_table(
        "persons",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("colour", sa.String(12)),
        sa.Column("picture", sa.String(16)),
    )
    op.create_table(
        "person_names",
        sa.Column("key", sa.String(300), primary_key=True),
        sa.Column(
            "person_id",
            sa.String(16),
            sa.ForeignKey("persons.id", ondelete="CASCADE"),
            nullable=False,
            index=True,
        ),
    )
    op.create_table(
        "person_changes",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("before", sa.JSON, nullable=False),
        sa.Column("at", sa.DateTime, nullable=False),
    )


def downgrade() -> None:
    """Drop the tables."""
    for table in ("person_changes", "person_names", "persons", "results"):
        op.drop_table(table)

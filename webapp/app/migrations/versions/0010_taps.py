"""A tap at the live table has a number of its own: delivered twice, it is written down once."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Add the column; what was told before has none."""
    op.add_column("live_entries", sa.Column("tap", sa.String(32)))
    op.create_index("ix_live_entries_tap", "live_entries", ["game_id", "tap"], unique=True)


def downgrade() -> None:
    """Drop the column."""
    op.drop_index("ix_live_entries_tap", "live_entries")
    with op.batch_alter_table("live_entries") as table:
        table.drop_column("tap")

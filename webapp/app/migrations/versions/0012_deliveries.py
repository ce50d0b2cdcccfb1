"""What a phone sends has a name of its own: delivered twice, it arrives once."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"

TABLES = ("revisions", "photographs")


def upgrade() -> None:
    """Add the columns; what arrived before has no name."""
    for table in TABLES:
        op.add_column(table, sa.Column("delivery", sa.String(32)))
        op.create_index(f"ix_{table}_delivery", table, ["game_id", "delivery"], unique=True)


def downgrade() -> None:
    """Drop the columns."""
    for table in TABLES:
        op.drop_index(f"ix_{table}_delivery", table)
        with op.batch_alter_table(table) as changed:
            changed.drop_column("delivery")

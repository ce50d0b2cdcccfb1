"""How often a photograph's reading was begun, so that one that servers die of is given up."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add the column; nothing was begun before."""
    op.add_column("photographs", sa.Column("begun", sa.Integer, nullable=False, server_default="0"))


def downgrade() -> None:
    """Drop the column."""
    with op.batch_alter_table("photographs") as table:
        table.drop_column("begun")

"""A photograph may wait until it is known whose board it shows."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Let a photograph be nobody's yet."""
    with op.batch_alter_table("photographs") as table:
        table.alter_column("player", existing_type=sa.Integer, nullable=True)


def downgrade() -> None:
    """Give the photographs that are nobody's to the first player."""
    op.execute("UPDATE photographs SET player = 0 WHERE player IS NULL")
    with op.batch_alter_table("photographs") as table:
        table.alter_column("player", existing_type=sa.Integer, nullable=False)

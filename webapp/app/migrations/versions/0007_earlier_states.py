"""Revisions know from which one they were made, and by whom: none is lost to another one."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Add the columns; until now each revision followed from the one before it."""
    op.add_column("revisions", sa.Column("parent", sa.Integer))
    op.add_column("revisions", sa.Column("browser", sa.String(32)))
    op.execute(
        "UPDATE revisions SET parent = number - 1 WHERE EXISTS (SELECT 1 FROM revisions AS one"
        " WHERE one.game_id = revisions.game_id AND one.number = revisions.number - 1)"
    )


def downgrade() -> None:
    """Drop the columns."""
    with op.batch_alter_table("revisions") as table:
        table.drop_column("browser")
        table.drop_column("parent")

"""Which lessons somebody has done."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "lessons",
        sa.Column("name", sa.String(300), primary_key=True),
        sa.Column("browser", sa.String(32), primary_key=True),
        sa.Column("game", sa.String(100), primary_key=True),
        sa.Column("lesson", sa.String(100), primary_key=True),
        sa.Column("at", sa.DateTime, nullable=False),
    )


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("lessons")

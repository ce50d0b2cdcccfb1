"""Longer secret answers of a seat, such as several cards or a number."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Remove the limit of 20 characters."""
    with op.batch_alter_table("seats") as seats:
        seats.alter_column("card", type_=sa.Text, existing_type=sa.String(20))

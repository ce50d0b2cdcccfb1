"""${message}."""

import sqlalchemy as sa
from alembic import op

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}


def upgrade() -> None:
    """Bring the tables up to this revision."""
    ${upgrades if upgrades else "pass"}


def downgrade() -> None:
    """Take the tables back to the revision before."""
    ${downgrades if downgrades else "pass"}

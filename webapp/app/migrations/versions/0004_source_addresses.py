"""Sources' addresses are kept encrypted, and no longer in their names.

What was kept in plain text is forgotten: a stream is started once more after this.
"""

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

SOURCES = sa.table(
    "live_sources",
    sa.column("game_id"),
    sa.column("name"),
    sa.column("address"),
    sa.column("running", sa.Boolean),
)
ENTRIES = sa.table(
    "live_entries", sa.column("game_id"), sa.column("number"), sa.column("data", sa.JSON)
)


def upgrade() -> None:
    """Make room for what is encrypted, and take out what was not."""
    with op.batch_alter_table("live_sources") as batch:
        batch.alter_column("address", type_=sa.Text, existing_nullable=False)
    connection = op.get_bind()
    of_this_computer = SOURCES.c.address != ""
    connection.execute(sa.update(SOURCES).where(of_this_computer).values(address="", running=False))
    streams = sa.select(SOURCES.c.game_id, SOURCES.c.name).where(SOURCES.c.name.contains("://"))
    for game_id, name in connection.execute(streams).all():
        code = f"stream-{secrets.token_hex(6)}"
        one = (SOURCES.c.game_id == game_id) & (SOURCES.c.name == name)
        connection.execute(sa.update(SOURCES).where(one).values(name=code))
        entries = sa.select(ENTRIES.c.number, ENTRIES.c.data).where(ENTRIES.c.game_id == game_id)
        for number, data in connection.execute(entries).all():
            if data.get("source") == name:
                connection.execute(
                    sa.update(ENTRIES)
                    .where(ENTRIES.c.game_id == game_id, ENTRIES.c.number == number)
                    .values(data={**data, "source": code})
                )


def downgrade() -> None:
    """Forget the encrypted addresses, which the older version cannot read."""
    op.get_bind().execute(sa.update(SOURCES).values(address=""))
    with op.batch_alter_table("live_sources") as batch:
        batch.alter_column("address", type_=sa.String(500), existing_nullable=False)

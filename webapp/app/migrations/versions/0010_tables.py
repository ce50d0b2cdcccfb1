"""All tables, as of the development versions before 1.0."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = None


def _game_id(primary_key: bool = True, index: bool = False) -> sa.Column[str]:
    game = sa.ForeignKey("games.id", ondelete="CASCADE")
    return sa.Column(
        "game_id", sa.String(16), game, primary_key=primary_key, index=index, nullable=False
    )


def upgrade() -> None:
    op.create_table(
        "games",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.Column("changed_at", sa.DateTime, nullable=False, index=True),
        sa.Column("deleted_at", sa.DateTime),
    )
    op.create_table(
        "revisions",
        _game_id(),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("step", sa.String(40), nullable=False),
        sa.Column("document", sa.JSON, nullable=False),
        sa.Column("at", sa.DateTime, nullable=False),
        sa.Column("parent", sa.Integer),
        sa.Column("browser", sa.String(32)),
    )
    op.create_table(
        "photographs",
        sa.Column("id", sa.String(16), primary_key=True),
        _game_id(primary_key=False, index=True),
        sa.Column("player", sa.Integer),
        sa.Column("state", sa.String(10), nullable=False, index=True),
        sa.Column("problem", sa.String(40)),
        sa.Column("reading", sa.JSON),
        sa.Column("added_at", sa.DateTime, nullable=False),
        sa.Column("begun", sa.Integer, nullable=False, server_default="0"),
    )
    op.create_table(
        "live_entries",
        _game_id(),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String(12), nullable=False),
        sa.Column("data", sa.JSON, nullable=False),
        sa.Column("at", sa.DateTime, nullable=False),
        sa.Column("tap", sa.String(32)),
    )
    op.create_index("ix_live_entries_tap", "live_entries", ["game_id", "tap"], unique=True)
    op.create_table(
        "live_sources",
        _game_id(),
        sa.Column("name", sa.String(40), primary_key=True),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("running", sa.Boolean, nullable=False),
        sa.Column("memory", sa.JSON),
    )
    op.create_table(
        "seats",
        _game_id(),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("owner", sa.String(32)),
        sa.Column("card", sa.String(20)),
        sa.Column("laid_open", sa.Boolean, nullable=False),
        sa.Column("lost_by", sa.String(32)),
    )
    op.create_table(
        "results",
        _game_id(),
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
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("before", sa.JSON, nullable=False),
        sa.Column("at", sa.DateTime, nullable=False),
    )
    op.create_table(
        "lessons",
        sa.Column("name", sa.String(300), primary_key=True),
        sa.Column("browser", sa.String(32), primary_key=True),
        sa.Column("game", sa.String(100), primary_key=True),
        sa.Column("lesson", sa.String(100), primary_key=True),
        sa.Column("at", sa.DateTime, nullable=False),
    )

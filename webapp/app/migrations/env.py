"""Alembic's entry point: runs migrations on the server's connection."""

from alembic import context

from webapp.app.database import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,
)
context.run_migrations()

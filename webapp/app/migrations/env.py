"""Alembic's entry: runs the migrations over the connection that the server hands in."""

from alembic import context

from webapp.app.database import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,
)
context.run_migrations()

"""`stargazer backup` and `stargazer restore`: everything as one file, and back."""

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from webapp.cli.terminal.options import data_option
from webapp.cli.terminal.outcome import InputError

if TYPE_CHECKING:
    from webapp.app.settings import Settings

_file = click.argument("file", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False))
_database = click.option(
    "--database", default="", metavar="URL", envvar="DATABASE_URL", help="SQLAlchemy URL."
)


@click.command()
@_file
@data_option()
@_database
def backup(file: Path, data: Path | None, database: str) -> None:
    """Save games, photographs, boards and players in one file.

    Example: stargazer backup stargazer.zip
    """
    from webapp.app import atomic
    from webapp.app.backup.restores import backups_of

    with ExitStack() as until_the_end:
        backups = backups_of(*_folder(data, database, until_the_end, alone=False))
        try:
            with atomic.replacing(file) as target:
                for part in backups.written():
                    target.write(part)
        except OSError as error:
            raise InputError(f"{file}: cannot be written ({error.strerror})") from error
    click.echo(f"{file}: {file.stat().st_size:,} bytes")


@click.command()
@_file
@data_option()
@_database
def restore(file: Path, data: Path | None, database: str) -> None:
    """Bring back what `stargazer backup` saved; what is here already stays.

    Example: stargazer restore stargazer.zip
    """
    from webapp.app.backup.archive import BackupError
    from webapp.app.backup.merging import GameMerge
    from webapp.app.backup.restores import Restores
    from webapp.app.storage import NoRoomError

    with ExitStack() as until_the_end:
        restores = Restores(*_folder(data, database, until_the_end, alone=True))
        try:
            restored = restores.restore(file)
        except BackupError as error:
            raise InputError(f"{file}: {error}") from error
        except OSError as error:
            raise InputError(f"{file}: {error.strerror}") from error
        except NoRoomError as error:
            raise InputError(
                f"{file}: there is no room for it (the {error.reason} is full)"
            ) from None
    plan = restored.plan
    kept = plan.count(GameMerge.SAME, GameMerge.OLDER)
    click.echo(
        f"games brought back: {len(restored.games)}; here already: {kept};"
        f" boards: {plan.boards}; players: {plan.persons}"
    )


def _folder(
    data: Path | None, database: str, until_the_end: ExitStack, alone: bool
) -> tuple["Settings", bytes]:
    """The settings and session key of a data folder, which `alone` locks against servers."""
    from calibration.profile import kept_in
    from webapp.app.data_folder import bring_boards, session_key
    from webapp.app.database import DatabaseError, open_database
    from webapp.app.settings import Settings, default_data_folder
    from webapp.cli.commands.serve import claim_data

    until_the_end.enter_context(kept_in(data))
    folder = data or default_data_folder()
    settings = Settings(data_dir=folder, database_url=database)
    try:
        if alone:
            claim_data(settings, until_the_end)
        bring_boards(folder)
        open_database(settings.database)
        return settings, session_key(folder)
    except DatabaseError as error:
        raise InputError(str(error)) from error
    except OSError as error:
        raise InputError(f"--data {folder}: {error.strerror}; choose another folder") from error

"""The command `stargazer`: a group of commands that are imported lazily."""

import atexit
import errno
import gc
import importlib
import io
import os
import sys
import warnings
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from types import MappingProxyType
from typing import Any, NoReturn

import click

from webapp.cli.terminal.outcome import ExitCode, InputError, report

COMMANDS: Mapping[str, str] = MappingProxyType(
    {
        "demo": "webapp.cli.commands.demo:demo",
        "score": "webapp.cli.commands.score:score",
        "read": "webapp.cli.commands.read:read",
        "print": "webapp.cli.commands.print_board:print_board",
        "calibrate": "webapp.cli.commands.calibrate:calibrate",
        "serve": "webapp.cli.commands.serve:serve",
        "backup": "webapp.cli.commands.backup:backup",
        "restore": "webapp.cli.commands.backup:restore",
        "live": "webapp.cli.commands.live:live",
        "simulate": "webapp.cli.commands.simulate:simulate",
        "replay": "webapp.cli.commands.replay:replay",
        "archive": "webapp.cli.commands.archive:archive",
        "worker": "webapp.cli.commands.worker:worker",
        "evaluate": "webapp.cli.commands.evaluate:evaluate",
        "synthesize": "webapp.cli.commands.synthesize:synthesize",
        "train": "webapp.cli.commands.train:train",
    }
)
"""The place of each command, in the order of interest to players."""


class LazyGroup(click.Group):
    """A group whose commands are imported only when they are called or listed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the commands, in the order of `COMMANDS`."""
        return [name for name, place in COMMANDS.items() if find_spec(place.split(":")[0])]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Import a command; None if there is none of this name."""
        if name not in self.list_commands(ctx):
            return None
        module, attribute = COMMANDS[name].split(":")
        command: click.Command = getattr(importlib.import_module(module), attribute)
        return command

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **options: Any,
    ) -> NoReturn:
        """Run a command; bad usage gives one line on standard error and exit code 2."""
        arguments = list(sys.argv[1:] if args is None else args)
        gc.set_threshold(100_000)  # looking through what is imported, which stays, takes 5 %
        _prepare_terminal()
        try:
            code = super().main(
                arguments, prog_name, complete_var, standalone_mode=False, **options
            )
        except click.exceptions.NoArgsIsHelpError as error:
            click.echo(error.format_message())
            code = 0
        except click.UsageError as error:
            path = error.ctx.command_path if error.ctx else "stargazer"
            message = f"{error.format_message()} (see: {path} --help)"
            code = _fail(InputError(message), arguments)
        except click.ClickException as error:
            code = _fail(InputError(error.format_message()), arguments)
        except InputError as error:
            code = _fail(error, arguments)
        except click.Abort:
            click.echo("stargazer: stopped", err=True)
            code = 130  # a shell's code for a command stopped by Ctrl-C
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise
            click.echo("stargazer: no space left to write to: make room there", err=True)
            code = int(ExitCode.BAD_INPUT)
        sys.exit(code if isinstance(code, int) else 0)


def _fail(error: InputError, arguments: Sequence[str]) -> int:
    report(error, error.file, as_json="--json" in arguments)
    return int(error.code)


def _prepare_terminal() -> None:
    """Keep libraries from writing to the terminal, and output from failing on its encoding."""
    atexit.register(gc.freeze)  # or the interpreter's end would look through all that it imported
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")
    os.environ.setdefault(
        "OPENCV_FFMPEG_LOGLEVEL", "-8"
    )  # quiet, as we report problems of videos ourselves
    # Matrices here are small: threads would wait for each other longer than they work.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # In the processes that read, a heap for each thread would keep what that thread once needed.
    os.environ.setdefault("MALLOC_ARENA_MAX", "1")
    warnings.filterwarnings("ignore", module="PIL")  # about photographs with broken EXIF data


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="stargazer", message="stargazer %(version)s")
def main() -> None:
    """Score printed board games from photographs of their boards.

    Try it: stargazer demo

    Your own game: stargazer print, play, photograph each board, write a game file,
    stargazer score game.yaml
    """


if __name__ == "__main__":
    main()

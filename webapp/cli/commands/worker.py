"""`stargazer worker`: read photographs for a cluster on this computer."""

import os
from contextlib import suppress
from functools import partial
from pathlib import Path

import click

from webapp.cli.terminal.options import data_option, processes_option
from webapp.cli.terminal.outcome import InputError


@click.command()
@click.argument("scheduler", metavar="ADDRESS")
@processes_option
@data_option("The server's data folder, where boards of your own are: the same, shared, or a copy.")
def worker(scheduler: str, processes: int | None, data: Path | None) -> None:
    """Read photographs for the Dask scheduler at ADDRESS, until Ctrl-C.

    Whoever reaches the scheduler's port can run programs on its workers: keep it within a network
    that you trust.

    Example: stargazer worker tcp://192.0.2.7:8786
    """
    from calibration.profile import kept_in
    from webapp.app.reading.executors import Processes, missing_extra
    from webapp.app.reading.reading_process import shipped_reader
    from webapp.app.settings import Settings

    try:
        from webapp.app.reading.cluster import work
    except ModuleNotFoundError as error:
        raise InputError(missing_extra("This computer is to read for a cluster")) from error
    with kept_in(data), suppress(KeyboardInterrupt):
        make_read = partial(shipped_reader, Settings().colour_samples)
        reads = Processes(make_read, processes or os.cpu_count() or 1)
        try:
            work(scheduler, reads)
        finally:
            reads.shutdown(cancel_futures=True)

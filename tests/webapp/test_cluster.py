"""A Dask cluster reads as the processes of this computer do, and says what it lacks."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorer.table import UNKNOWN_TABLE
from tests.webapp.strange_readers import strange_reader
from webapp.app.reading import executors
from webapp.app.reading.executors import ClusterError, Processes, named_cluster, read_with
from webapp.app.reading.read_photograph import UnusablePhotographError
from webapp.app.reading.read_version import ReadVersion, read_version
from webapp.app.reading.reading_process import read_photograph

distributed = pytest.importorskip("distributed", reason="clusters need the extra `club`")
cluster = pytest.importorskip("webapp.app.reading.cluster")


@pytest.fixture(scope="module")
def processes() -> Iterator[Processes]:
    made = Processes(strange_reader)
    yield made
    made.shutdown(cancel_futures=True)


@pytest.fixture(scope="module")
def address(processes: Processes) -> Iterator[str]:
    """A scheduler with one worker, both threads of this process; the worker is not yet one's."""
    with distributed.LocalCluster(
        n_workers=1,
        threads_per_worker=1,
        processes=False,
        protocol="tcp",
        host="127.0.0.1",
        scheduler_port=0,
        dashboard_address=None,
    ) as made:
        yield made.scheduler_address


@pytest.fixture
def named(address: str, monkeypatch: pytest.MonkeyPatch) -> Iterator["cluster.Cluster"]:
    monkeypatch.setenv(executors.CLUSTER, address)
    found = named_cluster()
    yield found
    found.shutdown(cancel_futures=True)


def photograph(folder: Path, what: str) -> Path:
    path = folder / f"{what}.photo"
    path.write_text(what)
    return path


def test_a_photograph_is_read_where_the_worker_is(
    named: "cluster.Cluster", processes: Processes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "_reads", [processes])
    read = read_with(named, processes)
    good = read(photograph(tmp_path, "good"), "ana.jpg", ["standard"], 1, UNKNOWN_TABLE)
    assert good.reading["process"] == processes.run(os.getpid) and len(good.preview) == 100
    with pytest.raises(UnusablePhotographError) as refused:
        read(photograph(tmp_path, "none"), "ana.jpg", ["standard"], 1, UNKNOWN_TABLE)
    assert (refused.value.problem, refused.value.preview) == ("no_board", b"a picture")
    assert not (tmp_path / "good.begun").exists()  # it was sent there, and read as a copy
    assert named.at_once == 2


def test_a_worker_that_reads_with_anything_else_is_no_help(
    named: "cluster.Cluster", processes: Processes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server reads it by itself then."""
    arguments = (photograph(tmp_path, "good"), "ana.jpg", ["standard"], 1, UNKNOWN_TABLE)
    with pytest.raises(ClusterError, match="start workers with `stargazer worker`"):
        named.submit(read_photograph, *arguments).result(60)
    monkeypatch.setattr(cluster, "_reads", [processes])
    ours = read_version(["standard"])
    for theirs, reported in (
        (ReadVersion("0.9+old", ours.profiles), "another version of Stargazer"),
        (ReadVersion(ours.reader, "others"), "other boards"),
    ):
        monkeypatch.setattr(cluster, "_own_version", lambda _, theirs=theirs: theirs)
        with pytest.raises(ClusterError, match=reported):
            named.submit(read_photograph, *arguments).result(60)
    monkeypatch.setattr(cluster, "_reads", [])
    assert read_with(named, processes)(*arguments).reading["process"] == processes.run(os.getpid)
    assert (tmp_path / "good.begun").exists()


def test_where_no_scheduler_answers_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "CONNECTS_WITHIN", 0.0)
    monkeypatch.setenv(executors.CLUSTER, "tcp://127.0.0.1:9")
    with pytest.raises(ClusterError, match=r"no scheduler answers .* run `dask scheduler`"):
        named_cluster()


def test_what_was_sent_as_the_connection_was_lost_is_not_waited_for() -> None:
    """Dask does not say so: such a task would never be answered."""

    class Lost:
        status, scheduler_comm = "running", object()

        def submit(self, *_: object, **__: object) -> "Lost":
            return self

        def result(self, timeout: float) -> None:
            self.scheduler_comm = object()  # it is connected anew
            raise TimeoutError

    with pytest.raises(ConnectionError):
        cluster._answer(Lost(), read_photograph)

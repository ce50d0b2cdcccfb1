"""An archive has each photograph once, whatever ended the command that reads it."""

import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from filelock import FileLock

from calibration.profile import built_in_profiles
from webapp.app.reading import executors
from webapp.app.reading.photograph_reader import PhotographReader

pq = pytest.importorskip("pyarrow.parquet", reason="archives need the extra `club`")

Archive = Callable[..., Result]


class Threads(ThreadPoolExecutor):
    """Stands in for the processes: the reader by name is of this process alone."""

    def __init__(self, at_once: int) -> None:
        super().__init__(at_once)
        self.at_once = at_once


@pytest.fixture
def archive(
    stargazer: Archive, reader_by_name: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Archive:
    monkeypatch.setattr(executors, "Processes", Threads)
    own = PhotographReader()
    monkeypatch.setattr(executors, "_own_reader", lambda: own)
    return lambda *sources: stargazer(
        "archive", *sources, "--out", tmp_path / "out", "--profile", "standard"
    )


def rows(folder: Path) -> list[dict[str, Any]]:
    return [row for file in folder.glob("*.parquet") for row in pq.read_table(file).to_pylist()]


@pytest.fixture
def photographs(tmp_path: Path, photograph: Callable[[str], Path]) -> Path:
    """A folder of a board, of its copy, of two boards, of none, and of no photograph at all."""
    one = photograph("photos/ana.png").read_bytes()
    for number, name in enumerate(("deeper/two-boards", "empty-table")):
        file = tmp_path / f"photos/{name}.png"
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(one + bytes([number]))  # what follows a picture is no part of it
    (tmp_path / "photos/copy.png").write_bytes(one)
    (tmp_path / "photos/torn.jpg").write_text("no picture")
    (tmp_path / "photos/notes.txt").write_text("none of them")
    return tmp_path / "photos"


def test_each_photograph_is_a_row_with_its_boards_or_the_reason(
    archive: Archive, photographs: Path, tmp_path: Path
) -> None:
    reported = archive(photographs).stdout
    assert "5 photographs, 1 of them known already" in reported
    assert "2 read, with 3 boards" in reported and "1 not read: no board" in reported
    found = {Path(row["path"]).name: row for row in rows(tmp_path / "out")}
    assert {name: row["problem"] for name, row in found.items()} == {
        "ana.png": None,
        "two-boards.png": None,
        "empty-table.png": "no_board",
        "torn.jpg": "not_a_photograph",
    }
    pieces = found["ana.png"]["boards"][0]["pieces"]
    lying = {(one["place"], one["kind"]): (one["piece"], one["count"]) for one in pieces}
    assert lying["core", "spot"] == ("red", 1) and lying["ar3", "spot"] == (None, 0)
    assert lying["black", "track"] == ("black", 4)
    assert found["ana.png"]["boards"][0]["flags"] == ["uncertain"]


def test_a_second_run_reads_what_is_new_alone(
    archive: Archive, photographs: Path, tmp_path: Path
) -> None:
    archive(photographs)
    (photographs / "ana.png").rename(photographs / "moved.png")
    new = photographs / "new.png"
    new.write_bytes((photographs / "moved.png").read_bytes() + b"new")
    listed = tmp_path / "list.txt"
    listed.write_text("photos/new.png\nphotos/gone.png\n")
    second = archive(f"{photographs}/**/m*.png", listed)
    assert second.exit_code == 2 and "gone.png: No such file" in second.stderr
    assert "3 photographs, 1 of them known already\n1 read" in second.stdout
    assert len(rows(tmp_path / "out")) == 5
    assert "known already\n0 read" in archive(photographs).stdout
    assert len(list((tmp_path / "out").glob("*.parquet"))) == 2


def test_boards_of_every_game_are_looked_for(
    archive: Archive, stargazer: Archive, photographs: Path, tmp_path: Path
) -> None:
    assert stargazer("archive", photographs, "--out", tmp_path / "out").exit_code == 0
    (looked_for,) = executors._own_reader()._readers
    assert [name for name, _ in looked_for] == list(built_in_profiles())


def test_two_commands_do_not_write_one_archive(
    archive: Archive, photographs: Path, tmp_path: Path
) -> None:
    (tmp_path / "out").mkdir()
    with FileLock(tmp_path / "out" / ".lock"):
        assert "being written by another command" in archive(photographs).stderr


def test_a_damaged_part_is_named(archive: Archive, photographs: Path, tmp_path: Path) -> None:
    archive(photographs)
    (tmp_path / "out/part-000001.parquet").write_bytes(b"PAR1 cut short")
    assert "part-000001.parquet is damaged: delete it" in archive(photographs).stderr
    (tmp_path / "out/part-000001.parquet").unlink()
    assert "2 read" in archive(photographs).stdout


@pytest.mark.parametrize("command", [("archive", ".", "--out", "out"), ("worker", "tcp://here:1")])
def test_without_the_extra_it_says_what_to_install(
    stargazer: Archive, command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("webapp.app.archive.parts", "webapp.app.reading.cluster"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "distributed", None)
    answer = stargazer(*command)
    assert answer.exit_code == 2 and 'pip install "stargazer[club]"' in answer.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_each_is_there_once_however_often_it_is_killed(tmp_path: Path) -> None:
    program = [sys.executable, Path(__file__).with_name("killed_archive.py"), tmp_path]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    assert int(subprocess.check_output(program, env=environment, timeout=300)) > 0
    given = sorted(str(path) for path in (tmp_path / "photographs").iterdir())
    assert sorted(row["path"] for row in rows(tmp_path / "out")) == given

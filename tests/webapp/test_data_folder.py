"""The folder in which a server keeps everything: one server's at a time, and its user's alone."""

import ctypes
import errno
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner

from calibration import owner_profiles
from calibration.colour_profile import ColourProfile, Swatch
from calibration.profile import (
    OWNER_FOLDER,
    built_in_profiles,
    colour_path,
    colour_profile_of,
    kept_in,
    own_profile_names,
    save_colour_profile,
)
from tests.conftest import in_ci, in_full
from tests.services import COMMAND, free_port
from vision.models import own_weights
from webapp.app import atomic
from webapp.app.data_folder import (
    InUseError,
    bring_boards,
    claim,
    invitation,
    make_private,
    session_key,
)
from webapp.app.database import DatabaseError, open_database
from webapp.app.settings import Settings
from webapp.cli.commands.backup import backup, restore
from webapp.cli.commands.serve import serve
from webapp.server.certificate import tls_context

ROOT = Path(__file__).parents[2]
HOLD = """
import sys
from pathlib import Path
from webapp.app.data_folder import claim
with claim(Path(sys.argv[1]), "http://127.0.0.1:1234"):
    print("held", flush=True)
    sys.stdin.read()
"""
posix = pytest.mark.skipif(os.name != "posix", reason="as POSIX has it")

Start = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def start() -> Iterator[Start]:
    """Run a program in a process of its own, until the test is over."""
    running: list[subprocess.Popen[str]] = []

    def run(program: str, *arguments: object, **more: object) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-uc", program, *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            **more,  # type: ignore[call-overload]
        )
        running.append(process)
        return process

    yield run
    for process in running:
        process.kill()
        process.communicate()


def serving(start: Start, *options: object, **more: object) -> tuple[subprocess.Popen[str], str]:
    """Start a server; return it and the line that says where it is, once it has said so."""
    process = start(COMMAND, "serve", *options, **more)
    assert process.stdout is not None and process.stderr is not None
    for line in process.stdout:
        if line.startswith("Stargazer is at"):
            return process, line
    raise AssertionError(process.stderr.read())


def refused(start: Start, *options: object, **more: object) -> str:
    """Start a server that is to end at once; return the line that it says."""
    process = start("from webapp.cli.main import main; main()", "serve", *options, **more)
    said, complaint = process.communicate(timeout=300)
    assert process.returncode == 2 and not said, said
    assert complaint.count("\n") == 1, complaint
    return complaint


def test_a_folder_is_meant_from_where_the_command_was_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    typed = serve.make_context("serve", ["--data", "games"])
    assert typed.params["data"] == tmp_path / "games", "Flask sends files from its own folder"


@in_ci
def test_a_second_server_ends_and_says_where_the_first_is(start: Start, tmp_path: Path) -> None:
    port, data, other = free_port(), tmp_path / "data", tmp_path / "other"
    serving(start, "--data", data, "--port", port)
    upload = data / "photographs" / "0123456789abcdef" / "fedcba9876543210.photo"
    upload.parent.mkdir()
    upload.write_bytes(b"a photograph on its way: its row is not written yet")
    for second in (port, free_port()):
        said = refused(start, "--data", data, "--port", second)
        assert f"--data {data} is served already, at http://127.0.0.1:{port}: stop" in said
    assert upload.exists()
    database = f"sqlite:///{data / 'stargazer.db'}"
    said = refused(start, "--data", other, "--database", database, "--port", free_port())
    assert "--database" in said and f"at http://127.0.0.1:{port}: stop" in said
    assert not (other / "photographs").exists()


def test_a_server_whose_port_is_taken_touches_nothing(start: Start, tmp_path: Path) -> None:
    upload = tmp_path / "photographs" / "0123456789abcdef" / "fedcba9876543210.photo"
    upload.parent.mkdir(parents=True)
    upload.write_bytes(b"photograph")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = refused(start, "--data", tmp_path, "--port", port)
    assert "try another --port" in said
    assert upload.exists() and not (tmp_path / "stargazer.db").exists()


@posix
def test_a_claim_ends_with_its_process_however_that_ends(start: Start, tmp_path: Path) -> None:
    holder = start(HOLD, tmp_path / "serve")
    assert holder.stdout is not None and holder.stdout.readline() == "held\n"
    with pytest.raises(InUseError) as caught, claim(tmp_path / "serve", "http://elsewhere"):
        pass
    assert caught.value.address == "http://127.0.0.1:1234"
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    with claim(tmp_path / "serve", "http://elsewhere"):
        assert (tmp_path / "serve.address").read_text() == "http://elsewhere"
    with claim(tmp_path / "serve", "http://elsewhere"):
        pass


def readable_by_others(folder: Path) -> list[Path]:
    """What somebody else could read in a folder, or of it."""
    return [path for path in (folder, *folder.rglob("*")) if path.stat().st_mode & 0o077]


@in_ci
@posix
def test_files_are_their_users_alone_and_made_anew_after_a_full_disk(
    start: Start, tmp_path: Path
) -> None:
    data, port = tmp_path / "data", free_port()
    options = ("--data", data, "--port", port, "--lan", "--https")
    server, _ = serving(start, *options, preexec_fn=partial(os.umask, 0))
    names = {path.name for path in data.iterdir()}
    assert names >= {
        *("stargazer.db", "stargazer.db-wal", "stargazer.db-shm", "session.key", "invitation"),
        *(
            "certificate.pem",
            "certificate.key",
            "authority.key",
            "photographs",
            "serve.lock",
            "serve.address",
        ),
    }
    assert readable_by_others(data) == []
    server.kill()
    server.wait()
    for path in (data, *data.rglob("*")):
        path.chmod(0o777)
    for name in ("invitation", "session.key", "certificate.key"):  # as a full disk leaves them
        (data / name).write_bytes(b"")
    _, greeting = serving(start, *options, preexec_fn=partial(os.umask, 0))
    assert readable_by_others(data) == []
    assert re.search(r"/join/[A-Za-z0-9_-]{16}$", greeting.rstrip())


@posix
def test_what_is_not_ours_is_left_as_it_is(tmp_path: Path) -> None:
    ours = tmp_path / "photographs" / "game" / "one.photo"
    ours.parent.mkdir(parents=True)
    elsewhere = tmp_path / "elsewhere"
    for path in (ours, tmp_path / "letter.txt", elsewhere):
        path.touch()
        path.chmod(0o644)
    (ours.parent / "link.photo").symlink_to(elsewhere)
    tmp_path.chmod(0o755)
    ours.parent.chmod(0o755)
    make_private(tmp_path, None)
    assert ours.stat().st_mode & 0o777 == 0o600 and ours.parent.stat().st_mode & 0o777 == 0o700
    for path in (tmp_path, tmp_path / "letter.txt", elsewhere):
        assert path.stat().st_mode & 0o044, path


@in_ci
@posix
def test_a_database_elsewhere_is_its_users_alone(start: Start, tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    database.touch(0o644)
    serving(
        start, "--data", tmp_path / "data", "--database", f"sqlite:///{database}",
        "--port", free_port(), preexec_fn=partial(os.umask, 0),
    )  # fmt: skip
    found = list(tmp_path.glob("games.db*"))
    assert len(found) == 5 and all(path.stat().st_mode & 0o077 == 0 for path in found)


def bound_by_modes() -> None:
    """Let a file's mode hold for this process, even where it is the superuser's."""
    if sys.platform == "linux":
        drop_from_bounding_set, override, read_search = 24, 1, 2
        for capability in (override, read_search):
            ctypes.CDLL(None).prctl(drop_from_bounding_set, capability, 0, 0, 0)


@posix
@pytest.mark.parametrize(
    "unusable",
    in_full([".", "stargazer.db", "session.key", "photographs/game"], ".", "stargazer.db"),
)
def test_a_folder_that_cannot_be_used_is_reported(
    start: Start, tmp_path: Path, unusable: str
) -> None:
    """As after `sudo stargazer serve`, or from a disk that is mounted read-only."""
    (tmp_path / "photographs" / "game").mkdir(parents=True)
    (tmp_path / "photographs" / "game" / "stray.photo").touch()
    (tmp_path / "stargazer.db").touch()
    (tmp_path / "session.key").write_bytes(bytes(32))
    path = tmp_path / unusable
    path.chmod(0o500 if path.is_dir() else 0)
    said = refused(start, "--data", tmp_path, "--port", free_port(), preexec_fn=bound_by_modes)
    assert str(path) in said and "choose another" in said


def test_a_database_of_a_newer_version_is_reported(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'stargazer.db'}"
    open_database(url)
    with sqlite3.connect(tmp_path / "stargazer.db") as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(DatabaseError, match="a newer Stargazer has written this database: update"):
        open_database(url)


def test_a_file_that_is_no_database_is_reported(tmp_path: Path) -> None:
    (tmp_path / "stargazer.db").write_bytes(b"a letter, or half of a database" * 100)
    with pytest.raises(DatabaseError, match=r"stargazer\.db is damaged .*another --data"):
        open_database(f"sqlite:///{tmp_path / 'stargazer.db'}")


@pytest.mark.parametrize("left", ["", "ab", "\n", "not a secret", "ä" * 20, "\0" * 16])
def test_an_invitation_that_is_none_is_made_anew(tmp_path: Path, left: str) -> None:
    (tmp_path / "invitation").write_text(left, encoding="utf-8")
    made = invitation(tmp_path)
    assert len(made) == 16 and invitation(tmp_path) == made
    assert invitation(tmp_path, renew=True) != made


def test_a_session_key_that_is_cut_short_is_made_anew(tmp_path: Path) -> None:
    for left in (b"", b"short"):
        (tmp_path / "session.key").write_bytes(left)
        made = session_key(tmp_path)
        assert len(made) == 32 and session_key(tmp_path) == made


@pytest.mark.parametrize("name", ["certificate.key", "certificate.pem"])
def test_an_empty_certificate_is_made_anew(tmp_path: Path, name: str) -> None:
    tls_context(tmp_path, ["localhost"])
    (tmp_path / name).write_bytes(b"")
    tls_context(tmp_path, ["localhost"])
    assert (tmp_path / name).stat().st_size > 100


@pytest.mark.parametrize("make", [partial(invitation, renew=True), session_key])
def test_a_full_disk_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make: Callable[[Path], object]
) -> None:
    kept = invitation(tmp_path)
    (tmp_path / "session.key").write_bytes(b"short")

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        make(tmp_path)
    assert invitation(tmp_path) == kept
    assert (tmp_path / "session.key").read_bytes() == b"short"
    assert {path.name for path in tmp_path.iterdir()} == {"invitation", "session.key"}


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path) -> None:
    target = tmp_path / "folder" / "file"
    atomic.write(target, b"first")
    with pytest.raises(RuntimeError), atomic.replacing(target) as file:
        file.write(b"second")
        raise RuntimeError
    assert target.read_bytes() == b"first"
    assert [path.name for path in target.parent.iterdir()] == ["file"]


@pytest.fixture
def boards_at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's own data folder, with a board, stars and weights in it."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.delenv(OWNER_FOLDER, raising=False)
    shutil.copytree(built_in_profiles()["nebula/standard"], owner_profiles() / "mine")
    save_colour_profile("standard", ColourProfile((Swatch("red", "#cc2030"),)))
    own_weights("nebula").mkdir(parents=True)
    return tmp_path / "home" / "stargazer"


def test_a_servers_folder_holds_its_boards_stars_and_weights(
    boards_at_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[Path] = []

    def note(settings: Settings, *_: object) -> None:
        kept.extend((settings.data_dir, owner_profiles(), own_weights("nebula")))
        kept.append(colour_path("standard"))

    monkeypatch.setattr("webapp.cli.commands.serve._serve", note)
    folder = tmp_path / "club"
    assert CliRunner().invoke(serve, ["--data", str(folder)]).exit_code == 0
    stars = folder / "stars" / "nebula" / "standard.yaml"
    assert kept == [folder, folder / "profiles", folder / "weights" / "nebula", stars]
    assert owner_profiles() == boards_at_home / "profiles", "only as long as it serves"


def test_a_folder_of_an_earlier_version_takes_its_boards_along_once(
    boards_at_home: Path, tmp_path: Path
) -> None:
    new, used = tmp_path / "new", tmp_path / "used"
    for folder in (new, used):
        folder.mkdir()
    (used / "stargazer.db").touch()
    for folder in (new, used):
        with kept_in(folder):
            bring_boards(folder)
    assert not list(new.iterdir()), "another club's boards are none of its business"
    with kept_in(used):
        assert own_profile_names() == ["mine"] and colour_profile_of("standard").swatches
        shutil.rmtree(used / "profiles" / "mine")
        bring_boards(used)
        assert own_profile_names() == []
    assert own_profile_names() == ["mine"]


@in_ci
def test_a_backup_is_of_the_boards_in_its_folder(boards_at_home: Path, tmp_path: Path) -> None:
    club, other = tmp_path / "club", tmp_path / "other"
    shutil.copytree(boards_at_home / "profiles" / "mine", club / "profiles" / "ours")
    packed = str(tmp_path / "club.zip")
    for command, folder in (backup, club), (restore, other):
        done = CliRunner().invoke(command, [packed, "--data", str(folder)])
        assert done.exit_code == 0, done.output
    assert [path.name for path in (other / "profiles").iterdir()] == ["ours"]
    assert own_profile_names() == ["mine"]

"""Every module can be imported alone, and the examples in its docstrings hold."""

import doctest
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = ("calibration", "models", "scorer", "vision", "webapp")
OPTIONAL = ("bpy", "bmesh", "onnx", "torch", "ultralytics")
"""Libraries that only training, and pictures for people, need; they may be missing."""

PROGRAM = """
import importlib, os, sys, traceback

room, optional, *names = sys.argv[1:]

def load(name):
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        return error.name in optional.split()
    except BaseException:
        traceback.print_exc()
        return False
    return True

told, tell = os.pipe()
if os.fork() == 0:
    sys.stderr = open(os.devnull, "w")  # what does not load is told below
    for name in names:
        load(name)
    others = [name for name in sys.modules if name.split(".")[0] != room]
    with open(tell, "w") as pipe:
        pipe.write(" ".join(others))
    os._exit(0)
os.close(tell)
with open(told) as pipe:
    others = pipe.read().split()
os.wait()
for name in others:
    try:
        importlib.import_module(name)
    except Exception:
        pass  # made by another module's code; whoever needs it makes it

for name in names:
    child = os.fork()
    if child == 0:
        os._exit(0 if load(name) else 1)
    if os.waitpid(child, 0)[1]:
        print("cannot be imported alone:", name)
"""
"""Imports each module of a room in a process of its own, forked from one that has imported all that
the room imports of others: that takes most of the time, and the rooms below have tests of their
own."""


def modules() -> list[str]:
    found = []
    for room in ROOMS:
        for file in sorted((ROOT / room).rglob("*.py")):
            parts = file.relative_to(ROOT).with_suffix("").parts
            if "migrations" not in parts and parts[-1] != "__main__":
                found.append(".".join(part for part in parts if part != "__init__"))
    return found


@pytest.mark.parametrize("room", ROOMS)
def test_each_module_can_be_imported_alone(room: str) -> None:
    names = [name for name in modules() if name.split(".")[0] == room]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, room, " ".join(OPTIONAL), *names],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0 and not done.stdout, done.stdout + done.stderr


def with_examples() -> list[str]:
    """The modules that hold an example: only those are worth a test each."""

    def source(name: str) -> str:
        path = ROOT.joinpath(*name.split("."))
        file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        return file.read_text(encoding="utf-8")

    return [name for name in modules() if ">>> " in source(name)]


@pytest.mark.parametrize("module", with_examples())
def test_the_examples_in_the_docstrings_hold(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    try:
        loaded = import_module(module)
    except ModuleNotFoundError as error:
        if error.name in OPTIONAL:
            pytest.skip(f"{error.name} is not installed")
        raise
    failed, held = doctest.testmod(loaded)
    assert held and not failed

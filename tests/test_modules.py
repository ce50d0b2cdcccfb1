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

LIBRARIES = ("babel", "cv2", "flask", "networkx", "numpy", "PIL", "pydantic", "sqlalchemy", "yaml")
"""What most modules import of others: loaded once for all, which halves the time."""


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
    """In interpreters of their own: one process forks for each, as starting 200 takes minutes."""
    names = [name for name in modules() if name.split(".")[0] == room]
    program = (
        f"OPTIONAL = {OPTIONAL}\nLIBRARIES = {LIBRARIES}\n"
        + """
import importlib, os, sys, traceback
for name in LIBRARIES:
    importlib.import_module(name)
for name in sys.argv[1:]:
    child = os.fork()
    if child == 0:
        try:
            importlib.import_module(name)
        except ModuleNotFoundError as error:
            os._exit(0 if error.name in OPTIONAL else 1)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    if os.waitpid(child, 0)[1]:
        print("cannot be imported alone:", name)
"""
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *names], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0 and not done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize("module", modules())
def test_the_examples_in_the_docstrings_hold(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    try:
        loaded = import_module(module)
    except ModuleNotFoundError as error:
        if error.name in OPTIONAL:
            pytest.skip(f"{error.name} is not installed")
        raise
    failed, _ = doctest.testmod(loaded)
    assert failed == 0


def test_there_are_examples_to_hold() -> None:
    finder = doctest.DocTestFinder(exclude_empty=True)
    names = [name for name in modules() if name.startswith("scorer.")]
    found = [test for name in names for test in finder.find(import_module(name))]
    assert sum(bool(test.examples) for test in found) >= 15

"""What is depended on: bounds that a new major version does not slip through, and the tested set.

After a change in pyproject.toml, run the command in the first lines of requirements.lock (add
`--upgrade` for newer versions of everything).
"""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
RUN_TIME = [Requirement(line) for line in PROJECT["dependencies"]]
EXTRAS = [
    Requirement(line)
    for extra in PROJECT["optional-dependencies"].values()
    for line in extra
    if not line.startswith("types-")  # they follow the versions of what they describe
]
LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")
ENTRIES = re.split(r"\n(?=\S)", "\n".join(line for line in LOCK.splitlines() if line[:1] != "#"))


def pinned() -> dict[str, str]:
    """The version of each package in the lock file."""
    found = {}
    for entry in ENTRIES:
        name, version = re.match(r"([\w.-]+)==([\w.]+)", entry).groups()
        assert name not in found, f"{name} has two versions: not one tested set"
        found[canonicalize_name(name)] = version
    return found


@pytest.mark.parametrize("requirement", [*RUN_TIME, *EXTRAS], ids=str)
def test_no_major_version_comes_unseen(requirement: Requirement) -> None:
    operators = {bound.operator for bound in requirement.specifier}
    assert operators == {">=", "<"}, "give it the oldest that works, and what is yet to be tried"


@pytest.mark.parametrize("requirement", RUN_TIME, ids=str)
def test_the_tested_set_is_within_the_bounds(requirement: Requirement) -> None:
    version = pinned().get(canonicalize_name(requirement.name))
    assert version is not None, f"{requirement.name} is not in requirements.lock"
    assert requirement.specifier.contains(version)


def test_every_package_of_the_tested_set_is_known_by_its_hash() -> None:
    assert len(ENTRIES) > len(RUN_TIME)
    for entry in ENTRIES:
        assert re.search(r"--hash=sha256:[0-9a-f]{64}\b", entry), entry


def test_the_tested_set_comes_from_whatever_index_its_reader_uses() -> None:
    assert "://" not in LOCK
    assert "index-url" not in LOCK and "find-links" not in LOCK


def test_the_readme_says_how_to_install_it() -> None:
    said = "pip install --require-hashes -r requirements.lock && pip install --no-deps ."
    assert said in (ROOT / "README.md").read_text(encoding="utf-8")

"""The editions of a game: those in its package, and the owner's files."""

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any, Generic, TypeVar

from scorer.datafile import DataFileError, Problem, raised_as, read_data_file, read_package_file

Edition = TypeVar("Edition")


class EditionError(DataFileError):
    """An edition that is missing or wrong; `.problems` has each key and reason."""


def extended(package: str | None, data: object) -> dict[str, Any]:
    """The data of an edition file, completed from the standard edition if it `extends` it.

    Mappings in it are completed too: one key given keeps the standard edition's others. Raise
    EditionError.
    """
    if not isinstance(data, Mapping):
        raise EditionError([("", "an edition file holds keys and values")])
    if "extends" not in data:
        return dict(data)
    if data["extends"] != "standard":
        raise EditionError([("extends", f"must be standard, not {data['extends']!r}")])
    return completed(data, read_package_file(package, "editions/standard.yaml"))


def completed(data: Mapping[str, Any], standard: Mapping[str, Any]) -> dict[str, Any]:
    """The data, with keys that it or a mapping in it lacks taken from the standard edition.

    >>> completed({"career": {"later": 1}}, {"personal": 3, "career": {"first": 4, "later": 2}})
    {'personal': 3, 'career': {'first': 4, 'later': 1}}
    """
    return {**standard} | {
        key: {**standard[key], **own}
        if isinstance(own, Mapping) and isinstance(standard.get(key), Mapping)
        else own
        for key, own in data.items()
    }


class Editions(Generic[Edition]):
    """The editions of one game, in the folder `editions` of its package."""

    def __init__(
        self, package: str, from_data: Callable[[Any, str], Edition] | None = None
    ) -> None:
        """`from_data` makes an edition of a file's data and its id, or raises EditionError.

        By default it is `edition_from_data` of the package's module `edition_file`, imported only
        when an edition is read, as pydantic is slow to import.
        """
        self._package = package
        self._folder = files(package).joinpath("editions")
        self._make = from_data
        self._shipped = cache(self._read_shipped)

    def names(self) -> tuple[str, ...]:
        names = (entry.name for entry in self._folder.iterdir())
        return tuple(sorted(name.removesuffix(".yaml") for name in names if name.endswith(".yaml")))

    def load(self, name_or_path: str | Path) -> Edition:
        """An edition of the package by name, or the owner's by its file. Raise EditionError."""
        name = str(name_or_path)
        if name in self.names():
            return self._shipped(name)
        if not _is_file(name):
            raise EditionError([("edition", f"{self._unknown(name)}, or a .yaml file of your own")])
        return self._read(Path(name_or_path), name)

    def of_file(self, name: str, problems: list[Problem], folder: Path | None = None) -> Edition:
        """The edition that a game file in `folder` names; without a folder no file is read.

        If it is missing or wrong, add to `problems` and return the standard edition.
        """
        try:
            return self._named_in(folder, name)
        except EditionError as error:
            problems += [(f"edition.{key}".rstrip("."), why) for key, why in error.problems]
            return self.load("standard")

    def _named_in(self, folder: Path | None, name: str) -> Edition:
        if name in self.names():
            return self._shipped(name)
        if folder is None:
            raise EditionError([("", self._unknown(name))])
        if not _is_file(name):
            raise EditionError([("", f"{self._unknown(name)}, or a .yaml file of your own")])
        return self._read(folder / name, name)

    def _from_data(self, data: Any, id: str) -> Edition:
        make = self._make or import_module(f"{self._package}.edition_file").edition_from_data
        return make(data, id)

    def _read(self, file: Path, id: str) -> Edition:
        with raised_as(EditionError):
            return self._from_data(read_data_file(file), id)

    def _read_shipped(self, name: str) -> Edition:
        data = read_package_file(self._package, f"editions/{name}.yaml")
        return self._from_data(data, name)

    def _unknown(self, name: str) -> str:
        return f"{name} is not known; there is {', '.join(self.names())}"


def _is_file(name: str) -> bool:
    return name.lower().endswith((".yaml", ".yml", ".json"))

"""Data files: YAML and JSON read safely, with what is wrong and where.

A file may come from anybody. Only plain values are built; aliases (which can blow a small file up
to gigabytes), a key written twice (of which the format would silently keep one) and files over a
size that no person writes are refused.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import yaml

LARGEST_FILE = 1_000_000  # bytes; a full game file has about 2,000
DEEPEST = 50  # keys within keys; a game file has 4


Problem = tuple[str, str]
"""A key, as in `players[0].stars.ar1`, and what is wrong there."""


class DataFileError(ValueError):
    """A file that is not readable data. `problems` holds (key, reason) pairs; str() a line each."""

    def __init__(self, problems: Iterable[tuple[str, str]]) -> None:
        """Keep every problem found, in order."""
        self.problems = tuple(problems)
        super().__init__("\n".join(f"{key}: {why}" if key else why for key, why in self.problems))

    def __reduce__(self) -> tuple[type["DataFileError"], tuple[tuple[tuple[str, str], ...]]]:
        """A worker process hands it over whole."""
        return type(self), (self.problems,)


def read_data_file(path: Path) -> Any:
    """The plain data of a `.yaml`, `.yml` or `.json` file. DataFileError, naming the file's line.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "game.yaml")
    ...     _ = file.write_text("mode: intro")
    ...     read_data_file(file)
    {'mode': 'intro'}
    """
    try:
        with path.open("rb") as file:
            raw = file.read(LARGEST_FILE + 1)
    except OSError as error:
        reason = error.strerror or "no such file"
        raise DataFileError([("", f"{path}: cannot be opened ({reason.lower()})")]) from None
    if len(raw) > LARGEST_FILE:
        raise DataFileError([("", f"{path.name}: over {LARGEST_FILE:,} bytes, far too large")])
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise DataFileError([("", f"{path.name}: not a text file in UTF-8")]) from None
    return parse_json(text) if path.suffix.lower() == ".json" else parse_yaml(text)


def parse_json(text: str) -> Any:
    """The data of a JSON text. DataFileError for text that is not JSON or repeats a key."""
    repeated: list[str] = []

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        names = [name for name, _ in pairs]
        repeated.extend(sorted({name for name in names if names.count(name) > 1}))
        return dict(pairs)

    try:
        data = json.loads(text, object_pairs_hook=once)
    except json.JSONDecodeError as error:
        raise DataFileError([("", f"line {error.lineno}: not JSON ({error.msg})")]) from None
    except (RecursionError, ValueError):  # ValueError: a number of thousands of digits
        raise DataFileError([("", "nested too deep or a number too long to be data")]) from None
    if repeated:
        raise DataFileError((name, "written twice") for name in repeated)
    return data


def parse_yaml(text: str) -> Any:
    """The data of a YAML text. DataFileError for text that is not YAML, aliases, a key twice.

    >>> parse_yaml("stars: {core: red, core: blue}")
    Traceback (most recent call last):
    scorer.datafile.DataFileError: core: written twice (line 1)
    """
    try:
        _refuse_bombs(text)
        # the loader is the safe one: CSafeLoader builds plain values only
        loader = yaml.CSafeLoader(text)
        node = loader.get_single_node()
        if node is None:
            return None
        repeated = list(_repeated_keys(node))
        if repeated:
            raise DataFileError(repeated)
        return loader.construct_document(node)
    except yaml.MarkedYAMLError as error:
        line = f"line {error.problem_mark.line + 1}: " if error.problem_mark else ""
        raise DataFileError([("", f"{line}not YAML ({error.problem})")]) from None
    except yaml.YAMLError as error:
        raise DataFileError([("", f"not YAML ({str(error).splitlines()[0]})")]) from None
    except RecursionError:
        raise DataFileError([("", "nested too deep to be data")]) from None
    except ValueError as error:
        if isinstance(error, DataFileError):
            raise
        raise DataFileError([("", f"a value that cannot be ({error})")]) from None


def _refuse_bombs(text: str) -> None:
    """Refuse aliases, and nesting so deep that the C parser would run out of stack and crash."""
    depth = 0
    for event in yaml.parse(text, yaml.CSafeLoader):
        if isinstance(event, yaml.AliasEvent):
            raise DataFileError([(f"*{event.anchor}", "aliases are not read")])
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > DEEPEST:
            raise DataFileError([("", "nested too deep to be data")])


def _repeated_keys(node: yaml.Node) -> Iterable[tuple[str, str]]:
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            if isinstance(key, yaml.ScalarNode):
                if key.value in seen:
                    yield key.value, f"written twice (line {key.start_mark.line + 1})"
                seen.add(key.value)
            yield from _repeated_keys(value)
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from _repeated_keys(item)

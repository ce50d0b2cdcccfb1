"""Every module can be imported, alone too, and the examples in its docstrings hold."""

import ast
import doctest
from collections.abc import Iterator, Mapping
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType

import networkx as nx
import pytest

ROOT = Path(__file__).parents[1]
ROOMS = ("calibration", "models", "scorer", "vision", "webapp", "tests/films")
OPTIONAL = ("bpy", "bmesh", "distributed", "onnx", "pyarrow", "torch", "ultralytics")
"""Libraries that only training, clubs, and pictures for people need; they may be missing."""


def modules() -> list[str]:
    found = []
    for room in ROOMS:
        for file in sorted((ROOT / room).rglob("*.py")):
            parts = file.relative_to(ROOT).with_suffix("").parts
            if "migrations" not in parts and parts[-1] != "__main__":
                found.append(".".join(part for part in parts if part != "__init__"))
    return found


def source(name: str) -> str:
    path = ROOT.joinpath(*name.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return file.read_text(encoding="utf-8")


def load(module: str) -> ModuleType:
    """Import a module; skip the test where it needs a library that may be missing."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name in OPTIONAL:
            pytest.skip(f"{error.name} is not installed")
        raise


def imported_at_once(tree: ast.Module) -> Iterator[ast.Import | ast.ImportFrom]:
    """The imports that run with the module: none for type checkers, none within functions."""
    waiting: list[ast.AST] = list(tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            waiting += node.orelse
        elif isinstance(node, ast.If | ast.Try | ast.With | ast.ClassDef | ast.ExceptHandler):
            waiting += ast.iter_child_nodes(node)


def import_graph(sources: Mapping[str, str]) -> "nx.DiGraph[str]":
    """An arrow from each module to those that it needs to have run, its own parents left out."""
    graph: nx.DiGraph[str] = nx.DiGraph()
    for name, source in sources.items():
        for node in imported_at_once(ast.parse(source)):
            needed = {alias.name for alias in node.names}
            if isinstance(node, ast.ImportFrom):
                needed = {str(node.module)} | {f"{node.module}.{each}" for each in needed}
            for each in needed:
                parts = each.split(".")
                for length in range(1, len(parts) + 1):
                    module = ".".join(parts[:length])
                    is_parent = length < len(parts) and name.startswith(f"{module}.")
                    if module in sources and module != name and not is_parent:
                        graph.add_edge(name, module)
    return graph


def test_no_import_leads_back_to_where_it_began() -> None:
    """So each module can be imported alone, whichever comes first.

    `lint-imports` sees arrows that only type checkers follow, too; these are those that run.
    """
    graph = import_graph({name: source(name) for name in modules()})
    assert graph.number_of_edges() > 1000
    assert [sorted(each) for each in nx.strongly_connected_components(graph) if len(each) > 1] == []


def test_one_that_does_is_reported() -> None:
    sources = {
        "a": "import b.c",
        "b": "",
        "b.c": "from d import e",
        "d": "try:\n    import a\nexcept ImportError:\n    pass",
        "d.e": "if TYPE_CHECKING:\n    import a\ndef f():\n    import b.c",
    }
    (cycle,) = (
        each for each in nx.strongly_connected_components(import_graph(sources)) if len(each) > 1
    )
    assert cycle == {"a", "b.c", "d"}


def test_each_module_can_be_imported() -> None:
    for module in modules():
        with suppress(pytest.skip.Exception):
            assert load(module).__name__ == module


def with_examples() -> list[str]:
    """The modules that hold an example: only those are worth a test each."""
    return [name for name in modules() if ">>> " in source(name)]


@pytest.mark.parametrize("module", with_examples())
def test_the_examples_in_the_docstrings_hold(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    failed, held = doctest.testmod(load(module))
    assert held and not failed

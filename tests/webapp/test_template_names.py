"""A name that a template reads is one that something gives to it."""

import ast
from pathlib import Path

from flask import Flask
from jinja2 import meta, nodes

WEBAPP = Path(__file__).parents[2] / "webapp"


def given() -> set[str]:
    """The names of all keyword arguments, and the keys of all mappings."""
    found = set[str]()
    for file in WEBAPP.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.keyword) and node.arg:
                found.add(node.arg)
            if isinstance(node, ast.Dict):
                found |= {str(key.value) for key in node.keys if isinstance(key, ast.Constant)}
    return found


def bound(tree: nodes.Template) -> set[str]:
    """What a template sets, imports or defines, and what it gives to others that it draws."""
    imported = (name for one in tree.find_all(nodes.FromImport) for name in one.names)
    return {
        *(one.name for one in tree.find_all(nodes.Name) if one.ctx == "store"),
        *(name.name for one in tree.find_all(nodes.With) for name in one.targets),
        *(one.key for one in tree.find_all(nodes.Keyword)),
        *(one.target for one in tree.find_all(nodes.Import)),
        *(one.name for one in tree.find_all(nodes.Macro)),
        *(name if isinstance(name, str) else name[1] for name in imported),
    }


def test_no_template_reads_what_nothing_gives_to_it(app: Flask) -> None:
    environment = app.jinja_env
    trees = {
        name: environment.parse(environment.loader.get_source(environment, name)[0])
        for name in environment.list_templates()
        if name.endswith(".html")
    }
    with app.test_request_context():
        context: dict[str, object] = {}
        app.update_template_context(context)
    known = given().union(environment.globals, context, *map(bound, trees.values()))
    strange = {
        name: unknown
        for name, tree in trees.items()
        if (unknown := meta.find_undeclared_variables(tree) - known)
    }
    assert not strange

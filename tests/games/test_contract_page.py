"""CONTRIBUTING.md lists the whole contract of a game: each name that one may override, no other."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WHERE = {
    "Game": "scorer/game.py",
    "Turns": "scorer/turns.py",
    "Advisor": "scorer/turns.py",
    "Records": "scorer/playing.py",
    "Course": "scorer/lesson.py",
    "GamePages": "webapp/app/game_pages.py",
    "LiveGame": "webapp/app/live_game.py",
    "GuidedGame": "webapp/app/guided_game.py",
}


def hooks(name: str) -> Iterator[str]:
    """The public names of a class of the contract but those that are final."""
    module = ast.parse((ROOT / WHERE[name]).read_text(encoding="utf-8"))
    for one in module.body:
        for own in one.body if isinstance(one, ast.ClassDef) and one.name == name else ():
            match own:
                case ast.FunctionDef(name=found, decorator_list=marks):
                    if "final" in map(ast.unparse, marks):
                        continue
                case ast.AnnAssign(target=ast.Name(id=found)):
                    pass
                case ast.Assign(targets=[ast.Name(id=found)]):
                    pass
                case _:
                    continue
            if not found.startswith("_"):
                yield found


def listed(name: str) -> Iterator[str]:
    """The names in the rows of a class: its own row, and those below it that name no class."""
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    whole = page[page.index("### The whole contract") :]
    current = ""
    for row in re.findall(r"^\|(.*)\|$", whole, re.MULTILINE)[2:]:
        where, _what, names = row.split("|")
        current = where.strip(" `") or current
        if current == name:
            yield from re.findall(r"`(\w+)`", names)


@pytest.mark.parametrize("name", WHERE)
def test_every_hook_is_listed(name: str) -> None:
    assert sorted(listed(name)) == sorted(hooks(name))

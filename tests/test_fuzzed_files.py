"""Files changed at random: each is read, or told in words that can be printed."""

import copy
import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from calibration import ProfileError, load_layout, load_profile
from scorer.datafile import LONGEST_SHOWN, MOST_PROBLEMS, DataFileError
from scorer.nebula.board import STANDARD_BOARD
from scorer.nebula.edition import load_edition
from scorer.nebula.score import score_game
from tests.commands.conftest import GAME
from tests.conftest import FULL_MATRIX
from tests.scorer.nebula_tables import load_game
from vision.evaluation import load_labels

STANDARD = load_profile("standard")
LAYOUT = STANDARD.layout.to_data()
EDITION = {
    "extends": "standard",
    "personal": 20,
    "career": {"points": [16, 10], "cards": {"V5": [18, 12]}},
    "black_track": {"points": [0, 1, 3], "full": 6},
    "cards": {"V10": "V12", "V7": {"orbit": 1}},
}
LABELS = {"stars": {"core": "red"}, "black": 3, "corners": [[1, 2], [90, 2], [90, 80], [1, 80]]}


def load_and_score(path: Path) -> None:
    game = load_game(path)
    if all(player.galaxy for player in game.players):
        json.dumps(score_game(game).to_data())


FILES: dict[str, tuple[Any, Callable[[Path], object]]] = {
    "game": (GAME, load_and_score),
    "edition": (EDITION, load_edition),
    "layout": (LAYOUT, load_layout),
    "layout with a topology": (LAYOUT | {"topology": STANDARD_BOARD.to_data()}, load_layout),
    "labels": (LABELS, partial(load_labels, profile=STANDARD)),
}

ODD = [
    *(None, True, 0, -1, 10**18, 10**400, 0.5, 1e400, -1e400, float("nan")),
    *("", "\ud800", "\0", "\x1b[2J", "two\nlines", "x" * 5_000, "null", "V5", "core", "own.yaml"),
    *([], {}, [[]], [{}], {"a": []}, {"core": 0}, {"\ud800": 1}, [1] * 1_500, ["core"] * 30),
]


def as_key(scalar: object) -> str:
    return f"{scalar:.0f}" if isinstance(scalar, float) else f"{scalar}"[:400]


SCALARS = (
    st.sampled_from([odd for odd in ODD if not isinstance(odd, dict | list)])
    | st.integers()
    | st.floats()
    | st.text(st.characters(), max_size=8)
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(SCALARS.map(as_key), inner, max_size=4)
    ),
    max_leaves=6,
)
TOKENS = st.sampled_from(
    [
        *("!!bool x", "!!timestamp x", "!!python/name:os.system x", "1.5: x", "null: x"),
        *("? [a]\n: b", "&a ", "*a", "<<: ", "---\n", "%YAML 9.9\n", "0x_", "2026-99-99"),
        *('"\\ud800"', '"\\0"', "\0", "NaN", ".inf", "1e999", "9" * 5_000, "[" * 200),
        *("[", "]", "{", "}", ": ", "\n", "\t", "- ", '"', "#", "="),
    ]
) | st.text(max_size=4)


class Plainly(yaml.SafeDumper):
    """Writes no aliases, which no file may have."""

    def ignore_aliases(self, data: object) -> bool:
        return True


def places(data: Any) -> Iterator[tuple[Any, Any]]:
    """Every (container, key) in the data."""
    entries = data.items() if isinstance(data, dict) else enumerate(data)
    for key, value in list(entries):
        yield data, key
        if isinstance(value, dict | list):
            yield from places(value)


@st.composite
def changed_data(draw: st.DrawFn, data: Any) -> str:
    """Values replaced, left out or renamed, as JSON or as YAML."""
    data, most = copy.deepcopy(data), 1_500
    for _ in range(draw(st.integers(1, 3))):
        container, key = draw(st.sampled_from(list(places(data)) or [([0], 0)]))
        change = draw(st.sampled_from(["replace", "leave out", "rename", "repeat"]))
        value = container.pop(key)
        if change == "rename" and isinstance(container, dict):
            container[as_key(draw(SCALARS))] = value
        elif change == "repeat" and isinstance(container, list):
            container[key:key] = [value] * draw(st.sampled_from([2, most // 10, most]))
            most = 20  # repeated within what is repeated, more would take minutes to write
        elif change != "leave out" and isinstance(container, dict):
            container[key] = draw(VALUES)
        elif change != "leave out":
            container.insert(key, draw(VALUES))
    return written(data, as_json=draw(st.booleans()))


def written(data: Any, as_json: bool) -> str:
    if as_json:
        return json.dumps(data)
    return yaml.dump(data, Dumper=Plainly, allow_unicode=True)


@st.composite
def changed_text(draw: st.DrawFn, data: Any) -> str:
    """Tokens put in anywhere, or in place of a value."""
    text = written(data, as_json=draw(st.booleans()))
    for _ in range(draw(st.integers(1, 4))):
        values = [found.span() for found in re.finditer(r"(?<=: |, |- )[^\s,]+", text)]
        anywhere = st.integers(0, len(text)).map(lambda at: (at, at))
        start, end = draw(st.sampled_from(values or [(0, 0)]) | anywhere)
        text = text[:start] + draw(TOKENS) + text[end:]
    return text


def read_or_refused(load: Callable[[Path], object], path: Path, text: str) -> None:
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    try:
        load(path)
    except (DataFileError, ProfileError) as error:
        assert error.problems and len(error.problems) <= MOST_PROBLEMS + 1
        for line in str(error).splitlines():
            assert line.isprintable()
        for key, why in error.problems:
            assert len(key) <= LONGEST_SHOWN and len(why) <= LONGEST_SHOWN + len(" ... ")


def kinds_of_places(data: Any) -> Iterator[tuple[Any, Any]]:
    """A place of each kind: of the spaces, which are all alike, only one."""
    known = set()
    for container, key in places(data):
        siblings = tuple(sorted(container)) if isinstance(container, dict) else len(container)
        kind = (siblings, key if isinstance(key, int) or key in LAYOUT | GAME else type(key))
        if kind not in known:
            known.add(kind)
            yield container, key


@pytest.mark.parametrize("kind", FILES)
def test_a_malformed_value_is_reported_at_every_key(kind: str, tmp_path: Path) -> None:
    base, load = FILES[kind]
    data = copy.deepcopy(base)
    for turn, (container, key) in enumerate(kinds_of_places(data)):
        value = container[key]
        for number, odd in enumerate(ODD):
            if (turn + number) % 4 and not FULL_MATRIX:
                continue
            container[key] = odd
            as_json = number % 2 == 0 or isinstance(odd, dict) or "topology" in data
            suffix = ".json" if as_json else ".yaml"
            read_or_refused(load, tmp_path / f"file{suffix}", written(data, as_json))
        container[key] = value


@pytest.mark.parametrize("changed", [changed_data, changed_text])
@pytest.mark.parametrize("kind", FILES)
def test_whatever_a_file_holds_it_is_read_or_reported(
    kind: str, changed: Callable[[Any], st.SearchStrategy[str]], tmp_path: Path
) -> None:
    data, load = FILES[kind]

    @settings(max_examples=30, suppress_health_check=list(HealthCheck))
    @given(text=changed(data), suffix=st.sampled_from([".yaml", ".json"]))
    @example(text="", suffix=".yaml")
    def check(text: str, suffix: str) -> None:
        read_or_refused(load, tmp_path / f"file{suffix}", text)

    check()

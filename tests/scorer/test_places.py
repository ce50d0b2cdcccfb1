"""Places of any shape are read from a layout, written back, and kept apart."""

import json
from itertools import combinations
from typing import Any

import pytest

from scorer.places import (
    Bar,
    Circle,
    FieldReader,
    Place,
    Polygon,
    Wedge,
    counted,
    in_order,
    in_region,
    inside,
    overlapping,
    written,
)

RING = {
    f"w{n}": {"centre": [100, 100], "radii": [30, 80], "from": 60 * n, "to": 60 * (n + 1)}
    for n in range(6)
}
TRAY = {"points": [[5, 5], [45, 5], [45, 20], [25, 35], [5, 20]]}
REGIONS: dict[str, Any] = {**RING, "tray": TRAY, "pond": {"at": [180, 20], "radius": 12}}


def read(data: dict[str, Any]) -> tuple[FieldReader, dict[Place, Any]]:
    fields = FieldReader({"regions": data})
    return fields, fields.places("regions", "region")


def test_every_shape_is_read_and_written_back() -> None:
    fields, places = read({**REGIONS, "road": {"at": [20, 90], "size": [30, 6], "turn": 45}})
    assert fields.problems == []
    kinds = {type(shape) for shape in places.values()}
    assert kinds == {Circle, Bar, Polygon, Wedge}
    again, same = read(json.loads(json.dumps(written(places, "region"))))
    assert same == places and again.problems == []


@pytest.mark.parametrize(
    ("wrong", "key"),
    [
        (7, ""),
        ({"at": [1, 2]}, ""),
        ({"points": [[0, 0], [1, 1]]}, ".points"),
        ({"points": [[0, 0], [1, 1], "x"]}, ".points[2]"),
        ({"centre": [9, 9], "radii": [30, 20], "from": 0, "to": 9}, ".radii"),
        ({"centre": [9, 9], "radii": [20, 30], "from": 0, "to": 361}, ".to"),
        ({"centre": [9, 9], "radii": [20, 30], "from": 0}, ".to"),
        ({"at": [9, 9], "size": [0, 3]}, ".size[0]"),
    ],
)
def test_the_error_for_an_invalid_shape_names_its_key(wrong: object, key: str) -> None:
    fields, places = read({"a": wrong})
    assert not places and [reported for reported, _ in fields.problems] == [f"regions.a{key}"]


def test_neighbours_touch_and_do_not_overlap() -> None:
    _, places = read(REGIONS)
    assert not any(overlapping(a, b) for a, b in combinations(places.values(), 2))
    wedge = places[Place("w0", "region")]
    for shape in (Circle(wedge.at, 5), Circle((100, 25), 8), Wedge((100, 100), (50, 60), 50, 70)):
        assert overlapping(wedge, shape) and overlapping(shape, wedge)
    assert not overlapping(wedge, Circle((100, 100), 20)), "the hole in the middle is free"


def test_the_middle_of_a_place_lies_in_it() -> None:
    _, places = read(REGIONS)
    for shape in places.values():
        assert inside(shape, shape.at, margin=5)
        assert not inside(shape, (shape.at[0] + 2.1 * shape.radius, shape.at[1]))
    assert not inside(places[Place("w0", "region")], (100, 100))


def test_what_is_left_of_a_region_is_numbered_anew() -> None:
    pieces = in_region("w1", {"red": 2, "grey": 1}) | {Place("a1"): "red"}
    assert counted(pieces, "w1") == {"red": 2, "grey": 1} and not counted(pieces, "a1")
    del pieces[Place("w1", "region", 0)]
    assert in_order(pieces) == {Place("a1"): "red"} | in_region("w1", {"red": 2})

"""Where on a drawn board a tap, an arrow key or a camera points."""

from typing import Any

import cv2
import numpy as np
import pytest

from tests.webapp.scripts.conftest import Run

SPACES = [
    ("a", 20, 20, "spot"),
    ("b", 60, 20, "edge"),
    ("c", 20, 60, "spot"),
    ("d", 62, 64, "spot"),
]
BOARD = """
  document.body.style.margin = 0;
  document.body.innerHTML = '<svg width="200" height="200" viewBox="0 0 100 100">' +
    given.spaces.map(([id, x, y, kind]) =>
      `<circle class="space" id="${id}" data-x="${x}" data-y="${y}" data-kind="${kind}"/>`
    ).join("") + "</svg>";
  const svg = document.querySelector("svg");
"""


def nearest(run: Run, x: float, y: float, kinds: list[str] | None = None) -> Any:
    """The place that is meant by a tap, in px of the screen: two to a mm of the board."""
    body = f"""{BOARD}
      const tap = {{ clientX: given.x, clientY: given.y }};
      return script.nearest(svg, tap, given.kinds)?.id ?? null;
    """
    return run("board_taps.js", body, {"spaces": SPACES, "x": x, "y": y, "kinds": kinds})


@pytest.mark.parametrize(
    ("x", "y", "meant"), [(40, 40, "a"), (60, 44, "a"), (130, 130, "d"), (120, 50, "b")]
)
def test_a_tap_means_the_place_nearest_to_it(run: Run, x: float, y: float, meant: str) -> None:
    assert nearest(run, x, y) == meant


def test_a_tap_far_from_all_means_none(run: Run) -> None:
    assert nearest(run, 80, 80) is None


def test_only_places_of_the_kinds_that_are_asked_for_are_meant(run: Run) -> None:
    assert nearest(run, 120, 40) == "b"
    assert nearest(run, 120, 40, ["spot"]) is None


@pytest.mark.parametrize(
    ("start", "key", "reached"),
    [
        ("a", "ArrowRight", "b"),
        ("a", "ArrowDown", "c"),
        ("b", "ArrowDown", "d"),
        ("d", "ArrowLeft", "c"),
        ("d", "ArrowUp", "b"),
        ("a", "ArrowLeft", None),
        ("a", "ArrowUp", None),
    ],
)
def test_an_arrow_key_leads_to_the_next_place_that_way(
    run: Run, start: str, key: str, reached: str | None
) -> None:
    body = f"{BOARD} return script.toward(svg.getElementById(given.start), given.key)?.id ?? null;"
    assert run("board_taps.js", body, {"spaces": SPACES, "start": start, "key": key}) == reached


def test_places_are_drawn_where_a_homography_has_them(run: Run) -> None:
    corners = [[102, 80], [520, 60], [610, 400], [40, 380]]
    width, height = 250.0, 180.0
    points = [[0, 0], [250, 180], [125, 90], [30, 150]]
    body = """
      const project = script.projection(given.corners, given.width, given.height);
      return given.points.map(([x, y]) => project(x, y));
    """
    given = {"corners": corners, "width": width, "height": height, "points": points}
    drawn = run("projection.js", body, given)
    board = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    matrix = cv2.getPerspectiveTransform(board, np.array(corners, np.float32))
    expected = cv2.perspectiveTransform(np.array([points], float), matrix)[0]
    assert np.allclose(drawn, expected, atol=0.01)


def test_a_ring_is_as_far_around_as_it_should_be(run: Run) -> None:
    body = "return script.ring((x, y) => [2 * x, 2 * y], 30, 40, 5);"
    corners = np.array(run("projection.js", body))
    assert len(corners) == 20
    assert np.allclose(np.hypot(*(corners - [60, 80]).T), 10)


PALETTE = """
  document.body.innerHTML = `<ul id="why"></ul><div id="palette" data-why="why">
    <button name="star" value="red"></button><button name="star" value="blue"></button>
    <button name="star" value="teal"></button><button name="star" value=""></button></div>`;
  script.markRefused(document.getElementById("palette"), given, "core");
  return [
    [...document.querySelectorAll("button")].map((button) =>
      [button.value, button.classList.contains("refused"),
       document.getElementById(button.getAttribute("aria-describedby"))?.textContent ?? null]),
    document.getElementById("why").children.length,
  ];
"""


def test_what_the_rules_refuse_is_marked_with_the_reason(run: Run) -> None:
    refused = {"core": {"red": "beside another red", "teal": "beside another red"}}
    buttons, reasons = run("refusals.js", PALETTE, refused)
    why = "beside another red"
    assert buttons == [
        ["red", True, why],
        ["blue", False, None],
        ["teal", True, why],
        ["", False, None],
    ]
    assert reasons == 1


def test_what_no_piece_may_break_is_said_of_each(run: Run) -> None:
    buttons, _ = run("refusals.js", PALETTE, {"core": {"": "it is built on", "red": "its own"}})
    assert [reported for _, _, reported in buttons] == [
        "its own",
        "it is built on",
        "it is built on",
        None,
    ]


def test_no_answer_refuses_nothing(run: Run) -> None:
    body = "window.fetch = async () => { throw new TypeError(); }; return script.refusedOn('/x');"
    assert run("refusals.js", body) == {}

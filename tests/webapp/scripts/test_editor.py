"""The editor of boards: the server keeps what is drawn, and each change can be taken back."""

from typing import Any

from tests.webapp.scripts.conftest import Run

SERVER = """
  const asked = [];
  let answer;
  window.fetch = (url, { body } = {}) => {
    asked.push(JSON.parse(body));
    return new Promise((done, fail) => {
      answer = (status, found = {}) => (
        status ? done(Response.json(found, { status })) : fail(new TypeError("no network")));
    });
  };
  const soon = window.setTimeout;
  const later = [];
  window.setTimeout = (act) => later.push(act);
  const told = [];
  const server = new script.Server({ keep: "/keep", token: "t" }, (found) => told.push(found));
  const board = { layout: { spaces: {} }, doubtful: {} };
  const change = (id) => { board.layout.spaces[id] = {}; server.keep(board); };
  const until = async (ready) => {
    for (let turn = 0; !ready() && turn < 100; turn++) {
      await new Promise((done) => { soon(done, 1); });
    }
  };
"""


def server(run: Run, body: str) -> Any:
    return run("editor_server.js", SERVER + body)


def test_a_change_is_kept_and_what_was_found_is_reported(run: Run) -> None:
    body = """
      change("a");
      const done = server.flush();
      await until(() => asked.length);
      answer(200, { problems: ["x"] });
      return [await done, asked[0].layout, told];
    """
    assert server(run, body) == [True, {"spaces": {"a": {}}}, [None, {"problems": ["x"]}]]


def test_a_change_while_another_one_is_on_its_way_is_kept_too(run: Run) -> None:
    body = """
      change("a");
      const done = server.flush();
      await until(() => asked.length === 1);
      change("b");
      answer(200, { problems: [] });
      const again = server.flush();
      await until(() => asked.length === 2);
      answer(200, { problems: [] });
      await again;
      return [asked.map(({ layout }) => Object.keys(layout.spaces)), told, await done];
    """
    kept, reported, done = server(run, body)
    assert kept == [["a"], ["a", "b"]] and done
    assert reported == [None, None, {"problems": []}], "saved is said of the last change alone"


def test_what_was_not_kept_is_tried_again(run: Run) -> None:
    body = """
      change("a");
      const done = server.flush();
      await until(() => asked.length === 1);
      answer(0);
      const first = await done;
      later.at(-1)();
      await until(() => asked.length === 2);
      answer(200, {});
      return [first, await server.flush(), asked.length, told.length];
    """
    assert server(run, body) == [False, True, 2, 2]


def test_nothing_is_sent_when_nothing_has_changed(run: Run) -> None:
    assert server(run, "return [await server.flush(), asked];") == [True, []]


PARTS: dict[str, dict[str, Any]] = {
    "links": {"id": "links", "kind": "links", "key": ["topology", "links"]},
    "marks": {"id": "marks", "kind": "marks", "key": ["marks"]},
    "regions": {"id": "regions", "kind": "regions", "key": ["regions"]},
    "rings": {"id": "rings", "kind": "rings", "key": ["rings"]},
    "track": {
        "id": "row",
        "kind": "track",
        "key": ["tracks", "black"],
        "track": "black",
        "title": "Black",
    },
}
STATE = {
    "layout": {
        "size_mm": [200, 100],
        "spaces": {
            "a": {"at": [20, 20], "radius": 5},
            "b": {"at": [180, 20], "radius": 5},
            "c": {"at": [180, 80], "radius": 5},
        },
        "regions": {"north": ["a", "b"], "south": ["c"]},
        "rings": {"outer": []},
        "tracks": {
            "black": {"radius": 4, "at": [[20, 50], [30, 50], [40, 50]], "points": [1, 2, 3]}
        },
    },
    "corners": [[0, 0], [1, 0], [1, 1], [0, 1]],
    "parts": list(PARTS.values()),
    "names": {"a": "Alpha"},
    "doubtful": {"a-b": "faint", "b": "dark", "black/1": "a 2?", "black/2": "a 3?"},
}
BOARD = """
  const board = new script.Board(given);
  const part = (kind) => board.parts.find((one) => one.kind === kind);
"""


def board(run: Run, body: str) -> Any:
    return run("editor_board.js", BOARD + body, STATE)


def test_each_change_can_be_taken_back_and_done_again(run: Run) -> None:
    body = """
      const before = board.now();
      board.toggleMark(part("marks"), "a");
      board.swap("a", "c");
      const after = board.now();
      const restore = (state) => Object.assign(board, state);
      restore(board.undo());
      restore(board.undo());
      const back = board.now();
      restore(board.redo());
      restore(board.redo());
      const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
      return [same(back, { ...before, layout: { ...before.layout } }), same(board.now(), after),
        board.redo(), back.layout.marks ?? null];
    """
    assert board(run, body) == [True, True, None, None]


def test_a_new_change_leaves_nothing_to_be_done_again(run: Run) -> None:
    body = """
      board.swap("a", "b");
      Object.assign(board, board.undo());
      board.swap("a", "c");
      return [board.redo(), board.layout.spaces.a.at];
    """
    assert board(run, body) == [None, [180, 80]]


def test_a_space_is_in_one_region_at_most(run: Run) -> None:
    body = """
      board.toggleRegion(part("regions"), "south", "a");
      const moved = JSON.parse(JSON.stringify(board.layout.regions));
      board.toggleRegion(part("regions"), "south", "a");
      return [moved, board.layout.regions];
    """
    assert board(run, body) == [
        {"north": ["b"], "south": ["c", "a"]},
        {"north": ["b"], "south": ["c"]},
    ]


def test_a_link_is_the_same_from_either_end_and_settles_its_doubt(run: Run) -> None:
    body = """
      board.toggleLink(part("links"), "b", "a");
      const linked = JSON.parse(JSON.stringify(board.layout.topology.links));
      board.toggleLink(part("links"), "a", "b");
      return [linked, board.layout.topology.links, "a-b" in board.doubtful];
    """
    assert board(run, body) == [[["b", "a"]], [], False]


def test_a_ring_is_in_order_around_its_middle(run: Run) -> None:
    body = """
      for (const id of ["c", "a", "b"]) board.toggleRing(part("rings"), "outer", id);
      return board.layout.rings.outer;
    """
    assert board(run, body) == ["a", "b", "c"]


def test_doubts_follow_their_slots_when_one_is_deleted(run: Run) -> None:
    body = """
      board.deleteSlot(part("track"), 1);
      const { at, points } = JSON.parse(JSON.stringify(board.layout.tracks.black));
      const doubts = board.doubtful;
      board.deleteSlot(part("track"), 1);
      return [at, points, doubts, board.doubtful];
    """
    at, points, doubts, left = board(run, body)
    assert (at, points) == ([[20, 50], [40, 50]], [1, 3])
    assert doubts == {"a-b": "faint", "b": "dark", "black/1": "a 3?"}
    assert left == {"a-b": "faint", "b": "dark"}


def test_a_slot_is_added_farther_along_the_row(run: Run) -> None:
    body = """
      board.addSlot(part("track"));
      const { at, points } = board.layout.tracks.black;
      return [at.at(-1), points];
    """
    assert board(run, body) == [[50, 50], [1, 2, 3, None]]


def test_a_place_stays_on_the_board_and_its_doubt_is_settled(run: Run) -> None:
    body = """
      const place = board.places().find(({ id }) => id === "b");
      board.move(place, 250, -3);
      return [board.layout.spaces.b.at, "b" in board.doubtful];
    """
    assert board(run, body) == [[200, 0], False]


def test_another_size_scales_what_lies_on_the_board(run: Run) -> None:
    body = """
      board.resize(400, 200);
      const { spaces, tracks, size_mm } = board.layout;
      return [size_mm, spaces.a, tracks.black.at[1], tracks.black.radius];
    """
    assert board(run, body) == [[400, 200], {"at": [40, 40], "radius": 10}, [60, 100], 8]


CORNERS = """<svg id="corners" width="400" height="300" viewBox="0 0 400 300"><image></image>
  <g id="corners-scene"></g></svg>"""


def test_a_corner_is_dragged_within_the_photograph(run: Run) -> None:
    body = """
      document.body.style.margin = 0;
      const svg = document.getElementById("corners");
      svg.setPointerCapture = () => {};
      const moved = [];
      const loupe = { show() {}, hide() {} };
      const copy = (found) => JSON.parse(JSON.stringify(found));
      const corners = new script.Corners(svg, loupe, (found) => moved.push(copy(found)));
      const picture = document.createElement("canvas");
      [picture.width, picture.height] = [400, 300];
      await corners.show([[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]], picture.toDataURL());
      const at = (kind, clientX, clientY) => {
        svg.dispatchEvent(new PointerEvent(kind, { clientX, clientY }));
      };
      at("pointerdown", 200, 150);
      at("pointerup", 200, 150);
      const untouched = moved.length;
      at("pointerdown", 365, 30);
      at("pointermove", 385, 45);
      at("pointermove", 900, 45);
      at("pointerup", 900, 45);
      return [untouched, moved];
    """
    untouched, moved = run("editor_corners.js", body, None, CORNERS)
    assert untouched == 0 and len(moved) == 1
    assert moved[0][1] == [1, 0.15] and moved[0][2] == [0.9, 0.9]


AREAS = {
    **STATE,
    "parts": [],
    "layout": {
        "size_mm": [200, 100],
        "regions": {
            "field": {"points": [[10, 10], [50, 10], [50, 30], [10, 30]]},
            "wedge": {"centre": [100, 50], "radii": [10, 40], "from": -10, "to": 170},
        },
        "links": {"a-b": {"at": [150, 50], "size": [20, 4], "turn": 90}},
    },
}


def areas(run: Run, body: str) -> Any:
    return run("editor_board.js", "const board = new script.Board(given);" + body, AREAS)


def test_an_area_is_dragged_as_a_whole_and_by_its_corners(run: Run) -> None:
    body = """
      const place = (id) => board.places().find((one) => one.id === id);
      board.move(place("field"), 40, 30);
      board.move(board.handles("field")[2], 70, 50);
      board.move(place("a-b"), 160, 60);
      const { regions, links } = board.layout;
      return [regions.field.points, links["a-b"].at, board.handles("a-b")];
    """
    points = [[20, 20], [60, 20], [70, 50], [20, 40]]
    assert areas(run, body) == [points, [160, 60], []]


def test_corners_of_neighbours_follow_the_one_that_is_dragged(run: Run) -> None:
    """They are printed as one, with no more than a line between them."""
    body = """
      const { regions } = board.layout;
      regions.next = { points: [[51, 10], [90, 10], [90, 30], [51, 31]] };
      const corner = board.handles("field")[2];
      board.move(corner, 55, 35);
      board.move(corner, 40, 100);
      return [regions.field.points[2], regions.next.points, regions.wedge];
    """
    dragged, beside, wedge = areas(run, body)
    assert dragged == [40, 100] and beside == [[51, 10], [90, 10], [90, 30], [41, 100]]
    assert wedge == AREAS["layout"]["regions"]["wedge"]


def test_a_wedge_follows_the_corner_that_is_dragged(run: Run) -> None:
    body = """
      const [outer, , , inner] = board.handles("wedge");
      board.move(outer, 100, 20);
      board.move(board.handles("wedge")[2], 100, 62);
      return board.layout.regions.wedge;
    """
    wedge = {"centre": [100, 50], "radii": [12, 30], "from": 0, "to": 180}
    assert areas(run, body) == wedge


def test_another_size_scales_areas(run: Run) -> None:
    body = """
      board.resize(400, 200);
      return [board.layout.regions, board.layout.links["a-b"]];
    """
    field = {"points": [[20, 20], [100, 20], [100, 60], [20, 60]]}
    wedge = {"centre": [200, 100], "radii": [20, 80], "from": -10, "to": 170}
    bar = {"at": [300, 100], "size": [40, 8], "turn": 90}
    assert areas(run, body) == [{"field": field, "wedge": wedge}, bar]


def test_dragging_a_place_redraws_only_what_moves(run: Run) -> None:
    """Else a slow phone takes a tenth of a second for each step."""
    body = """
      const { Board } = await import("./editor_board.js");
      const spaces = { a: { at: [10, 10], radius: 5 }, b: { at: [50, 10], radius: 5 },
        c: { at: [90, 10], radius: 5 } };
      const parts = [{ id: "links", kind: "links", key: ["links"] }];
      const layout = { size_mm: [100, 20], spaces, links: [["a", "b"], ["b", "c"]] };
      const board = new Board({ layout, corners: [], parts, names: {}, doubtful: {} });
      const svg = document.querySelector("svg");
      const drawing = new script.Drawing(svg);
      const now = { tool: "places", chosen: "", selected: "", lit: [], picture: "" };
      drawing.draw(board, now);
      svg.querySelector("[data-place=a]").focus();
      const before = document.activeElement;
      const changes = new MutationObserver(() => {});
      changes.observe(svg, { attributes: true, childList: true, subtree: true });
      const moved = (draw) => {
        draw();
        return [...new Set(changes.takeRecords().map(({ target }) => (
          target.closest("[data-place]")?.dataset.place ?? target.tagName)))].sort();
      };
      const place = board.places()[0];
      const dragged = moved(() => { board.move(place, 12, 11); drawing.draw(board, now); });
      const stays = document.activeElement === before && before.dataset.place;
      delete spaces.a;
      board.layout.links.shift();
      drawing.draw(board, now);
      const gone = document.activeElement.tagName;
      svg.querySelector("[data-place=c]").focus();
      delete spaces.b;
      drawing.draw(board, now);
      const follows = document.activeElement.dataset.place;
      const circles = [...svg.querySelectorAll("[data-place]")].map((one) => (
        [one.dataset.place, one.querySelector(".rim").getAttribute("cx")]));
      return [dragged, stays, gone, follows, circles, svg.querySelectorAll("line").length];
    """
    html = '<svg tabindex="0"><image></image><g id="editor-scene"></g></svg>'
    assert run("editor_drawing.js", body, None, html) == [
        ["a", "line"],
        "a",
        "BODY",
        "c",
        [["c", "90"]],
        1,
    ]

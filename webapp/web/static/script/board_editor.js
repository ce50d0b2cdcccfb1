/* The board editor: circles are dragged, everything else is tapped. */

import { byId, closest, data, maybe, one } from "./dom.js";
import { ARROWS } from "./board_taps.js";
import { announce } from "./page.js";
import { Board } from "./editor_board.js";
import { Corners } from "./editor_corners.js";
import { Drawing, Loupe } from "./editor_drawing.js";
import { panelOf } from "./editor_panels.js";
import { Server } from "./editor_server.js";

const STEP = 0.5; // mm per arrow key press, four times as much with Shift
/** @type {Record<string, string>} */
const TOOLS = { size_mm: "size", "": "names" }; // for doubts about no part
const AROUND = 2.4; // the loupe's reach in radii

/** @import { Now, EditorState, Findings, Edited, Place, Point } from "../../scripts.js" */
const editor = byId("editor");
const words = data(byId("editor-words"));
const svg = byId("drawn-board", SVGSVGElement);
const drawing = new Drawing(svg);
const loupe = new Loupe(byId("loupe", SVGSVGElement));
const cornerLoupe = new Loupe(byId("corner-loupe", SVGSVGElement));
const corners = new Corners(byId("corners", SVGSVGElement), cornerLoupe, straighten);
const server = new Server(data(editor), showFindings);
/** @type {Now} */
const now = { tool: "places", chosen: "", selected: "", lit: [], problems: [], picture: "", doubt: null };
/** Assigned below before anything uses it.
    @type {Board} */
let board;
/** @type {{ place: Place, dx: number, dy: number, moved: boolean } | null} */
let held = null;

function draw() {
  drawing.draw(board, now);
  byId("undo", HTMLButtonElement).disabled = !board.done.length;
  byId("redo", HTMLButtonElement).disabled = !board.undone.length;
  showDoubts();
}

/** Show the number of open doubts, and the current doubt until it is answered. */
function showDoubts() {
  const doubts = Object.keys(board.doubtful);
  if (!doubts.includes(now.doubt ?? "")) now.doubt = null;
  byId("doubts").hidden = !doubts.length;
  byId("doubts-count").textContent = String(doubts.length);
  byId("doubt").hidden = now.doubt === null;
  byId("doubt-next").hidden = doubts.length < 2;
  byId("doubt-delete").hidden = now.doubt === null || !deletion(now.doubt);
  byId("doubt-text").textContent = (now.doubt !== null && board.doubtful[now.doubt]) || "";
  complete();
}

function complete() {
  const open = now.problems.length || Object.keys(board.doubtful).length;
  byId("right").hidden = Boolean(open);
  byId("onward").setAttribute("aria-disabled", String(Boolean(open)));
}

/** The function that deletes what a doubt is about; none if it is required.
    @param {string} doubt */
function deletion(doubt) {
  const [track, slot] = doubt.split("/");
  const row = board.parts.find((part) => part.kind === "track" && part.track === track);
  if (row && Number(slot) >= 0) return () => board.deleteSlot(row, Number(slot));
  const link = linkOf(doubt);
  const [a, b] = doubt.split("-");
  return link && (() => board.toggleLink(link, a, b));
}

/** The part with the link of a doubt, if it is drawn.
    @param {string} doubt */
function linkOf(doubt) {
  const ends = doubt.split("-");
  return board.parts.find((part) => part.kind === "links" && ends.length === 2
    && board.value(part).some((/** @type {string[]} */ own) => ends.every((end) => own.includes(end))));
}

function changed() {
  draw();
  server.keep(board);
}

/** Show the server's findings; null while the last change is unsaved.
    @param {Findings | null} found */
function showFindings(found) {
  byId("saved").textContent = found ? words.saved : words.saving;
  if (!found) return;
  now.problems = found.problems;
  const items = found.problems.map((problem) => {
    const item = /** @type {DocumentFragment} */ (byId("problem", HTMLTemplateElement).content.cloneNode(true));
    one("span", HTMLElement, item).textContent = problem.text;
    one("small", HTMLElement, item).textContent = problem.mend;
    one("button", HTMLButtonElement, item).addEventListener("click", () => {
      use(problem.tool);
      now.lit = problem.spaces;
      draw();
    });
    return item;
  });
  byId("problems").replaceChildren(...items);
  byId("notices").replaceChildren(...found.notices.map((notice) => {
    const item = document.createElement("li");
    item.textContent = notice;
    return item;
  }));
  byId("notices-box").hidden = !found.notices.length;
  complete();
}

/** Select a tool.
    @param {string} tool */
function use(tool) {
  now.tool = tool;
  now.doubt = null;
  now.selected = "";
  now.lit = [];
  const part = board.part(tool);
  const choices = part && ["regions", "rings"].includes(part.kind) ? Object.keys(board.value(part, {})) : [];
  now.chosen = choices[0] ?? "";
  const radio = one(`[name=tool][value="${tool}"]`, HTMLInputElement, editor);
  radio.checked = true;
  radio.parentElement?.scrollIntoView({ block: "nearest", inline: "center" });
  byId("tool-hint").textContent = data(radio).hint;
  const atCorners = tool === "corners";
  svg.toggleAttribute("hidden", atCorners);
  byId("corners", SVGSVGElement).toggleAttribute("hidden", !atCorners);
  byId("corners-again").hidden = !atCorners;
  if (atCorners) corners.show(board.corners, data(editor).preview).catch(() => {});
  panel();
  draw();
  if (part?.kind === "track") svg.scrollIntoView({ block: "start" });
}

function panel() {
  const isRow = board.part(now.tool)?.kind === "track";
  const parts = [...panelOf(board, now, words, {
    choose: (name) => { now.chosen = name; panel(); draw(); },
    select,
    changed,
    redraw: () => { panel(); changed(); },
  })];
  byId("tool-panel").replaceChildren(...(isRow ? [] : parts));
  byId("row-panel").replaceChildren(...(isRow ? parts : []));
}

/** Select a slot of a track, to highlight or delete it.
    @param {string} id */
function select(id) {
  now.selected = id;
  const gone = document.getElementById("delete-slot");
  const slot = Number(id.split("/")[1]);
  if (gone) {
    gone.hidden = false;
    gone.textContent = words.deleteSlot.replace("9", String(slot + 1));
  }
  draw();
}

/** Tap a slot, to type its number.
    @param {Place} place */
function typeIn(place) {
  if (place.part && now.tool !== place.part.id) use(place.part.id);
  select(place.id);
  maybe(`[data-slot="${place.slot}"] input`, HTMLInputElement, byId("row-panel"))?.focus();
}

/** Select an area, to drag its corners.
    @param {string} id */
function choose(id) {
  now.selected = id;
  draw();
}

/** Tap a place; the current tool decides what that does.
    @param {Place} place */
function tap(place) {
  const part = board.part(now.tool);
  now.lit = [];
  if (place.part) return;
  const pair = now.tool === "names" || part?.kind === "links";
  if (pair && !now.selected) {
    now.selected = place.id;
    announce(place.name);
    draw();
    return;
  }
  if (pair) {
    const first = now.selected;
    now.selected = "";
    if (first === place.id) return draw();
    if (part) board.toggleLink(part, first, place.id);
    else board.swap(first, place.id);
  } else if (part?.kind === "marks") board.toggleMark(part, place.id);
  else if (part?.kind === "regions") board.toggleRegion(part, now.chosen, place.id);
  else if (part?.kind === "rings") board.toggleRing(part, now.chosen, place.id);
  else return;
  changed();
}

const handles = () => (now.tool === "places" ? board.handles(now.selected) : []);
const drags = () => ["places", "size"].includes(now.tool) || board.part(now.tool)?.kind === "track";

svg.addEventListener("pointerdown", (event) => {
  const place = drawing.nearest(board, event, handles());
  if (!place || event.button) return;
  event.preventDefault();
  maybe(`[data-place="${CSS.escape(place.id)}"]`, SVGElement, svg)?.focus({ preventScroll: true });
  if (!drags()) return tap(place);
  svg.setPointerCapture(event.pointerId);
  const { x, y } = drawing.point(event);
  held = { place, dx: place.x - x, dy: place.y - y, moved: false };
  look(event);
});

svg.addEventListener("pointermove", (event) => {
  if (!held) return;
  const { x, y } = drawing.point(event);
  if (!held.moved && Math.hypot(x + held.dx - held.place.x, y + held.dy - held.place.y) < 2 * drawing.scale) return;
  if (!held.moved) board.remember();
  held.moved = true;
  board.move(held.place, x + held.dx, y + held.dy);
  draw();
  look(event);
});

for (const end of ["pointerup", "pointercancel"]) {
  svg.addEventListener(end, () => {
    loupe.hide();
    if (held?.moved) changed();
    else if (held?.place.part && end === "pointerup") typeIn(held.place);
    else if (held?.place.outline) choose(held.place.id);
    held = null;
  });
}

/** @param {MouseEvent} event */
function look(event) {
  const { x, y } = drawing.point(event);
  if (!held) return;
  const reach = held.place.area ? board.size[0] / 20 : held.place.radius * AROUND;
  loupe.show(event, x + held.dx, y + held.dy, reach);
}

svg.addEventListener("keydown", (event) => {
  const id = closest(event, "[data-place]", SVGElement)?.dataset.place;
  const place = id && [...board.places(), ...handles()].find((one) => one.id === id);
  if (!place) return;
  const way = ARROWS[event.key];
  if (place.part && ["Delete", "Backspace"].includes(event.key)) {
    event.preventDefault();
    board.deleteSlot(place.part, place.slot ?? -1);
    panel();
    changed();
  } else if (place.part && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault();
    typeIn(place);
  } else if (way && drags()) {
    event.preventDefault();
    const step = event.shiftKey ? 4 * STEP : STEP;
    board.remember();
    board.move(place, place.x + way[0] * step, place.y + way[1] * step);
    changed();
  } else if ((event.key === "Enter" || event.key === " ") && !drags()) {
    event.preventDefault();
    tap(place);
  } else if ((event.key === "Enter" || event.key === " ") && place.outline) {
    event.preventDefault();
    choose(place.id);
  }
});

/** Change the corners: the server returns the rectified board and the new positions of spaces.
    @param {Point[]} to */
async function straighten(to) {
  try {
    await server.flush();
    const state = await server.straighten(to, board.layout);
    board.remember();
    take(state);
  } catch (error) {
    byId("corner-error").textContent = error instanceof Error && error.message ? error.message : words.lost;
    corners.show(board.corners, data(editor).preview).catch(() => {});
  }
}

/** @param {EditorState} state */
function take(state) {
  byId("corner-error").textContent = "";
  board.layout = state.layout;
  board.corners = state.corners;
  now.picture = state.picture;
  showFindings(state);
  if (now.tool === "corners") corners.show(board.corners, data(editor).preview).catch(() => {});
  draw();
}

/** @param {Edited | null} state */
async function travel(state) {
  if (!state) return;
  if (JSON.stringify(state.corners) !== JSON.stringify(board.corners)) {
    try {
      take(await server.straighten(state.corners, board.layout));
    } catch { announce(words.lost); }
  }
  board.layout = state.layout;
  board.doubtful = state.doubtful;
  use(now.tool);
  changed();
}

byId("undo").addEventListener("click", () => travel(board.undo()));
byId("redo").addEventListener("click", () => travel(board.redo()));
document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || closest(event, "input")) return;
  event.preventDefault();
  travel(event.shiftKey ? board.redo() : board.undo());
});

/** Show an uncertain item and the reason; it is resolved once it is answered.
    @param {string} doubt */
function lookAt(doubt) {
  const ends = doubt.split("-");
  const track = board.parts.find((part) => part.kind === "track" && doubt.split("/")[0] === part.track);
  use(linkOf(doubt)?.id ?? track?.id ?? TOOLS[doubt] ?? "places");
  now.doubt = doubt;
  now.lit = ends.length === 2 ? ends : [doubt];
  draw();
  byId("doubt").scrollIntoView({ block: "nearest" });
}

/** The index of the current doubt, -1 for none.
    @param {string[]} doubts */
const placeOf = (doubts) => (now.doubt === null ? -1 : doubts.indexOf(now.doubt));

/** The doubt after the current one, cyclically. */
function next() {
  const doubts = Object.keys(board.doubtful);
  if (doubts.length) lookAt(doubts[(placeOf(doubts) + 1) % doubts.length]);
}

/** Answer the current doubt, and continue with the next one.
    @param {(doubt: string) => void} change */
function answer(change) {
  const doubts = Object.keys(board.doubtful);
  const following = doubts[placeOf(doubts) + 1];
  if (now.doubt === null) return;
  change(now.doubt);
  panel();
  changed();
  const left = Object.keys(board.doubtful);
  if (left.length) lookAt(left.includes(following) ? following : left[0]);
}

byId("doubts").addEventListener("click", next);
byId("doubt-next").addEventListener("click", next);
byId("doubt-right").addEventListener("click", () => answer((doubt) => board.confirm(doubt)));
byId("doubt-delete").addEventListener("click", () => answer((doubt) => deletion(doubt)?.()));

byId("corners-again").addEventListener("click", async () => {
  await server.propose(board.corners);
  location.reload();
});

const onward = byId("onward", HTMLAnchorElement);
onward.addEventListener("click", async (event) => {
  event.preventDefault();
  if (now.problems.length) {
    one("button", HTMLButtonElement, byId("problems")).focus();
    announce(now.problems[0].text);
  } else if (Object.keys(board.doubtful).length) {
    next();
    announce(byId("doubt-text").textContent);
  } else if (await server.flush()) location.assign(onward.href);
});

editor.addEventListener("change", ({ target }) => {
  if (target instanceof HTMLInputElement && target.name === "tool") use(target.value);
});
addEventListener("resize", () => { if (board) draw(); });
document.addEventListener("visibilitychange", () => { if (board && document.hidden) server.flush(); });

const state = await server.state();
if (state.state !== "proposed") location.reload();
board = new Board(state);
now.picture = state.picture;
showFindings(state);
use("places");
editor.dataset.ready = "yes";

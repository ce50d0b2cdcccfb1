/* The editor of a board: circles are dragged, everything else is tapped. */

import { announce } from "./page.js";
import { Board } from "./editor_board.js";
import { Corners } from "./editor_corners.js";
import { Drawing, Loupe } from "./editor_drawing.js";
import { panelOf } from "./editor_panels.js";
import { Server } from "./editor_server.js";

const STEP = 0.5; // mm for an arrow key, four times as much with Shift
const AROUND = 2.4; // radii that the loupe shows on each side

const element = (id) => document.getElementById(id);
const editor = element("editor");
const words = element("editor-words").dataset;
const svg = element("drawn-board");
const drawing = new Drawing(svg);
const loupe = new Loupe(element("loupe"));
const corners = new Corners(element("corners"), new Loupe(element("corner-loupe")), straighten);
const server = new Server(editor.dataset, told);
const now = { tool: "places", chosen: "", selected: "", lit: [], problems: [], picture: "", doubt: null };
let board = null;
let held = null;

function draw() {
  drawing.draw(board, now);
  element("undo").disabled = !board.done.length;
  element("redo").disabled = !board.undone.length;
  showDoubts();
}

/** How much is doubtful still, and the doubt that is looked at, which stays until it is answered. */
function showDoubts() {
  const doubts = Object.keys(board.doubtful);
  if (!doubts.includes(now.doubt)) now.doubt = null;
  element("doubts").hidden = !doubts.length;
  element("doubts-count").textContent = doubts.length;
  element("doubt").hidden = now.doubt === null;
  element("doubt-next").hidden = doubts.length < 2;
  element("doubt-delete").hidden = now.doubt === null || !deletion(now.doubt);
  element("doubt-text").textContent = board.doubtful[now.doubt] ?? "";
  complete();
}

function complete() {
  const open = now.problems.length || Object.keys(board.doubtful).length;
  element("right").hidden = Boolean(open);
  element("onward").setAttribute("aria-disabled", String(Boolean(open)));
}

/** How what a doubt is about is deleted; none for what a board must have. */
function deletion(doubt) {
  const [track, slot] = doubt.split("/");
  const row = board.parts.find((part) => part.kind === "track" && part.track === track);
  if (row && Number(slot) >= 0) return () => board.deleteSlot(row, Number(slot));
  const link = linkOf(doubt);
  return link && (() => board.toggleLink(link, ...doubt.split("-")));
}

/** The part that has the link of a doubt, if one is drawn. */
function linkOf(doubt) {
  const ends = doubt.split("-");
  return board.parts.find((part) => part.kind === "links" && ends.length === 2
    && board.value(part).some((own) => ends.every((end) => own.includes(end))));
}

function changed() {
  draw();
  server.keep(board);
}

/** What the server found wrong; null while the last change is not kept yet. */
function told(found) {
  element("saved").textContent = found ? words.saved : words.saving;
  if (!found) return;
  now.problems = found.problems;
  const items = found.problems.map((problem) => {
    const item = element("problem").content.firstElementChild.cloneNode(true);
    item.querySelector("span").textContent = problem.text;
    item.querySelector("small").textContent = problem.mend;
    item.querySelector("button").addEventListener("click", () => {
      use(problem.tool);
      now.lit = problem.spaces;
      draw();
    });
    return item;
  });
  element("problems").replaceChildren(...items);
  element("notices").replaceChildren(...found.notices.map((notice) => {
    const item = document.createElement("li");
    item.textContent = notice;
    return item;
  }));
  element("notices-box").hidden = !found.notices.length;
  complete();
}

/** Take a tool in hand. */
function use(tool) {
  now.tool = tool;
  now.doubt = null;
  now.selected = "";
  now.lit = [];
  const part = board.part(tool);
  const choices = part && ["regions", "rings"].includes(part.kind) ? Object.keys(board.value(part, {})) : [];
  now.chosen = choices[0] ?? "";
  const radio = editor.querySelector(`[name=tool][value="${tool}"]`);
  radio.checked = true;
  radio.parentElement.scrollIntoView({ block: "nearest", inline: "center" });
  element("tool-hint").textContent = radio.dataset.hint;
  const atCorners = tool === "corners";
  svg.toggleAttribute("hidden", atCorners);
  element("corners").toggleAttribute("hidden", !atCorners);
  element("corners-again").hidden = !atCorners;
  if (atCorners) corners.show(board.corners, editor.dataset.preview).catch(() => {});
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
  element("tool-panel").replaceChildren(...(isRow ? [] : parts));
  element("row-panel").replaceChildren(...(isRow ? parts : []));
}

/** Choose a slot of a track: it is lit, and can be deleted. */
function select(id) {
  now.selected = id;
  const gone = element("delete-slot");
  const slot = Number(id.split("/")[1]);
  if (gone) {
    gone.hidden = false;
    gone.textContent = words.deleteSlot.replace("9", slot + 1);
  }
  draw();
}

/** A tap on a slot: its number is typed next. */
function typeIn(place) {
  if (now.tool !== place.part.id) use(place.part.id);
  select(place.id);
  element("row-panel").querySelector(`[data-slot="${place.slot}"] input`)?.focus();
}

/** A tap on a place: what it means is the tool's. */
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

const drags = () => ["places", "size"].includes(now.tool) || board.part(now.tool)?.kind === "track";

svg.addEventListener("pointerdown", (event) => {
  const place = drawing.nearest(board, event);
  if (!place || event.button) return;
  event.preventDefault();
  svg.querySelector(`[data-place="${CSS.escape(place.id)}"]`)?.focus({ preventScroll: true });
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
    held = null;
  });
}

function look(event) {
  const { x, y } = drawing.point(event);
  loupe.show(event, x + held.dx, y + held.dy, held.place.radius * AROUND);
}

svg.addEventListener("keydown", (event) => {
  const id = event.target.closest?.("[data-place]")?.dataset.place;
  const place = id && board.places().find((one) => one.id === id);
  if (!place) return;
  const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  if (place.part && ["Delete", "Backspace"].includes(event.key)) {
    event.preventDefault();
    board.deleteSlot(place.part, place.slot);
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
  }
});

/** Other corners: the server shows the board anew, and says where the spaces are now. */
async function straighten(to) {
  try {
    await server.flush();
    const state = await server.straighten(to, board.layout);
    board.remember();
    take(state);
  } catch (error) {
    element("corner-error").textContent = error.message || words.lost;
    corners.show(board.corners, editor.dataset.preview).catch(() => {});
  }
}

function take(state) {
  element("corner-error").textContent = "";
  board.layout = state.layout;
  board.corners = state.corners;
  now.picture = state.picture;
  told(state);
  if (now.tool === "corners") corners.show(board.corners, editor.dataset.preview).catch(() => {});
  draw();
}

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

element("undo").addEventListener("click", () => travel(board.undo()));
element("redo").addEventListener("click", () => travel(board.redo()));
document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || event.target.matches("input")) return;
  event.preventDefault();
  travel(event.shiftKey ? board.redo() : board.undo());
});

/** Show something that was not surely seen, and why; it is settled once it is answered. */
function lookAt(doubt) {
  const ends = doubt.split("-");
  const track = board.parts.find((part) => part.kind === "track" && doubt.split("/")[0] === part.track);
  use(linkOf(doubt)?.id ?? track?.id ?? { size_mm: "size", "": "names" }[doubt] ?? "places");
  now.doubt = doubt;
  now.lit = ends.length === 2 ? ends : [doubt];
  draw();
  element("doubt").scrollIntoView({ block: "nearest" });
}

/** The doubt after the one that is looked at, the first after the last. */
function next() {
  const doubts = Object.keys(board.doubtful);
  if (doubts.length) lookAt(doubts[(doubts.indexOf(now.doubt) + 1) % doubts.length]);
}

/** Answer the doubt that is looked at, and go on to the one that follows it. */
function answer(change) {
  const doubts = Object.keys(board.doubtful);
  const following = doubts[doubts.indexOf(now.doubt) + 1];
  change(now.doubt);
  panel();
  changed();
  const left = Object.keys(board.doubtful);
  if (left.length) lookAt(left.includes(following) ? following : left[0]);
}

element("doubts").addEventListener("click", next);
element("doubt-next").addEventListener("click", next);
element("doubt-right").addEventListener("click", () => answer((doubt) => board.confirm(doubt)));
element("doubt-delete").addEventListener("click", () => answer((doubt) => deletion(doubt)()));

element("corners-again").addEventListener("click", async () => {
  await server.propose(board.corners);
  location.reload();
});

element("onward").addEventListener("click", async (event) => {
  event.preventDefault();
  if (now.problems.length) {
    element("problems").querySelector("button").focus();
    announce(now.problems[0].text);
  } else if (Object.keys(board.doubtful).length) {
    next();
    announce(element("doubt-text").textContent);
  } else if (await server.flush()) location.assign(event.currentTarget?.href ?? element("onward").href);
});

editor.addEventListener("change", (event) => {
  if (event.target.name === "tool") use(event.target.value);
});
addEventListener("resize", () => { if (board) draw(); });
document.addEventListener("visibilitychange", () => { if (board && document.hidden) server.flush(); });

const state = await server.state();
if (state.state !== "proposed") location.reload();
board = new Board(state);
now.picture = state.picture;
told(state);
use("places");
editor.dataset.ready = "yes";

/* A board entered by hand: what is chosen once is laid by tap after tap. Each tap is drawn at once
   and sent in its turn; when nothing is left to send, the board is as the server's answer has it. */

import { away, isBegunAway, keepEntry } from "./away.js";
import { at, nearest, toward } from "./board_taps.js";
import { discard, field, newName, queue } from "./outbox.js";
import { announce } from "./page.js";
import { markRefused, refusedOn } from "./refusals.js";

const entry = document.getElementById("entry");
const words = document.getElementById("words").dataset;
const paints = [...document.querySelectorAll("[name=paint]")];
const steppers = [...document.querySelectorAll("[data-track]")];
const PATIENCE = 10000; // ms that a tap waits for its answer
const SLOT = 10; // mm around a track's slot that mean it
const waiting = []; // changes to send, the oldest first
const paintbox = document.querySelector(".paints");
let refused = {}; // what the rules would refuse, as the server last said
let sending = false;
let revision = entry.firstElementChild.dataset.revision; // what is undone is what is known here
let leave = null; // a form to submit when all is sent

const named = (paint) => paint.closest("label").title;
const chosen = () => paints.find((paint) => paint.checked);

function choose(paint) {
  paint.checked = true;
  mark();
  announce(named(paint));
}

/* Sending */

/** What of this board waits on this device, the oldest first. */
const kept = () => queue().filter(({ url, problem }) => !problem && isOwn(url));
const isOwn = (url) => url === words.star || steppers.some(({ dataset }) => dataset.action === url);

/** Keep on this device what was not sent: after a reload, too, it is drawn and delivered. */
function keepHere() {
  for (const [url, fields, instead] of waiting.splice(0)) {
    const same = JSON.stringify([url, fields.space]);
    const first = kept().find((entry) => entry.same === same)?.instead ?? instead;
    const all = Object.entries({ ...fields, csrf_token: words.token }).map(([name, value]) => [name, String(value)]);
    if (isOwn(url)) keepEntry({ same, url, instead: first, fields: all });
  }
}

async function post([url, fields]) {
  const body = new URLSearchParams({ ...fields, revision, csrf_token: words.token });
  const headers = { "X-Partial": "1" };
  const signal = AbortSignal.timeout(PATIENCE);
  const response = await fetch(url, { method: "POST", body, headers, signal, redirect: "manual" });
  if (response.status >= 500) throw new Error(String(response.status));
  if (!response.ok) { // the page says what is wrong with this game
    waiting.length = 0;
    location.reload();
    return "";
  }
  return known(await response.text());
}

async function deliver() {
  if (sending) return;
  if (kept().length || away() || isBegunAway) { // after what waits already
    keepHere();
    return;
  }
  sending = true;
  try {
    while (waiting.length) {
      const answer = await post(waiting[0]);
      waiting.shift();
      if (answer && !waiting.length) show(answer);
    }
    judge();
    leave?.requestSubmit();
  } catch {
    leave = null;
    keepHere();
  } finally {
    sending = false;
  }
}

/** Send a change; `instead` of it there was something else before, which undoing brings back. */
function send(url, fields = {}, instead = "") {
  waiting.push([url, { ...fields, delivery: newName() }, instead]);
  deliver();
}

/** What was kept here has arrived: the board is as the computer has it. */
document.addEventListener("delivered", async ({ detail: { entry } }) => {
  if (!isOwn(entry.url) || kept().length) return;
  document.dispatchEvent(new CustomEvent("news", { cancelable: true }));
});

/** How many spaces are filled is said by the computer, of what it has. */
function hideCount() {
  entry.querySelector("#entry-told").hidden = kept().length > 0;
}

document.addEventListener("outbox", hideCount);

/** Draw what waits, as it was tapped. */
function drawKept() {
  if (kept().length) undo.disabled = false;
  hideCount();
  for (const entry of kept()) {
    const number = field(entry, "count");
    const space = document.getElementById(`space-${field(entry, "space")}`);
    if (space) draw(space, field(entry, "star"));
    else if (number !== undefined) count(steppers.find(({ dataset }) => dataset.action === entry.url), Number(number));
  }
}

/** Know at which revision the board is as an answer shows it. */
function known(answer) {
  const found = /data-revision="(\d+)"/.exec(answer);
  if (!found) location.replace(location.pathname); // it is not entered by hand any more
  revision = found[1];
  document.querySelector("#step [name=shown]").value = revision;
  return answer;
}

document.addEventListener("news", async (event) => {
  event.preventDefault();
  const asked = revision;
  if (kept().length) return; // shown once that has arrived
  const answer = await fetch(location.pathname, { headers: { "X-Partial": "1" } }).catch(() => null);
  if (!answer?.ok || waiting.length || sending || asked !== revision) return; // the answer to a tap comes
  show(known(await answer.text()));
  judge();
});

document.getElementById("step").addEventListener("submit", (event) => {
  if (!waiting.length) return;
  event.preventDefault();
  leave = event.target;
});
window.addEventListener("pagehide", keepHere); // on its way or not: twice is once

/* Drawing */

const board = document.getElementById("drawn");
const undo = document.getElementById("undo");

/** Take over what the server says. The board stays, so that no tap falls on what is just replaced. */
function show(answer) {
  const parsed = document.createElement("template");
  parsed.innerHTML = answer;
  const now = parsed.content;
  const clashed = board.querySelectorAll(".clashes line").length;
  for (const part of ["#entry-told", "#breaks", ".clashes"]) {
    entry.querySelector(part).replaceChildren(...now.querySelector(part).childNodes);
  }
  for (const id of ["undo", "redo"]) document.getElementById(id).disabled = now.getElementById(id).disabled;
  const rows = now.querySelectorAll(".track-row");
  for (const [number, row] of board.querySelectorAll(".track-row").entries()) {
    row.replaceChildren(...rows[number].childNodes);
  }
  for (const { id, dataset } of now.querySelectorAll(".space")) {
    const space = document.getElementById(id);
    if (space.dataset.star !== dataset.star) draw(space, dataset.star);
  }
  showCounts(now.firstElementChild.dataset.counts);
  if (board.querySelectorAll(".clashes line").length > clashed) announce(entry.querySelector(".break").textContent);
}

function showCounts(counts) {
  const known = JSON.parse(counts);
  for (const stepper of steppers) count(stepper, known[stepper.dataset.track] ?? 0);
}

function draw(space, star) {
  const { x, y, radius, name } = space.dataset;
  const piece = space.querySelector(".piece"); // a link's own space shows by itself whether one lies there
  piece?.replaceChildren();
  piece?.removeAttribute("transform");
  if (piece && star) {
    piece.append(...document.getElementById(`piece-${star}`).content.firstElementChild.cloneNode(true).childNodes);
    piece.setAttribute("transform", `translate(${x} ${y}) scale(${(radius * 1.06) / 10})`);
  }
  space.dataset.star = star;
  space.classList.toggle("taken", Boolean(star));
  const told = `${name}: ${star ? named(paints.find((paint) => paint.value === star)) : words.empty}`;
  space.setAttribute("aria-label", told);
  announce(told);
}

const stood = () => board.querySelector(".space[tabindex='0']");

/** Arrows and Tab find the board at this space. */
function stand(space) {
  stood().setAttribute("tabindex", "-1");
  space.setAttribute("tabindex", "0");
  mark();
}

/* What the rules would refuse */

/** Ask what would be refused now; what comes when more was tapped meanwhile is out of date. */
async function judge() {
  const asked = revision;
  const found = await refusedOn(words.refused);
  if (asked !== revision || waiting.length) return;
  refused = found;
  mark();
}

/** Mark the spaces that refuse what is chosen, and the colours that are refused where one stands.
    What every piece would break somewhere is no news there: boards are entered in any order. */
function mark() {
  const star = chosen().value;
  for (const space of board.querySelectorAll(".space")) {
    const why = (star && refused[space.dataset.space]?.[star]) || "";
    space.classList.toggle("refused", Boolean(why));
    space.setAttribute("aria-description", why);
  }
  markRefused(paintbox, refused, stood().dataset.space);
}

function lay(space, star) {
  stand(space);
  if (space.dataset.star === star) return;
  const instead = space.dataset.star;
  draw(space, star);
  undo.disabled = false;
  send(words.star, { space: space.dataset.space, star }, instead);
}

/** A tap lays what is chosen; where that lies already, it takes it away. */
function tap(space) {
  const star = chosen().value;
  if (star && !chosen().dataset.liesOn.split(" ").includes(space.dataset.kind)) return; // by a key
  lay(space, space.dataset.star === star ? "" : star);
}

/** Undo or redo; of what waits on this device, the last is taken back there. */
function takeBack(button) {
  const last = kept().at(-1);
  if (!last && !away()) send(button.dataset.action);
  if (!last || button !== undo) return;
  discard(last);
  const space = document.getElementById(`space-${field(last, "space")}`);
  if (space) draw(space, last.instead);
  else count(steppers.find(({ dataset }) => dataset.action === last.url), Number(last.instead));
}

/* Tracks */

function count(stepper, number) {
  const shown = stepper.querySelector("output");
  shown.value = number;
  const [less, more] = stepper.querySelectorAll("[data-by]");
  less.disabled = number === 0;
  more.disabled = number >= Number(stepper.dataset.most);
}

function set(stepper, number) {
  if (number < 0 || number > Number(stepper.dataset.most)) return;
  const instead = counted(stepper);
  count(stepper, number);
  announce(`${stepper.getAttribute("aria-label")}: ${number}`);
  send(stepper.dataset.action, { count: number }, instead);
}

const counted = (stepper) => Number(stepper.querySelector("output").value);

/** A tap on a slot says how many lie there; on the last piece, that it is gone. */
function tapSlot(svg, event) {
  const { x, y } = at(svg, event);
  for (const [number, row] of svg.querySelectorAll(".track-row").entries()) {
    const slots = [...row.querySelectorAll(".rim")];
    const away = slots.map((slot) => Math.hypot(slot.cx.baseVal.value - x, slot.cy.baseVal.value - y));
    const slot = away.indexOf(Math.min(...away));
    if (away[slot] < SLOT) set(steppers[number], counted(steppers[number]) === slot + 1 ? slot : slot + 1);
  }
}

/* Hands and keys */

entry.addEventListener("click", (event) => {
  const button = event.target.closest("[data-action]");
  if (button) takeBack(button);
  const svg = event.target.closest("#drawn");
  const kinds = chosen().dataset.liesOn?.split(" ") ?? ["spot", "edge"]; // nothing can lie anywhere
  const space = svg && nearest(svg, event, kinds);
  if (space) tap(space);
  else if (svg) tapSlot(svg, event);
});

for (const stepper of steppers) {
  stepper.addEventListener("click", (event) => {
    const by = Number(event.target.closest("[data-by]")?.dataset.by ?? 0);
    if (by) set(stepper, counted(stepper) + by);
  });
}

const plain = (key) => key.normalize("NFD")[0].toLowerCase();

/** The paint that a key stands for: by its number, else by its letter; 0 takes away. */
function paintOf({ code, key }) {
  const digit = /^(?:Digit|Numpad)(\d)$/.exec(code)?.[1];
  if (digit) return digit === "0" ? paints.at(-1) : paints.slice(0, -1)[digit - 1];
  return key.length === 1 ? paints.find((paint) => paint.dataset.key === plain(key)) : undefined;
}

document.addEventListener("keydown", (event) => {
  // Where one is on the board, at the paints, or nowhere in particular; never in a menu.
  const here = event.target;
  if (!entry.contains(here) && !here.closest(".paintbox") && here.id !== "main" && here !== document.body) return;
  if (event.altKey || event.metaKey || (event.ctrlKey && event.key !== "z")) return;
  const space = here.closest("#drawn .space");
  const paint = paintOf(event);
  if (event.ctrlKey) undo.click();
  else if (event.key.startsWith("Arrow") && here.type !== "radio") {
    const next = space ? toward(space, event.key) : stood();
    if (next) stand(next);
    next?.focus();
  } else if (space && (event.key === "Enter" || event.key === " ")) tap(space);
  else if (space && (event.key === "Delete" || event.key === "Backspace")) lay(space, "");
  else if (paint) choose(paint);
  else if ("+-".includes(event.key) && steppers.length) set(steppers[0], counted(steppers[0]) + (event.key === "+" ? 1 : -1));
  else return;
  event.preventDefault();
});

paintbox.addEventListener("change", mark);
showCounts(entry.firstElementChild.dataset.counts);
drawKept();
judge();

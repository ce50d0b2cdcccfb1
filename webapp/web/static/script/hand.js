/* Entry of a board by hand: a chosen piece is placed by successive taps. Taps are drawn at once and sent
   in order; when nothing is left to send, the board follows the server's response. */

import "./regions.js";
import { away, isBegunAway, keepEntry } from "./away.js";
import { admits, at, nearest, toward } from "./board_taps.js";
import { all, byId, closest, data, first, maybe, one, submitted } from "./dom.js";
import { discard, field, newName, queue } from "./outbox.js";
import { announce } from "./page.js";
import { markRefused, refusedOn } from "./refusals.js";

/** @import { Entry } from "../../scripts.js" */
/** @import { Refused } from "./refusals.js" */

const entry = byId("entry");
const words = data(byId("words"));
const paints = all("[name=paint]", HTMLInputElement);
const steppers = all("[data-track]");
const PATIENCE = 10000; // ms to wait for the response to a tap
const SLOT = 10; // the largest distance in mm of a tap from a track's slot
/** @type {[url: string, fields: Record<string, string>, instead: string][]} */
const waiting = []; // changes to send, the oldest first
const paintbox = one(".paints");
/** @type {Refused} */
let refused = {}; // pieces the rules forbid, from the server's last response
let sending = false;
let { revision } = data(first(entry)); // the basis for undo
/** @type {HTMLFormElement | null} */
let leave = null; // a form to submit once everything is sent

/** @param {HTMLInputElement | undefined} paint */
const named = (paint) => paint?.closest("label")?.title ?? "";
const chosen = () => paints.find((paint) => paint.checked);

/** @param {HTMLInputElement} paint */
function choose(paint) {
  paint.checked = true;
  mark();
  announce(named(paint));
}

/* Sending */

/** This board's queued entries, the oldest first. */
const kept = () => queue().filter(({ url, problem }) => !problem && isOwn(url));
/** @param {string} url */
const isOwn = (url) => url === words.star || steppers.some(({ dataset }) => dataset.action === url);

/** Queue unsent changes on this device, so that they survive a reload and are delivered. */
function keepHere() {
  for (const [url, fields, instead] of waiting.splice(0)) {
    const same = JSON.stringify([url, fields.space]);
    const before = kept().find((entry) => entry.same === same)?.instead ?? instead;
    const typed = Object.entries({ ...fields, csrf_token: words.token });
    if (isOwn(url)) keepEntry({ same, url, instead: before, fields: typed });
  }
}

/** @param {typeof waiting[0]} change */
async function post([url, fields]) {
  const body = new URLSearchParams({ ...fields, revision, csrf_token: words.token });
  const headers = { "X-Partial": "1" };
  const signal = AbortSignal.timeout(PATIENCE);
  const response = await fetch(url, { method: "POST", body, headers, signal, redirect: "manual" });
  if (response.status >= 500) throw new Error(String(response.status));
  if (!response.ok) { // the page shows what is wrong with the game
    waiting.length = 0;
    location.reload();
    return "";
  }
  return known(await response.text());
}

async function deliver() {
  if (sending) return;
  if (kept().length || away() || isBegunAway) { // after earlier entries
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

/** Send a change; `instead` is the previous value, for undo.
    @param {string} url @param {Record<string, string>} fields @param {string} instead */
function send(url, fields = {}, instead = "") {
  waiting.push([url, { ...fields, delivery: newName() }, instead]);
  deliver();
}

/** Queued entries have been delivered: show the server's board. */
document.addEventListener("delivered", async ({ detail: { entry } }) => {
  if (!isOwn(entry.url) || kept().length) return;
  document.dispatchEvent(new CustomEvent("news", { cancelable: true }));
});

/** Show the number of filled spaces; the server counts what it has received. */
function hideCount() {
  one("#entry-message", HTMLElement, entry).hidden = kept().length > 0;
}

document.addEventListener("outbox", hideCount);

/** @param {Entry} entry */
const spaceOf = (entry) => maybe(`#space-${CSS.escape(field(entry, "space") ?? "")}`, SVGElement);
/** @param {Entry} entry */
const stepperOf = (entry) => steppers.find(({ dataset }) => dataset.action === entry.url);

/** Draw queued entries as tapped. */
function drawKept() {
  if (kept().length) undo.disabled = false;
  hideCount();
  for (const entry of kept()) {
    const number = field(entry, "count");
    const space = spaceOf(entry);
    if (space) draw(space, field(entry, "star") ?? "");
    else if (number !== undefined) count(stepperOf(entry), Number(number));
  }
}

/** Record the revision of a response; the page is left if it shows none.
    @param {string} answer */
function known(answer) {
  const found = /data-revision="(\d+)"/.exec(answer);
  if (!found) { // no longer entered by hand
    location.replace(location.pathname);
    return "";
  }
  revision = found[1];
  one("#step [name=shown]", HTMLInputElement).value = revision;
  return answer;
}

document.addEventListener("news", async (event) => {
  event.preventDefault();
  const asked = revision;
  if (kept().length) return; // shown after delivery
  const answer = await fetch(location.pathname, { headers: { "X-Partial": "1" } }).catch(() => null);
  const text = answer?.ok ? await answer.text().catch(() => "") : "";
  if (!text || waiting.length || sending || asked !== revision) return; // superseded by a tap's response
  const now = known(text);
  if (now) show(now);
  judge();
});

byId("step", HTMLFormElement).addEventListener("submit", (event) => {
  if (!waiting.length) return;
  event.preventDefault();
  leave = submitted(event);
});
window.addEventListener("pagehide", keepHere); // sent or not: duplicates are ignored

/* Drawing */

const board = byId("drawn", SVGSVGElement);
const undo = byId("undo", HTMLButtonElement);

/** Apply the server's response. The board's elements stay, so that no tap hits a replaced one.
    @param {string} answer */
function show(answer) {
  const parsed = document.createElement("template");
  parsed.innerHTML = answer;
  const now = parsed.content;
  const clashed = all(".clashes line", SVGElement, board).length;
  for (const part of ["#entry-message", "#breaks", ".clashes"]) {
    entry.querySelector(part)?.replaceChildren(...now.querySelector(part)?.childNodes ?? []);
  }
  for (const id of ["undo", "redo"]) {
    byId(id, HTMLButtonElement).disabled = one(`#${id}`, HTMLButtonElement, now).disabled;
  }
  const rows = all(".track-row", SVGElement, now);
  for (const [number, row] of all(".track-row", SVGElement, board).entries()) {
    if (!row.isEqualNode(rows[number])) row.replaceChildren(...rows[number].childNodes);
  }
  for (const { id, dataset } of all(".space[data-space]", SVGElement, now)) {
    const space = byId(id, SVGElement);
    if (space.dataset.star !== dataset.star) draw(space, dataset.star ?? "");
  }
  showCounts(data(first(now)).counts);
  if (all(".clashes line", SVGElement, board).length > clashed) {
    announce(one(".break", HTMLElement, entry).textContent);
  }
}

/** @param {string} counts */
function showCounts(counts) {
  const known = JSON.parse(counts);
  for (const stepper of steppers) count(stepper, known[data(stepper).track] ?? 0);
}

/** @param {SVGElement} space @param {string} star */
function draw(space, star) {
  const { x, y, radius, name } = space.dataset;
  const piece = maybe(".piece", SVGElement, space); // an edge place itself shows whether it is occupied
  piece?.replaceChildren();
  piece?.removeAttribute("transform");
  if (piece && star) {
    const shape = first(byId(`piece-${star}`, HTMLTemplateElement).content, SVGElement);
    piece.append(...shape.cloneNode(true).childNodes);
    piece.setAttribute("transform", `translate(${x} ${y}) scale(${(Number(radius) * 1.06) / 10})`);
  }
  space.dataset.star = star;
  space.classList.toggle("taken", Boolean(star));
  const label = `${name}: ${star ? named(paints.find((paint) => paint.value === star)) : words.empty}`;
  space.setAttribute("aria-label", label);
  announce(label);
}

const stood = () => one(".space[tabindex='0']", SVGElement, board);

/** Make this space the board's focusable one.
    @param {SVGElement} space */
function stand(space) {
  stood().setAttribute("tabindex", "-1");
  space.setAttribute("tabindex", "0");
  mark();
}

/* Pieces that the rules forbid */

/** Request what is forbidden now; ignore the response if more was tapped meanwhile. */
async function judge() {
  const asked = revision;
  const found = await refusedOn(words.refused);
  if (asked !== revision || waiting.length) return;
  refused = found;
  mark();
}

/** Mark the spaces that forbid the chosen piece, and the pieces forbidden on the current space. Rules that
    forbid every piece on a space are not shown: boards are entered in any order. */
function mark() {
  const star = chosen()?.value ?? "";
  for (const space of all(".space", SVGElement, board)) {
    const why = (star && refused[data(space).space]?.[star]) || "";
    space.classList.toggle("refused", Boolean(why));
    space.setAttribute("aria-description", why);
  }
  markRefused(paintbox, refused, data(stood()).space);
}

/** @param {SVGElement} space @param {string} star */
function lay(space, star) {
  stand(space);
  if (space.dataset.star === star) return;
  const instead = space.dataset.star;
  draw(space, star);
  undo.disabled = false;
  send(words.star, { space: data(space).space, star }, instead);
}

/** Place the chosen piece, or remove it if it is there already.
    @param {SVGElement} space */
function tap(space) {
  const star = chosen()?.value ?? "";
  if (!admits(space, star)) return; // by a key
  lay(space, space.dataset.star === star ? "" : star);
}

/** Undo or redo; a queued entry is undone on this device.
    @param {HTMLButtonElement} button */
function takeBack(button) {
  const last = kept().at(-1);
  if (!last && !away()) send(data(button).action);
  if (!last || button !== undo) return;
  discard(last);
  const space = spaceOf(last);
  if (space) draw(space, last.instead ?? "");
  else count(stepperOf(last), Number(last.instead));
}

/* Tracks */

/** @param {HTMLElement | undefined} stepper @param {number} number */
function count(stepper, number) {
  if (!stepper) return;
  const shown = one("output", HTMLOutputElement, stepper);
  shown.value = String(number);
  const [less, more] = all("[data-by]", HTMLButtonElement, stepper);
  less.disabled = number === 0;
  more.disabled = number >= Number(stepper.dataset.most);
}

/** @param {HTMLElement} stepper @param {number} number */
function set(stepper, number) {
  if (number < 0 || number > Number(stepper.dataset.most)) return;
  const instead = counted(stepper);
  count(stepper, number);
  announce(`${stepper.getAttribute("aria-label")}: ${number}`);
  send(data(stepper).action, { count: String(number) }, String(instead));
}

/** @param {HTMLElement} stepper */
const counted = (stepper) => Number(one("output", HTMLOutputElement, stepper).value);

/** A tap on a slot sets the count; on the last piece, it removes that.
    @param {SVGSVGElement} svg @param {MouseEvent} event */
function tapSlot(svg, event) {
  const { x, y } = at(svg, event);
  for (const [number, row] of all(".track-row", SVGElement, svg).entries()) {
    const slots = all(".rim", SVGCircleElement, row);
    const away = slots.map((slot) => Math.hypot(slot.cx.baseVal.value - x, slot.cy.baseVal.value - y));
    const slot = away.indexOf(Math.min(...away));
    if (away[slot] < SLOT) set(steppers[number], counted(steppers[number]) === slot + 1 ? slot : slot + 1);
  }
}

/* Pointer and keyboard */

entry.addEventListener("click", (event) => {
  const button = closest(event, "[data-action]", HTMLButtonElement);
  if (button) takeBack(button);
  const svg = closest(event, "#drawn", SVGSVGElement);
  const space = svg && nearest(svg, event, ["spot", "edge"], chosen()?.value);
  if (space) tap(space);
  else if (svg) tapSlot(svg, event);
});

for (const stepper of steppers) {
  stepper.addEventListener("click", (event) => {
    const by = Number(closest(event, "[data-by]", HTMLButtonElement)?.dataset.by ?? 0);
    if (by) set(stepper, counted(stepper) + by);
  });
}

/** @param {string} key */
const plain = (key) => key.normalize("NFD")[0].toLowerCase();

/** The piece for a key: by number, or by letter; 0 is none.
    @param {KeyboardEvent} event */
function paintOf({ code, key }) {
  const digit = /^(?:Digit|Numpad)(\d)$/.exec(code)?.[1];
  if (digit) return digit === "0" ? paints.at(-1) : paints.slice(0, -1)[Number(digit) - 1];
  return key.length === 1 ? paints.find((paint) => paint.dataset.key === plain(key)) : undefined;
}

document.addEventListener("keydown", (event) => {
  // On the board, at the pieces, or without focus; never in a menu.
  const here = event.target;
  if (!(here instanceof Element)) return;
  if (!entry.contains(here) && !here.closest(".paintbox") && here.id !== "main" && here !== document.body) return;
  if (event.altKey || event.metaKey || (event.ctrlKey && event.key !== "z")) return;
  const space = closest(event, "#drawn .space", SVGElement);
  const paint = paintOf(event);
  if (event.ctrlKey) undo.click();
  else if (event.key.startsWith("Arrow") && !here.matches("[type=radio]")) {
    const next = space ? toward(space, event.key) : stood();
    if (next) stand(next);
    next?.focus();
  } else if (space && (event.key === "Enter" || event.key === " ")) tap(space);
  else if (space && (event.key === "Delete" || event.key === "Backspace")) lay(space, "");
  else if (paint) choose(paint);
  else if ("+-".includes(event.key) && steppers.length) {
    set(steppers[0], counted(steppers[0]) + (event.key === "+" ? 1 : -1));
  }
  else return;
  event.preventDefault();
});

paintbox.addEventListener("change", mark);
showCounts(data(first(entry)).counts);
drawKept();
judge();

/* The review: a tap near a space opens the palette, and doubtful places are asked about in turn. */

import "./regions.js";
import { admits, lightSpaces, listenToKeys, nearest } from "./board_taps.js";
import { all, byId, closest, data, maybe, one } from "./dom.js";
import { announce, showThumb, swap } from "./page.js";
import { markRefused, refusedOn } from "./refusals.js";

/** @import { Refused } from "./refusals.js" */

const review = byId("review");
const palette = byId("palette", HTMLDialogElement);
const field = one("[name=space]", HTMLInputElement, palette);
const name = byId("palette-name");
const closeup = maybe(".closeup", SVGSVGElement, palette);
const AROUND = 2; // the close-up's reach in radii

const choices = one(".palette", HTMLElement, palette);
/** @type {Promise<Refused> | undefined} */
let refused; // what the rules forbid on the current board; loaded once

function ask() {
  refused = refusedOn(data(review).refused);
}

/** @param {string} space */
async function markPalette(space) {
  markRefused(choices, {}, space);
  const found = await refused ?? {};
  if (field.value === space) markRefused(choices, found, space);
}

/** @param {string} id */
const spaceOf = (id) => maybe(`#space-${CSS.escape(id)}`, SVGElement);

/** @param {SVGElement | null} space */
function open(space) {
  if (!space) return;
  const { x, y, radius, star } = data(space);
  field.value = data(space).space;
  name.textContent = data(space).name;
  if (closeup) {
    const reach = Number(radius) * AROUND;
    closeup.setAttribute("viewBox", `${Number(x) - reach} ${Number(y) - reach} ${2 * reach} ${2 * reach}`);
  }
  for (const button of all("[name=star]", HTMLButtonElement, palette)) {
    button.hidden = !admits(space, button.value);
    button.setAttribute("aria-pressed", String(button.value === star));
  }
  markPalette(field.value);
  palette.showModal();
  (maybe("[aria-pressed=true]", HTMLElement, palette) ?? name).focus();
}

let lit = ""; // the spaces of a message, also after a redraw

function light() {
  const spaces = lit.split(" ").filter(Boolean);
  for (const svg of all(".galaxy", SVGSVGElement, review)) lightSpaces(svg, spaces);
}

review.addEventListener("click", (event) => {
  const line = closest(event, "[data-light]", HTMLButtonElement);
  if (line) {
    const again = line.getAttribute("aria-pressed") === "true";
    for (const other of all("[data-light]", HTMLButtonElement, review)) other.setAttribute("aria-pressed", "false");
    line.setAttribute("aria-pressed", String(!again));
    lit = again ? "" : data(line).light;
    light();
    return;
  }
  const other = closest(event, "[data-open]", HTMLButtonElement);
  if (other) {
    open(spaceOf(data(other).open));
    return;
  }
  const svg = closest(event, "svg.galaxy", SVGSVGElement);
  const space = svg && nearest(svg, event, ["spot", "edge"]);
  if (space) open(spaceOf(data(space).space));
});

listenToKeys(review, "#drawn .space", open);

palette.addEventListener("close", () => spaceOf(field.value)?.focus({ preventScroll: true }));

document.addEventListener("news", (event) => {
  event.preventDefault();
  swap(review, location.pathname + location.search).catch(() => {}); // the event stream notices and retries
});

/** Keep a message's highlights while it is shown. */
function lightAgain() {
  const line = all("[data-light]", HTMLButtonElement, review).find(({ dataset }) => lit && dataset.light === lit);
  if (!line) lit = "";
  line?.setAttribute("aria-pressed", "true");
  light();
}

/** @type {Set<string>} */
const leftOut = new Set(); // places deselected from a joint question; kept across redraws

/** Record deselected places; if all are, there is nothing to answer. */
function noteLeftOut() {
  const spaces = all("[name=spaces]", HTMLInputElement, review);
  for (const { value, checked } of spaces) {
    if (checked) leftOut.delete(value);
    else leftOut.add(value);
  }
  const isNone = spaces.length > 0 && spaces.every(({ checked }) => !checked);
  for (const answer of all(".answers [name=star]", HTMLButtonElement, review)) answer.disabled = isNone;
}

function leaveOutAgain() {
  for (const space of all("[name=spaces]", HTMLInputElement, review)) {
    if (leftOut.has(space.value)) space.checked = false;
  }
  noteLeftOut();
}

review.addEventListener("change", noteLeftOut);

review.addEventListener("swapped", () => {
  if (!document.getElementById("heading-now")) { // it is entered by hand now
    location.replace(location.pathname);
    return;
  }
  ask();
  leaveOutAgain();
  lightAgain();
  one("h1").replaceChildren(byId("heading-now", HTMLTemplateElement).content);
  showThumb();
  const message = document.getElementById("question-message") ?? byId("review-message");
  announce(message.textContent.trim());
});

ask();
noteLeftOut();

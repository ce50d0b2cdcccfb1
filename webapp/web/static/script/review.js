/* The review: a tap near a space opens the palette; what is doubtful is asked one after the other. */

import { nearest, toward } from "./board_taps.js";
import { announce, swap } from "./page.js";
import { markRefused, refusedOn } from "./refusals.js";

const review = document.getElementById("review");
const palette = document.getElementById("palette");
const field = palette.querySelector("[name=space]");
const name = document.getElementById("palette-name");
const closeup = palette.querySelector(".closeup");
const AROUND = 2; // radii that the close-up shows on each side

const choices = palette.querySelector(".palette");
let refused; // what the rules would refuse on the board as it is now: asked for once

/** Mark what is refused on the space that is asked about, once that is known. */
async function markQuestion() {
  const asked = (refused = refusedOn(review.dataset.refused));
  const found = await asked;
  const body = review.querySelector(".question-body:has([name=space])");
  if (asked === refused && body) markRefused(body, found, body.querySelector("[name=space]").value);
}

async function markPalette(space) {
  markRefused(choices, {}, space);
  const found = await refused;
  if (field.value === space) markRefused(choices, found, space);
}

const spaceOf = (id) => document.getElementById(`space-${id}`);

function open(space) {
  const { x, y, radius, star } = space.dataset;
  field.value = space.dataset.space;
  name.textContent = space.dataset.name;
  if (closeup) {
    const reach = radius * AROUND;
    closeup.setAttribute("viewBox", `${x - reach} ${y - reach} ${2 * reach} ${2 * reach}`);
  }
  for (const button of palette.querySelectorAll("[name=star]")) {
    button.hidden = Boolean(button.value) && !button.dataset.liesOn.split(" ").includes(space.dataset.kind);
    button.setAttribute("aria-pressed", String(button.value === star));
  }
  markPalette(field.value);
  palette.showModal();
  (palette.querySelector("[aria-pressed=true]") ?? name).focus();
}

function light(spaces) {
  for (const svg of review.querySelectorAll(".galaxy")) {
    svg.classList.toggle("lighting", spaces.length > 0);
    for (const space of svg.querySelectorAll(".space")) {
      space.classList.toggle("lit", spaces.includes(space.dataset.space));
    }
  }
}

review.addEventListener("click", (event) => {
  const told = event.target.closest("[data-light]");
  if (told) {
    const again = told.getAttribute("aria-pressed") === "true";
    for (const other of review.querySelectorAll("[data-light]")) other.setAttribute("aria-pressed", "false");
    told.setAttribute("aria-pressed", String(!again));
    light(again ? [] : told.dataset.light.split(" ").filter(Boolean));
    return;
  }
  const other = event.target.closest("[data-open]");
  if (other) {
    open(spaceOf(other.dataset.open));
    return;
  }
  const svg = event.target.closest("svg.galaxy");
  const space = svg && nearest(svg, event, ["spot", "edge"]);
  if (space) open(spaceOf(space.dataset.space));
});

review.addEventListener("keydown", (event) => {
  const space = event.target.closest?.("#drawn .space");
  if (!space) return;
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    open(space);
  } else if (event.key.startsWith("Arrow")) {
    event.preventDefault();
    toward(space, event.key)?.focus();
  }
});

palette.addEventListener("click", (event) => {
  if (event.target === palette || event.target.closest("[data-close]")) palette.close();
});
palette.addEventListener("close", () => spaceOf(field.value)?.focus({ preventScroll: true }));

document.addEventListener("news", (event) => {
  event.preventDefault();
  swap(review, location.pathname + location.search).catch(() => {}); // the stream notices, and comes back
});

review.addEventListener("swapped", () => {
  if (!document.getElementById("heading-now")) { // it is entered by hand now
    location.replace(location.pathname);
    return;
  }
  markQuestion();
  document.querySelector("h1").replaceChildren(document.getElementById("heading-now").content);
  document.querySelector(".thumb").replaceChildren(document.getElementById("thumb-now").content);
  const told = document.getElementById("question-told") ?? document.getElementById("review-told");
  announce(told.textContent.trim());
});

markQuestion();

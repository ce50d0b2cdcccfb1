/* The review: a tap near a space opens the palette; doubtful spaces come one after the other. */

import { announce } from "./page.js";

const review = document.getElementById("review");
const palette = document.getElementById("palette");
const field = palette.querySelector("[name=space]");
const name = document.getElementById("palette-name");
const doubt = document.getElementById("palette-doubt");
const closeup = palette.querySelector(".closeup");
const REACH = 15; // mm around a space's centre that still mean it
const AROUND = 2; // radii that the close-up shows on each side
let walking = false;

const spaceOf = (id) => document.getElementById(`space-${id}`);

function open(space) {
  const { x, y, radius, star } = space.dataset;
  field.value = space.dataset.space;
  name.textContent = space.dataset.name;
  doubt.textContent = space.dataset.doubt ?? "";
  if (closeup) {
    const reach = radius * AROUND;
    closeup.setAttribute("viewBox", `${x - reach} ${y - reach} ${2 * reach} ${2 * reach}`);
  }
  for (const button of palette.querySelectorAll("[name=star]")) {
    button.setAttribute("aria-pressed", String(button.value === star));
  }
  palette.showModal();
  (palette.querySelector("[aria-pressed=true]") ?? name).focus();
}

function nearest(svg, event) {
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  let best = null;
  let least = REACH;
  for (const space of svg.querySelectorAll(".space")) {
    const away = Math.hypot(space.dataset.x - at.x, space.dataset.y - at.y);
    if (away < least) [best, least] = [space, away];
  }
  return best;
}

function toward(space, key) {
  const [dx, dy] = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[key];
  let best = null;
  let least = Infinity;
  for (const other of review.querySelectorAll("#drawn .space")) {
    const ox = other.dataset.x - space.dataset.x;
    const oy = other.dataset.y - space.dataset.y;
    const along = ox * dx + oy * dy;
    const aside = Math.abs(ox * dy - oy * dx);
    if (along > 1 && along + 2 * aside < least) [best, least] = [other, along + 2 * aside];
  }
  return best;
}

function doubts() {
  return review.firstElementChild.dataset.doubts.split(",").filter(Boolean);
}

function nextDoubt() {
  const [first] = doubts();
  walking = Boolean(first);
  if (first) open(spaceOf(first));
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
  if (event.target.closest("#next-doubt")) {
    nextDoubt();
    return;
  }
  const svg = event.target.closest("svg.galaxy");
  const space = svg && nearest(svg, event);
  if (space) {
    walking = false;
    open(spaceOf(space.dataset.space));
  }
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
  if (event.target === palette || event.target.closest("[data-close]")) {
    walking = false;
    palette.close();
  }
});
palette.addEventListener("cancel", () => { walking = false; });
palette.addEventListener("close", () => spaceOf(field.value)?.focus({ preventScroll: true }));

review.addEventListener("swapped", () => {
  document.querySelector(".thumb").replaceChildren(document.getElementById("thumb-now").content);
  announce(document.getElementById("review-told").textContent.trim());
  if (walking) nextDoubt();
});

/* Finds the space meant by a tap or arrow key on a drawn board. Distances are in mm. */

import { all, closest, data } from "./dom.js";

/** @type {Record<string, [number, number]>} */
export const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
const REACH = 15; // the largest distance in mm of a tap from a space's centre

/** A pointer's position on a drawn board.
    @param {SVGGraphicsElement} svg @param {{ clientX: number, clientY: number }} event */
export function at(svg, event) {
  return new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM()?.inverse());
}

/** Whether a piece, or "" for none, may lie on a place.
    @param {HTMLElement | SVGElement} place @param {string} piece */
export const admits = (place, piece) => !piece || data(place).admits.split(" ").includes(piece);

/** The place nearest to a tap, optionally of some `kinds` or admitting a `piece`; null if it is too far from all.
    @param {SVGSVGElement} svg @param {{ clientX: number, clientY: number }} event @param {string[] | null} kinds
    @param {string} piece */
export function nearest(svg, event, kinds = null, piece = "") {
  const tap = at(svg, event);
  /** @type {SVGElement | null} */
  let best = null;
  let least = REACH;
  for (const space of all(".space", SVGElement, svg)) {
    if (kinds && !kinds.includes(data(space).kind)) continue;
    if (!admits(space, piece)) continue;
    const away = Math.hypot(Number(space.dataset.x) - tap.x, Number(space.dataset.y) - tap.y);
    if (away < least) [best, least] = [space, away];
  }
  return best;
}

/** The next space in the direction of an arrow key, null at the edge.
    @param {SVGElement} space @param {string} key */
export function toward(space, key) {
  const [dx, dy] = ARROWS[key];
  /** @type {SVGElement | null} */
  let best = null;
  let least = Infinity;
  for (const other of space.ownerSVGElement ? all(".space", SVGElement, space.ownerSVGElement) : []) {
    const ox = Number(other.dataset.x) - Number(space.dataset.x);
    const oy = Number(other.dataset.y) - Number(space.dataset.y);
    const along = ox * dx + oy * dy;
    const aside = Math.abs(ox * dy - oy * dx);
    if (along > 1 && along + 2 * aside < least) [best, least] = [other, along + 2 * aside];
  }
  return best;
}

/** Keyboard control of a board's spaces: Enter and Space choose, arrow keys move.
    @param {HTMLElement} root @param {string} spaces @param {(space: SVGElement) => void} choose */
export function listenToKeys(root, spaces, choose) {
  root.addEventListener("keydown", (event) => {
    const space = closest(event, spaces, SVGElement);
    if (!space) return;
    if (event.key === "Enter" || event.key === " ") choose(space);
    else if (event.key.startsWith("Arrow")) toward(space, event.key)?.focus();
    else return;
    event.preventDefault();
  });
}

/** Highlight spaces of a board and mark the `missing` ones; without either, reset it.
    @param {SVGElement} svg @param {string[]} lit @param {string[]} missing */
export function lightSpaces(svg, lit, missing = []) {
  svg.classList.toggle("lighting", lit.length + missing.length > 0);
  for (const space of all(".space", SVGElement, svg)) {
    space.classList.toggle("lit", lit.includes(data(space).space));
    space.classList.toggle("missing", missing.includes(data(space).space));
  }
}

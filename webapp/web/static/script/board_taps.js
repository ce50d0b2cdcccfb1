/* A drawn board under a finger or under arrow keys: which space is meant. Distances are in mm. */

import { all, closest, data } from "./dom.js";

/** @type {Record<string, [number, number]>} */
export const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
const REACH = 15; // mm around a space's centre that still mean it

/** Where on a drawn board a pointer is.
    @param {SVGGraphicsElement} svg @param {{ clientX: number, clientY: number }} event */
export function at(svg, event) {
  return new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM()?.inverse());
}

/** The place that is meant by a tap near it, of some `kinds` where they are given; null far away from all.
    @param {SVGSVGElement} svg @param {{ clientX: number, clientY: number }} event @param {string[] | null} kinds */
export function nearest(svg, event, kinds = null) {
  const tap = at(svg, event);
  /** @type {SVGElement | null} */
  let best = null;
  let least = REACH;
  for (const space of all(".space", SVGElement, svg)) {
    if (kinds && !kinds.includes(data(space).kind)) continue;
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

/** Keys on the spaces of a board: Enter and the space bar choose one, arrows lead to the next.
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

/** Light some spaces of a board, and show which are `missing`; with neither it is as it was.
    @param {SVGElement} svg @param {string[]} lit @param {string[]} missing */
export function lightSpaces(svg, lit, missing = []) {
  svg.classList.toggle("lighting", lit.length + missing.length > 0);
  for (const space of all(".space", SVGElement, svg)) {
    space.classList.toggle("lit", lit.includes(data(space).space));
    space.classList.toggle("missing", missing.includes(data(space).space));
  }
}

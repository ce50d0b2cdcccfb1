/* Updates the table by parts: only those that the server has drawn differently are replaced. Swiping,
   scrolled lists and this device's camera are not interrupted. */

import { all, data } from "./dom.js";
import { refill } from "./page.js";

const SECRET = /(name="csrf_token"[^>]*value=)"[^"]*"/g; // differs in each response, but all are valid

/** @type {Map<string, string>} */
const shown = new Map();
/** @param {ParentNode} root */
const partsOf = (root) => all("[data-part]", HTMLElement, root);
/** @param {HTMLElement} part */
const written = (part) => part.innerHTML.replace(SECRET, "$1");

/** @param {HTMLElement} part */
const nameOf = (part) => data(part).part;

/** Record the table's parts as loaded.
    @param {HTMLElement} live */
export function knowParts(live) {
  for (const part of partsOf(live)) shown.set(nameOf(part), written(part));
}

/** Show a redrawn table; return false if it has other parts, e.g. after a player joined.
    @param {HTMLElement} live @param {string} html */
export function showParts(live, html) {
  const fresh = partsOf(new DOMParser().parseFromString(html, "text/html"));
  const places = new Map(partsOf(live).map((part) => [nameOf(part), part]));
  if (fresh.length !== places.size || fresh.some((part) => !places.has(nameOf(part)))) return false;
  for (const part of fresh) {
    const words = written(part);
    if (shown.get(nameOf(part)) === words) continue;
    shown.set(nameOf(part), words);
    const place = places.get(nameOf(part));
    if (place) refill(place, part.innerHTML);
  }
  return true;
}

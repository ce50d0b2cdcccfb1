/* The table's parts: each is put in place of what is shown where the server has drawn it otherwise,
   and nothing else is touched. A finger that swipes, a list that is scrolled, and the camera of this
   device go on as if nothing had happened. */

import { all, data } from "./dom.js";
import { refill } from "./page.js";

const SECRET = /(name="csrf_token"[^>]*value=)"[^"]*"/g; // another one each time, and each good

/** @type {Map<string, string>} */
const shown = new Map();
/** @param {ParentNode} root */
const partsOf = (root) => all("[data-part]", HTMLElement, root);
/** @param {HTMLElement} part */
const written = (part) => part.innerHTML.replace(SECRET, "$1");

/** @param {HTMLElement} part */
const nameOf = (part) => data(part).part;

/** Know the table as it was loaded.
    @param {HTMLElement} live */
export function knowParts(live) {
  for (const part of partsOf(live)) shown.set(nameOf(part), written(part));
}

/** Show a table that was drawn anew; false where it has other parts, as after a player joined.
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

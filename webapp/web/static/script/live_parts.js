/* The table's parts: each is put in place of what is shown where the server has drawn it otherwise,
   and nothing else is touched. A finger that swipes, a list that is scrolled, and the camera of this
   device go on as if nothing had happened. */

const SECRET = /(name="csrf_token"[^>]*value=)"[^"]*"/g; // another one each time, and each good

const shown = new Map();
const partsOf = (root) => [...root.querySelectorAll("[data-part]")];
const written = (part) => part.innerHTML.replace(SECRET, "$1");

/** Know the table as it was loaded. */
export function knowParts(live) {
  for (const part of partsOf(live)) shown.set(part.dataset.part, written(part));
}

/** Show a table that was drawn anew; false where it has other parts, as after a player joined. */
export function showParts(live, html) {
  const fresh = partsOf(new DOMParser().parseFromString(html, "text/html"));
  const places = new Map(partsOf(live).map((part) => [part.dataset.part, part]));
  if (fresh.length !== places.size || fresh.some((part) => !places.has(part.dataset.part))) return false;
  for (const part of fresh) {
    const words = written(part);
    if (shown.get(part.dataset.part) === words) continue;
    shown.set(part.dataset.part, words);
    put(places.get(part.dataset.part), part.innerHTML);
  }
  return true;
}

function put(place, html) {
  const focused = place.contains(document.activeElement) && document.activeElement.id;
  const open = [...place.querySelectorAll("details[open]")].map((one) => one.id);
  place.innerHTML = html;
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

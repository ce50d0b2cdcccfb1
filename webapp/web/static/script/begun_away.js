/* The page of a game begun offline. The cached page is generic: this inserts the game's id from the URL,
   and its players. #ID, or #ID/BOARD/TITLE. */

import { all, byId, data, one } from "./dom.js";
import { field, queue } from "./outbox.js";

const { game: any } = data(byId("begun-away"));
const [id, board = "0", title = ""] = location.hash.slice(1).split("/");
const begun = () => queue().find((entry) => field(entry, "id") === id);
const left = () => queue().some((entry) => entry.url.includes(id) || field(entry, "id") === id);
const game = begun();
const count = game ? Number(field(game, "count")) : Infinity;

/** Replace placeholders: "‹0›" is the first player's name.
    @param {string} text */
function named(text) {
  return text.replaceAll(/(?:‹|%E2%80%B9)(\d)(?:›|%E2%80%BA)/g, (all, seat) => {
    const name = game ? field(game, `name-${seat}`) || String(Number(seat) + 1) : "";
    return all.startsWith("%") ? encodeURIComponent(name) : name;
  });
}

/** @param {string} text */
const own = (text) => named(
  text.replaceAll(`/games/${any}/players/0/`, `/games/${id}/players/${board}/`).replaceAll(any, id),
);

for (const seat of all(".board-of").slice(count)) seat.remove();
const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
for (let node = /** @type {Node | null} */ (walker.currentNode); node; node = walker.nextNode()) {
  if (node instanceof Text) {
    if (node.data.includes("‹")) node.data = named(node.data);
    continue;
  }
  if (!(node instanceof Element)) continue;
  for (const { name, value } of [...node.attributes]) {
    const changed = own(value);
    if (changed !== value && node.id !== "begun-away") node.setAttribute(name, changed);
  }
}
for (const [seat, marker] of all(".board-head .marker").entries()) {
  if (!game || marker.textContent !== "‹") continue; // that of a snapshot, which has no player
  marker.textContent = (field(game, `name-${seat}`) || "?")[0].toUpperCase();
  marker.className = `marker marker-${field(game, `marker-${seat}`)}`;
}
if (title) one("h1").textContent = decodeURIComponent(title);

/** Go to the game's own pages once everything has been sent. */
function goOn() {
  if (!left()) location.replace(`/games/${id}${title ? `/players/${board}/review` : "/photographs"}`);
}

document.addEventListener("delivered", goOn);
if (!left() && navigator.onLine) {
  fetch("/healthz").then(({ ok }) => { if (ok) goOn(); }).catch(() => {});
}

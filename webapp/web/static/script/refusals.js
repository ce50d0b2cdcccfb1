/* Marks forbidden pieces in palettes, with the reasons below. They can still be chosen: players make
   mistakes, and a board is scored as it is. */

import { all, byId, data, released } from "./dom.js";

/** Reasons by space and piece. @typedef {Record<string, Record<string, string>>} Refused */

const OF_PLACE = ""; // the key of rules that forbid every piece on a space

/** Load what is forbidden on a board; empty without a response. No finger is down then: the reasons move what is
    below them, and a tap would end on something else.
    @param {string} url @returns {Promise<Refused>} */
export async function refusedOn(url) {
  try {
    const response = await fetch(url, { headers: { "X-Partial": "1" } });
    const found = response.ok ? await response.json() : {};
    await released();
    return found;
  } catch {
    return {};
  }
}

/** Why a piece is forbidden on a space: by a rule about it, or about all pieces.
    @param {Refused} refused @param {string} space @param {string} piece */
export const whyRefused = (refused, space, piece) => refused[space]?.[piece] ?? refused[space]?.[OF_PLACE] ?? "";

/** Mark the forbidden pieces of a palette for a space, and list the reasons.
    @param {HTMLElement} palette @param {Refused} refused @param {string} space */
export function markRefused(palette, refused, space) {
  const list = byId(data(palette).why);
  /** @type {string[]} */
  const reasons = [];
  for (const button of all("[name=star], [name=paint]", HTMLElement, palette)) {
    const piece = button.getAttribute("value");
    const why = piece && whyRefused(refused, space, piece);
    button.classList.toggle("refused", Boolean(why));
    button.removeAttribute("aria-describedby");
    if (!why) continue;
    if (!reasons.includes(why)) reasons.push(why);
    button.setAttribute("aria-describedby", `${list.id}-${reasons.indexOf(why)}`);
  }
  list.replaceChildren(...reasons.map((why, number) => {
    const item = document.createElement("li");
    item.id = `${list.id}-${number}`;
    item.textContent = why;
    return item;
  }));
}

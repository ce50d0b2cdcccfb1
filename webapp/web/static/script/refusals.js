/* What the rules would refuse: in a palette each such piece is marked, and why is said below it. It can
   be chosen all the same: people err, and a board is scored as it lies. */

import { all, byId, data } from "./dom.js";

/** By space and piece the reason. @typedef {Record<string, Record<string, string>>} Refused */

const OF_PLACE = ""; // the key of what every piece would break on a space

/** What is refused on a board: by space and piece the reason. Nothing, where no answer comes.
    @param {string} url @returns {Promise<Refused>} */
export async function refusedOn(url) {
  try {
    const response = await fetch(url, { headers: { "X-Partial": "1" } });
    return response.ok ? await response.json() : {};
  } catch {
    return {};
  }
}

/** Why a piece is refused on a space: for a rule of its own, or for one that all would break.
    @param {Refused} refused @param {string} space @param {string} piece */
export const whyRefused = (refused, space, piece) => refused[space]?.[piece] ?? refused[space]?.[OF_PLACE] ?? "";

/** Mark what of a palette's pieces is refused on a space, with the reasons in its list.
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

/* Draws undelivered pieces on a board, each within a dashed ring. */

import { all, made, maybe } from "./dom.js";

/** @import { Entry } from "../../scripts.js" */

const RADIUS = 9; // mm, for spaces without a radius

/** @param {string} url */
const pathOf = (url) => new URL(url, location.href).pathname;

/** The space on this page that an entry is about, or null.
    @param {Entry} entry */
function spaceOf({ url, fields }) {
  const sent = new Map(fields);
  const [space, seat] = [sent.get("space"), sent.get("seat")];
  if (space === undefined || !sent.has("star")) return null;
  const path = pathOf(url);
  const forms = all("form[action], #words[data-star]");
  if (!forms.some((form) => pathOf(form.dataset.star ?? form.getAttribute("action") ?? "") === path)) return null;
  const board = seat !== undefined ? `#player-${CSS.escape(seat)} svg` : "#drawn";
  return maybe(`${board} [data-space="${CSS.escape(space)}"]`, SVGElement);
}

/** Draw the pieces of entries over the server's drawing.
    @param {Entry[]} entries */
export function drawWaiting(entries) {
  for (const old of all(".waiting-piece", SVGElement)) old.remove();
  for (const entry of entries) {
    const space = spaceOf(entry);
    if (!space) continue;
    const { x, y, radius = RADIUS } = space.dataset;
    const star = new Map(entry.fields).get("star");
    const transform = `translate(${x} ${y}) scale(${Number(radius) / 10})`;
    const group = made("g", { class: "waiting-piece", transform }, made("circle", { r: 11 }));
    const piece = star ? maybe(`button[name=star][value="${CSS.escape(star)}"] svg`, SVGSVGElement) : null;
    group.classList.add(...[...piece?.classList ?? []].filter((name) => name.startsWith("star-")));
    const printed = star && maybe(`#piece-${CSS.escape(star)}`, HTMLTemplateElement)?.content.firstElementChild;
    group.append(...[...(printed || piece || group.cloneNode()).childNodes].map((one) => one.cloneNode(true)));
    maybe(".waiting-piece", SVGElement, space)?.remove();
    space.append(group);
  }
}

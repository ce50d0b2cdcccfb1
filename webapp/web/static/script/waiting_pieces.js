/* On a drawn board, what waits to be delivered: each piece on its space, within a dashed ring. */

const SVG = "http://www.w3.org/2000/svg";
const RADIUS = 9; // mm of a space that does not say its own

const pathOf = (url) => new URL(url, location.href).pathname;

function made(kind, attributes) {
  const element = document.createElementNS(SVG, kind);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

/** The space on this page that an entry is about; null where it is about none. */
function spaceOf({ url, fields }) {
  const told = new Map(fields);
  if (!told.has("space") || !told.has("star")) return null;
  const path = pathOf(url);
  const forms = [...document.querySelectorAll("form[action], #words[data-star]")];
  if (!forms.some((form) => pathOf(form.dataset.star ?? form.action) === path)) return null;
  const board = told.has("seat") ? `#player-${CSS.escape(told.get("seat"))} svg` : "#drawn";
  return document.querySelector(`${board} [data-space="${CSS.escape(told.get("space"))}"]`);
}

/** Draw what entries lay, over what the computer has drawn. */
export function drawWaiting(entries) {
  for (const old of document.querySelectorAll(".waiting-piece")) old.remove();
  for (const entry of entries) {
    const space = spaceOf(entry);
    if (!space) continue;
    const { x, y, radius = RADIUS } = space.dataset;
    const star = new Map(entry.fields).get("star");
    const group = made("g", { class: "waiting-piece", transform: `translate(${x} ${y}) scale(${radius / 10})` });
    group.append(made("circle", { r: 11 }));
    const piece = star && document.querySelector(`button[name=star][value="${CSS.escape(star)}"] svg`);
    group.classList.add(...[...piece?.classList ?? []].filter((name) => name.startsWith("star-")));
    const template = star && document.getElementById(`piece-${star}`)?.content.firstElementChild;
    group.append(...[...(template || piece || group.cloneNode()).childNodes].map((one) => one.cloneNode(true)));
    space.querySelector(".waiting-piece")?.remove();
    space.append(group);
  }
}

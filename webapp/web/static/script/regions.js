/* On a board with many regions, shows the counters of occupied regions and of the tapped one. */

import { all, closest } from "./dom.js";

/** @type {Map<string, string>} */
const chosen = new Map(); // in the lists of a region's pieces, until it is sent

document.addEventListener("change", (event) => {
  const list = closest(event, ".counted select", HTMLSelectElement);
  if (list?.form) chosen.set(list.form.action, list.value);
});
document.addEventListener("submit", ({ target }) => {
  if (target instanceof HTMLFormElement) chosen.delete(target.action);
});

function chooseAgain() {
  for (const list of all(".counted select", HTMLSelectElement)) {
    const value = chosen.get(list.form?.action ?? "");
    if (value && Array.from(list.options).some((one) => one.value === value)) list.value = value;
  }
}

function choose() {
  const id = decodeURIComponent(location.hash.slice(1));
  for (const counted of all(".counted")) {
    counted.classList.toggle("chosen", counted.id === id);
    if (counted.id === id) counted.scrollIntoView({ block: "nearest" });
  }
  for (const zone of all("a.zone", SVGElement)) zone.classList.toggle("lit", zone.getAttribute("href") === `#${id}`);
}

document.body.classList.add("one-by-one");
window.addEventListener("hashchange", choose);
document.addEventListener("swapped", () => { choose(); chooseAgain(); });
choose();

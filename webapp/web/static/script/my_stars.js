/* My stars: tapping a star, in the photograph or in the list, asks which one it is. */

import { all, byId, data, one } from "./dom.js";

const dialog = byId("naming", HTMLDialogElement);
const field = one("[name=number]", HTMLInputElement, dialog);
/** @type {HTMLElement | SVGElement | null} */
let opener = null;

/** @param {HTMLElement | SVGElement} from */
function ask(from) {
  opener = from;
  field.value = data(from).number;
  dialog.showModal();
  byId("naming-title").focus();
}

for (const one of [...all(".found-star[data-number]", SVGElement), ...all(".found-row")]) {
  one.addEventListener("click", () => ask(one));
  if (one.matches(".found-row")) continue; // buttons handle keys themselves
  one.addEventListener("keydown", (/** @type {Event} */ event) => {
    if (!(event instanceof KeyboardEvent) || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    ask(one);
  });
}

dialog.addEventListener("close", () => opener?.focus({ preventScroll: true }));

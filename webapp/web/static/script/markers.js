/* On a card only one player is the first: whoever is named takes it from the one before. */

import { all, closest, one } from "./dom.js";

one(".markers").addEventListener("change", (event) => {
  const { target } = event;
  if (!(target instanceof HTMLInputElement) || target.value !== "first") return;
  const card = closest(event, ".career");
  for (const other of card ? all("fieldset:has([value=first]:checked)", HTMLElement, card) : []) {
    if (!other.contains(target)) one("[value=later]", HTMLInputElement, other).checked = true;
  }
});

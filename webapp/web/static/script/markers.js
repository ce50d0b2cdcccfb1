/* Only one player can be first on a card: choosing one clears the previous one. */

import { all, closest, one } from "./dom.js";

one(".markers").addEventListener("change", (event) => {
  const { target } = event;
  if (!(target instanceof HTMLInputElement) || target.value !== "first") return;
  const card = closest(event, ".career");
  for (const other of card ? all("fieldset:has([value=first]:checked)", HTMLElement, card) : []) {
    if (!other.contains(target)) one("[value=later]", HTMLInputElement, other).checked = true;
  }
});

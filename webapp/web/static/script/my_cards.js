/* My cards: when a name is changed, later ones that nobody chose follow in the game's order. */

import { all } from "./dom.js";

const names = all(".shown-cards select", HTMLSelectElement);
const chosen = new Set();
const FIRST = 2; // after "Which card?" and "No card"

for (const [number, name] of names.entries()) {
  let before = name.selectedIndex;
  name.addEventListener("focus", () => (before = name.selectedIndex));
  name.addEventListener("change", () => {
    chosen.add(name);
    let at = name.selectedIndex < FIRST ? before - 1 : name.selectedIndex; // skipped cards shift the later ones
    before = name.selectedIndex;
    if (at < FIRST - 1) return;
    for (const after of names.slice(number + 1)) {
      if (chosen.has(after) || "asked" in after.dataset) break;
      at += 1;
      after.selectedIndex = at < after.options.length ? at : 0;
    }
  });
}

/* My cards: where a name is changed, the names after it that nobody chose follow in the game's order. */

import { all } from "./dom.js";

const names = all(".shown-cards select", HTMLSelectElement);
const chosen = new Set();

for (const [number, name] of names.entries()) {
  name.addEventListener("change", () => {
    chosen.add(name);
    let at = name.selectedIndex;
    if (!at) return; // no card: the others stay what they are
    for (const after of names.slice(number + 1)) {
      if (chosen.has(after)) break;
      at += 1;
      after.selectedIndex = at < after.options.length ? at : 0;
    }
  });
}

/* The setup's ticks outlive a reload and a look at other pages, until the table is ready. */

import { all, byId, data, maybe, one } from "./dom.js";

const name = data(one(".setup")).kept;
const ticks = all(".setup [type=checkbox]", HTMLInputElement);
const kept = sessionStorage.getItem(name)?.split(" ") ?? [];
for (const tick of ticks) tick.checked = kept.includes(tick.id);

one(".setup").addEventListener("change", () => {
  sessionStorage.setItem(name, ticks.filter(({ checked }) => checked).map(({ id }) => id).join(" "));
});

for (const asked of all(".asked [type=date]", HTMLInputElement)) {
  asked.addEventListener("change", () => {
    if (asked.value >= "1000") asked.form?.requestSubmit(); // a year half typed begins with a zero
  });
}

maybe(".print-game")?.addEventListener("submit", () => {
  byId("making").hidden = false; // a download ends unnoticed
});

const photo = maybe("[data-sends]", HTMLInputElement);
photo?.addEventListener("change", () => photo.form?.requestSubmit());

one(".thumb .primary").addEventListener("click", () => sessionStorage.removeItem(name));

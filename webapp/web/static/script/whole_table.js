/* A photograph of the whole table, or of cards, is sent as it is chosen; the page waits until it is read. */

import { all } from "./dom.js";

const PATIENCE = 700; // ms between two looks

for (const photo of all(".whole-table [data-sends]", HTMLInputElement)) {
  photo.addEventListener("change", () => photo.form?.requestSubmit());
}

async function follow() {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, PATIENCE));
    const answer = await fetch(location.href).catch(() => null); // it will be back
    if (answer?.ok && !(await answer.text()).includes("data-busy")) break;
  }
  location.reload();
}

if (document.querySelector("[data-busy]")) follow();

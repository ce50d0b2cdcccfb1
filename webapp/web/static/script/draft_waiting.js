/* Waits until the board in a photograph has been looked for, then shows the page that follows. */

import { byId, data } from "./dom.js";

const waiting = byId("draft-waiting");
const long = document.getElementById("draft-long");
const PATIENCE = 600;
const LONG = 20000; // ms after which the page says that it takes long
const begun = Date.now();

async function follow() {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, PATIENCE));
    if (long && !long.textContent && Date.now() - begun > LONG) long.textContent = data(long).told;
    let answer;
    try {
      answer = await fetch(data(waiting).source, { headers: { "X-Partial": "1" } });
    } catch {
      continue; // the server is away for a moment; it will be back
    }
    // Whatever else is answered, the page itself says best what is the matter.
    const { state } = answer.ok ? await answer.json().catch(() => ({})) : {};
    if (state !== "waiting") break;
  }
  location.reload();
}

follow();

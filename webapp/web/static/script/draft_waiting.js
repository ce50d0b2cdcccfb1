/* Waits until a photograph's board has been searched for, then shows the next page. */

import { byId, data } from "./dom.js";

const waiting = byId("draft-waiting");
const long = document.getElementById("draft-long");
const PATIENCE = 600;
const LONG = 20000; // ms after which the page says that it is slow
const begun = Date.now();

async function follow() {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, PATIENCE));
    if (long && !long.textContent && Date.now() - begun > LONG) long.textContent = data(long).told;
    let answer;
    try {
      answer = await fetch(data(waiting).source, { headers: { "X-Partial": "1" } });
    } catch {
      continue; // the server is temporarily unreachable
    }
    // The page itself explains any other answer best.
    const { state } = answer.ok ? await answer.json().catch(() => ({})) : {};
    if (state !== "waiting") break;
  }
  location.reload();
}

follow();

/* Waits until the board in a photograph has been looked for, then shows the page that follows. */

const waiting = document.getElementById("draft-waiting");
const PATIENCE = 600;

async function follow() {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, PATIENCE));
    try {
      const answer = await fetch(waiting.dataset.source, { headers: { "X-Partial": "1" } });
      const { state } = await answer.json();
      if (!answer.ok || state !== "waiting") break;
    } catch {
      continue; // the server is away for a moment; it will be back
    }
  }
  location.reload();
}

follow();

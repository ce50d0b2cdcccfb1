/* A line of the score lights the stars that earn it. */

const lines = [...document.querySelectorAll(".line[data-light]")];
const board = document.querySelector(".lit-by-lines .galaxy");

function light(line) {
  const lit = (line?.dataset.light ?? "").split(" ").filter(Boolean);
  const missing = (line?.dataset.missing ?? "").split(" ").filter(Boolean);
  board.classList.toggle("lighting", lit.length + missing.length > 0);
  for (const space of board.querySelectorAll(".space")) {
    space.classList.toggle("lit", lit.includes(space.dataset.space));
    space.classList.toggle("missing", missing.includes(space.dataset.space));
  }
}

for (const line of lines) {
  line.addEventListener("click", () => {
    const again = line.getAttribute("aria-pressed") === "true";
    for (const other of lines) other.setAttribute("aria-pressed", "false");
    line.setAttribute("aria-pressed", String(!again));
    light(again ? null : line);
  });
}

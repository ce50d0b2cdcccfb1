/* A line of the score lights the stars that earn it. */

const lines = [...document.querySelectorAll(".line[data-light]")];
const boards = [...document.querySelectorAll(".lit-by-lines .galaxy")];

/** The board that a line is about; of several, the last is seen at first. */
function boardOf(line) {
  return boards.find((one) => one.dataset.board === line?.dataset.board) ?? boards.at(-1);
}

function light(line) {
  const board = boardOf(line);
  for (const other of boards) other.toggleAttribute("hidden", other !== board);
  for (const told of document.querySelectorAll(".lit-by-lines [data-of]")) told.hidden = told.dataset.of !== board.dataset.board;
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

/* A score line highlights the pieces that earn it. */

import { lightSpaces } from "./board_taps.js";
import { all } from "./dom.js";

const lines = all(".line[data-light]", HTMLButtonElement);
const boards = all(".lit-by-lines .galaxy", SVGSVGElement);

/** The board that a line is about; of several, the last one is shown first.
    @param {HTMLElement | null} line */
function boardOf(line) {
  return boards.find((one) => one.dataset.board === line?.dataset.board) ?? boards.at(-1);
}

/** @param {HTMLElement | null} line */
function light(line) {
  const board = boardOf(line);
  if (!board) return;
  for (const other of boards) other.toggleAttribute("hidden", other !== board);
  for (const part of all(".lit-by-lines [data-of]")) part.hidden = part.dataset.of !== board.dataset.board;
  const lit = (line?.dataset.light ?? "").split(" ").filter(Boolean);
  const missing = (line?.dataset.missing ?? "").split(" ").filter(Boolean);
  lightSpaces(board, lit, missing);
}

for (const line of lines) {
  line.addEventListener("click", () => {
    const again = line.getAttribute("aria-pressed") === "true";
    for (const other of lines) other.setAttribute("aria-pressed", "false");
    line.setAttribute("aria-pressed", String(!again));
    light(again ? null : line);
  });
}

/* Where places are too small for a finger, the dialog shows the surroundings of the tapped one magnified;
   a tap there chooses another. */

import { nearest } from "./board_taps.js";
import { all, data, maybe, one } from "./dom.js";

const AROUND = 24; // mm shown on each side of the place

/** @param {HTMLElement} dialog @returns {(board: SVGSVGElement | null) => void} */
export function wireMagnifier(dialog) {
  const shown = maybe("#magnified", SVGSVGElement, dialog);
  const chosen = one("[name=space]", HTMLSelectElement, dialog);
  if (!shown) return () => {};
  const picture = shown;
  /** @param {string} id */
  const placeOf = (id) => maybe(`[data-space="${CSS.escape(id)}"]`, SVGElement, picture);

  function mark() {
    for (const place of all(".meant", SVGElement, picture)) place.classList.remove("meant");
    const place = placeOf(chosen.value);
    picture.toggleAttribute("hidden", !place);
    if (!place) return;
    place.classList.add("meant");
    const [left, top] = [Number(place.dataset.x) - AROUND, Number(place.dataset.y) - AROUND / 2];
    picture.setAttribute("viewBox", `${left} ${top} ${2 * AROUND} ${AROUND}`);
  }

  picture.addEventListener("click", (event) => {
    const place = nearest(picture, event, ["spot", "edge"]);
    if (!place) return;
    chosen.value = data(place).space;
    chosen.dispatchEvent(new Event("change"));
  });
  chosen.addEventListener("change", mark);

  /** Show a board as currently drawn. */
  return function magnify(board) {
    if (!board) return;
    picture.innerHTML = board.innerHTML;
    mark();
  };
}

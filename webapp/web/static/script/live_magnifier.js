/* Where the places of a board are too small for a finger, what lies around the one that is meant is
   shown larger in the dialog: a tap there means another one. */

import { nearest } from "./board_taps.js";

const AROUND = 24; // mm that are seen on each side of the place

export function wireMagnifier(dialog) {
  const picture = dialog.querySelector("#magnified");
  const chosen = dialog.querySelector("[name=space]");
  if (!picture) return () => {};
  const placeOf = (id) => picture.querySelector(`[data-space="${CSS.escape(id)}"]`);

  function mark() {
    for (const place of picture.querySelectorAll(".meant")) place.classList.remove("meant");
    const place = placeOf(chosen.value);
    picture.toggleAttribute("hidden", !place);
    if (!place) return;
    place.classList.add("meant");
    const [left, top] = [place.dataset.x - AROUND, place.dataset.y - AROUND / 2];
    picture.setAttribute("viewBox", `${left} ${top} ${2 * AROUND} ${AROUND}`);
  }

  picture.addEventListener("click", (event) => {
    const place = nearest(picture, event, ["spot", "edge"]);
    if (!place) return;
    chosen.value = place.dataset.space;
    chosen.dispatchEvent(new Event("change"));
  });
  chosen.addEventListener("change", mark);

  /** Show a board as it is drawn now. */
  return function magnify(board) {
    picture.innerHTML = board.innerHTML;
    mark();
  };
}

/* A lesson: a tap on the board places the chosen piece, and the server judges the try. The choice is the
   beginning of the action's notation; the tapped place is its next word. */

import { listenToKeys, nearest } from "./board_taps.js";
import { all, byId, closest, data, maybe } from "./dom.js";
import { listen } from "./live_stream.js";
import { announce, showThumb, swap } from "./page.js";

const lesson = byId("lesson");

const choice = () => maybe("[data-tells]:checked", HTMLInputElement, lesson);

/** @param {string} place */
function attempt(place) {
  const chosen = choice();
  if (!chosen) {
    sayFirst(data(lesson).choose);
    maybe("[data-tells]", HTMLInputElement, lesson)?.focus();
    return;
  }
  const form = byId("try", HTMLFormElement);
  const button = document.createElement("button"); // gone afterwards: an unanswered try is not sent again
  button.hidden = true;
  button.name = "try";
  button.value = `${chosen.dataset.tells} ${place}`;
  form.append(button);
  form.requestSubmit(button);
  button.remove();
}

/** Light the places of what was chosen among several; a hint's places stay instead. */
function light() {
  const drawn = maybe("svg.tappable:not(.lighting)", SVGSVGElement, lesson);
  if (!drawn || all("[data-tells]", HTMLInputElement, lesson).length < 2) return;
  const fits = choice()?.dataset.fits?.split(" ");
  drawn.classList.toggle("choosing", Boolean(fits));
  for (const space of all("[data-place]", SVGElement, drawn)) {
    space.classList.toggle("lit", fits?.includes(data(space).place) ?? false);
  }
}

/** Say what must be done first, visibly and for screen readers.
    @param {string} words */
function sayFirst(words) {
  const message = byId("lesson-message");
  const said = maybe(".first", HTMLElement, message) ?? message.appendChild(document.createElement("p"));
  said.className = "judged told first";
  said.textContent = words;
  said.scrollIntoView({ block: "nearest" });
  announce(words);
}

lesson.addEventListener("click", (event) => {
  const svg = closest(event, "svg.tappable", SVGSVGElement);
  const kinds = choice()?.dataset.liesOn?.split(" "); // else the nearest place of any kind
  const space = svg && nearest(svg, event, kinds);
  if (space) attempt(data(space).place);
  const further = closest(event, "a[data-draft]", HTMLAnchorElement);
  if (further) {
    event.preventDefault();
    swap(lesson, further.href);
  }
});

listenToKeys(lesson, "svg.tappable .space", (space) => attempt(data(space).place));

lesson.addEventListener("swapped", () => {
  showThumb();
  const message = byId("lesson-message");
  const asked = maybe(".asked-now", HTMLElement, lesson);
  announce(message.textContent.trim() || (asked?.textContent ?? ""));
  if (!lesson.contains(document.activeElement)) asked?.focus({ preventScroll: true });
  light();
  const { at } = message.dataset;
  if (at) maybe(`[data-place="${CSS.escape(at)}"]`, SVGElement, lesson)?.classList.add("refused-now");
  const hinted = maybe(".option.lit", HTMLElement, lesson);
  hinted?.closest("details")?.setAttribute("open", ""); // perhaps another group was kept open
  const inView = [
    maybe(".choices-now", HTMLElement, lesson), hinted, message, maybe(".asked-now.whole", HTMLElement, lesson),
    maybe("svg.tappable", SVGSVGElement, lesson), // what is tapped next
  ];
  for (const part of inView) part?.scrollIntoView({ block: "nearest" });
  maybe(".thumb a.primary", HTMLAnchorElement)?.focus({ preventScroll: true });
});

/* With a camera on the real board, each change there is judged as a try. */
let looking = false;
let again = false;
let chosen = "";

lesson.addEventListener("change", (event) => {
  maybe(".first", HTMLElement, lesson)?.remove();
  light();
  chosen = closest(event, "[data-tells]")?.dataset.tells ?? chosen;
});

/** @param {string} tells */
function choose(tells) {
  const one = all("[data-tells]", HTMLInputElement, lesson).find(({ dataset }) => dataset.tells === tells);
  if (one) one.checked = true;
}

async function look() {
  again = true;
  if (looking) return;
  looking = true;
  while (again && !maybe(".judged.good", HTMLElement, lesson)) {
    again = false;
    const form = byId("try", HTMLFormElement);
    const body = new FormData(form);
    body.set("look", "1");
    body.set("chosen", choice()?.dataset.tells ?? "");
    await swap(lesson, form.action, { method: "POST", body }).catch(() => {}); // the next news triggers a retry
    if (!choice()) choose(chosen); // unless what the camera has seen made a choice
  }
  looking = false;
}

if (lesson.dataset.game) {
  import("./live_tile.js");
  listen(lesson, () => 0, (kind) => { if (kind === "change" || kind === "cameras") look(); });
  look();
}

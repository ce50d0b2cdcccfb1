/* A lesson: a tap on the board places what was chosen; the server judges each try. What is chosen
   tells the action as far as it goes, and the place that is tapped is the next word of it. */

import { nearest, toward } from "./board_taps.js";
import { listen } from "./live_stream.js";
import { announce, swap } from "./page.js";

const lesson = document.getElementById("lesson");

const choice = () => lesson.querySelector("[data-tells]:checked");

function attempt(place) {
  const chosen = choice();
  if (!chosen) {
    sayFirst(lesson.dataset.choose);
    lesson.querySelector("[data-tells]")?.focus();
    return;
  }
  const form = document.getElementById("try");
  const field = document.createElement("input");
  field.type = "hidden";
  field.name = "try";
  field.value = `${chosen.dataset.tells} ${place}`;
  form.append(field);
  form.requestSubmit();
}

/** Say what comes first, where it is seen and heard. */
function sayFirst(words) {
  const told = document.getElementById("lesson-told");
  const said = told.querySelector(".first") ?? told.appendChild(document.createElement("p"));
  said.className = "judged told first";
  said.textContent = words;
  said.scrollIntoView({ block: "nearest" });
  announce(words);
}

lesson.addEventListener("click", (event) => {
  const zone = event.target.closest(".track-zone");
  const svg = event.target.closest("svg.tappable");
  const kinds = choice()?.dataset.liesOn?.split(" "); // else whatever is nearest
  const space = zone ?? (svg && nearest(svg, event, kinds));
  if (space) attempt(space.dataset.place);
  const step = event.target.closest("[data-step]");
  if (step) turn(step);
});

lesson.addEventListener("keydown", (event) => {
  const space = event.target.closest?.("svg.tappable .space");
  if (!space) return;
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    attempt(space.dataset.place);
  } else if (event.key.startsWith("Arrow")) {
    event.preventDefault();
    toward(space, event.key)?.focus();
  }
});

/** A marker steps on or back; what it has left is counted for all of them together. */
function turn(step) {
  const field = document.getElementById(step.dataset.for);
  const next = Number(field.value) + Number(step.dataset.step);
  const further = Math.abs(next) > Math.abs(field.value);
  if (further && (Math.abs(next) > Number(field.dataset.most) || left() <= 0)) return;
  field.value = next;
  show();
  announce(`${field.labels[0]?.textContent ?? ""} ${next}`);
}

const turned = () => [...lesson.querySelectorAll("[data-turns]")];
const spent = () => turned().reduce((sum, field) => sum + Math.abs(field.value), 0);
const left = () => Number(lesson.querySelector("[data-points]")?.dataset.points ?? 0) - spent();

function show() {
  const fields = turned();
  for (const field of fields) {
    document.getElementById(field.dataset.turns).style.setProperty("--turned", field.value);
  }
  for (const shown of lesson.querySelectorAll("[data-points]")) {
    shown.textContent = left() < 0 ? shown.dataset.tooMany.replace("{count}", -left()) : left();
  }
}

lesson.addEventListener("input", (event) => { if (event.target.matches("[data-turns]")) show(); });

lesson.addEventListener("swapped", () => {
  document.querySelector(".thumb").replaceChildren(document.getElementById("thumb-now").content);
  const told = document.getElementById("lesson-told");
  announce(told.textContent.trim());
  for (const part of [lesson.querySelector(".choices"), told]) part?.scrollIntoView({ block: "nearest" });
  document.querySelector(".thumb a.primary")?.focus({ preventScroll: true });
});

/* Where a camera watches the real board, each change there is judged as a try is. */
let looking = false;
let again = false;
let chosen = "";

lesson.addEventListener("change", ({ target }) => { chosen = target.dataset.tells ?? chosen; });

function choose(tells) {
  const one = [...lesson.querySelectorAll("[data-tells]")].find(({ dataset }) => dataset.tells === tells);
  if (one) one.checked = true;
}

async function look() {
  again = true;
  if (looking) return;
  looking = true;
  while (again && !lesson.querySelector(".judged.good")) {
    again = false;
    const form = document.getElementById("try");
    const body = new FormData(form);
    body.set("look", "1");
    body.set("chosen", choice()?.dataset.tells ?? "");
    await swap(lesson, form.action, { method: "POST", body }).catch(() => {}); // the next news ask again
    if (!choice()) choose(chosen); // what the camera has seen since leaves it open
  }
  looking = false;
}

if (lesson.dataset.game) {
  import("./live_tile.js");
  listen(lesson, () => 0, (kind) => { if (kind === "change" || kind === "cameras") look(); });
  look();
}

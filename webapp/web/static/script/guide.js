/* A guided game: a tap on a lit space does it, one on another space says why not. News from other
   phones and cameras draw the screen anew. */

import { look } from "./away.js";
import { nearest, toward } from "./board_taps.js";
import { goOnHeld, showHeld } from "./hold.js";
import { listen } from "./live_stream.js";
import { announce, swap } from "./page.js";
import { projection, ring } from "./projection.js";

const guide = document.getElementById("guide");
let last = Number(guide.dataset.last);
let draft = guide.dataset.now;
let asking = new AbortController();

const question = () => document.getElementById("question");

/** Show a screen; one that is still on its way is out of date. */
function show(screen) {
  draft = screen;
  asking.abort();
  asking = new AbortController();
  swap(guide, draft, { signal: asking.signal }).catch(() => {}); // the stream notices, and comes back
}

/** Say in half a sentence why something may not be done, where it is seen and heard. */
function sayWhy(one) {
  for (const other of guide.querySelectorAll(".refused-now")) other.classList.remove("refused-now");
  one.classList.add("refused-now");
  document.getElementById("why").textContent = one.dataset.why;
}

function choose(space) {
  if (space.dataset.why) {
    sayWhy(space);
    return;
  }
  const form = document.getElementById("place");
  form.querySelector("[name=move]").value = space.dataset.action;
  form.requestSubmit();
}

guide.addEventListener("click", (event) => {
  const further = event.target.closest("a[data-draft]");
  if (further) {
    event.preventDefault();
    show(further.dataset.partOf);
    return;
  }
  const refused = event.target.closest("button[data-why]");
  if (refused) {
    sayWhy(refused);
    return;
  }
  const svg = event.target.closest("#drawn");
  if (svg && !svg.matches(".choosing") && guide.querySelector(".choices-now .option")) {
    document.getElementById("why").textContent = guide.dataset.choose;
    return;
  }
  const space = svg && nearest(svg, event, ["asked"]);
  if (space) choose(space);
});

guide.addEventListener("keydown", (event) => {
  const space = event.target.closest?.(".choosing .space");
  if (!space) return;
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    choose(space);
  } else if (event.key.startsWith("Arrow")) {
    event.preventDefault();
    toward(space, event.key)?.focus();
  }
});

guide.addEventListener("submit", () => {
  asking.abort();
  draft = guide.dataset.now;
});

showHeld(guide);
goOnHeld(guide, show);

const done = () => guide.querySelector("[name=seen]")?.value;
let asked = question()?.textContent;
let before = done();
guide.addEventListener("swapped", () => {
  last = Math.max(last, Number(document.getElementById("told-until").dataset.last));
  const now = question().textContent;
  const happened = [...guide.querySelectorAll("#happened li")].map((one) => one.textContent);
  const isAnother = now !== asked || Boolean(guide.querySelector("#refused"));
  if (isAnother || done() !== before) announce([...happened, now].join(" ")); // the same is asked star after star
  before = done();
  if (!isAnother) return;
  asked = now;
  if (!guide.contains(document.activeElement)) question().focus({ preventScroll: true });
  document.querySelector(".scroll").scrollTo({ top: 0 });
});

/* The same spaces lit on the real board, in the picture of this device's camera. */
const tile = document.getElementById("camera");
if (tile) import("./live_tile.js");
tile?.addEventListener("boards", ({ detail }) => {
  const seat = guide.querySelector(".deciding")?.dataset.seat;
  const board = detail.find((one) => String(one.seat) === seat);
  if (!board) return;
  const project = projection(board.corners, Number(guide.dataset.width), Number(guide.dataset.height));
  for (const space of guide.querySelectorAll("#drawn .space:is(.lit, .pointed)")) {
    const { x, y, radius } = space.dataset;
    const shape = document.createElementNS("http://www.w3.org/2000/svg", "polygon");
    shape.setAttribute("points", ring(project, Number(x), Number(y), Number(radius)).map((at) => at.join(",")).join(" "));
    shape.classList.add("lit-space");
    shape.dataset.place = space.dataset.space;
    tile.querySelector("svg").append(shape);
  }
});

let revision;
listen(guide, () => last, (kind, news) => {
  if (kind === "lost") look();
  if (kind === "revision") {
    if (revision !== undefined && revision !== news.revision) show(draft);
    revision = news.revision;
  }
  if (kind === "gone") location.assign(`/?deleted=${guide.dataset.game}`);
  if (kind !== "change" || news.number <= last) return;
  last = news.number;
  if (news.waiting <= 0) show(draft);
});

/* A guided game: tapping a highlighted space performs the action, tapping another explains why not. News
   from other phones and cameras redraws the screen. */

import { away, look, lost } from "./away.js";
import { listenToKeys, nearest } from "./board_taps.js";
import { all, byId, closest, data, made, maybe, one, submitted } from "./dom.js";
import { goOnHeld, showHeld } from "./hold.js";
import { listen } from "./live_stream.js";
import { announce, swap, tellUnreached } from "./page.js";
import { projection, ring } from "./projection.js";

const guide = byId("guide");
let last = Number(guide.dataset.last);
let draft = screenNow();
let asking = new AbortController();
let isStale = false; // the last request failed

const question = () => document.getElementById("question");

/** The screen of the page's address: what has been chosen of an action is part of it. */
function screenNow() {
  return data(guide).now + location.search;
}

/** Show a screen; a pending one is aborted.
    @param {string} screen */
function show(screen) {
  draft = screen;
  asking.abort();
  isStale = false;
  const { signal } = asking = new AbortController();
  const fail = () => { isStale ||= !signal.aborted; };
  swap(guide, draft, { signal }).then((isShown) => isShown || fail(), fail);
}

/** The number of the last action that the screen knows of; "" before the game is begun. */
const done = () => byId("told-until").dataset.seen;

/* What was chosen of an action since its first question is in the history: Back undoes the last choice. Every
   entry made here has a state: one without is a link's to a part of the page. */
let entry = {
  address: location.href, chosen: 0, isSecret: false, isBeside: false, isGuarded: false, isExit: false,
  ...history.state,
};
history.replaceState(entry, "");
let isLeaving = false; // going back to the first question

/** @param {"pushState" | "replaceState"} how @param {Partial<typeof entry>} changed */
function write(how, { address = location.href, ...changed }) {
  entry = { ...entry, ...changed, address };
  history[how](entry, "", address);
}

/** Have the next Back stay and say that another one leaves: an entry before the game's, which only a tap may make, as
    browsers pass over others. */
function guard() {
  const notice = maybe("#leaving");
  if (notice) notice.hidden = true;
  if (!done() || entry.isGuarded) return;
  write("replaceState", { isExit: true });
  write("pushState", { isExit: false, isGuarded: true });
}

/** Show what a link leads to. A screen of secret cards gets no address of its own: after Back or a reload the
    phone must be handed over again. Screens of players who wait are one entry; the way back from them is Back.
    @param {HTMLAnchorElement} link */
function goOn({ href }) {
  if (away()) { // the screen stays, and so does its address
    tellUnreached();
    return;
  }
  const { search, searchParams } = new URL(href);
  const isSecret = searchParams.has("look"), isBeside = searchParams.has("of");
  if (entry.isBeside && entry.chosen) {
    if (!isBeside) {
      history.back();
      return;
    }
    write("replaceState", { address: href });
  } else if (!done()) write("replaceState", { address: href }); // what begins a game cannot be undone by Back
  else if (!search) leave();
  else if (isSecret ? !entry.isSecret : href !== location.href) {
    write("pushState", { chosen: entry.chosen + 1, isSecret, isBeside, address: isSecret ? undefined : href });
  }
  show(data(guide).now + search);
}

/** Drop what was chosen, so that Back leaves the page again. */
function leave() {
  if (isLeaving) return;
  if (entry.chosen) {
    isLeaving = true;
    history.go(-entry.chosen);
  } else if (location.search) write("replaceState", { address: location.pathname });
}

/** Begin the game in place of its last question, so that Back leaves the page.
    @param {HTMLFormElement} form */
async function begin(form) {
  const answer = await fetch(form.action, { method: "POST", body: new FormData(form), redirect: "manual" });
  if (answer.type === "opaqueredirect") location.replace(location.pathname.replace(/\/guide$/, "")); // where it stands
  else HTMLFormElement.prototype.submit.call(form); // the answer shows what is wrong
}

window.addEventListener("popstate", () => {
  if (!history.state) { // the same screen
    const isFurther = entry.chosen && entry.address !== location.href;
    write("replaceState", { chosen: entry.chosen + Number(isFurther) });
    return;
  }
  entry = history.state;
  const notice = maybe("#leaving");
  if (notice) notice.hidden = !entry.isExit;
  if (entry.isExit) notice?.scrollIntoView({ block: "nearest" });
  if (isLeaving) {
    isLeaving = false;
    leave();
  } else show(screenNow());
});

/** Say why something is not allowed, visibly and for screen readers.
    @param {HTMLElement | SVGElement} one */
function sayWhy(one) {
  for (const other of guide.querySelectorAll(".refused-now")) other.classList.remove("refused-now");
  one.classList.add("refused-now");
  const why = byId("why");
  why.textContent = data(one).why;
  const { rule } = one.dataset;
  why.scrollIntoView({ block: "nearest" });
  if (!rule) return;
  const link = document.createElement("a");
  link.href = link.dataset.about = rule;
  link.textContent = data(why).rule;
  why.append(" ", link);
}

/** @param {SVGElement} space */
function choose(space) {
  const isMeant = space.dataset.action && space.matches(".refused-now"); // what changes nothing, tapped again
  if (space.dataset.why && !isMeant) {
    sayWhy(space);
    return;
  }
  const form = byId("place", HTMLFormElement);
  one("[name=move]", HTMLInputElement, form).value = data(space).action;
  form.requestSubmit();
}

guide.addEventListener("click", guard);
guide.addEventListener("click", (event) => {
  const details = closest(event, "summary")?.parentElement;
  if (!details || closest(event, ".table-strip")) return;
  requestAnimationFrame(() => {
    const { top, bottom } = details.getBoundingClientRect();
    const strip = maybe("#table-strip")?.getBoundingClientRect().top ?? innerHeight;
    if (bottom > strip) details.scrollIntoView({ block: bottom - top > strip / 2 ? "start" : "nearest" });
  });
});
guide.addEventListener("click", (event) => {
  const further = closest(event, "a[data-draft]", HTMLAnchorElement);
  if (further) {
    event.preventDefault();
    goOn(further);
    return;
  }
  const refused = closest(event, "button[data-why]", HTMLButtonElement);
  if (refused) {
    sayWhy(refused);
    return;
  }
  const svg = closest(event, "#drawn", SVGSVGElement);
  const space = svg && nearest(svg, event, svg.matches(".choosing") ? ["asked"] : null);
  if (svg && !svg.matches(".choosing") && !space?.dataset.action) {
    if (maybe(".choices-now .option", HTMLElement, guide)) byId("why").textContent = data(guide).choose;
  } else if (space) choose(space);
});

listenToKeys(guide, ".choosing .space, .space[data-action]", choose);

guide.addEventListener("submit", (event) => {
  const form = submitted(event);
  asking.abort();
  if (!done()) {
    event.preventDefault();
    begin(form).catch(look);
    return;
  }
  if (form.elements.namedItem("draft")) { // a seat is taken on the way
    draft = screenNow();
    return;
  }
  draft = data(guide).now;
  if (form.dataset.swap) leave();
});

/* A photograph of what was drawn is sent as soon as it is chosen. */
guide.addEventListener("change", ({ target }) => {
  const { form } = target instanceof HTMLInputElement && target.matches("[data-sends]") ? target : {};
  if (!form) return;
  if (away()) {
    tellUnreached();
    form.reset(); // so that the same one can be chosen again
    return;
  }
  one(".unsent", HTMLElement, form).hidden = true;
  one(".sending", HTMLElement, form).hidden = false;
  form.requestSubmit();
});

showHeld(guide);
goOnHeld(guide, goOn);

let asked = question()?.textContent;
let before = done();
let hinted = all("#hints li", HTMLElement, guide).length;
guide.addEventListener("swapped", () => {
  const elsewhere = maybe("#elsewhere", HTMLAnchorElement, guide);
  if (elsewhere) {
    location.replace(elsewhere.href);
    return;
  }
  last = Math.max(last, Number(byId("told-until").dataset.last));
  const now = byId("question").textContent;
  const happened = all("#happened .news", HTMLElement, guide).map((one) => one.textContent);
  const isAnother = now !== asked || Boolean(maybe("#refused", HTMLElement, guide));
  if (done() !== before) { // by another phone or a camera, unless this one has left already
    leave();
    draft = data(guide).now;
  }
  if (isAnother || done() !== before) announce([...happened, now].join(" ")); // the same question comes repeatedly
  before = done();
  const hints = all("#hints li", HTMLElement, guide).length;
  if (hints > hinted) byId("hints").scrollIntoView({ block: "start" }); // the board it speaks of is below
  hinted = hints;
  if (!isAnother) return;
  asked = now;
  if (!guide.contains(document.activeElement)) byId("question").focus({ preventScroll: true });
  one(".scroll").scrollTo({ top: 0 });
});

/* Highlights the same spaces on the real board, in the picture of this device's camera. */
const tile = document.getElementById("camera");
if (tile) import("./live_tile.js");
tile?.addEventListener("boards", ({ detail }) => {
  const seat = maybe(".deciding", HTMLElement, guide)?.dataset.seat;
  const board = detail.find((one) => String(one.seat) === seat);
  if (!board) return;
  const project = projection(board.corners, Number(guide.dataset.width), Number(guide.dataset.height));
  for (const space of all("#drawn .space:is(.lit, .pointed)", SVGElement, guide)) {
    const { x, y, radius } = space.dataset;
    const points = ring(project, Number(x), Number(y), Number(radius)).map((at) => at.join(",")).join(" ");
    const shape = made("polygon", { points, class: "lit-space", "data-place": data(space).space });
    one("svg", SVGSVGElement, tile).append(shape);
  }
});

let revision = Number(guide.dataset.revision);
listen(guide, () => last, (kind, news) => {
  if (kind === "lost") lost();
  else if (isStale) show(draft);
  if (kind === "revision") {
    if (revision !== news.revision) show(draft);
    revision = news.revision;
  }
  if (kind === "gone") location.assign(`/?deleted=${guide.dataset.game}`);
  if (kind !== "change" || news.number <= last) return;
  last = news.number;
  if (news.waiting <= 0) show(draft);
});

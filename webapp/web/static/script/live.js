/* The table page: news come as server-sent events, and the server draws the table anew. What a
   page has slept through it is told when it wakes: each entry bears a number. */

import { look, showCounts } from "./away.js";
import { lightSpaces } from "./board_taps.js";
import { all, byId, data, maybe, one, released } from "./dom.js";
import "./live_cameras.js";
import "./live_tile.js";
import { wireCarousel } from "./live_carousel.js";
import { knowParts, showParts } from "./live_parts.js";
import { sound } from "./live_sound.js";
import { listen } from "./live_stream.js";
import { wireTabs } from "./live_tabs.js";
import { wireTaps } from "./live_taps.js";
import { announce } from "./page.js";
import { stayAwake } from "./stay_awake.js";

const live = byId("live");
const connection = byId("connection");
const SILENCE_MS = 12000; // the server says something every five seconds
const FRESH_MS = 2500;
const BUSY_MS = 2000; // until a table is asked for again that the server was too busy for

/** @import { News } from "../../scripts.js" */

const view = {
  at: data(live).at,
  mine: sessionStorage.getItem("stargazer-mine") ?? "",
  lit: "",
};
const carousel = wireCarousel(live);
let last = Number(live.dataset.last);
let lastNews = Date.now();
let asked = false;
let fetching = false;
/** @type {News[]} */
let missed = [];

/** Draw the table as the server sees it; requests that come meanwhile become one. */
export async function refresh() {
  asked = true;
  if (fetching) return;
  fetching = true;
  while (asked) {
    asked = false;
    const query = new URLSearchParams();
    if (view.at !== "") query.set("at", view.at);
    if (view.mine !== "") query.set("mine", view.mine);
    try {
      const response = await fetch(`${live.dataset.table}?${query}`, { headers: { "X-Partial": "1" } });
      const text = await response.text();
      await released();
      if (!response.ok) setTimeout(refresh, BUSY_MS);
      else if (!showParts(live, text)) location.reload();
    } catch {
      look(); // the connection is gone: the stream notices, comes back, and asks again
      break;
    }
    drawn();
  }
  fetching = false;
}

/** What this page knows is drawn over what the server has drawn. */
function drawn() {
  light();
  showCounts();
  kindle();
  carousel.mark();
  const watched = Number(maybe(".watching", HTMLElement, live)?.dataset.cameras ?? 0);
  stayAwake("watched", watched > 0);
}

/** Light on the boards what the pressed button is about, or nothing. */
export function light() {
  const line = view.lit && document.getElementById(view.lit);
  for (const button of all("[data-light]", HTMLButtonElement, live)) {
    button.setAttribute("aria-pressed", String(button === line));
  }
  for (const player of all(".player", HTMLElement, live)) {
    const mine = line && line.dataset.board === player.dataset.board;
    const lit = mine ? data(line).light.split(" ") : [];
    const missing = mine ? (line.dataset.missing ?? "").split(" ") : [];
    lightSpaces(one("svg.galaxy", SVGSVGElement, player), lit, missing);
  }
}

/** @type {{ seat: number, space: string, since: number }[]} */
let fresh = [];
function kindle() {
  const now = performance.now();
  fresh = fresh.filter((one) => now - one.since < FRESH_MS);
  for (const { seat, space } of fresh) {
    maybe(`#player-${seat} [data-space="${space}"]`, SVGElement, live)?.classList.add("fresh");
  }
  if (!fresh.length) return;
  setTimeout(() => {
    for (const space of all(".fresh", SVGElement, live)) space.classList.remove("fresh");
  }, FRESH_MS);
}

/** @param {News} news */
function change(news) {
  if (news.number <= last) return; // a page hears everything once
  last = news.number;
  missed.push(news);
  if (news.waiting > 0) return; // a page that slept catches up quietly, then says what matters
  const changes = missed;
  missed = [];
  for (const { seat, space } of changes) {
    if (space !== null && seat !== null) fresh.push({ seat, space, since: performance.now() });
  }
  const said = changes.map((one) => one.said).filter(Boolean);
  const alerts = changes.flatMap((one) => one.alerts);
  const words = [...said.slice(-3), ...alerts.map((one) => one.say)].join(". ");
  if (words) announce(words);
  sound(alerts);
  refresh();
}

/** @param {string} kind @param {News} news */
function hear(kind, news) {
  if (kind === "lost") {
    look();
    return;
  }
  lastNews = Date.now();
  connection.hidden = true;
  if (kind === "change") change(news);
  else if (kind === "cameras") refresh();
  else if (kind === "gone") location.assign(`/?deleted=${live.dataset.game}`);
}

const askAgain = listen(live, () => last, hear);

/** A stream that died without a word, as after a sleep, is opened again from the last entry. */
function watchTheLine() {
  const silence = Date.now() - lastNews;
  if (document.hidden || (silence >= 0 && silence < SILENCE_MS)) return; // below 0: the clock was set back
  connection.textContent = data(connection).lost;
  connection.hidden = false;
  lastNews = Date.now();
  askAgain();
  refresh();
}

setInterval(watchTheLine, 2000);
document.addEventListener("visibilitychange", watchTheLine);
window.addEventListener("online", watchTheLine);

wireTaps({ live, view, refresh, light, carousel });
wireTabs(live);

const type = byId("type");
function enlarge() {
  const chosen = one(":checked", HTMLInputElement, type).value;
  for (const size of ["large", "largest"]) document.documentElement.classList.toggle(size, size === chosen);
  localStorage.setItem("stargazer-type", chosen);
}
const kept = maybe(`[value="${CSS.escape(localStorage.getItem("stargazer-type") ?? "")}"]`, HTMLInputElement, type);
if (kept) kept.checked = true;
type.addEventListener("change", enlarge);
enlarge();
knowParts(live);
drawn();
if (view.mine !== "") refresh();

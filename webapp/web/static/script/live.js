/* The table page: news arrives as server-sent events, and the server redraws the table. After sleep, a
   page receives the entries it missed, by their numbers. */

import { look, lost, showCounts } from "./away.js";
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
const SILENCE_MS = 12000; // the server sends something every five seconds
const FRESH_MS = 2500;
const BUSY_MS = 2000; // before a retry after the server was too busy

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
let isStale = false; // the last request failed
/** @type {News[]} */
let missed = [];

/** Redraw the table from the server; requests made meanwhile are combined. */
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
      isStale = false;
      await released();
      if (!response.ok) setTimeout(refresh, BUSY_MS);
      else if (!showParts(live, text)) location.reload();
    } catch {
      isStale = true; // the next event requests again
      look();
      break;
    }
    drawn();
  }
  fetching = false;
}

/** Restore this page's own state after a redraw. */
function drawn() {
  light();
  showCounts();
  kindle();
  carousel.mark();
  const watched = Number(maybe(".watching", HTMLElement, live)?.dataset.cameras ?? 0);
  stayAwake("watched", watched > 0);
}

/** Highlight on the boards what the pressed button is about, or nothing. */
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
  if (news.number <= last) return; // each entry is handled once
  last = news.number;
  missed.push(news);
  if (news.waiting > 0) return; // catch up silently after sleep, then announce the result
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
    lost();
    return;
  }
  lastNews = Date.now();
  connection.hidden = true;
  if (kind === "change") change(news);
  else if (kind === "gone") location.assign(`/?deleted=${live.dataset.game}`);
  else if (kind === "cameras" || isStale) refresh();
}

const askAgain = listen(live, () => last, hear);

/** Reopen a stream that died silently, e.g. after sleep, from the last entry. */
function watchTheLine() {
  const silence = Date.now() - lastNews;
  if (document.hidden || (silence >= 0 && silence < SILENCE_MS)) return; // negative if the clock was set back
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

/* The table page: news come as server-sent events, and the server draws the table anew. What a
   page has slept through it is told when it wakes: each entry bears a number. */

import { announce, swap } from "./page.js";
import { sound } from "./live_sound.js";
import { listen } from "./live_stream.js";
import { wireTaps } from "./live_taps.js";

const live = document.getElementById("live");
const connection = document.getElementById("connection");
const DEAF_MS = 12000; // the server says something every five seconds
const FRESH_MS = 2500;
const BUSY_MS = 2000; // until a table is asked for again that the server was too busy for

const view = {
  at: live.firstElementChild.dataset.at,
  mine: sessionStorage.getItem("stargazer-mine") ?? "",
  lit: "",
};
let last = Number(live.firstElementChild.dataset.last);
let heard = Date.now();
let asked = false;
let fetching = false;
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
    const open = [...live.querySelectorAll("details[open]")].map((one) => one.id);
    const scrolled = live.querySelector(".time-line")?.scrollTop ?? 0;
    try {
      if (!(await swap(live, `${live.dataset.table}?${query}`))) setTimeout(refresh, BUSY_MS);
    } catch {
      break; // the connection is gone: the stream notices, comes back, and asks again
    }
    for (const id of open) document.getElementById(id)?.setAttribute("open", "");
    const line = live.querySelector(".time-line");
    if (line) line.scrollTop = scrolled;
    light();
    kindle();
  }
  fetching = false;
}

/** Light on the boards what the pressed button is about, or nothing. */
export function light() {
  const told = view.lit && document.getElementById(view.lit);
  for (const button of live.querySelectorAll("[data-light]")) {
    button.setAttribute("aria-pressed", String(button === told));
  }
  for (const player of live.querySelectorAll(".player")) {
    const mine = told && told.dataset.seat === player.dataset.seat;
    const lit = mine ? told.dataset.light.split(" ") : [];
    const missing = mine ? (told.dataset.missing ?? "").split(" ") : [];
    const svg = player.querySelector("svg.galaxy");
    svg.classList.toggle("lighting", Boolean(mine));
    for (const space of svg.querySelectorAll(".space")) {
      space.classList.toggle("lit", lit.includes(space.dataset.space));
      space.classList.toggle("missing", missing.includes(space.dataset.space));
    }
  }
}

let fresh = [];
function kindle() {
  const now = performance.now();
  fresh = fresh.filter((one) => now - one.since < FRESH_MS);
  for (const { seat, space } of fresh) {
    live.querySelector(`#player-${seat} [data-space="${space}"]`)?.classList.add("fresh");
  }
  if (fresh.length) setTimeout(() => live.querySelectorAll(".fresh").forEach((one) => one.classList.remove("fresh")), FRESH_MS);
}

function change(news) {
  if (news.number <= last) return; // a page hears everything once
  last = news.number;
  missed.push(news);
  if (news.waiting > 0) return; // a page that slept catches up quietly, then says what matters
  const told = missed;
  missed = [];
  for (const { seat, space } of told) {
    if (space !== null && seat !== null) fresh.push({ seat, space, since: performance.now() });
  }
  const said = told.map((one) => one.said).filter(Boolean);
  const alerts = told.flatMap((one) => one.alerts);
  const words = [...said.slice(-3), ...alerts.map((one) => one.say)].join(". ");
  if (words) announce(words);
  sound(alerts);
  refresh();
}

function hear(kind, news) {
  heard = Date.now();
  connection.hidden = true;
  if (kind === "change") change(news);
  else if (kind === "cameras") refresh();
  else if (kind === "gone") location.assign("/");
}

const askAgain = listen(live, () => last, hear);

/** A stream that died without a word, as after a sleep, is opened again from the last entry. */
function watchTheLine() {
  const silence = Date.now() - heard;
  if (document.hidden || (silence >= 0 && silence < DEAF_MS)) return; // below 0: the clock was set back
  connection.textContent = connection.dataset.lost;
  connection.hidden = false;
  heard = Date.now();
  askAgain();
  refresh();
}

setInterval(watchTheLine, 2000);
document.addEventListener("visibilitychange", watchTheLine);
window.addEventListener("online", watchTheLine);

wireTaps({ live, view, refresh, light });

const large = document.getElementById("large");
function enlarge(on) {
  document.documentElement.classList.toggle("large", on);
  large.setAttribute("aria-pressed", String(on));
  localStorage.setItem("stargazer-large", on ? "yes" : "no");
  if (on) navigator.wakeLock?.request("screen").catch(() => {}); // a battery that is low may refuse
}
large.addEventListener("click", () => enlarge(large.getAttribute("aria-pressed") !== "true"));
enlarge(localStorage.getItem("stargazer-large") === "yes");
if (view.mine !== "") refresh();

/* Handles an unreachable server: pages say so, disable what needs it, and keep entries until it is back. */

import { all, byId, data, maybe, one, released, submitted, texts } from "./dom.js";
import {
  deliver, discard, field, fileOf, forget, FullError, keep, keepFile, newName, next, queue, sendAgain,
} from "./outbox.js";
import { drawWaiting } from "./waiting_pieces.js";

/** @import { Entry } from "../../scripts.js" */

const KEPT = ["queue", "begins"]; // forms that can be queued while the server is unreachable
const banner = byId("away");
const undelivered = byId("undelivered");
const said = data(undelivered);
const OFTEN = 3000; // ms
const PATIENCE = 10000; // ms to wait for the response to a tap
const SHOWN_FOR = 6000; // ms
const FINAL = [409, 410, 415]; // retrying would not help
/** The server may not know this page's game yet: its creation must be sent first. */
export const isBegunAway = Boolean(document.getElementById("begun-away"));
let isAway = false;
let hadToWait = false;
let shownAway = false;
let isInvited = true; // unless the server has just said no
let timer = 0;

async function isThere() {
  const asked = /** @type {const} */ ({ cache: "no-store", signal: AbortSignal.timeout(4000) });
  const answer = await fetch("/healthz/invited", asked).catch(() => null);
  isInvited = answer?.status !== 401;
  return Boolean(answer?.ok) || !isInvited;
}

/** Disable buttons that need the server; links lead to cached pages.
    @param {boolean} away */
function showAway(away) {
  isAway = away;
  document.body.dataset.away = away ? "yes" : "";
  banner.hidden = !away;
  if (!away) byId("unreached").hidden = true; // what failed can be tapped again
  document.dispatchEvent(new CustomEvent("outbox")); // waiting entries are worded differently now
  for (const button of all("button", HTMLButtonElement)) {
    const { form } = button;
    if (button.type !== "submit" || !form || KEPT.some((kind) => kind in form.dataset)) continue;
    if (form.method === "get") continue;
    if (away && !button.disabled) {
      button.disabled = true;
      button.dataset.waits = "";
    } else if (!away && "waits" in button.dataset) {
      button.disabled = false;
      delete button.dataset.waits;
    }
  }
}

export const away = () => isAway;

export async function look() {
  clearTimeout(timer);
  const there = await isThere();
  await released(); // a notice moves what is below it
  if (there === isAway) showAway(!there);
  const done = there && await deliver();
  await released();
  if (!done && next()) hadToWait = true;
  else if (hadToWait && there && !next()) tellArrived();
  showUndelivered();
  if (done && shownAway) location.reload();
  else if (!done) timer = setTimeout(look, OFTEN);
}

/** No more news arrive: the computer is away, or the page of a phone that is no longer invited has to say so. */
export async function lost() {
  await look();
  if (!isInvited) location.reload();
}

/** Announced once, when an entry had to wait. */
function tellArrived() {
  hadToWait = false;
  const arrived = byId("arrived");
  arrived.hidden = false;
  setTimeout(() => { arrived.hidden = true; }, SHOWN_FOR);
}

/** The data a form sends when a button is pressed.
    @param {HTMLFormElement} form @param {HTMLElement | null} button */
export function entered(form, button) {
  const data = new FormData(form);
  if (button instanceof HTMLButtonElement && button.name) data.set(button.name, button.value);
  return data;
}

/** Whether earlier entries must be sent first. */
const isWaiting = () => Boolean(next());

/** @type {Pick<Entry, "url" | "fields">[]} */
const flying = []; // taps being sent
/** @type {Promise<Response | null>} */
let turn = Promise.resolve(null); // sent one after the other

/** Send a tap of a form; return null without a response. If it can wait it is queued, and earlier entries
    are sent first.
    @param {HTMLFormElement} form @param {HTMLElement | null} button */
export async function sendTap(form, button) {
  const data = entered(form, button);
  data.set("tap", newName());
  const tap = { url: form.action, fields: texts(data) };
  flying.push(tap);
  showCounts();
  turn = turn.then(() => post(form, data));
  const answer = await turn;
  flying.splice(flying.indexOf(tap), 1);
  return answer;
}

/** @param {HTMLFormElement} form @param {FormData} data @returns {Promise<Response | null>} */
async function post(form, data) {
  const waits = "queue" in form.dataset;
  const asked = { method: "POST", body: data, headers: { "X-Partial": "1" }, signal: AbortSignal.timeout(PATIENCE) };
  const answer = waits && isWaiting() ? null : await fetch(form.action, asked).catch(() => null);
  if (waits && (!answer || answer.status >= 500)) keepForLater(form, data);
  else if (!answer) look();
  return answer;
}

/** Show queued and unsent taps: pieces on their spaces, and counts, from which the next tap continues. */
export function showCounts() {
  drawWaiting(queue().filter((entry) => !entry.problem));
  const taps = [...queue().filter((entry) => !entry.problem), ...flying];
  for (const form of all("form.stepper[data-queue]", HTMLFormElement)) {
    const seat = maybe("[name=seat]", HTMLInputElement, form)?.value;
    const waiting = taps.findLast(({ url, fields }) => {
      const sent = new Map(fields);
      return url === form.action && sent.get("seat") === seat && sent.has("count");
    });
    const shown = maybe(".number", HTMLElement, form);
    if (!shown) continue; // not on the page yet
    const by = waiting ? Number(new Map(waiting.fields).get("count")) - Number(shown.textContent) : 0;
    if (!by) continue;
    shown.textContent = String(Number(shown.textContent) + by);
    for (const button of all("[name=count]", HTMLButtonElement, form)) {
      const count = Number(button.value) + by;
      button.value = String(count);
      button.disabled = count < 0 || count > Number(form.dataset.most);
    }
  }
}

/** Queue a form, replacing an earlier one of the same page and field. Taps at a live table are all kept,
    under their own ids.
    @param {HTMLFormElement} form @param {FormData} data */
export function keepForLater(form, data) {
  const fields = texts(data);
  if (!data.has("tap") && !data.has("delivery")) fields.push(["delivery", newName()]);
  const same = fields.find(([name]) => name === "tap")?.[1] ??
    JSON.stringify([form.action, fields.filter(([name]) => name === "space")]);
  return keepEntry({ same, url: form.action, swap: form.dataset.swap, fields });
}

/** Queue an entry of this page; return false and say so if the device has no room.
    @param {Entry} entry */
export function keepEntry(entry) {
  try {
    keep({ page: location.pathname + location.hash, title: document.title, ...entry });
  } catch (error) {
    if (!(error instanceof FullError)) throw error;
    tellFull();
    return false;
  }
  look();
  return true;
}

/** Queue a photograph of this page; say so if the device has no room.
    @param {Entry} entry @param {Blob} file */
export async function keepPhotograph(entry, file) {
  try {
    await keepFile(entry, file);
  } catch (error) {
    if (!(error instanceof FullError)) throw error;
    tellFull();
  }
  await look();
}

function tellFull() {
  const full = byId("full");
  full.hidden = false;
  full.scrollIntoView({ block: "center" });
}

document.addEventListener("delivered", async ({ detail: { entry, answer } }) => {
  byId("full").hidden = true;
  const target = entry.swap && entry.page === location.pathname && maybe(entry.swap);
  if (!target || !answer.ok) return;
  target.innerHTML = await answer.text();
  target.dispatchEvent(new CustomEvent("swapped", { bubbles: true }));
});

const UNSAID = [
  "csrf_token", "was", "back", "revision", "shown", "tap", "delivery", "what", "seat", "after", "due", "player", "id",
];
/** @param {Entry} entry */
const kindOf = (entry) => (entry.size ? "photographs" : field(entry, "id") ? "games" : "changes");

/** The amount of waiting entries in words: "1 photograph waits ...".
    @param {Entry[]} entries */
function waitingWords(entries) {
  return ["games", "photographs", "changes"].flatMap((kind) => {
    const number = entries.filter((entry) => kindOf(entry) === kind).length;
    const words = said[`${kind}${number === 1 ? "One" : "More"}`];
    return number ? [words.replace("9", String(number))] : [];
  }).join(" ");
}

/** @param {string} words @param {() => void} act */
function button(words, act) {
  const looks = { type: /** @type {const} */ ("button"), className: "quiet", textContent: words };
  const made = Object.assign(document.createElement("button"), looks);
  made.addEventListener("click", act);
  return made;
}

/** List waiting and refused entries, to be sent again or discarded. */
async function showUndelivered() {
  await released();
  const entries = queue().filter((entry) => hadToWait || entry.problem || !entry.size); // the page shows the rest
  showCounts();
  undelivered.hidden = !entries.length;
  one("span", HTMLElement, undelivered).textContent = waitingWords(entries.filter((entry) => !entry.problem));
  const list = one("ul", HTMLElement, undelivered);
  list.replaceChildren(...entries.filter((entry) => entry.problem || kindOf(entry) !== "changes").map((entry) => {
    const item = document.createElement("li");
    const { page = "/", title = "" } = entry;
    const named = title.replace(/ · Stargazer$/, "");
    const link = Object.assign(document.createElement("a"), { href: page, textContent: named });
    item.append(link, ` ${entry.problem ?? said.waits} `);
    const typed = entry.fields.filter(([name]) => !UNSAID.includes(name)).map(([, value]) => value);
    if (entry.size) showFile(item, entry);
    else if (entry.problem) item.append(Object.assign(document.createElement("q"), { textContent: typed.join(", ") }));
    if (entry.problem && !FINAL.includes(entry.status ?? 0)) {
      item.append(button(said.again, () => { sendAgain(entry); look(); }));
    }
    if (entry.problem || entry.size) item.append(button(said.discard, () => discard(entry)));
    return item;
  }));
  const refused = entries.filter((entry) => entry.problem && entry.size);
  if (refused.length < 2) return;
  list.prepend(document.createElement("li"));
  list.firstElementChild?.append(button(said.discardAll, () => refused.forEach(discard)));
}

/** @type {Map<string, string>} */
const pictures = new Map(); // of waiting photographs, by id

/** @param {HTMLElement} item @param {Entry} entry */
async function showFile(item, entry) {
  if (!pictures.has(entry.same)) {
    const file = await fileOf(entry).catch(() => null);
    if (!file) return;
    pictures.set(entry.same, URL.createObjectURL(file));
  }
  const picture = Object.assign(new Image(48, 48), { src: pictures.get(entry.same) ?? "", alt: "" });
  picture.onerror = () => picture.remove(); // not a photograph
  item.prepend(picture);
}

document.addEventListener("outbox", showUndelivered);
window.addEventListener("storage", showUndelivered); // another page has sent something

document.addEventListener("submit", (event) => {
  const form = submitted(event);
  if (event.defaultPrevented || !(isAway || isBegunAway)) return;
  if (!("queue" in form.dataset) || form.dataset.swap || "live" in form.dataset) return;
  event.preventDefault();
  if (keepForLater(form, entered(form, event.submitter)) && form.dataset.goes) location.assign(form.dataset.goes);
});
document.addEventListener("submit", (event) => {
  if (!("leave" in submitted(event).dataset)) return;
  forget();
  navigator.serviceWorker?.controller?.postMessage({ forget: true });
});

window.addEventListener("offline", look);
window.addEventListener("online", look);
document.addEventListener("visibilitychange", () => { if (!document.hidden && isAway) look(); });

/** Cache this phone's games in the list, for reading offline.
    @param {ServiceWorkerRegistration} worker */
function keepGames(worker) {
  const mine = maybe("[data-keep]", HTMLElement)?.dataset.keep ?? "";
  const pages = all("[data-keep] [data-game]").flatMap((tile) => {
    if (!mine.includes(data(tile).game.split("/")[2])) return [];
    const version = one("time", HTMLTimeElement, tile).dateTime;
    const picture = maybe("img.tile-board", HTMLImageElement, tile)?.getAttribute("src");
    return [tile.dataset.game, tile.dataset.score, picture].filter(Boolean).map((url) => ({ url, version }));
  });
  const { keptAlways } = data(document.body);
  worker.active?.postMessage({ keepMissing: JSON.parse(keptAlways) });
  if (pages.length) worker.active?.postMessage({ keep: [{ url: "/", version: pages[0].version }, ...pages] });
}

showUndelivered();
if (navigator.serviceWorker?.controller || queue().length) {
  look().then(() => { shownAway = isAway && !isBegunAway; });
}
if (navigator.serviceWorker) {
  window.addEventListener("load", () => setTimeout(async () => {
    await navigator.serviceWorker.register("/service-worker.js").catch(() => {});
    keepGames(await navigator.serviceWorker.ready);
  }, 1500));
}

/* Keeps a game's page current while other phones change the game: parts that can be redrawn are; other
   pages are reloaded, or offer it if somebody has entered something. */

import { lost } from "./away.js";
import { all, byId, data, first, maybe, one, released } from "./dom.js";
import { listen } from "./live_stream.js";
import { announce, showAgain, typed } from "./page.js";

const followed = byId("followed");
const news = byId("news");
const NO_ENTRIES = 999999999; // events of the live table have their own page
const LEAVING = 10000; // ms
const PAUSE = 150; // ms in which this page's own change is answered

const asked = () => all("[name=shown]", HTMLInputElement);
const shown = () => Number(asked().at(-1)?.value ?? followed.dataset.revision);
const notes = () => all("main textarea", HTMLTextAreaElement).map(({ value }) => value);
const entered = () => JSON.stringify([typed(), notes()]);
let before = entered();
let due = 0;
let left = -Infinity; // when this page was being left: its own step is no news
let latest = shown();

/** Record the page's revision, for which confirmations are valid.
    @param {number} revision */
export function isShown(revision) {
  for (const field of asked()) field.value = String(revision);
  followed.dataset.revision = String(revision);
}

window.addEventListener("beforeunload", () => { left = performance.now(); });
const isLeaving = () => performance.now() - left < LEAVING;

async function catchUp() {
  due = 0;
  if (latest === shown() || isLeaving()) return;
  if (!document.dispatchEvent(new CustomEvent("news", { cancelable: true }))) return; // it is redrawn
  const page = data(followed).page + location.search;
  const known = { "If-None-Match": `W/"${followed.dataset.shown}"` };
  const answer = await fetch(page, { method: "HEAD", headers: known }).catch(() => null);
  const unchanged = answer?.status === 304 ? answer.headers.get("X-Revision")
    : answer?.ok && !answer.headers.has("ETag") && await drawnAlike(page);
  await released();
  if (isLeaving() || !answer) return;
  if (unchanged) isShown(Number(unchanged));
  else if (!answer.ok) return;
  else if (entered() !== before || maybe("dialog[open]", HTMLDialogElement)) tell();
  else location.replace(answer.url);
}

/** The revision of a newly drawn page if it shows the same as this one, else false or undefined.
    @param {string} page */
async function drawnAlike(page) {
  const text = await fetch(page).then((answer) => answer.text()).catch(() => "");
  const fresh = new DOMParser().parseFromString(text, "text/html").getElementById("followed");
  return fresh?.dataset.shown === followed.dataset.shown && fresh?.dataset.revision;
}

function tell() {
  if (!news.hidden) return;
  news.hidden = false;
  announce(first(news).textContent);
  news.scrollIntoView({ block: "nearest" });
}

one("button", HTMLButtonElement, news).addEventListener("click", () => showAgain(data(followed).page, typed(), true));
window.addEventListener("load", () => { before = entered(); });

listen(followed, () => NO_ENTRIES, (kind, event) => {
  if (kind === "lost") lost();
  else if (kind === "gone") location.assign(`/?deleted=${followed.dataset.game}`);
  else if (kind === "cameras") document.dispatchEvent(new CustomEvent("stirred"));
  else if (kind === "revision") {
    latest = event.revision;
    due ||= setTimeout(catchUp, PAUSE);
  }
});

/* This device's camera as a tile, which films while the rest of the page is used. Each frame is sent once
   the previous one has been answered. After a screen lock, a reload or a restart of the server it resumes
   automatically; if the browser requires a tap for that, one button asks for it. */

import { DeviceCamera, deviceName, lends } from "./device_camera.js";
import { all, byId, data, made, one, submitted } from "./dom.js";
import { stayAwake } from "./stay_awake.js";

/** @import { SeenBoard } from "../../scripts.js" */

const SLOW_MS = 500; // before a frame is retried that the server did not accept
const LEAST_MS = 66; // between frames: fifteen per second are enough for hands and pieces
const ANSWER_MS = 10000; // a lost server does not answer
const FILMING = "stargazer-filming"; // the game being filmed, resumed after a reload
const FILMED = "stargazer-filmed"; // the game last filmed by this device

const tile = byId("camera");
const said = byId("camera-said");
const start = byId("camera-start", HTMLButtonElement);
const size = byId("camera-size", HTMLButtonElement);
const pauseButton = byId("camera-pause", HTMLButtonElement);
const turnButton = byId("camera-turn", HTMLButtonElement);
const others = all("[data-film]", HTMLButtonElement); // in the list of all cameras
const outlines = one("svg", SVGSVGElement, tile);
const camera = new DeviceCamera(one("video", HTMLVideoElement, tile));
const words = data(tile);
const { game } = words;

/** @param {number} ms */
const wait = (ms) => new Promise((done) => { setTimeout(done, ms); });
const seenAgain = () => new Promise((done) => {
  document.addEventListener("visibilitychange", done, { once: true });
});
/** Whether camera access needs a tap, or the user's permission.
    @param {unknown} error */
const isRefused = (error) => error instanceof DOMException && error.name === "NotAllowedError";
let on = false;
/** @type {Promise<void> | null} */
let pumping = null;

/** @param {string} text */
function say(text) {
  if (said.textContent !== text) said.textContent = text;
}

/** @param {{ said?: string, message?: string, boards?: SeenBoard[] }} answer */
function show(answer) {
  say(answer.said ?? answer.message ?? "");
  outlines.replaceChildren(...(answer.boards ?? []).map(({ corners, sure }) => (
    made("polygon", { points: corners.map((corner) => corner.join(",")).join(" "), class: sure ? "" : "unsure" }))));
  tile.dispatchEvent(new CustomEvent("boards", { detail: answer.boards ?? [] }));
}

async function send() {
  const response = await fetch(`${words.frames}?camera=${deviceName()}`, {
    method: "POST",
    body: await camera.picture(),
    headers: { "X-CSRFToken": words.token, "X-Partial": "1", "Content-Type": "image/jpeg" },
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  const answer = await response.json();
  if (on) show(answer);
  return response.status === 202;
}

/** Reopen a camera that was taken away; if the browser requires a tap, ask for one. */
async function reopen() {
  say(words.lost);
  try {
    await camera.open();
  } catch (error) {
    if (isRefused(error)) switchTo("off", words.refused);
    else await wait(2 * SLOW_MS); // in use by another program, or still unavailable
  }
}

async function pump() {
  while (on) {
    const begun = performance.now();
    const fresh = camera.fresh;
    if (!camera.alive) {
      if (document.hidden) await seenAgain(); // hidden pages get no camera
      else await reopen();
      continue;
    }
    if (!fresh) {
      await wait(LEAST_MS / 2);
      continue;
    }
    try {
      if (!(await send())) await wait(SLOW_MS);
    } catch {
      say(words.unreached);
      await wait(2 * SLOW_MS);
    }
    const left = LEAST_MS - (performance.now() - begun);
    if (left > 0 && !document.hidden) await wait(left);
  }
}

/** Show the tile's state ("on", "paused" or "off") and a message.
    @param {"on" | "paused" | "off"} state @param {string} text */
function switchTo(state, text = "") {
  on = state === "on";
  tile.dataset.state = state;
  one("figure", HTMLElement, tile).hidden = !on;
  start.hidden = on;
  for (const other of others) other.hidden = on;
  pauseButton.hidden = !on;
  if (!on) {
    camera.close();
    outlines.replaceChildren();
    turnButton.hidden = true;
    const again = localStorage.getItem(FILMED) === game;
    if (again) one("span", HTMLElement, start).textContent = data(start).again;
  }
  stayAwake("filming", on);
  say(text);
}

async function film() {
  if (on) return;
  localStorage.setItem(FILMED, game);
  try {
    await camera.open();
  } catch (error) {
    switchTo("off", isRefused(error) ? words.refused : words.none);
    return;
  }
  sessionStorage.setItem(FILMING, game);
  switchTo("on");
  turnButton.hidden = (await camera.lenses()).length < 2;
  pumping = pump();
}

async function pause() {
  sessionStorage.removeItem(FILMING);
  switchTo("paused", words.paused);
  await pumping; // a frame being sent would restart the camera
  // When paused on purpose, do not report the camera as lost.
  fetch(words.stop, {
    method: "POST",
    body: new URLSearchParams({ name: `camera-${deviceName()}` }),
    headers: { "X-CSRFToken": words.token, "X-Partial": "1" },
  }).catch(() => say(words.unreached));
}

async function turn() {
  turnButton.disabled = true;
  await camera.turn().catch(() => say(words.lost)); // the filming loop reopens it
  turnButton.disabled = false;
}

/** @param {boolean} large */
function enlarge(large) {
  tile.classList.toggle("enlarged", large);
  size.setAttribute("aria-expanded", String(large));
  size.setAttribute("aria-label", large ? words.smaller : words.larger);
}

// Stop filming on the way to the score: no pending frame restarts the camera, nor does looking
// at the table afterwards.
document.addEventListener("submit", async (event) => {
  const form = submitted(event);
  if (!on || form.action !== new URL(words.finish, location.href).href) return;
  event.preventDefault();
  await pause();
  form.requestSubmit(event.submitter);
});
start.addEventListener("click", film);
pauseButton.addEventListener("click", pause);
turnButton.addEventListener("click", turn);
size.addEventListener("click", () => enlarge(!tile.classList.contains("enlarged")));
for (const other of others) {
  other.addEventListener("click", () => { other.closest("dialog")?.close(); film(); });
}
for (const one of [start, ...others]) one.hidden = !lends;
byId("camera-unsafe").hidden = lends;
if (lends) switchTo("off");
if (lends && sessionStorage.getItem(FILMING) === game) film();

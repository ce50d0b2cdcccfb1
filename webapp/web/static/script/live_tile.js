/* The camera of this device as a tile: it films whatever else is tapped on the page. A frame goes up
   when the server has answered the one before. After a lock of the screen, a reload or a restart of
   the server it goes on by itself; where the browser wants a tap for that, one button asks for it. */

import { DeviceCamera, deviceName, lends } from "./device_camera.js";
import { stayAwake } from "./stay_awake.js";

const SLOW_MS = 500; // before a frame is tried again that the server had no room for
const LEAST_MS = 66; // between two frames: fifteen a second are enough for hands and stars
const ANSWER_MS = 10000; // a server that went away answers no more
const FILMING = "stargazer-filming"; // the game that this page films: a reload goes on with it
const FILMED = "stargazer-filmed"; // the game that this device filmed last

const tile = document.getElementById("camera");
const said = document.getElementById("camera-said");
const start = document.getElementById("camera-start");
const size = document.getElementById("camera-size");
const pauseButton = document.getElementById("camera-pause");
const turnButton = document.getElementById("camera-turn");
const others = document.querySelectorAll("[data-film]"); // in the list of all cameras
const outlines = tile.querySelector("svg");
const camera = new DeviceCamera(tile.querySelector("video"));
const { game } = tile.dataset;

const wait = (ms) => new Promise((done) => { setTimeout(done, ms); });
const seenAgain = () => new Promise((done) => {
  document.addEventListener("visibilitychange", done, { once: true });
});
let on = false;
let pumping = null;

function say(words) {
  if (said.textContent !== words) said.textContent = words;
}

function show(answer) {
  say(answer.said ?? answer.message ?? "");
  outlines.replaceChildren(...(answer.boards ?? []).map((board) => {
    const shape = document.createElementNS("http://www.w3.org/2000/svg", "polygon");
    shape.setAttribute("points", board.corners.map((corner) => corner.join(",")).join(" "));
    if (!board.sure) shape.classList.add("unsure");
    return shape;
  }));
  tile.dispatchEvent(new CustomEvent("boards", { detail: answer.boards ?? [] }));
}

async function send() {
  const response = await fetch(`${tile.dataset.frames}?camera=${deviceName()}`, {
    method: "POST",
    body: await camera.picture(),
    headers: { "X-CSRFToken": tile.dataset.token, "X-Partial": "1", "Content-Type": "image/jpeg" },
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  const answer = await response.json();
  if (on) show(answer);
  return response.status === 202;
}

/** Open a camera that was taken away; where the browser wants a tap for it, ask for one. */
async function reopen() {
  say(tile.dataset.lost);
  try {
    await camera.open();
  } catch (error) {
    if (error.name === "NotAllowedError") switchTo("off", tile.dataset.refused);
    else await wait(2 * SLOW_MS); // another program has it, or it is still away
  }
}

async function pump() {
  while (on) {
    const begun = performance.now();
    const fresh = camera.fresh;
    if (!camera.alive) {
      if (document.hidden) await seenAgain(); // nobody lends a camera to a page that is not seen
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
      say(tile.dataset.unreached);
      await wait(2 * SLOW_MS);
    }
    const left = LEAST_MS - (performance.now() - begun);
    if (left > 0 && !document.hidden) await wait(left);
  }
}

/** Show the tile as it is now: "on", "paused", or "off", and what is to be said of that. */
function switchTo(state, words = "") {
  on = state === "on";
  tile.dataset.state = state;
  tile.querySelector("figure").hidden = !on;
  start.hidden = on;
  for (const other of others) other.hidden = on;
  pauseButton.hidden = !on;
  if (!on) {
    camera.close();
    outlines.replaceChildren();
    turnButton.hidden = true;
    const again = localStorage.getItem(FILMED) === game;
    if (again) start.querySelector("span").textContent = start.dataset.again;
  }
  stayAwake("filming", on);
  say(words);
}

async function film() {
  if (on) return;
  localStorage.setItem(FILMED, game);
  try {
    await camera.open();
  } catch (error) {
    switchTo("off", error.name === "NotAllowedError" ? tile.dataset.refused : tile.dataset.none);
    return;
  }
  sessionStorage.setItem(FILMING, game);
  switchTo("on");
  turnButton.hidden = (await camera.lenses()).length < 2;
  pumping = pump();
}

async function pause() {
  sessionStorage.removeItem(FILMING);
  switchTo("paused", tile.dataset.paused);
  await pumping; // a frame on its way would bring the camera back
  // Paused on purpose is not lost: nobody is told to look for the camera.
  fetch(tile.dataset.stop, {
    method: "POST",
    body: new URLSearchParams({ name: `camera-${deviceName()}` }),
    headers: { "X-CSRFToken": tile.dataset.token, "X-Partial": "1" },
  }).catch(() => say(tile.dataset.unreached));
}

async function turn() {
  turnButton.disabled = true;
  await camera.turn().catch(() => say(tile.dataset.lost)); // what films goes on, and opens it again
  turnButton.disabled = false;
}

function enlarge(large) {
  tile.classList.toggle("enlarged", large);
  size.setAttribute("aria-expanded", String(large));
  size.setAttribute("aria-label", large ? tile.dataset.smaller : tile.dataset.larger);
}

// Who goes on to the score has filmed enough: no frame on its way brings the camera back, and a look
// at the table afterwards starts none.
document.addEventListener("submit", async (event) => {
  const { target, submitter } = event;
  if (!on || target.action !== new URL(tile.dataset.finish, location.href).href) return;
  event.preventDefault();
  await pause();
  target.requestSubmit(submitter);
});
start.addEventListener("click", film);
pauseButton.addEventListener("click", pause);
turnButton.addEventListener("click", turn);
size.addEventListener("click", () => enlarge(!tile.classList.contains("enlarged")));
for (const other of others) {
  other.addEventListener("click", () => { other.closest("dialog").close(); film(); });
}
for (const one of [start, ...others]) one.hidden = !lends;
document.getElementById("camera-unsafe").hidden = lends;
if (lends) switchTo("off");
if (lends && sessionStorage.getItem(FILMING) === game) film();

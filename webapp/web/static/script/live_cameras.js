/* All cameras of a game: their status, pictures and controls. */

import { sendTap } from "./away.js";
import { all, byId, data, maybe, one, released, submitted } from "./dom.js";
import { announce } from "./page.js";

const LIST_MS = 2000;
const LOOK_MS = 300;

const cameras = byId("cameras"); // part of a page, or a dialog
const list = byId("camera-list");
const isSeen = () => !document.hidden && !(cameras instanceof HTMLDialogElement && !cameras.open);

async function relist() {
  const response = await fetch(data(cameras).list).catch(() => null);
  if (!response?.ok) return;
  const fresh = await response.text();
  await released();
  const focused = list.contains(document.activeElement) ? document.activeElement?.id : "";
  if (list.contains(document.activeElement) && !focused) return; // keep the focus
  list.innerHTML = fresh;
  if (focused) document.getElementById(focused)?.focus();
  for (const figure of all("[data-picture]", HTMLElement, list)) draw(figure);
}
setInterval(() => { if (isSeen()) relist(); }, LIST_MS);

/* Pictures of the server's own cameras, fetched a few times a second while visible. */
/** @type {Map<string, string>} */
const pictures = new Map();

/** @param {HTMLElement} figure */
function draw(figure) {
  const shown = pictures.get(data(figure).picture);
  if (shown) one("img", HTMLImageElement, figure).src = shown;
}

async function look() {
  for (const figure of isSeen() ? all("[data-picture]", HTMLElement, list) : []) {
    const url = data(figure).picture;
    const response = await fetch(url, { headers: { "X-Partial": "1" } }).catch(() => null);
    if (!response?.ok) continue; // keep the last picture; the lamp shows that the camera is lost
    const before = pictures.get(url);
    pictures.set(url, URL.createObjectURL(await response.blob()));
    all("[data-picture]", HTMLElement, list).forEach(draw); // the list may have been redrawn
    if (before) setTimeout(() => URL.revokeObjectURL(before), 1000);
  }
  setTimeout(look, LOOK_MS);
}
look();

/* Send choices without leaving the page, which would stop a camera. */
cameras.addEventListener("submit", async (event) => {
  const form = submitted(event);
  if (!form.matches("[data-camera]")) return;
  event.preventDefault();
  const waits = "queue" in form.dataset;
  const body = new FormData(form, event.submitter);
  const answer = await (waits
    ? sendTap(form, event.submitter)
    : fetch(form.action, { method: "POST", body, headers: { "X-Partial": "1" } }).catch(() => null));
  const refused = answer?.ok ? "" : (await answer?.json().catch(() => null))?.message;
  const problem = refused ?? (waits ? one("#undelivered span").textContent : data(cameras).failed);
  const wrong = maybe(".error", HTMLElement, form) ?? form.appendChild(document.createElement("p"));
  wrong.className = "error";
  wrong.textContent = problem;
  wrong.hidden = !problem;
  if (problem) announce(problem);
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  relist();
});

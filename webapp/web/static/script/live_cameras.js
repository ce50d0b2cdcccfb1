/* All cameras of a game: how each is doing, what it sees, and what it is told to do. */

import { sendTap } from "./away.js";
import { announce } from "./page.js";

const LIST_MS = 2000;
const LOOK_MS = 300;

const all = document.getElementById("cameras"); // a part of a page, or a dialog
const list = document.getElementById("camera-list");
const isSeen = () => !document.hidden && (all.open ?? true);

async function relist() {
  const response = await fetch(all.dataset.list).catch(() => null);
  if (!response?.ok) return;
  const focused = list.contains(document.activeElement) ? document.activeElement.id : "";
  if (list.contains(document.activeElement) && !focused) return; // its focus would be lost
  list.innerHTML = await response.text();
  if (focused) document.getElementById(focused)?.focus();
  for (const figure of list.querySelectorAll("[data-picture]")) draw(figure);
}
setInterval(() => { if (isSeen()) relist(); }, LIST_MS);

/* What the server's own cameras see: fetched a few times a second while somebody looks. */
const pictures = new Map();

function draw(figure) {
  const shown = pictures.get(figure.dataset.picture);
  if (shown) figure.querySelector("img").src = shown;
}

async function look() {
  for (const { dataset } of isSeen() ? list.querySelectorAll("[data-picture]") : []) {
    const url = dataset.picture;
    const response = await fetch(url, { headers: { "X-Partial": "1" } }).catch(() => null);
    if (!response?.ok) continue; // the last picture stays; the lamp beside it says that it is lost
    const before = pictures.get(url);
    pictures.set(url, URL.createObjectURL(await response.blob()));
    list.querySelectorAll("[data-picture]").forEach(draw); // the list may have been drawn anew
    if (before) setTimeout(() => URL.revokeObjectURL(before), 1000);
  }
  setTimeout(look, LOOK_MS);
}
look();

/* What is chosen here is sent without leaving the page: leaving it would stop a camera. */
all.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.matches("[data-camera]")) return;
  event.preventDefault();
  const waits = "queue" in form.dataset;
  const data = new FormData(form, event.submitter);
  const answer = await (waits
    ? sendTap(form, event.submitter)
    : fetch(form.action, { method: "POST", body: data, headers: { "X-Partial": "1" } }).catch(() => null));
  const refused = answer?.ok ? "" : (await answer?.json().catch(() => null))?.message;
  const told = refused ?? (waits ? document.querySelector("#undelivered span").textContent : all.dataset.failed);
  const wrong = form.querySelector(".error") ?? form.appendChild(document.createElement("p"));
  wrong.className = "error";
  wrong.textContent = told;
  wrong.hidden = !told;
  if (told) announce(told);
  document.activeElement?.blur();
  relist();
});

/* Sends a photograph of the whole table, or of cards, as soon as it is chosen, and waits until it is read.
   That of a table is queued. */

import { away, keepPhotograph } from "./away.js";
import { all, data, maybe, one, released, texts } from "./dom.js";
import { field, newName, queue } from "./outbox.js";

/** @import { Entry } from "../../scripts.js" */

const PATIENCE = 300; // ms between looks at the progress
const LEAVING = 10000; // ms

for (const photo of all(".whole-table [data-sends]", HTMLInputElement)) {
  photo.addEventListener("change", () => {
    if (photo.form?.dataset.goes) send(photo, photo.form);
    else photo.form?.requestSubmit();
  });
}

/** @param {HTMLInputElement} photo @param {HTMLFormElement} form */
async function send(photo, form) {
  const [file] = photo.files ?? [];
  if (!file) return;
  const isTooLarge = file.size > Number(form.dataset.largest);
  one(".error", HTMLElement, form).hidden = !isTooLarge;
  one(".sending", HTMLElement, form).hidden = isTooLarge;
  if (isTooLarge) return;
  const same = newName();
  const fields = texts(new FormData(form));
  fields.push(["delivery", same]);
  photo.value = ""; // allow choosing the same file again
  await keepPhotograph({ same, url: form.action, page: form.dataset.goes, title: document.title, fields }, file);
  showSending();
}

/** @param {Entry} entry @param {HTMLFormElement} form */
const isOf = (entry, form) => Boolean(field(entry, "whole")) && entry.url === form.action;
const forms = all("form.whole-table[data-goes]", HTMLFormElement);

/** Offline, every page shows what is queued. */
function showSending() {
  const sent = away() ? [] : queue().filter((entry) => !entry.problem);
  for (const form of forms) one(".sending", HTMLElement, form).hidden = !sent.some((entry) => isOf(entry, form));
}

document.addEventListener("outbox", showSending);
window.addEventListener("storage", showSending); // another page has sent it
document.addEventListener("delivered", ({ detail: { entry } }) => {
  if (entry.page && forms.some((form) => isOf(entry, form))) location.assign(entry.page);
});

const CHOSEN = "stargazer chosen at the table";
const step = maybe("form#step[data-photograph]", HTMLFormElement);
let left = -Infinity; // when this page was being left: a reload would prevent it
addEventListener("beforeunload", () => { left = performance.now(); });
addEventListener("pageshow", () => { left = -Infinity; });

/** @param {HTMLElement} waiting */
async function follow(waiting) {
  const { progress, state } = data(waiting);
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, PATIENCE));
    const answer = await fetch(progress).catch(() => null); // the server will be back
    const now = answer?.ok ? await answer.json().catch(() => ({})) : { state }; // else another page's
    if (now.state === state) continue;
    await released();
    if (performance.now() - left > LEAVING) break; // else nothing may come of it
  }
  if (step) {
    const { photograph } = data(step);
    const fields = texts(new FormData(step));
    sessionStorage.setItem(CHOSEN, JSON.stringify({ photograph, fields, top: one(".scroll").scrollTop }));
  }
  location.reload();
}

/** What was chosen while the rest of the same photograph was being read. */
function restoreChosen() {
  const kept = JSON.parse(sessionStorage.getItem(CHOSEN) ?? "null");
  sessionStorage.removeItem(CHOSEN);
  if (!step || kept?.photograph !== data(step).photograph) return;
  const chosen = new Map(kept.fields);
  const fields = [...step.elements].filter((field) => field instanceof HTMLInputElement);
  const shown = fields.filter(({ name }) => name.startsWith("guess-"));
  if (shown.every(({ name }) => chosen.has(name))) { // a tick is for what was on the page
    for (const field of fields) if (chosen.get(field.name) === field.value) field.checked = true;
  }
  one(".scroll").scrollTop = kept.top;
}

restoreChosen();
const waiting = document.getElementById("table-waiting");
if (waiting) follow(waiting);

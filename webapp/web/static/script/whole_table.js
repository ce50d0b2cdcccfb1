/* Sends a photograph of the whole table, or of cards, as soon as it is chosen, and waits until it is read.
   That of a table is queued. */

import { away, keepPhotograph } from "./away.js";
import { all, one, texts } from "./dom.js";
import { field, newName, queue } from "./outbox.js";

/** @import { Entry } from "../../scripts.js" */

const PATIENCE = 700; // ms between updates

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

async function follow() {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, PATIENCE));
    const answer = await fetch(location.href).catch(() => null); // the server will be back
    if (answer?.ok && !(await answer.text()).includes("data-busy")) break;
  }
  location.reload();
}

if (document.querySelector("[data-busy]")) follow();

/* The players' form. Enter in a name moves to the next one, and after the last one to the next step. */

import { keepEntry } from "./away.js";
import { all, byId, texts } from "./dom.js";
import { newName, next } from "./outbox.js";

const form = byId("step", HTMLFormElement);
const names = all("input[id^='name-']", HTMLInputElement);

form.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement) || !names.includes(event.target)) return;
  const next = names.slice(names.indexOf(event.target) + 1).find((name) => name.offsetParent);
  if (!next) return;
  event.preventDefault();
  next.focus();
});

/** Begin the game, and make this page that game's, so that coming back corrects it instead of beginning
    another.
    @param {HTMLElement | null} button */
async function begin(button) {
  const body = new FormData(form, button);
  const id = newName(8);
  body.set("id", id);
  const headers = { "X-Partial": "1" };
  const asked = { method: "POST", body, headers, redirect: /** @type {const} */ ("manual") };
  const response = next() ? null : await fetch(form.action, asked).catch(() => null);
  if (!response) {
    beginAway(id, body);
    return;
  }
  if (response.status !== 201) throw new Error(String(response.status));
  const game = await response.json();
  form.action = game.players;
  delete form.dataset.begins;
  history.replaceState(null, "", game.players);
  location.assign(game.onward);
}

/** Begin the game offline: it is queued, and its boards can be photographed or entered meanwhile.
    @param {string} id @param {FormData} body */
function beginAway(id, body) {
  const page = `${form.dataset.away}#${id}`;
  const title = names.filter((name) => name.offsetParent).map((name) => name.value || name.placeholder).join(", ");
  const fields = texts(body);
  if (!keepEntry({ same: id, url: form.action, page, title, fields })) return;
  if (navigator.serviceWorker?.controller) location.assign(page);
}

form.addEventListener("submit", (event) => {
  if (!("begins" in form.dataset)) return;
  event.preventDefault();
  if (form.ariaBusy === "true") return; // a second tap on the same button
  form.ariaBusy = "true";
  // The response to the form says what is wrong.
  const plain = () => HTMLFormElement.prototype.submit.call(form);
  begin(event.submitter).catch(plain).finally(() => { form.ariaBusy = null; });
});

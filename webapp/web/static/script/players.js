/* Who plays. Enter in a name goes on to the next player's; after the last one to the next step. */

import { keepEntry } from "./away.js";
import { newName, next } from "./outbox.js";

const form = document.getElementById("step");
const names = [...document.querySelectorAll("input[id^='name-']")];

form.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !names.includes(event.target)) return;
  const next = names.slice(names.indexOf(event.target) + 1).find((name) => name.offsetParent);
  if (!next) return;
  event.preventDefault();
  next.focus();
});

/** Begin the game, and let this page be that game's: who comes back corrects it, and begins no other. */
async function begin(button) {
  const data = new FormData(form, button);
  data.set("id", newName(8));
  const asked = { method: "POST", body: data, headers: { "X-Partial": "1" }, redirect: "manual" };
  const response = next() ? null : await fetch(form.action, asked).catch(() => null);
  if (!response) {
    beginAway(data);
    return;
  }
  if (response.status !== 201) throw new Error(String(response.status));
  const game = await response.json();
  form.action = game.players;
  delete form.dataset.begins;
  history.replaceState(null, "", game.players);
  location.assign(game.onward);
}

/** The computer is away: the game waits, and its boards are photographed or entered meanwhile. */
function beginAway(data) {
  const id = data.get("id");
  const page = `${form.dataset.away}#${id}`;
  const title = names.filter((name) => name.offsetParent).map((name) => name.value || name.placeholder).join(", ");
  const fields = [...data].filter(([, value]) => typeof value === "string");
  if (!keepEntry({ same: id, url: form.action, page, title, fields })) return;
  if (navigator.serviceWorker?.controller) location.assign(page);
}

form.addEventListener("submit", (event) => {
  if (!("begins" in form.dataset)) return;
  event.preventDefault();
  if (form.ariaBusy === "true") return; // a second tap on the same button
  form.ariaBusy = "true";
  // The answer to a form says what is wrong with it.
  const plain = () => HTMLFormElement.prototype.submit.call(form);
  begin(event.submitter).catch(plain).finally(() => { form.ariaBusy = null; });
});

/* Sends a single photograph as soon as it is taken or chosen; the response says where to continue. The
   result is needed at once, so it is not queued like a game's photographs: without a response, the page
   says so and keeps it for another try. */

import { look } from "./away.js";
import { byId, data } from "./dom.js";
import { upload } from "./outbox.js";
import { announce } from "./page.js";

const form = byId("send-photo", HTMLFormElement);
const error = byId("send-error");
const again = byId("send-again", HTMLButtonElement);
const sending = byId("sending");
const words = byId("sending-words");
const sent = byId("sent", HTMLProgressElement);
const AWAY = [429, 502, 503, 504]; // the server is busy
/** @type {File | null} */
let unsent = null; // the photograph that was not delivered

/** @param {string} text @param {File | null} file */
function complain(text, file = null) {
  unsent = file;
  error.textContent = text;
  error.hidden = !text;
  again.hidden = !file;
  sending.hidden = true;
}

function showReading() {
  sent.removeAttribute("value");
  words.textContent = data(words).reading;
  announce(data(words).reading);
}

/** @param {File} file */
async function send(file) {
  const body = new FormData(form);
  body.set("photo", file);
  complain("");
  sent.value = 0;
  words.textContent = data(words).sending;
  sending.hidden = false;
  const answer = await upload(form.action, body, (part) => { sent.value = part; }, showReading).catch(() => null);
  const reply = await answer?.json().catch(() => null);
  if (reply?.location) location.assign(reply.location);
  else complain(reply?.message ?? data(form).lost, !answer || AWAY.includes(answer.status) ? file : null);
  if (unsent) look();
}

form.addEventListener("change", ({ target }) => {
  if (!(target instanceof HTMLInputElement) || !("send" in target.dataset)) return;
  const [file] = target.files ?? [];
  if (!file) return;
  target.value = ""; // allow choosing the same file again
  if (file.size > Number(form.dataset.largest)) complain(data(form).large);
  else send(file);
});
again.addEventListener("click", () => { if (unsent) send(unsent); });

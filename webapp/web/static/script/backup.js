/* Uploads a backup in parts, as it may be larger than one request. */

import { byId, data, one } from "./dom.js";

const form = byId("bring", HTMLFormElement);
const error = byId("bring-error");
const sending = byId("sending");
const sent = byId("sent", HTMLProgressElement);

/** @param {File} file */
async function send(file) {
  const portion = Number(form.dataset.portion);
  let at = 0;
  do {
    const body = new FormData();
    body.append("csrf_token", one("[name=csrf_token]", HTMLInputElement, form).value);
    body.append("at", String(at));
    body.append("part", file.slice(at, at + portion), "part");
    const answer = await fetch(form.action, { method: "POST", body, headers: { "X-Partial": "1" } });
    const reply = await answer.json();
    if (!answer.ok) throw new Error(reply.message);
    at = reply.at;
    sent.value = at / file.size;
  } while (at < file.size);
  sent.removeAttribute("value");
  location.assign(data(form).onward);
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  error.hidden = true;
  sending.hidden = false;
  const [file] = one("[name=part]", HTMLInputElement, form).files ?? [];
  send(file).catch((problem) => {
    sending.hidden = true;
    error.hidden = false;
    error.textContent = problem.message && !(problem instanceof TypeError) ? problem.message : data(form).lost;
  });
});

/* One photograph, sent as soon as it is taken or chosen; the answer says where to go on. What comes
   of it is looked at there, so it does not wait for the computer as those of a game do: where no
   answer comes, the page says so and has it still, to be sent again. */

import { look } from "./away.js";
import { byId, data } from "./dom.js";
import { announce } from "./page.js";

const form = byId("send-photo", HTMLFormElement);
const error = byId("send-error");
const again = byId("send-again", HTMLButtonElement);
const sending = byId("sending");
const words = byId("sending-words");
const sent = byId("sent", HTMLProgressElement);
const STALLED = 20000; // ms without anything of it going out
const AWAY = [0, 429, 502, 503, 504]; // there was no answer, or the computer is busy
/** @type {File | null} */
let unsent = null; // the photograph that did not arrive

/** @param {string} text @param {File | null} file */
function complain(text, file = null) {
  unsent = file;
  error.textContent = text;
  error.hidden = !text;
  again.hidden = !file;
  sending.hidden = true;
}

/** fetch cannot tell how much of it has gone, so this asks the older way.
    @param {File} file */
function send(file) {
  const body = new FormData(form);
  body.delete("photo");
  body.append("photo", file);
  const request = new XMLHttpRequest();
  let timer = 0;
  const awaitMore = () => { clearTimeout(timer); timer = setTimeout(() => request.abort(), STALLED); };
  request.open("POST", form.action);
  request.setRequestHeader("X-Partial", "1");
  request.responseType = "json";
  request.upload.onprogress = (event) => {
    awaitMore();
    sent.value = event.loaded / event.total;
  };
  request.upload.onload = () => {
    clearTimeout(timer); // to be read, it takes its time
    sent.removeAttribute("value");
    words.textContent = data(words).reading;
    announce(data(words).reading);
  };
  request.onloadend = () => {
    clearTimeout(timer);
    if (request.response?.location) location.assign(request.response.location);
    else complain(request.response?.message ?? data(form).lost, AWAY.includes(request.status) ? file : null);
    if (unsent) look();
  };
  complain("");
  sent.value = 0;
  words.textContent = data(words).sending;
  sending.hidden = false;
  awaitMore();
  request.send(body);
}

form.addEventListener("change", ({ target }) => {
  if (!(target instanceof HTMLInputElement) || !("send" in target.dataset)) return;
  const [file] = target.files ?? [];
  if (!file) return;
  target.value = ""; // so that the same can be chosen again
  if (file.size > Number(form.dataset.largest)) complain(data(form).large);
  else send(file);
});
again.addEventListener("click", () => { if (unsent) send(unsent); });

/* One photograph, sent as soon as it is taken or chosen; the answer says where to go on. What comes
   of it is looked at there, so it does not wait for the computer as those of a game do: where no
   answer comes, the page says so and has it still, to be sent again. */

import { look } from "./away.js";
import { announce } from "./page.js";

const form = document.getElementById("send-photo");
const error = document.getElementById("send-error");
const again = document.getElementById("send-again");
const sending = document.getElementById("sending");
const words = document.getElementById("sending-words");
const sent = document.getElementById("sent");
const STALLED = 20000; // ms without anything of it going out
const AWAY = [0, 429, 502, 503, 504]; // there was no answer, or the computer is busy
let unsent = null; // the photograph that did not arrive

function complain(text, file = null) {
  unsent = file;
  error.textContent = text;
  error.hidden = !text;
  again.hidden = !file;
  sending.hidden = true;
}

/** fetch cannot tell how much of it has gone, so this asks the older way. */
function send(file) {
  const data = new FormData(form);
  data.delete("photo");
  data.append("photo", file);
  const request = new XMLHttpRequest();
  let timer;
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
    words.textContent = words.dataset.reading;
    announce(words.dataset.reading);
  };
  request.onloadend = () => {
    clearTimeout(timer);
    if (request.response?.location) location.assign(request.response.location);
    else complain(request.response?.message ?? form.dataset.lost, AWAY.includes(request.status) ? file : null);
    if (unsent) look();
  };
  complain("");
  sent.value = 0;
  words.textContent = words.dataset.sending;
  sending.hidden = false;
  awaitMore();
  request.send(data);
}

form.addEventListener("change", (event) => {
  if (!("send" in event.target.dataset) || !event.target.files.length) return;
  const file = event.target.files[0];
  event.target.value = ""; // so that the same can be chosen again
  if (file.size > form.dataset.largest) complain(form.dataset.large);
  else send(file);
});
again.addEventListener("click", () => send(unsent));

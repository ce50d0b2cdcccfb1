/* One photograph, sent as soon as it is taken or chosen; the answer says where to go on. */

import { announce } from "./page.js";

const form = document.getElementById("send-photo");
const error = document.getElementById("send-error");
const sending = document.getElementById("sending");
const words = document.getElementById("sending-words");
const sent = document.getElementById("sent");

function complain(text) {
  error.textContent = text;
  error.hidden = !text;
  sending.hidden = true;
}

/** fetch cannot tell how much of it has gone, so this asks the older way. */
function send(file) {
  const data = new FormData(form);
  data.delete("photo");
  data.append("photo", file);
  const request = new XMLHttpRequest();
  request.open("POST", form.action);
  request.setRequestHeader("X-Partial", "1");
  request.responseType = "json";
  request.upload.onprogress = (event) => { sent.value = event.loaded / event.total; };
  request.upload.onload = () => {
    sent.removeAttribute("value");
    words.textContent = words.dataset.reading;
    announce(words.dataset.reading);
  };
  request.onload = () => {
    if (request.response?.location) location.assign(request.response.location);
    else complain(request.response?.message ?? form.dataset.lost);
  };
  request.onerror = () => complain(form.dataset.lost);
  request.send(data);
}

form.addEventListener("change", (event) => {
  if (!("send" in event.target.dataset) || !event.target.files.length) return;
  const file = event.target.files[0];
  event.target.value = ""; // so that the same can be chosen again
  complain(file.size > form.dataset.largest ? form.dataset.large : "");
  if (!error.hidden) return;
  sent.value = 0;
  sending.hidden = false;
  send(file);
});

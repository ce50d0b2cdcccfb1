/* Photographs are sent as soon as they are chosen or dropped; the page follows their reading,
   and goes on by itself when each player has a board. */

import { look } from "./away.js";
import { announce, swap } from "./page.js";

const form = document.getElementById("upload");
const list = document.getElementById("photographs");
const error = document.getElementById("upload-error");
const sending = document.getElementById("sending");
const sent = document.getElementById("sent");
const words = document.getElementById("words").dataset;
const onward = document.querySelector(".thumb .primary");
const PATIENCE = 700; // ms between two looks at the list
const ROOM_ABOVE = 200; // px over what is asked, where whose board it is stands
let toSend = 0;
let before = Promise.resolve(); // until what was chosen before is sent
let following = false;
let outdated = false; // something was sent that the list does not know of
let wasReady = listed().ready === "yes";

function listed() {
  return list.firstElementChild.dataset;
}

function complain(text) {
  error.textContent = text;
  error.hidden = !text;
}

/** Send one file; fetch cannot tell how much of it has gone, so this asks the older way. */
function post(file, player) {
  const data = new FormData(form);
  data.delete("photo");
  data.append("photo", file);
  if (player) data.append("player", player);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", form.action);
    request.setRequestHeader("X-Partial", "1");
    request.responseType = "json";
    request.upload.onprogress = (event) => { sent.value = event.loaded / event.total; };
    request.onload = () => {
      if (request.status >= 400) complain(request.response?.message ?? words.lost);
      resolve();
    };
    request.onerror = reject;
    request.send(data);
  });
}

/** Send what was chosen, one after the other: each is dealt to the next player who has none. */
function take(files, player) {
  if (!files.length) return;
  if (!toSend) complain("");
  const large = files.filter((file) => file.size > words.largest);
  files = files.filter((file) => !large.includes(file));
  if (large.length) complain(`${large.map((file) => file.name).join(", ")}: ${words.large}`);
  if (!files.length) return;
  announce(words.sending);
  wasReady = wasReady && !player;
  toSend += files.length;
  for (const file of files) before = before.then(() => send(file, player));
}

async function send(file, player) {
  sent.value = 0;
  sending.hidden = false;
  await post(file, player).catch(() => complain(words.lost));
  toSend -= 1;
  sending.hidden = !toSend;
  outdated = true;
  follow();
}

async function follow() {
  if (following) return;
  following = true;
  while (outdated || listed().busy === "yes") {
    outdated = false;
    // The server may be away for a moment; that is told, and it will be back.
    if (!(await swap(list, list.dataset.source).catch(look))) outdated = true;
    onward.disabled = listed().ready !== "yes";
    if (outdated || listed().busy === "yes") await new Promise((resolve) => setTimeout(resolve, PATIENCE));
  }
  following = false;
  const asked = list.querySelector(".offer");
  if (asked) document.querySelector(".scroll").scrollTop += asked.getBoundingClientRect().top - ROOM_ABOVE;
  if (toSend) return; // whoever goes on now takes back what is on its way
  const ready = listed().ready === "yes";
  if (ready && !wasReady) goOn();
  wasReady = ready;
}

/** With the last board read there is nothing left to do here, unless a photograph failed. */
function goOn() {
  announce(words.ready);
  if (!list.querySelector("[role=alert]")) document.getElementById("step").requestSubmit();
}

function chosen({ target }) {
  if (!("upload" in target.dataset)) return;
  take([...target.files], target.dataset.player);
  target.value = ""; // so that the same can be chosen again
}

for (const kind of ["news", "stirred"]) {
  document.addEventListener(kind, (event) => {
    event.preventDefault();
    outdated = true;
    follow();
  });
}

document.addEventListener("change", chosen);
// The list is drawn anew while somebody looks for a picture: their field, kept, hears what they chose.
let choosing = null;
document.addEventListener("click", ({ target }) => {
  if (!("upload" in target.dataset)) return;
  choosing = target;
  choosing.onchange = chosen;
});
document.addEventListener("photographed", ({ detail: { file, player } }) => take([file], player));
window.addEventListener("beforeunload", (event) => {
  if (toSend) event.preventDefault();
});

for (const kind of ["dragenter", "dragover"]) {
  document.addEventListener(kind, (event) => {
    event.preventDefault();
    form.classList.add("over");
  });
}
document.addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) form.classList.remove("over");
});
document.addEventListener("drop", (event) => {
  event.preventDefault();
  form.classList.remove("over");
  take([...event.dataTransfer.files]);
});

follow();

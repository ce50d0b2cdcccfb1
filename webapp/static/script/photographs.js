/* Photographs are sent as soon as they are chosen or dropped; the page follows their reading,
   and goes on by itself when each player has a board. */

import { announce, swap } from "./page.js";

const form = document.getElementById("upload");
const list = document.getElementById("photographs");
const error = document.getElementById("upload-error");
const sending = document.getElementById("sending");
const sent = document.getElementById("sent");
const words = document.getElementById("words").dataset;
const onward = document.querySelector(".thumb .primary");
const PATIENCE = 700;
const ROOM_ABOVE = 200; // px over what is asked, where whose board it is stands
let following = false;
let sentMeanwhile = false;
let wasReady = list.firstElementChild.dataset.ready === "yes";

function complain(text) {
  error.textContent = text;
  error.hidden = !text;
}

/** Send one file; fetch cannot tell how much of it has gone, so this asks the older way. */
function sendOne(file, player) {
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

async function sendAll(files, player) {
  complain("");
  announce(words.sending);
  sending.hidden = false;
  wasReady = wasReady && !player;
  try {
    for (const file of files) {
      sent.value = 0;
      await sendOne(file, player);
      await refresh();
    }
  } catch {
    complain(words.lost);
  } finally {
    sending.hidden = true;
    for (const input of document.querySelectorAll("[data-upload]")) input.value = "";
  }
  follow();
}

async function refresh() {
  await swap(list, list.dataset.source);
  const state = list.firstElementChild.dataset;
  onward.disabled = state.ready !== "yes";
  return state;
}

async function follow() {
  sentMeanwhile = following; // an answer that is on its way may not know of it yet
  if (following) return;
  following = true;
  let state = list.firstElementChild.dataset;
  while (state.busy === "yes" || sentMeanwhile) {
    sentMeanwhile = false;
    await new Promise((resolve) => setTimeout(resolve, PATIENCE));
    try {
      state = await refresh();
    } catch {
      continue; // the server is away for a moment; it will be back
    }
  }
  following = false;
  const asked = list.querySelector(".offer");
  if (asked) document.querySelector(".scroll").scrollTop += asked.getBoundingClientRect().top - ROOM_ABOVE;
  const ready = state.ready === "yes";
  if (ready && !wasReady) goOn();
  wasReady = ready;
}

/** With the last board read there is nothing left to do here, unless a photograph failed. */
function goOn() {
  announce(words.ready);
  if (!list.querySelector("[role=alert]")) document.getElementById("step").requestSubmit();
}

document.addEventListener("change", (event) => {
  const { files, dataset } = event.target;
  if ("upload" in dataset && files.length) sendAll([...files], dataset.player);
});

// One after the other, whatever the connection.
let before = Promise.resolve();
document.addEventListener("photographed", ({ detail: { file, player } }) => {
  before = before.then(() => sendAll([file], player));
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
  if (event.dataTransfer.files.length) sendAll([...event.dataTransfer.files]);
});

follow();

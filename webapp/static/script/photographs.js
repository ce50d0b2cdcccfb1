/* Photographs are sent as soon as they are chosen or dropped; the page follows their reading,
   and goes on by itself when each player has a board. */

import { announce, swap } from "./page.js";

const form = document.getElementById("upload");
const list = document.getElementById("photographs");
const error = document.getElementById("upload-error");
const words = document.getElementById("words").dataset;
const onward = document.querySelector(".thumb .primary");
const PATIENCE = 700;
let following = false;
let wasReady = list.firstElementChild.dataset.ready === "yes";

function complain(text) {
  error.textContent = text;
  error.hidden = !text;
}

async function sendOne(file) {
  const data = new FormData(form);
  data.delete("photo");
  data.append("photo", file);
  const response = await fetch(form.action, { method: "POST", body: data, headers: { "X-Partial": "1" } });
  const answer = await response.json();
  if (!response.ok) complain(answer.message);
}

async function sendAll(files) {
  complain("");
  announce(words.sending);
  form.setAttribute("aria-busy", "true");
  try {
    for (const file of files) {
      await sendOne(file);
      await refresh();
    }
  } catch {
    complain(words.lost);
  } finally {
    form.removeAttribute("aria-busy");
    for (const input of form.querySelectorAll("input[type=file]")) input.value = "";
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
  if (following) return;
  following = true;
  let state = list.firstElementChild.dataset;
  while (state.busy === "yes") {
    await new Promise((resolve) => setTimeout(resolve, PATIENCE));
    try {
      state = await refresh();
    } catch {
      continue; // the server is away for a moment; it will be back
    }
  }
  following = false;
  const ready = state.ready === "yes";
  if (ready && !wasReady) goOn();
  wasReady = ready;
}

/** With the last board read there is nothing left to do here, unless a photograph failed. */
function goOn() {
  announce(words.ready);
  if (!list.querySelector("[role=alert]")) document.getElementById("step").requestSubmit();
}

form.addEventListener("change", (event) => {
  if (event.target.files?.length) sendAll([...event.target.files]);
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

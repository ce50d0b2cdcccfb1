/* Sends photographs as soon as they are chosen or dropped, shows the progress of reading, and continues
   when each player has a board. */

import { away, keepPhotograph, look } from "./away.js";
import { all, byId, data, first, maybe, one, texts } from "./dom.js";
import { field, newName, queue } from "./outbox.js";
import { announce, swap } from "./page.js";

const form = byId("upload", HTMLFormElement);
const list = byId("photographs");
const error = byId("upload-error");
const sending = byId("sending");
const sent = byId("sent", HTMLProgressElement);
const words = data(byId("words"));
const onward = one(".thumb .primary", HTMLButtonElement);
const PATIENCE = 700; // ms between updates of the list
const ROOM_ABOVE = 200; // px kept visible above a question, for the heading that names the board
let before = Promise.resolve(); // until the previous choice is queued
let following = false;
let outdated = false; // something sent that the list does not include yet
let wasReady = listed().ready === "yes";

/** @type {() => Record<string, string>} */
function listed() {
  return data(first(list));
}

/** Show the way on, or whose board is missing. */
function showReady() {
  onward.disabled = listed().ready !== "yes";
  byId("boardless").textContent = listed().boardless;
}

/** @param {string} text */
function complain(text) {
  error.textContent = text;
  error.hidden = !text;
}

/** This page's unsent photographs. */
const toSend = () => queue().filter((entry) => entry.size && entry.url === form.action && !entry.problem);

/** Queue and send the chosen photographs in order: each is assigned to the next player without a board.
    @param {(File | Blob)[]} files @param {string} [player] */
function take(files, player) {
  if (!files.length) return;
  complain("");
  const large = files.filter((file) => file.size > Number(words.largest));
  files = files.filter((file) => !large.includes(file));
  const names = large.map((file) => (file instanceof File ? file.name : ""));
  if (large.length) complain(`${names.join(", ")}: ${words.large}`);
  if (!files.length) return;
  announce(words.sending);
  wasReady = wasReady && !player;
  for (const file of files) before = before.then(() => send(file, player));
}

/** @param {Blob} file @param {string | undefined} player */
async function send(file, player) {
  const name = newName();
  const fields = texts(new FormData(form));
  fields.push(["delivery", name]);
  if (player) fields.push(["player", player]);
  const page = location.pathname + location.hash;
  const board = boardOf(player);
  const title = board?.querySelector(".board-head strong")?.textContent ?? document.title;
  await keepPhotograph({ same: name, url: form.action, page, title, fields }, file);
}

/** The part of the list about a player's board; null without a player.
    @param {string | undefined} player */
const boardOf = (player) => (player ? all(".board-of", HTMLElement, list)[Number(player)] : undefined);

/** Show which players' photographs are queued, in place of their boards' status. */
function showWaiting() {
  for (const old of all(".board-state.kept-here", HTMLElement, list)) old.remove();
  const waiting = toSend();
  sending.hidden = !waiting.length || away();
  for (const entry of waiting) {
    const state = boardOf(field(entry, "player"))?.querySelector(".board-state");
    if (!state || state.classList.contains("kept-here")) continue;
    state.before(Object.assign(document.createElement("p"), {
      className: "board-state kept-here", textContent: away() ? words.waits : words.sending,
    }));
  }
}

document.addEventListener("sending", ({ detail: { entry, part } }) => {
  if (entry.url === form.action) sent.value = part;
});
for (const kind of /** @type {const} */ (["delivered", "refused"])) {
  document.addEventListener(kind, ({ detail: { entry } }) => {
    if (entry.url !== form.action) return;
    sent.value = 0;
    outdated = true;
    follow();
  });
}
document.addEventListener("outbox", showWaiting);
list.addEventListener("swapped", showWaiting);

async function follow() {
  if (following) return;
  following = true;
  while (outdated || listed().busy === "yes") {
    outdated = false;
    // The server may be unreachable for a moment; that is shown, and it is retried.
    if (!(await swap(list, data(list).source).catch(look))) outdated = true;
    showReady();
    if (outdated || listed().busy === "yes") await new Promise((resolve) => setTimeout(resolve, PATIENCE));
  }
  following = false;
  const asked = maybe(".offer", HTMLElement, list);
  if (asked) one(".scroll").scrollTop += asked.getBoundingClientRect().top - ROOM_ABOVE;
  if (toSend().length) return; // continuing now would cancel what is being sent
  const ready = listed().ready === "yes";
  if (ready && !wasReady) goOn();
  wasReady = ready;
}

/** Continue once the last board has been read, unless a photograph failed. */
function goOn() {
  announce(words.ready);
  if (!maybe("[role=alert]", HTMLElement, list)) byId("step", HTMLFormElement).requestSubmit();
}

/** @param {Event} event */
function chosen({ target }) {
  if (!(target instanceof HTMLInputElement) || !("upload" in target.dataset)) return;
  take([...target.files ?? []], target.dataset.player);
  target.value = ""; // allow choosing the same file again
}

for (const kind of /** @type {const} */ (["news", "stirred"])) {
  document.addEventListener(kind, (event) => {
    event.preventDefault();
    outdated = true;
    follow();
  });
}

document.addEventListener("change", chosen);
// Keep a file field while its picker is open, though the list is redrawn: it receives the choice.
/** @type {HTMLInputElement | null} */
let choosing = null;
document.addEventListener("click", ({ target }) => {
  if (!(target instanceof HTMLInputElement) || !("upload" in target.dataset)) return;
  choosing = target;
  choosing.onchange = chosen;
});
document.addEventListener("photographed", ({ detail: { file, player } }) => take([file], player));
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
  take([...event.dataTransfer?.files ?? []]);
});

showWaiting();
follow();

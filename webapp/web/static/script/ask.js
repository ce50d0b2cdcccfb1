/* Ask: what a word or a card means, in a dialog on whichever page. A tap on a "?", a long press (or
   the context menu's key) on whatever has `data-ask`, or the key "?" opens it. */

const LONG_MS = 550;
const MOVED_PX = 10;
const texts = document.getElementById("ask-script").dataset;
let dialog = null;
let pressed = 0;
let held = false;

function make() {
  dialog = document.createElement("dialog");
  dialog.id = "ask";
  dialog.setAttribute("aria-labelledby", "ask-title");
  const head = document.createElement("div");
  head.className = "palette-head";
  const title = document.createElement("h2");
  title.id = "ask-title";
  title.tabIndex = -1;
  const close = document.createElement("button");
  close.type = "button";
  close.className = "icon-button";
  close.dataset.close = "";
  close.setAttribute("aria-label", texts.close);
  close.textContent = "×";
  head.append(title, close);
  const body = document.createElement("div");
  body.className = "ask-body";
  dialog.append(head, body);
  document.body.append(dialog);
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog || event.target.closest("[data-close]")) dialog.close();
    const link = event.target.closest("a");
    if (!link || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    open(link.href);
  });
  dialog.addEventListener("submit", (event) => event.preventDefault());
  dialog.addEventListener("input", (event) => { if (event.target.name === "q") search(event.target); });
}

let asked = 0;

async function part(address) {
  const response = await fetch(address, { headers: { "X-Partial": "1" } });
  if (!response.ok) throw new Error(response.status);
  return response.text();
}

async function open(address) {
  const number = ++asked;
  let text;
  try {
    text = await part(address);
  } catch {
    location.href = address; // the page says what is wrong
    return;
  }
  if (number !== asked) return;
  if (!dialog) make();
  const body = dialog.querySelector(".ask-body");
  body.innerHTML = text;
  const term = body.querySelector(".term");
  const title = dialog.querySelector("h2");
  title.textContent = term?.dataset.name ?? texts.title;
  if (term) {
    const all = document.createElement("p");
    const link = document.createElement("a");
    link.href = texts.at;
    link.textContent = texts.all;
    all.append(link);
    body.append(all);
  }
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
  (body.querySelector("[name=q]") ?? title).focus();
}

/** While it is typed, the list below becomes what was searched, of one game or of all; the field
    stays as it is. */
async function search(field) {
  const number = ++asked;
  const text = await part(`${field.form.action}?q=${encodeURIComponent(field.value)}`).catch(() => "");
  if (number !== asked || !text) return;
  const found = new DOMParser().parseFromString(text, "text/html").querySelector(".terms");
  dialog.querySelector(".terms").replaceWith(found);
}

const address = (thing) => (thing.dataset.ask ? `${texts.at}/${thing.dataset.ask}` : texts.at);

document.addEventListener("click", (event) => {
  if (held) { // the finger that was held has gone up: that is no tap
    held = false;
    event.preventDefault();
    event.stopPropagation();
    return;
  }
  const link = event.target.closest("a[data-ask]");
  if (!link || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  open(address(link));
}, true);

document.addEventListener("contextmenu", (event) => {
  const thing = event.target.closest?.("[data-ask]");
  if (!thing) return;
  event.preventDefault();
  clearTimeout(pressed);
  if (!held) open(address(thing));
});

document.addEventListener("pointerdown", (event) => {
  held = false;
  const thing = event.target.closest?.("[data-ask]");
  if (!thing || event.pointerType !== "touch") return;
  const { clientX, clientY } = event;
  pressed = setTimeout(() => { held = true; open(address(thing)); }, LONG_MS);
  const stop = (other) => {
    const moved = Math.hypot(other.clientX - clientX, other.clientY - clientY);
    if (other.type === "pointermove" && moved < MOVED_PX) return;
    clearTimeout(pressed);
    for (const kind of ["pointermove", "pointerup", "pointercancel"]) document.removeEventListener(kind, stop);
  };
  for (const kind of ["pointermove", "pointerup", "pointercancel"]) document.addEventListener(kind, stop);
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "?" || dialog?.open || event.target.closest("input:not([type=radio], [type=checkbox]), textarea, select")) return;
  if (!document.querySelector(".ask-all")) return;
  event.preventDefault();
  open(address(event.target.closest("[data-ask]") ?? { dataset: {} }));
});

/* Ask: explains a term or a card in a dialog on any page. It is opened by a tap on a "?", a long press (or
   the context menu key) on an element with `data-ask`, or the key "?". `data-about` is the URL of another
   explanation; below `data-explains` each `data-space` or `data-place` has one, and within `data-words` a
   long press looks up the word under the finger, or else the sentence around it. */

import { all, byId, closest, data, maybe, one } from "./dom.js";

const TYPED_IN = "input:not([type=radio], [type=checkbox]), textarea, select";
const LONG_MS = 550;
const MOVED_PX = 10;
const FOUND = /<li><a|class="term"/;
const LONGEST_QUESTION = 100;
const ENDS = /** @type {const} */ (["pointermove", "pointerup", "pointercancel"]);
const texts = data(byId("ask-script"));
/** @type {HTMLDialogElement | undefined} */
let dialog;
let pressed = 0;
let held = false;
let isTouch = false;

function make() {
  const made = document.createElement("dialog");
  made.id = "ask";
  made.setAttribute("aria-labelledby", "ask-title");
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
  made.append(head, body);
  document.body.append(made);
  made.addEventListener("click", (event) => {
    const link = closest(event, "a", HTMLAnchorElement);
    if (!link || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    open(link.href);
  });
  made.addEventListener("submit", (event) => event.preventDefault());
  return made;
}

let asked = 0;

/** @param {string} address */
async function part(address) {
  const response = await fetch(address, { headers: { "X-Partial": "1" } });
  if (!response.ok) throw new Error(String(response.status));
  return response.text();
}

/** @param {string} address @param {boolean} isKnown @param {string} further what to ask if that has no answer */
async function open(address, isKnown = true, further = "") { // unknown words may have no answer
  const number = ++asked;
  let text;
  try {
    text = await part(ofPlayers(address));
    if (further && !FOUND.test(text) && number === asked) text = await part(ofPlayers(further));
  } catch {
    if (isKnown) location.href = address; // the page shows the error
    return;
  }
  if (number !== asked || (!isKnown && !FOUND.test(text))) return;
  held ||= !isKnown;
  dialog ??= make();
  const body = one(".ask-body", HTMLElement, dialog);
  body.innerHTML = text;
  const term = maybe(".term", HTMLElement, body);
  const title = one("h2", HTMLElement, dialog);
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
  (maybe("[name=q]", HTMLInputElement, body) ?? title).focus();
}

/** Update the results below while somebody types; the field itself is not replaced.
    @param {Element} place @param {HTMLInputElement} field */
async function search(place, field) {
  const number = ++asked;
  const text = await part(`${field.form?.action}?q=${encodeURIComponent(field.value)}`).catch(() => "");
  if (number !== asked || !text) return;
  const found = one(".terms", HTMLElement, new DOMParser().parseFromString(text, "text/html"));
  one(".terms", HTMLElement, place).replaceWith(found);
}

document.addEventListener("input", (event) => {
  const place = closest(event, "dialog, main");
  const field = event.target;
  if (place && field instanceof HTMLInputElement && field.form?.matches(".ask-search")) search(place, field);
});

/** A URL with how many play the game on the page, for texts that depend on it.
    @param {string} address */
function ofPlayers(address) {
  if (!texts.players) return address;
  return `${address}${address.includes("?") ? "&" : "?"}players=${texts.players}`;
}

/** The URL of the explanation of a thing, or of all words, with those of the question on a page first.
    @param {{ dataset: DOMStringMap }} thing */
function address(thing) {
  if (thing.dataset.about) return thing.dataset.about;
  if (thing.dataset.ask) return `${texts.at}/${thing.dataset.ask}`;
  const said = all(".ask-now :is(h1, h1 ~ .hint)").map((part) => part.textContent).join(" ");
  return said ? `${texts.at}?about=${encodeURIComponent(said)}` : texts.at;
}

/** @param {string} words */
const question = (words) => `${texts.at}?q=${encodeURIComponent(words)}`;

/** The word at a point of the screen, "" for none or a bare number.
    @param {{ clientX: number, clientY: number }} at */
function wordAt({ clientX, clientY }) {
  const range = document.caretRangeFromPoint?.(clientX, clientY);
  const text = range?.startContainer;
  if (!range || !(text instanceof Text)) return "";
  const before = /[\p{L}\p{N}★]*$/u.exec(text.data.slice(0, range.startOffset))?.[0] ?? "";
  const after = /^[\p{L}\p{N}★]*/u.exec(text.data.slice(range.startOffset))?.[0] ?? "";
  const word = before + after;
  return /^\p{N}+$/u.test(word) ? "" : word;
}

/** The text of the paragraph, entry or button that is pressed.
    @param {Event} event */
function sentence(event) {
  const block = closest(event, "p, li, h1, h2, a, button, .has");
  return block?.textContent?.replace(/\s+/g, " ").trim().slice(0, LONGEST_QUESTION) ?? "";
}

/** What is pressed, and whether it certainly has an explanation; null for nothing.
    @param {PointerEvent | MouseEvent} event */
function about(event) {
  if (closest(event, "[data-hold], [data-held]")) return null; // holding these shows cards
  const own = "[data-ask], [data-about]";
  const option = closest(event, ".option"); // its card
  const thing = closest(event, own) ?? (option && maybe(own, HTMLElement, option));
  if (thing) return { address: address(thing), isKnown: true };
  const space = closest(event, "[data-explains] :is([data-space], [data-place])", SVGElement);
  const board = closest(event, "[data-explains]");
  if (space && board) {
    const place = space.dataset.space ?? data(space).place;
    return { address: data(board).explains + encodeURIComponent(place), isKnown: false };
  }
  if (!closest(event, "[data-words]")) return null;
  const [first, further] = [...new Set([wordAt(event), sentence(event)])].filter(Boolean).map(question);
  return first ? { address: first, isKnown: false, further } : null;
}

document.addEventListener("click", (event) => {
  if (held) { // the finger of a long press was lifted: not a tap
    held = false;
    event.preventDefault();
    event.stopPropagation();
    return;
  }
  asked += 1; // the answer to an earlier press is outdated
  const link = closest(event, "a[data-ask], a[data-about]", HTMLAnchorElement);
  if (!link || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  open(address(link));
}, true);

document.addEventListener("contextmenu", (event) => {
  const asks = about(event);
  if (!asks || !(isTouch || asks.isKnown)) return; // a mouse opens the context menu on words
  event.preventDefault();
  clearTimeout(pressed);
  if (!held) open(asks.address, asks.isKnown, asks.further);
});

document.addEventListener("pointerdown", (event) => {
  held = false;
  isTouch = event.pointerType === "touch";
  const asks = isTouch && about(event);
  if (!asks) return;
  const { clientX, clientY } = event;
  const isOnControl = event.target instanceof Element && event.target.closest("a, button, label") !== null;
  pressed = setTimeout(() => {
    held = asks.isKnown || isOnControl;
    open(asks.address, asks.isKnown, asks.further);
  }, LONG_MS);
  /** @param {PointerEvent} other */
  const stop = (other) => {
    const moved = Math.hypot(other.clientX - clientX, other.clientY - clientY);
    if (other.type === "pointermove" && moved < MOVED_PX) return;
    clearTimeout(pressed);
    for (const kind of ENDS) document.removeEventListener(kind, stop);
  };
  for (const kind of ENDS) document.addEventListener(kind, stop);
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "?" || dialog?.open || closest(event, TYPED_IN)) return;
  if (!maybe(".ask-all")) return;
  event.preventDefault();
  open(address(closest(event, "[data-ask]") ?? { dataset: {} }));
});

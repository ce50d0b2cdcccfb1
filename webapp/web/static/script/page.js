/* Common to all pages: forms that replace a part of the page, confirmations before irreversible actions,
   and announcements for screen readers. Without it, all of these are plain forms. */

import { entered, keepForLater, look } from "./away.js";
import { all, byId, closest, data, maybe, one, released, submitted, texts } from "./dom.js";
import { newName, next } from "./outbox.js";
import { emptied, keepUnsent, UNTYPED } from "./unsent.js";

/** @param {string} text */
export function announce(text) {
  const announcer = byId("announcer");
  announcer.textContent = "";
  requestAnimationFrame(() => { announcer.textContent = text; });
}

/** @type {WeakMap<Element, Promise<boolean>>} */
const turns = new WeakMap(); // the last request of each part

/** Fetch a part of a page and replace `target`'s content, keeping focus and open elements. Requests run in
    order: no older response follows a newer one, and the last tap wins. A `form` that this answers is emptied.
    @param {HTMLElement} target @param {string} url @param {RequestInit} options @param {HTMLFormElement} [form] */
export function swap(target, url, options = {}, form = undefined) {
  const before = turns.get(target) ?? Promise.resolve(true);
  const turn = before.catch(() => false).then(() => exchange(target, url, options, form));
  turns.set(target, turn);
  return turn;
}

/** @param {HTMLElement} target @param {string} url @param {RequestInit} options @param {HTMLFormElement} [form] */
async function exchange(target, url, options, form) {
  const response = await fetch(url, { ...options, headers: { "X-Partial": "1" }, redirect: "manual" });
  const isStale = response.status === 409 && response.headers.get("Content-Type")?.startsWith("text/html");
  if (!response.ok && !isStale) return false; // reload outdated content as it is now
  const fresh = await response.text();
  await released();
  options.signal?.throwIfAborted(); // another tap came meanwhile
  const scroller = one(".scroll");
  const top = scroller.scrollTop;
  if (form && !isStale) emptied(form);
  refill(target, fresh);
  byId("unreached").hidden = true;
  scroller.scrollTop = top;
  target.dispatchEvent(new CustomEvent("swapped", { bubbles: true }));
  return true;
}

/** Replace the content of a part of the page, keeping focus, open elements and what is entered but not sent.
    @param {HTMLElement} part @param {string} html */
export function refill(part, html) {
  const focused = document.activeElement?.id;
  const open = all("details[id][open]", HTMLDetailsElement, part).map(({ id }) => id);
  keepUnsent(part, () => { part.innerHTML = html; });
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

/** Show the button that continues from a redrawn part, keeping keyboard focus there. */
export function showThumb() {
  const thumb = one(".thumb");
  const isThere = thumb.contains(document.activeElement);
  thumb.replaceChildren(byId("thumb-now", HTMLTemplateElement).content);
  if (isThere) maybe("a, button", HTMLElement, thumb)?.focus({ preventScroll: true });
}

/** @param {HTMLFormElement} form @param {FormData} body @param {HTMLElement | null} button */
async function send(form, body, button) {
  const done = await swap(one(data(form).swap), form.action, { method: "POST", body }, form);
  if (!done) HTMLFormElement.prototype.submit.call(withButton(form, button));
}

/** Have the browser submit the form itself: the response shows what is wrong.
    @param {HTMLFormElement} form @param {HTMLElement | null} button */
function withButton(form, button) {
  if (button instanceof HTMLButtonElement && button.name) {
    const field = document.createElement("input");
    field.type = "hidden";
    field.name = button.name;
    field.value = button.value;
    form.append(field);
  }
  return form;
}

/** Say that nothing was done, as there was no answer. */
export function tellUnreached() {
  look();
  const unreached = byId("unreached");
  unreached.hidden = false;
  unreached.scrollIntoView({ block: "center" });
}

document.addEventListener("submit", (event) => {
  const form = submitted(event);
  const question = event.submitter?.dataset.confirm;
  if (question && !window.confirm(question)) {
    event.preventDefault();
    return;
  }
  if (form.dataset.swap) {
    event.preventDefault();
    form.closest("dialog")?.close();
    byId("unreached").hidden = true;
    const fields = entered(form, event.submitter);
    const waits = "queue" in form.dataset;
    if (waits) fields.set("delivery", newName());
    if (waits && next()) {
      keepForLater(form, fields); // after earlier entries
      return;
    }
    send(form, fields, event.submitter).catch(() => {
      if (waits) keepForLater(form, fields);
      else tellUnreached();
    });
  }
});

/* Entries in a step's form survive a reload until they are sent. */
const step = maybe("form#step[data-kept]", HTMLFormElement);

/** For scripts that write into a step's hidden fields. */
export function keep() {
  if (!step) return;
  history.replaceState({ ...history.state, entered: typed() }, "");
}

/** What has been entered in the step so far. */
export const typed = () => (step ? texts(new FormData(step)).filter(([name]) => !UNTYPED.includes(name)) : []);

/** @param {[string, string][] | undefined} fields */
function restore(fields) {
  const entered = new Map(fields);
  for (const field of step?.elements ?? []) {
    const isInput = field instanceof HTMLInputElement;
    if (!isInput && !(field instanceof HTMLSelectElement || field instanceof HTMLTextAreaElement)) continue;
    const value = entered.get(field.name);
    if (value === undefined) continue;
    if (isInput && field.type === "radio") field.checked = field.value === value;
    else field.value = value;
  }
}

const AGAIN = "stargazer enter again";

function isReload() {
  const [entry] = performance.getEntriesByType("navigation");
  return entry instanceof PerformanceNavigationTiming && entry.type === "reload";
}

/** Load a page with previous entries: entered again, or `offered` beside the current values.
    @param {string} page @param {[string, string][]} fields @param {boolean} offered */
export function showAgain(page, fields, offered) {
  sessionStorage.setItem(AGAIN, JSON.stringify({ page, fields, offered }));
  location.replace(page); // avoids submitting again after a form's response
}

const offer = document.getElementById("typed");
const again = JSON.parse(sessionStorage.getItem(AGAIN) ?? "null");
sessionStorage.removeItem(AGAIN);
if (again?.page === location.pathname && again.offered && offer) offer.dataset.fields = JSON.stringify(again.fields);
if (step && again?.page === location.pathname && !again.offered) restore(again.fields);
else if (step && !again && isReload()) {
  restore(history.state?.entered);
}
if (step && offer && JSON.parse(data(offer).fields).length) {
  offer.hidden = false;
  one("button", HTMLButtonElement, offer).addEventListener("click", () => {
    showAgain(data(byId("followed")).page, JSON.parse(data(offer).fields), false);
  });
}
step?.addEventListener("input", keep);

// Focus the first field with a mistake.
maybe("[aria-invalid='true']")?.focus();

// Close a dialog by a tap outside its content, like its close button.
document.addEventListener("click", (event) => {
  const { target } = event;
  const isBeside = target instanceof HTMLDialogElement && !target.matches(".viewfinder-page");
  if (isBeside || closest(event, "[data-close]")) closest(event, "dialog", HTMLDialogElement)?.close();
});

// Close open lists and menus that would cover the page.
document.addEventListener("click", (event) => {
  for (const open of all("details:is(.steps, .popover)[open]", HTMLDetailsElement)) {
    if (!(event.target instanceof Node && open.contains(event.target))) open.open = false;
  }
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const open of all("details:is(.steps, .popover)[open]", HTMLDetailsElement)) {
    open.open = false;
    one("summary", HTMLElement, open).focus();
  }
});

// Select a number when it is tapped, so that typing replaces it: 14 must not become 145.
const NUMBERS = "input[type=number], input[inputmode=numeric], input[inputmode=decimal]";
/** @type {(field: EventTarget | null) => field is HTMLInputElement} */
const selects = (field) => field instanceof HTMLInputElement && field.matches(NUMBERS);
document.addEventListener("focusin", ({ target }) => { if (selects(target)) target.select(); });
document.addEventListener("mouseup", (event) => {
  // The tap that set the focus would put the cursor into the selection.
  const { target } = event;
  if (target === document.activeElement && selects(target) && target !== tapped) event.preventDefault();
  tapped = document.activeElement;
});
document.addEventListener("focusout", () => { tapped = null; });
/** @type {Element | null} */
let tapped = null; // already focused: a second tap sets the cursor

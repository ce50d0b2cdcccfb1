/* What every page does: forms that replace a part of the page, questions before what cannot be
   undone at once, and a voice for screen readers. Without it all of them are plain forms. */

import { entered, keepForLater, look } from "./away.js";
import { all, byId, closest, data, maybe, one, released, submitted, texts } from "./dom.js";
import { newName, next } from "./outbox.js";

/** @param {string} text */
export function announce(text) {
  const announcer = byId("announcer");
  announcer.textContent = "";
  requestAnimationFrame(() => { announcer.textContent = text; });
}

/** @type {WeakMap<Element, Promise<boolean>>} */
const turns = new WeakMap(); // each part's last exchange

/** Fetch a part of a page and put it in place of `target`'s content, keeping the focus and what is open.
    One after the other: no older answer comes after a newer one, and the last tap is the last to count.
    @param {HTMLElement} target @param {string} url @param {RequestInit} options */
export function swap(target, url, options = {}) {
  const before = turns.get(target) ?? Promise.resolve(true);
  const turn = before.catch(() => false).then(() => exchange(target, url, options));
  turns.set(target, turn);
  return turn;
}

/** @param {HTMLElement} target @param {string} url @param {RequestInit} options */
async function exchange(target, url, options) {
  const response = await fetch(url, { ...options, headers: { "X-Partial": "1" }, redirect: "manual" });
  const isStale = response.status === 409 && response.headers.get("Content-Type")?.startsWith("text/html");
  if (!response.ok && !isStale) return false; // what is stale comes as it stands now
  const fresh = await response.text();
  await released();
  options.signal?.throwIfAborted(); // the finger has asked for something else
  const scroller = one(".scroll");
  const top = scroller.scrollTop;
  refill(target, fresh);
  scroller.scrollTop = top;
  target.dispatchEvent(new CustomEvent("swapped", { bubbles: true }));
  return true;
}

/** Put other content into a part of the page; what has the focus there, and what is open, stays so.
    @param {HTMLElement} part @param {string} html */
export function refill(part, html) {
  const focused = document.activeElement?.id;
  const open = all("details[id][open]", HTMLDetailsElement, part).map(({ id }) => id);
  part.innerHTML = html;
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

/** Show what leads on from a part that was drawn anew; whoever is there with the keyboard stays there. */
export function showThumb() {
  const thumb = one(".thumb");
  const isThere = thumb.contains(document.activeElement);
  thumb.replaceChildren(byId("thumb-now", HTMLTemplateElement).content);
  if (isThere) maybe("a, button", HTMLElement, thumb)?.focus({ preventScroll: true });
}

/** @param {HTMLFormElement} form @param {FormData} body @param {HTMLElement | null} button */
async function send(form, body, button) {
  const done = await swap(one(data(form).swap), form.action, { method: "POST", body });
  if (!done) HTMLFormElement.prototype.submit.call(withButton(form, button));
}

/** Let the browser send the form itself: its answer says what is wrong.
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
    const unreached = byId("unreached");
    unreached.hidden = true;
    const fields = entered(form, event.submitter);
    const waits = "queue" in form.dataset;
    if (waits) fields.set("delivery", newName());
    if (waits && next()) {
      keepForLater(form, fields); // after what waits already
      return;
    }
    send(form, fields, event.submitter).catch(() => {
      if (waits) {
        keepForLater(form, fields);
        return;
      }
      look();
      unreached.hidden = false;
      unreached.scrollIntoView({ block: "center" });
    });
  }
});

/* What is entered in a step stays there through a reload, until it is sent. */
const step = maybe("form#step[data-kept]", HTMLFormElement);

/** To be called by scripts that write into a step's hidden fields. */
export function keep() {
  if (!step) return;
  history.replaceState({ ...history.state, entered: typed() }, "");
}

const UNTYPED = ["csrf_token", "shown", "together", "revision", "back", "delivery"];

/** What somebody has entered in the step so far. */
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

/** Load a page with what was entered on it: entered again, or `offered` beside what is there.
    @param {string} page @param {[string, string][]} fields @param {boolean} offered */
export function showAgain(page, fields, offered) {
  sessionStorage.setItem(AGAIN, JSON.stringify({ page, fields, offered }));
  location.replace(page); // also from an answer to a form, which a reload would send again
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

// The first field with a mistake is where a person wants to be.
maybe("[aria-invalid='true']")?.focus();

// A tap beside what a dialog holds closes it, as its own button does.
document.addEventListener("click", (event) => {
  const { target } = event;
  const isBeside = target instanceof HTMLDialogElement && !target.matches(".viewfinder-page");
  if (isBeside || closest(event, "[data-close]")) closest(event, "dialog", HTMLDialogElement)?.close();
});

// A list or menu that hangs open would cover the page.
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

// A number that is tapped is typed anew, not added to: 14 must not become 145.
const NUMBERS = "input[type=number], input[inputmode=numeric], input[inputmode=decimal]";
/** @type {(field: EventTarget | null) => field is HTMLInputElement} */
const selects = (field) => field instanceof HTMLInputElement && field.matches(NUMBERS);
document.addEventListener("focusin", ({ target }) => { if (selects(target)) target.select(); });
document.addEventListener("mouseup", (event) => {
  // The tap that brought the focus would put the cursor into what was just selected.
  const { target } = event;
  if (target === document.activeElement && selects(target) && target !== tapped) event.preventDefault();
  tapped = document.activeElement;
});
document.addEventListener("focusout", () => { tapped = null; });
/** @type {Element | null} */
let tapped = null; // the field that has been tapped already: a second tap puts the cursor

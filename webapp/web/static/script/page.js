/* What every page does: forms that replace a part of the page, questions before what cannot be
   undone at once, and a voice for screen readers. Without it all of them are plain forms. */

import { entered, keepForLater, look } from "./away.js";
import { newName, next } from "./outbox.js";

export function announce(text) {
  const announcer = document.getElementById("announcer");
  announcer.textContent = "";
  requestAnimationFrame(() => { announcer.textContent = text; });
}

const turns = new WeakMap(); // each part's last exchange

/** Fetch a part of a page and put it in place of `target`'s content, keeping the focus and what is open.
    One after the other: no older answer comes after a newer one, and the last tap is the last to count. */
export function swap(target, url, options = {}) {
  const before = turns.get(target) ?? Promise.resolve();
  const turn = before.catch(() => {}).then(() => exchange(target, url, options));
  turns.set(target, turn);
  return turn;
}

async function exchange(target, url, options) {
  const response = await fetch(url, { ...options, headers: { "X-Partial": "1" }, redirect: "manual" });
  if (!response.ok) return false;
  const fresh = await response.text();
  const focused = document.activeElement?.id;
  const open = [...target.querySelectorAll("details[id][open]")].map(({ id }) => id);
  const scroller = document.querySelector(".scroll");
  const top = scroller.scrollTop;
  target.innerHTML = fresh;
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  scroller.scrollTop = top;
  target.dispatchEvent(new CustomEvent("swapped", { bubbles: true }));
  return true;
}

async function send(form, data, button) {
  const done = await swap(document.querySelector(form.dataset.swap), form.action, { method: "POST", body: data });
  if (!done) HTMLFormElement.prototype.submit.call(withButton(form, button));
}

/** Let the browser send the form itself: its answer says what is wrong. */
function withButton(form, button) {
  if (button?.name) {
    const field = document.createElement("input");
    field.type = "hidden";
    field.name = button.name;
    field.value = button.value;
    form.append(field);
  }
  return form;
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  const question = event.submitter?.dataset.confirm;
  if (question && !window.confirm(question)) {
    event.preventDefault();
    return;
  }
  if (form.dataset.swap) {
    event.preventDefault();
    form.closest("dialog")?.close();
    const unreached = document.getElementById("unreached");
    unreached.hidden = true;
    const data = entered(form, event.submitter);
    const waits = "queue" in form.dataset;
    if (waits) data.set("delivery", newName());
    if (waits && next()) {
      keepForLater(form, data); // after what waits already
      return;
    }
    send(form, data, event.submitter).catch(() => {
      if (waits) {
        keepForLater(form, data);
        return;
      }
      look();
      unreached.hidden = false;
      unreached.scrollIntoView({ block: "center" });
    });
  }
});

/* What is entered in a step stays there through a reload, until it is sent. */
const step = document.querySelector("form#step[data-kept]");

/** To be called by scripts that write into a step's hidden fields. */
export function keep() {
  if (!step) return;
  history.replaceState({ ...history.state, entered: typed() }, "");
}

const UNTYPED = ["csrf_token", "shown", "together", "revision", "back", "delivery"];

/** What somebody has entered in the step so far. */
export const typed = () => (step ? [...new FormData(step)].filter(([name]) => !UNTYPED.includes(name)) : []);

function restore(fields) {
  const entered = new Map(fields);
  for (const field of step.elements) {
    if (!entered.has(field.name)) continue;
    const value = entered.get(field.name);
    if (field.type === "radio") field.checked = field.value === value;
    else field.value = value;
  }
}

const AGAIN = "stargazer enter again";

/** Load a page with what was entered on it: entered again, or `offered` beside what is there. */
export function showAgain(page, fields, offered) {
  sessionStorage.setItem(AGAIN, JSON.stringify({ page, fields, offered }));
  location.replace(page); // also from an answer to a form, which a reload would send again
}

const offer = document.getElementById("typed");
const again = JSON.parse(sessionStorage.getItem(AGAIN) ?? "null");
sessionStorage.removeItem(AGAIN);
if (again?.page === location.pathname && again.offered) offer.dataset.fields = JSON.stringify(again.fields);
if (step && again?.page === location.pathname && !again.offered) restore(again.fields);
else if (step && !again && performance.getEntriesByType("navigation")[0]?.type === "reload") {
  restore(history.state?.entered);
}
if (step && offer && JSON.parse(offer.dataset.fields).length) {
  offer.hidden = false;
  offer.querySelector("button").addEventListener("click", () => {
    showAgain(document.getElementById("followed").dataset.page, JSON.parse(offer.dataset.fields), false);
  });
}
step?.addEventListener("input", keep);

// The first field with a mistake is where a person wants to be.
document.querySelector("[aria-invalid='true']")?.focus();

// A step that tells of a mistake answers a form: Back or a reload would ask whether to send it again.
if (document.querySelector("#step .error")) history.replaceState(history.state, "", location.href);

// A list or menu that hangs open would cover the page.
document.addEventListener("click", (event) => {
  for (const open of document.querySelectorAll("details:is(.steps, .popover)[open]")) {
    if (!open.contains(event.target)) open.open = false;
  }
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const open of document.querySelectorAll("details:is(.steps, .popover)[open]")) {
    open.open = false;
    open.querySelector("summary").focus();
  }
});

// A number that is tapped is typed anew, not added to: 14 must not become 145.
const selects = (field) => field.matches?.("input[type=number], input[inputmode=numeric], input[inputmode=decimal]");
document.addEventListener("focusin", ({ target }) => { if (selects(target)) target.select(); });
document.addEventListener("mouseup", (event) => {
  // The tap that brought the focus would put the cursor into what was just selected.
  if (event.target === document.activeElement && selects(event.target) && event.target !== tapped) event.preventDefault();
  tapped = document.activeElement;
});
document.addEventListener("focusout", () => { tapped = null; });
let tapped = null; // the field that has been tapped already: a second tap puts the cursor

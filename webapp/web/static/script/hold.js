/* Shows a player's secret cards while a button is held. */

import { byId, closest, data } from "./dom.js";

const LONG_MS = 450; // so that an accidental tap on a phone being handed over reveals nothing

/** Call `shown(button)` when a button is pressed and `hidden(button)` when it is released, by any input.
    @param {HTMLElement} root @param {string} selector @param {(button: HTMLElement) => void} shown
    @param {(button: HTMLElement) => void} hidden */
function held(root, selector, shown, hidden) {
  /** @type {HTMLElement | null} */
  let down = null;
  /** @param {HTMLElement} button */
  const press = (button) => { down = button; shown(button); };
  const release = () => {
    if (!down) return;
    const button = down;
    down = null;
    hidden(button);
  };
  root.addEventListener("pointerdown", (event) => {
    const button = closest(event, selector);
    if (!button || event.button) return;
    button.setPointerCapture(event.pointerId);
    press(button);
  });
  root.addEventListener("keydown", (event) => {
    const button = closest(event, selector);
    if (!button || event.repeat || (event.key !== " " && event.key !== "Enter")) return;
    event.preventDefault();
    press(button);
  });
  root.addEventListener("click", (event) => {
    const button = closest(event, selector);
    if (!button) return;
    event.preventDefault();
    if (event.detail || down) return;
    // a screen reader's press has no release: the next press ends it
    if (button.getAttribute("aria-pressed") === "true") hidden(button);
    else shown(button);
  });
  root.addEventListener("contextmenu", (event) => { if (closest(event, selector)) event.preventDefault(); });
  for (const end of ["pointerup", "pointercancel", "keyup"]) root.addEventListener(end, release);
  window.addEventListener("blur", release);
  document.addEventListener("visibilitychange", release);
}

/** Show a player's cards while their button is held.
    @param {HTMLElement} root */
export function showHeld(root) {
  let asking = new AbortController();
  held(root, "[data-hold]", async (button) => {
    asking = new AbortController();
    button.setAttribute("aria-pressed", "true");
    const answer = await fetch(data(button).hold, { signal: asking.signal }).catch(() => null);
    const text = answer?.ok ? await answer.text().catch(() => "") : "";
    if (button.isConnected && button.getAttribute("aria-pressed") === "true") byId("held").innerHTML = text;
  }, (button) => {
    asking.abort();
    button.setAttribute("aria-pressed", "false");
    document.getElementById("held")?.replaceChildren();
  });
}

/** Continue after a phone was handed over, once its button has been held for a moment.
    @param {HTMLElement} root @param {(link: HTMLAnchorElement) => void} goOn */
export function goOnHeld(root, goOn) {
  let waiting = 0;
  held(root, "a[data-held]", (button) => {
    button.classList.add("holding");
    waiting = setTimeout(() => goOn(/** @type {HTMLAnchorElement} */ (button)), LONG_MS);
  }, (button) => {
    clearTimeout(waiting);
    button.classList.remove("holding");
  });
}

/* The Values board: a tap appends a token to its track's order, or picks it there; the token tapped next gives its
   place to the picked one. A drag moves it, too. */

import { all, byId, closest, data, one } from "./dom.js";
import { announce, keep } from "./page.js";

const words = data(byId("words"));
const GRIP = '<span class="grip" aria-hidden="true">⠿</span>';

for (const track of all(".track")) {
  const field = one("input[type=hidden]", HTMLInputElement, track);
  const order = one(".order", HTMLElement, track);
  const tray = one(".tray", HTMLElement, track);
  /** @param {HTMLElement} list */
  const items = (list) => all(":scope > *", HTMLElement, list);
  const home = items(tray);
  /** @type {HTMLElement | null} */
  let picked = null;

  /** @param {HTMLElement} item */
  const button = (item) => one(".value-token", HTMLButtonElement, item);

  /** @param {HTMLElement | null} item */
  function pick(item) {
    picked = item;
    for (const own of items(order)) button(own).setAttribute("aria-pressed", String(own === item));
  }

  /** @param {string} said */
  function show(said = "") {
    const tokens = items(order);
    tokens.forEach((item, index) => {
      one(".place", HTMLElement, item).textContent = String(index + 1);
    });
    field.value = tokens.map((item) => item.dataset.token).join(",");
    if (said) {
      keep();
      announce(said);
    }
  }

  /** @param {HTMLElement} item */
  function name(item) {
    return button(item).getAttribute("aria-label");
  }

  /** @param {HTMLElement} item */
  function placed(item) {
    return `${name(item)}: ${words.place.replace("{place}", String(items(order).indexOf(item) + 1))}`;
  }

  /** @param {HTMLElement} item @param {boolean} quietly */
  function place(item, quietly = false) {
    item.insertAdjacentHTML("afterbegin", '<span class="place"></span>');
    item.insertAdjacentHTML("beforeend", `<button type="button" class="icon-button out">×</button>${GRIP}`);
    one(".out", HTMLElement, item).setAttribute("aria-label", `${name(item)}: ${words.remove}`);
    order.append(item);
    pick(null);
    show(quietly ? "" : placed(item));
  }

  /** @param {HTMLElement} item @param {HTMLElement} to */
  function move(item, to) {
    if (item.compareDocumentPosition(to) & Node.DOCUMENT_POSITION_FOLLOWING) to.after(item);
    else to.before(item);
    pick(null);
    show(placed(item));
  }

  /** @param {HTMLElement} item */
  function take(item) {
    pick(null);
    button(item).removeAttribute("aria-pressed");
    for (const part of all(".place, .out, .grip", HTMLElement, item)) part.remove();
    tray.append(...home.filter((one) => one === item || one.parentElement === tray));
    show(`${name(item)}: ${words.removed}`);
  }

  track.addEventListener("click", (event) => {
    const item = closest(event, "li");
    if (!item || item.dataset.moved) return;
    let shown = item;
    if (closest(event, ".out")) take(item);
    else if (!closest(event, ".value-token", HTMLButtonElement)) return;
    else if (item.parentElement === tray) place(item);
    else if (picked && picked !== item) move(shown = picked, item);
    else {
      pick(picked ? null : item);
      announce(picked ? words.picked : placed(item));
    }
    button(shown).focus();
  });

  order.addEventListener("pointerdown", (event) => {
    const item = closest(event, "li");
    if (!item || event.button !== 0 || closest(event, ".out")) return;
    const start = event.clientY;
    let dragging = false;

    /** @param {PointerEvent} now */
    const follow = (now) => {
      if (!dragging && Math.abs(now.clientY - start) < 6) return;
      if (!dragging) {
        dragging = true;
        item.classList.add("dragged");
        item.setPointerCapture(event.pointerId);
      }
      const others = items(order).filter((other) => other !== item);
      const after = others.find((other) => {
        const box = other.getBoundingClientRect();
        return now.clientY < box.top + box.height / 2;
      });
      if (after !== item.nextElementSibling) {
        order.insertBefore(item, after ?? null);
        pick(null);
        show();
      }
    };

    const end = () => {
      item.removeEventListener("pointermove", follow);
      item.classList.remove("dragged");
      if (!dragging) return;
      // Ignore the click that ends a drag, which would pick the token.
      item.dataset.moved = "yes";
      setTimeout(() => delete item.dataset.moved, 50);
      show(placed(item));
    };

    item.addEventListener("pointermove", follow);
    item.addEventListener("pointerup", end, { once: true });
    item.addEventListener("pointercancel", end, { once: true });
  });

  for (const token of field.value.split(",").filter(Boolean)) {
    place(one(`[data-token="${token}"]`, HTMLElement, tray), true);
  }
}

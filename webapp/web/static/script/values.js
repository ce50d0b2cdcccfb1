/* The Values board: a tap puts a token at the end of its track's order, a drag moves it. */

import { announce, keep } from "./page.js";

const words = document.getElementById("words").dataset;
const GRIP = '<span class="grip" aria-hidden="true">⠿</span>';

for (const track of document.querySelectorAll(".track")) {
  const field = track.querySelector("input[type=hidden]");
  const order = track.querySelector(".order");
  const tray = track.querySelector(".tray");
  const home = [...tray.children];

  function show(said) {
    const tokens = [...order.children];
    tokens.forEach((item, index) => {
      item.querySelector(".place").textContent = index + 1;
      item.querySelector(".up").hidden = index === 0;
    });
    field.value = tokens.map((item) => item.dataset.token).join(",");
    if (said) {
      keep();
      announce(said);
    }
  }

  function name(item) {
    return item.querySelector(".value-token").getAttribute("aria-label");
  }

  function place(item, quietly) {
    item.insertAdjacentHTML("afterbegin", '<span class="place"></span>');
    item.insertAdjacentHTML("beforeend", `<button type="button" class="icon-button up">↑</button>${GRIP}`);
    item.querySelector(".up").setAttribute("aria-label", `${name(item)}: ${words.earlier}`);
    order.append(item);
    show(quietly ? "" : `${name(item)}: ${words.place.replace("{place}", order.children.length)}`);
  }

  function take(item) {
    for (const part of item.querySelectorAll(".place, .up, .grip")) part.remove();
    tray.append(...home.filter((one) => one === item || one.parentElement === tray));
    show(`${name(item)}: ${words.removed}`);
  }

  track.addEventListener("click", (event) => {
    const item = event.target.closest("li");
    if (!item || item.dataset.moved) return;
    if (event.target.closest(".up")) {
      item.previousElementSibling?.before(item);
      show(`${name(item)}: ${words.place.replace("{place}", [...order.children].indexOf(item) + 1)}`);
      (item.querySelector(".up:not([hidden])") ?? item.querySelector(".value-token")).focus();
      return;
    }
    if (!event.target.closest(".value-token")) return;
    if (item.parentElement === tray) place(item);
    else take(item);
    item.querySelector(".value-token").focus();
  });

  order.addEventListener("pointerdown", (event) => {
    const item = event.target.closest("li");
    if (!item || event.button !== 0 || event.target.closest(".up")) return;
    const start = event.clientY;
    let dragging = false;

    function move(now) {
      if (!dragging && Math.abs(now.clientY - start) < 6) return;
      if (!dragging) {
        dragging = true;
        item.classList.add("dragged");
        item.setPointerCapture(event.pointerId);
      }
      const others = [...order.children].filter((other) => other !== item);
      const after = others.find((other) => {
        const box = other.getBoundingClientRect();
        return now.clientY < box.top + box.height / 2;
      });
      if (after !== item.nextElementSibling) {
        order.insertBefore(item, after ?? null);
        show();
      }
    }

    function end() {
      item.removeEventListener("pointermove", move);
      item.classList.remove("dragged");
      if (!dragging) return;
      // The click that ends a drag must not take the token away.
      item.dataset.moved = "yes";
      setTimeout(() => delete item.dataset.moved, 50);
      show(`${name(item)}: ${words.place.replace("{place}", [...order.children].indexOf(item) + 1)}`);
    }

    item.addEventListener("pointermove", move);
    item.addEventListener("pointerup", end, { once: true });
    item.addEventListener("pointercancel", end, { once: true });
  });

  for (const token of field.value.split(",").filter(Boolean)) {
    place(tray.querySelector(`[data-token="${token}"]`), true);
  }
}

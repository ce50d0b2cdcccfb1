/* The gallery: cards found by number or words, chosen into slots by a tap. */

import { announce, keep } from "./page.js";

const find = document.getElementById("find");

/** A number is meant whole, with its letter or without: b3 is not B30. */
function matches(words, wanted) {
  return wanted.every((part) => (/^[a-z]?\d+$/.test(part) ? words.split(" ").includes(part) : words.includes(part)));
}

function search() {
  const wanted = find.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const gallery of document.querySelectorAll(".gallery")) {
    let found = 0;
    for (const item of gallery.children) {
      item.hidden = !matches(item.dataset.words, wanted);
      if (!item.hidden) found += 1;
    }
    const none = gallery.parentElement.querySelector(".none");
    if (none) none.hidden = found > 0;
  }
}

find?.addEventListener("input", search);
find?.addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  const shown = [...document.querySelectorAll(".gallery li:not([hidden]) .card")];
  if (find.value && shown.length === 1) {
    shown[0].click();
    if (!shown[0].name) {
      find.value = "";
      search();
    }
  }
});

const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
const form = document.querySelector("[data-per-deck]");
const most = Number(form?.dataset.perDeck ?? 0);
const PAUSE = 700; // ms to see the last card in its slot, and to take it back
let going;

/** The first time, the last card leads on; who comes back to correct goes on when they like. */
function goOnWhenFull() {
  clearTimeout(going);
  if (!form.dataset.goesOn || form.querySelector(".slot:not(.full)")) return;
  announce(form.dataset.goesOn);
  going = setTimeout(() => form.requestSubmit(), PAUSE);
}

for (const deck of document.querySelectorAll("[data-deck]")) {
  const field = deck.querySelector("input[type=hidden]");
  const slots = [...deck.querySelectorAll(".slot")];
  // A slot that was emptied stays empty, so that the others keep their numbers.
  const chosen = slots.map((_, place) => field.value.split(",")[place] || null);

  function show() {
    field.value = chosen.filter(Boolean).join(",");
    slots.forEach((slot, place) => {
      const card = chosen[place];
      slot.classList.toggle("full", Boolean(card));
      slot.classList.toggle("next", place === chosen.indexOf(null));
      slot.querySelector(".slot-card").textContent = card ?? "";
      slot.firstElementChild.disabled = !card;
    });
    for (const card of deck.querySelectorAll(".card")) {
      const place = chosen.indexOf(card.dataset.card);
      card.setAttribute("aria-pressed", String(place >= 0));
      card.dataset.place = place >= 0 ? slots[place].querySelector(".slot-name").textContent : "";
    }
  }

  function toggle(id) {
    const place = chosen.indexOf(id);
    if (place >= 0) chosen[place] = null;
    else if (chosen.includes(null)) chosen[chosen.indexOf(null)] = id;
    else return;
    show();
    keep();
    announce(`${id}: ${chosen.filter(Boolean).length} / ${most}`);
    goOnWhenFull();
  }

  deck.addEventListener("click", (event) => {
    const card = event.target.closest(".card");
    const slot = event.target.closest("[data-slot]");
    if (card) {
      toggle(card.dataset.card);
      if (!chosen.includes(null)) deck.nextElementSibling?.scrollIntoView({ behavior: calm ? "auto" : "smooth" });
    }
    else if (slot) toggle(chosen[Number(slot.dataset.slot)]);
  });
  show();
}

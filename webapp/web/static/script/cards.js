/* The card gallery: filtered by number or words, with cards put into slots by tap. */

import { all, closest, data, maybe, one } from "./dom.js";
import { announce, keep } from "./page.js";

const find = maybe("#find", HTMLInputElement);

/** Numbers match whole, with or without their letter: b3 does not match B30.
    @param {string} words @param {string[]} wanted */
function matches(words, wanted) {
  return wanted.every((part) => (/^[a-z]?\d+$/.test(part) ? words.split(" ").includes(part) : words.includes(part)));
}

function search() {
  const wanted = (find?.value ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  for (const gallery of all(".gallery")) {
    let found = 0;
    for (const item of all(":scope > *", HTMLElement, gallery)) {
      item.hidden = !matches(data(item).words, wanted);
      if (!item.hidden) found += 1;
    }
    const none = gallery.parentElement && maybe(".none", HTMLElement, gallery.parentElement);
    if (none) none.hidden = found > 0;
  }
}

find?.addEventListener("input", search);
find?.addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  const shown = all(".gallery li:not([hidden]) .card");
  if (find.value && shown.length === 1) {
    shown[0].click();
    if (!shown[0].getAttribute("name")) {
      find.value = "";
      search();
    }
  }
});

const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
const form = maybe("[data-per-deck]", HTMLFormElement);
const most = Number(form?.dataset.perDeck ?? 0);
const PAUSE = 700; // ms to see the last card in its slot, and to undo
let going = 0;

/** When first filled, the last card continues to the next page; during corrections it does not. */
function goOnWhenFull() {
  clearTimeout(going);
  if (!form?.dataset.goesOn || maybe(".slot:not(.full)", HTMLElement, form)) return;
  announce(form.dataset.goesOn);
  going = setTimeout(() => form.requestSubmit(), PAUSE);
}

for (const deck of all("[data-deck]")) {
  const field = one("input[type=hidden]", HTMLInputElement, deck);
  const slots = all(".slot", HTMLElement, deck);
  // Keep emptied slots, so that the others keep their numbers.
  const chosen = slots.map((_, place) => field.value.split(",")[place] || null);

  function show() {
    field.value = chosen.filter(Boolean).join(",");
    slots.forEach((slot, place) => {
      const card = chosen[place];
      slot.classList.toggle("full", Boolean(card));
      slot.classList.toggle("next", place === chosen.indexOf(null));
      one(".slot-card", HTMLElement, slot).textContent = card ?? "";
      one(":scope > button", HTMLButtonElement, slot).disabled = !card;
    });
    for (const card of all(".card", HTMLElement, deck)) {
      const place = chosen.indexOf(data(card).card);
      card.setAttribute("aria-pressed", String(place >= 0));
      card.dataset.place = place >= 0 ? one(".slot-name", HTMLElement, slots[place]).textContent : "";
    }
  }

  /** @param {string | null} id */
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
    const card = closest(event, ".card");
    const slot = closest(event, "[data-slot]", HTMLButtonElement);
    if (card) {
      toggle(data(card).card);
      if (!chosen.includes(null)) deck.nextElementSibling?.scrollIntoView({ behavior: calm ? "auto" : "smooth" });
    }
    else if (slot) toggle(chosen[Number(slot.dataset.slot)]);
  });
  show();
}

const photo = maybe(".dropzone [data-sends]", HTMLInputElement);
photo?.addEventListener("change", () => photo.form?.requestSubmit());

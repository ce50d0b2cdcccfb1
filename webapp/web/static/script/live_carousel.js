/* The boards side by side, one per screen on a phone: changed by swiping or arrow keys. */

import { all, byId, closest } from "./dom.js";

/** @param {HTMLElement} live */
export function wireCarousel(live) {
  const boards = byId("boards");
  const players = all(".player", HTMLElement, boards);
  const isCarousel = () => boards.scrollWidth > boards.clientWidth + 1;
  const nearest = () => Math.round((boards.scrollLeft / boards.scrollWidth) * players.length);

  /** Show above which board is visible. */
  function mark() {
    const seat = isCarousel() ? String(nearest()) : "";
    for (const total of all("[data-show]", HTMLAnchorElement, live)) {
      if (total.dataset.show === seat) total.setAttribute("aria-current", "true");
      else total.removeAttribute("aria-current");
    }
  }

  /** @param {number} seat */
  function show(seat) {
    players[seat]?.scrollIntoView({ block: "nearest", inline: "start" });
  }

  boards.addEventListener("scroll", mark, { passive: true });
  new ResizeObserver(mark).observe(boards);
  live.addEventListener("click", (event) => {
    const total = closest(event, "[data-show]", HTMLAnchorElement);
    if (!total) return;
    event.preventDefault();
    show(Number(total.dataset.show));
  });
  document.addEventListener("keydown", (event) => {
    const step = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
    if (!step || event.altKey || event.ctrlKey || event.metaKey || !isCarousel()) return;
    if (closest(event, "input, select, textarea, dialog, [role=tablist]")) return;
    event.preventDefault();
    show(Math.min(Math.max(nearest() + step, 0), players.length - 1));
  });
  return { mark, show };
}

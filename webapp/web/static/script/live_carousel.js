/* The boards beside each other, one a screen on a phone: swiped, or turned by the arrow keys. */

export function wireCarousel(live) {
  const boards = document.getElementById("boards");
  const players = boards.querySelectorAll(".player");
  const isCarousel = () => boards.scrollWidth > boards.clientWidth + 1;
  const nearest = () => Math.round((boards.scrollLeft / boards.scrollWidth) * players.length);

  /** Say above which board is shown. */
  function mark() {
    const seat = isCarousel() ? String(nearest()) : "";
    for (const total of live.querySelectorAll("[data-show]")) {
      if (total.dataset.show === seat) total.setAttribute("aria-current", "true");
      else total.removeAttribute("aria-current");
    }
  }

  function show(seat) {
    players[seat]?.scrollIntoView({ block: "nearest", inline: "start" });
  }

  boards.addEventListener("scroll", mark, { passive: true });
  new ResizeObserver(mark).observe(boards);
  live.addEventListener("click", (event) => {
    const total = event.target.closest("[data-show]");
    if (!total) return;
    event.preventDefault();
    show(Number(total.dataset.show));
  });
  document.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step || event.altKey || event.ctrlKey || event.metaKey || !isCarousel()) return;
    if (event.target.closest("input, select, textarea, dialog, [role=tablist]")) return;
    event.preventDefault();
    show(Math.min(Math.max(nearest() + step, 0), players.length - 1));
  });
  return { mark, show };
}

/* Tabs beside the boards: cards, the end, the timeline. A reload keeps the chosen one. */

import { all, byId } from "./dom.js";

const KEPT = "stargazer-tab";

/** @param {HTMLElement} live */
export function wireTabs(live) {
  const tabs = all("[role=tab]", HTMLElement, live);

  /** @param {HTMLElement} chosen @param {boolean} focus */
  function choose(chosen, focus = false) {
    for (const tab of tabs) {
      const now = tab === chosen;
      tab.setAttribute("aria-selected", String(now));
      tab.tabIndex = now ? 0 : -1;
      byId(tab.getAttribute("aria-controls") ?? "").hidden = !now;
    }
    sessionStorage.setItem(KEPT, chosen.id);
    if (focus) chosen.focus();
  }

  for (const [number, tab] of tabs.entries()) {
    tab.addEventListener("click", () => choose(tab));
    tab.addEventListener("keydown", (event) => {
      /** @type {Record<string, number>} */
      const places = {
        ArrowLeft: number - 1, ArrowRight: number + 1, Home: 0, End: tabs.length - 1,
      };
      const to = places[event.key];
      if (to === undefined) return;
      event.preventDefault();
      choose(tabs[(to + tabs.length) % tabs.length], true);
    });
  }
  choose(tabs.find((tab) => tab.id === sessionStorage.getItem(KEPT)) ?? tabs[0]);
}

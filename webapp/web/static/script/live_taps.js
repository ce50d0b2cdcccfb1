/* Taps on the table page: highlights, looking back, corrections and manual entries. */

import { sendTap } from "./away.js";
import { admits, nearest } from "./board_taps.js";
import { all, byId, closest, data, maybe, one, submitted } from "./dom.js";
import { wireMagnifier } from "./live_magnifier.js";
import { announce } from "./page.js";
import { markRefused, refusedOn } from "./refusals.js";
import { emptied } from "./unsent.js";

/**
 * @param {{
 *   live: HTMLElement, view: { at: string, mine: string, lit: string }, refresh: () => void, light: () => void,
 *   carousel: { show: (seat: number) => void },
 * }} table
 */
export function wireTaps({ live, view, refresh, light, carousel }) {
  const hand = byId("hand", HTMLDialogElement);
  const correction = byId("correction", HTMLDialogElement);
  const missing = byId("missing-after", HTMLButtonElement);
  const magnify = wireMagnifier(hand);

  /** Offer the pieces that may lie on the place chosen in a dialog.
      @param {HTMLElement} dialog */
  function offerPieces(dialog) {
    const place = one("[name=space]", HTMLSelectElement, dialog).selectedOptions[0];
    for (const button of all("[name=star]", HTMLButtonElement, dialog)) button.hidden = !admits(place, button.value);
  }

  /** Mark the pieces that the rules forbid on the space chosen in a dialog.
      @param {HTMLElement} dialog @param {Record<string, string>} asked */
  async function markChoices(dialog, asked) {
    const palette = one(".palette", HTMLElement, dialog);
    const space = one("[name=space]", HTMLSelectElement, dialog);
    const query = new URLSearchParams(asked);
    offerPieces(dialog);
    markRefused(palette, {}, space.value);
    const found = refusedOn(`${live.dataset.refused}?${query}`);
    space.onchange = async () => {
      offerPieces(dialog);
      markRefused(palette, await found, space.value);
    };
    dialog.dataset.asked = String(query);
    const known = await found;
    if (dialog.dataset.asked === String(query)) markRefused(palette, known, space.value);
  }

  /** @param {string} board @param {string} [space] @param {string} [after] */
  function openHand(board, space, after) {
    const title = byId("hand-name");
    title.textContent = data(byId(`player-name-${board}`)).handTitle;
    one("[name=seat]", HTMLInputElement, hand).value = board;
    one("[name=after]", HTMLInputElement, hand).value = after ?? "";
    if (space) one("[name=space]", HTMLSelectElement, hand).value = space;
    magnify(maybe(`#player-${board} svg.watched`, SVGSVGElement, live));
    markChoices(hand, { seat: board });
    hand.showModal();
    title.focus();
  }

  /** Open a game's own dialog about a player, with their name in its title.
      @param {Record<string, string>} opener */
  function openOwn({ dialog: id, seat, name }) {
    const dialog = byId(id, HTMLDialogElement);
    const title = one("[data-title]", HTMLElement, dialog);
    title.textContent = data(title).title.replace("{name}", name);
    one("[name=seat]", HTMLInputElement, dialog).value = seat;
    dialog.showModal();
    title.focus();
  }

  /** @param {HTMLElement} button */
  function openCorrection(button) {
    const { correct, said, space, star, status, number, board } = data(button);
    const form = one("form", HTMLFormElement, correction);
    form.action = correct;
    byId("correction-name").textContent = said;
    byId("correction-instead").hidden = !star || status.includes("void");
    if (space) one("[name=space]", HTMLSelectElement, form).value = space;
    for (const one of all("[name=star]", HTMLButtonElement, form)) {
      one.setAttribute("aria-pressed", String(one.value === star));
    }
    one("[value=nothing]", HTMLButtonElement, form).hidden = status.includes("void");
    one("[value=again]", HTMLButtonElement, form).hidden = !status.includes("void") && !status.includes("corrected");
    missing.dataset.after = number;
    missing.dataset.board = board === "" ? "0" : board;
    if (star) markChoices(correction, { seat: board, without: space });
    correction.showModal();
    byId("correction-name").focus();
  }

  /** @param {string} at */
  function lookAt(at) {
    view.at = at;
    view.lit = "";
    refresh();
    one(".scroll").scrollTo({ top: 0 });
  }

  live.addEventListener("click", (event) => {
    const line = closest(event, "[data-light]");
    const back = closest(event, "[data-at]:is(a)");
    const mine = closest(event, "[data-mine]");
    const own = closest(event, "[data-dialog]");
    const correct = closest(event, "[data-correct]");
    const byHand = closest(event, "[data-hand]");
    const drawn = closest(event, "svg.watched", SVGSVGElement);
    if (line) {
      view.lit = view.lit === line.id ? "" : line.id;
      light();
      if (view.lit) carousel.show(Number(line.dataset.board));
    } else if (back) {
      event.preventDefault();
      lookAt(data(back).at);
    } else if (mine) {
      view.mine = view.mine === mine.dataset.mine ? "" : data(mine).mine;
      sessionStorage.setItem("stargazer-mine", view.mine);
      refresh();
    } else if (own) {
      openOwn(data(own));
    } else if (correct) {
      openCorrection(correct);
    } else if (byHand) {
      openHand(data(byHand).hand);
    } else if (drawn && view.at === "") {
      const space = nearest(drawn, event, ["spot", "edge"]);
      const player = closest(event, ".player");
      if (space && player) openHand(data(player).board, space.dataset.space);
    }
  });

  /** Offer the pieces that may lie in the region chosen beside them.
      @param {Event} event */
  function offerInRegion(event) {
    const around = closest(event, ".in-region");
    if (!around) return;
    const form = one("form", HTMLFormElement, around);
    const place = one("[name=space]", HTMLSelectElement, form).selectedOptions[0];
    const pieces = one("[name=star]", HTMLSelectElement, form);
    for (const option of pieces.options) option.hidden = option.disabled = !admits(place, option.value);
    if (pieces.selectedOptions[0]?.disabled) [pieces.value] = data(place).admits.split(" ");
  }
  live.addEventListener("change", offerInRegion);
  live.addEventListener("toggle", offerInRegion, true);
  live.addEventListener("reset", (event) => setTimeout(() => offerInRegion(event))); // once it is empty

  missing.addEventListener("click", () => {
    const { board, after } = data(missing);
    correction.close();
    openHand(board, "", after);
  });

  document.addEventListener("click", (event) => {
    const opener = closest(event, "[data-opens]");
    if (!opener) return;
    event.preventDefault(); // leaving the page would stop its camera
    opener.closest("details.menu")?.removeAttribute("open");
    byId(data(opener).opens, HTMLDialogElement).showModal();
  });

  document.addEventListener("delivered", refresh);

  document.addEventListener("submit", async (event) => {
    const form = submitted(event);
    if (!form.matches("[data-live]") || event.defaultPrevented) return;
    event.preventDefault();
    const sent = sendTap(form, event.submitter); // closing the dialog may lose the button's value
    form.closest("dialog")?.close();
    const answer = await sent;
    const waits = "queue" in form.dataset && (!answer || answer.status >= 500);
    const isRefused = answer && [403, 409, 422].includes(answer.status);
    if ((answer?.ok || waits) && !form.closest("dialog")) emptied(form);
    if (answer?.ok || isRefused) refresh(); // if refused, the table shows the current state
    if (isRefused) announce((await answer.json()).message);
    else if (!answer?.ok && !waits) announce(data(live).failed);
    const unreached = byId("unreached");
    unreached.hidden = Boolean(answer) || waits;
    if (!unreached.hidden) unreached.scrollIntoView({ block: "center" });
  });
}

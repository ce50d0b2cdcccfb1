/* Taps on the table page: lighting, looking back, correcting, and telling what no camera sees. */

import { sendTap } from "./away.js";
import { nearest } from "./board_taps.js";
import { wireMagnifier } from "./live_magnifier.js";
import { announce } from "./page.js";
import { markRefused, refusedOn } from "./refusals.js";

export function wireTaps({ live, view, refresh, light, carousel }) {
  const hand = document.getElementById("hand");
  const correction = document.getElementById("correction");
  const magnify = wireMagnifier(hand);

  /** Offer in a dialog the pieces that lie on such a place as is chosen there. */
  function offerPieces(dialog) {
    const kind = dialog.querySelector("[name=space]").selectedOptions[0].dataset.kind;
    for (const button of dialog.querySelectorAll("[data-lies-on]")) {
      button.hidden = !button.dataset.liesOn.split(" ").includes(kind);
    }
  }

  /** Mark in a dialog what the rules would refuse on the space that is chosen there. */
  async function markChoices(dialog, asked) {
    const palette = dialog.querySelector(".palette");
    const space = dialog.querySelector("[name=space]");
    const query = new URLSearchParams(asked);
    offerPieces(dialog);
    markRefused(palette, {}, space.value);
    const found = refusedOn(`${live.dataset.refused}?${query}`);
    space.onchange = async () => {
      offerPieces(dialog);
      markRefused(palette, await found, space.value);
    };
    dialog.dataset.asked = query;
    const known = await found;
    if (dialog.dataset.asked === String(query)) markRefused(palette, known, space.value);
  }

  function openHand(board, space, after) {
    const title = document.getElementById("hand-name");
    title.textContent = document.getElementById(`player-name-${board}`).dataset.handTitle;
    hand.querySelector("[name=seat]").value = board;
    hand.querySelector("[name=after]").value = after ?? "";
    if (space) hand.querySelector("[name=space]").value = space;
    magnify(live.querySelector(`#player-${board} svg.watched`));
    markChoices(hand, { seat: board });
    hand.showModal();
    title.focus();
  }

  /** A dialog of the game's own, about a player: its title names them. */
  function openOwn({ dialog: id, seat, name }) {
    const dialog = document.getElementById(id);
    const title = dialog.querySelector("[data-title]");
    title.textContent = title.dataset.title.replace("{name}", name);
    dialog.querySelector("[name=seat]").value = seat;
    dialog.showModal();
    title.focus();
  }

  function openCorrection(button) {
    const { correct, said, space, star, status, number, board } = button.dataset;
    const form = correction.querySelector("form");
    form.action = correct;
    document.getElementById("correction-name").textContent = said;
    document.getElementById("correction-instead").hidden = !star || status.includes("void");
    if (space) form.querySelector("[name=space]").value = space;
    for (const one of form.querySelectorAll("[name=star]")) {
      one.setAttribute("aria-pressed", String(one.value === star));
    }
    form.querySelector("[value=nothing]").hidden = status.includes("void");
    form.querySelector("[value=again]").hidden = !status.includes("void") && !status.includes("corrected");
    const missing = document.getElementById("missing-after");
    missing.dataset.after = number;
    missing.dataset.board = board === "" ? "0" : board;
    if (star) markChoices(correction, { seat: board, without: space });
    correction.showModal();
    document.getElementById("correction-name").focus();
  }

  function lookAt(at) {
    view.at = at;
    view.lit = "";
    refresh();
    document.querySelector(".scroll").scrollTo({ top: 0 });
  }

  live.addEventListener("click", (event) => {
    const target = event.target;
    const told = target.closest("[data-light]");
    const back = target.closest("[data-at]:is(a)");
    const mine = target.closest("[data-mine]");
    const own = target.closest("[data-dialog]");
    const correct = target.closest("[data-correct]");
    const byHand = target.closest("[data-hand]");
    const drawn = target.closest("svg.watched");
    if (told) {
      view.lit = view.lit === told.id ? "" : told.id;
      light();
      if (view.lit) carousel.show(Number(told.dataset.board));
    } else if (back) {
      event.preventDefault();
      lookAt(back.dataset.at);
    } else if (mine) {
      view.mine = view.mine === mine.dataset.mine ? "" : mine.dataset.mine;
      sessionStorage.setItem("stargazer-mine", view.mine);
      refresh();
    } else if (own) {
      openOwn(own.dataset);
    } else if (correct) {
      openCorrection(correct);
    } else if (byHand) {
      openHand(byHand.dataset.hand);
    } else if (drawn && view.at === "") {
      const space = nearest(drawn, event, ["spot", "edge"]);
      if (space) openHand(drawn.closest(".player").dataset.board, space.dataset.space);
    }
  });

  document.getElementById("missing-after").addEventListener("click", (event) => {
    const { board, after } = event.currentTarget.dataset;
    correction.close();
    openHand(board, "", after);
  });

  document.addEventListener("click", (event) => {
    const opener = event.target.closest("[data-opens]");
    if (!opener) return;
    event.preventDefault(); // to leave the page would stop its camera
    opener.closest("details.menu")?.removeAttribute("open");
    document.getElementById(opener.dataset.opens).showModal();
  });

  for (const dialog of document.querySelectorAll("dialog")) {
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog || event.target.closest("[data-close]")) dialog.close();
    });
  }

  document.addEventListener("delivered", refresh);

  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!form.matches("[data-live]") || event.defaultPrevented) return;
    event.preventDefault();
    const sent = sendTap(form, event.submitter); // its dialog, closed, may lose the button's value
    form.closest("dialog")?.close();
    const answer = await sent;
    const waits = "queue" in form.dataset && (!answer || answer.status >= 500);
    if (answer?.ok || answer?.status === 403) refresh(); // refused: the table shows what holds now
    if (answer?.status === 403) announce((await answer.json()).message);
    else if (!answer?.ok && !waits) announce(live.dataset.failed);
    const unreached = document.getElementById("unreached");
    unreached.hidden = Boolean(answer) || waits;
    if (!unreached.hidden) unreached.scrollIntoView({ block: "center" });
  });
}

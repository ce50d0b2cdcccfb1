/* The panel of the current tool under the board: names to choose, numbers to type. */

import { one } from "./dom.js";

/** @import { Board } from "./editor_board.js" */
/** @import { EditorActions, Now, Part } from "../../scripts.js" */

/** @param {string} text @param {boolean} pressed @param {number} region @param {() => void} act */
function chip(text, pressed, region, act) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = `chip${region >= 0 ? ` region-${region % 8}` : ""}`;
  button.setAttribute("aria-pressed", String(pressed));
  button.textContent = text;
  button.addEventListener("click", act);
  return button;
}

/** A number field; `act` is called with the number, or with null when cleared if `clears` permits that.
    @param {string} label @param {number | string} value @param {number} least @param {number} most
    @param {number} step @param {(value: number | null) => void} act @param {boolean} clears */
function number(label, value, least, most, step, act, clears = false) {
  const field = document.createElement("label");
  field.className = "editor-number";
  const input = Object.assign(document.createElement("input"), {
    type: "number", value: String(value), min: String(least), max: String(most), step: String(step),
    inputMode: step < 1 ? "decimal" : "numeric",
  });
  input.addEventListener("change", () => {
    if (!input.reportValidity()) return;
    if (input.value !== "" || clears) act(input.value === "" ? null : Number(input.value));
  });
  field.append(label, input);
  return field;
}

/** @param {Board} board @param {Part} part @param {Now} now @param {EditorActions} actions */
function* choices(board, part, now, actions) {
  const region = (/** @type {number} */ index) => (part.kind === "regions" ? index : -1);
  for (const [index, name] of Object.keys(board.value(part, {})).entries()) {
    yield chip(part.words[name] ?? name, name === now.chosen, region(index), () => actions.choose(name));
  }
}

/** @param {Board} board */
function* legend(board) {
  const part = board.parts.find(({ kind }) => kind === "regions");
  for (const [index, name] of Object.keys(part ? board.value(part, {}) : {}).entries()) {
    const shown = document.createElement("span");
    shown.className = `chip still region-${index % 8}`;
    shown.textContent = part?.words[name] ?? name;
    yield shown;
  }
}

/** Keep the fields while somebody types: the next tap may be on one of them.
    @param {Board} board @param {Record<string, string>} words @param {EditorActions} actions */
function* size(board, words, actions) {
  const circles = Object.values(board.layout.spaces ?? {}).filter(({ radius }) => radius);
  const across = () => Math.round(20 * (circles[0]?.radius ?? 1)) / 10;
  const shown = [() => board.size[0], () => board.size[1], across];
  /** @type {((mm: number) => void)[]} */
  const acts = [
    (mm) => board.resize(mm, board.size[1]), (mm) => board.resize(board.size[0], mm), (mm) => board.setRadius(mm / 2),
  ];
  const most = [2000, 2000, 400];
  const least = [10, 10, 1];
  /** @type {(i: number) => (mm: number | null) => void} */
  const act = (i) => (mm) => {
    acts[i](Number(mm));
    for (const [other, field] of fields.entries()) {
      if (other !== i) one("input", HTMLInputElement, field).value = String(shown[other]());
    }
    actions.changed();
  };
  const labels = [words.width, words.height, ...(circles.length ? [words.across] : [])];
  const fields = labels.map((label, i) => number(label, shown[i](), least[i], most[i], 0.1, act(i)));
  yield* fields;
}

/** The numbers of a row in order, and actions on the selected slot.
    @param {Board} board @param {Part} part @param {Now} now @param {Record<string, string>} words
    @param {EditorActions} actions */
function* track(board, part, now, words, actions) {
  const { at = [], points = [], full } = board.value(part, {});
  for (const slot of at.keys()) {
    const field = numberOf(String(slot + 1), points[slot] ?? "", board, part, ["points", slot], actions, true);
    field.dataset.slot = String(slot);
    field.addEventListener("focusin", () => actions.select(`${part.track}/${slot}`));
    yield field;
  }
  yield numberOf(words.full, full ?? "", board, part, ["full"], actions, true);
  const row = document.createElement("div");
  row.className = "editor-row-actions";
  const chosen = () => (now.selected.startsWith(`${part.track}/`) ? Number(now.selected.split("/")[1]) : -1);
  const gone = chip(words.deleteSlot.replace("9", String(chosen() + 1)), false, -1, () => {
    board.deleteSlot(part, chosen()); // the slot selected at that time
    actions.redraw();
  });
  gone.id = "delete-slot";
  gone.hidden = chosen() < 0 || chosen() >= at.length;
  row.append(chip(words.addSlot, false, -1, () => { board.addSlot(part); actions.redraw(); }), gone);
  yield row;
}

/** Keep the fields while somebody types: a phone's "next" key goes from one to the next.
    @param {string} label @param {number | string} value @param {Board} board @param {Part} part
    @param {(string | number)[]} key @param {EditorActions} actions @param {boolean} [clears] */
function numberOf(label, value, board, part, key, actions, clears) {
  return number(label, value, 0, 999, 1, (typed) => { board.setNumber(part, key, typed); actions.changed(); }, clears);
}

/** @param {string} title @param {...HTMLElement} parts */
function group(title, ...parts) {
  const box = document.createElement("fieldset");
  box.className = "editor-group";
  const legend = document.createElement("legend");
  legend.textContent = title;
  box.append(legend, ...parts);
  return box;
}

/** @param {Board} board @param {Part} part @param {Record<string, string>} words @param {EditorActions} actions */
function* numbers(board, part, words, actions) {
  for (const { title, numbers: own } of part.groups) {
    yield group(title, ...own.map(({ key, label }) => (
      numberOf(label, board.number(part, key) ?? "", board, part, key, actions))));
  }
  if (!part.exceptions) return;
  const { key, choices, labels, add } = part.exceptions;
  const found = board.exceptions(part);
  for (const [id, own] of Object.entries(found)) {
    const remove = chip("−", false, -1, () => { board.removeException(part, id); actions.redraw(); });
    remove.setAttribute("aria-label", `${words.remove}: ${choices[id] ?? id}`);
    yield group(choices[id] ?? id, ...labels.map((label, place) => (
      numberOf(label, own[place], board, part, [...key, id, place], actions))), remove);
  }
  const chooser = document.createElement("select");
  chooser.setAttribute("aria-label", add);
  const others = Object.entries(choices).filter(([id]) => !(id in found));
  chooser.append(new Option(add, ""), ...others.map(([id, name]) => new Option(name, id)));
  chooser.addEventListener("change", () => { board.addException(part, chooser.value); actions.redraw(); });
  yield chooser;
}

/** @param {Board} board @param {Now} now @param {Record<string, string>} words @param {EditorActions} actions */
export function panelOf(board, now, words, actions) {
  const part = board.part(now.tool);
  if (now.tool === "size") return size(board, words, actions);
  if (part?.kind === "track") return track(board, part, now, words, actions);
  if (part?.kind === "numbers") return numbers(board, part, words, actions);
  if (part?.kind === "regions" || part?.kind === "rings") return choices(board, part, now, actions);
  return now.tool === "corners" ? [] : legend(board);
}

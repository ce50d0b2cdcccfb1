/* What stands under the board for the tool in hand: names to choose, numbers to type. */

function chip(text, pressed, region, act) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = `chip${region >= 0 ? ` region-${region % 8}` : ""}`;
  button.setAttribute("aria-pressed", String(pressed));
  button.textContent = text;
  button.addEventListener("click", act);
  return button;
}

function number(label, value, least, most, step, act) {
  const field = document.createElement("label");
  field.className = "editor-number";
  const input = Object.assign(document.createElement("input"), {
    type: "number", value, min: least, max: most, step, inputMode: step < 1 ? "decimal" : "numeric",
  });
  input.addEventListener("change", () => { if (input.value !== "" && input.checkValidity()) act(Number(input.value)); });
  field.append(label, input);
  return field;
}

function* choices(board, part, now, deeds) {
  const region = (index) => (part.kind === "regions" ? index : -1);
  for (const [index, name] of Object.keys(board.value(part, {})).entries()) {
    yield chip(part.words[name] ?? name, name === now.chosen, region(index), () => deeds.choose(name));
  }
}

function* legend(board) {
  const part = board.parts.find(({ kind }) => kind === "regions");
  for (const [index, name] of Object.keys(part ? board.value(part, {}) : {}).entries()) {
    const shown = document.createElement("span");
    shown.className = `chip still region-${index % 8}`;
    shown.textContent = part.words[name] ?? name;
    yield shown;
  }
}

function* size(board, words, deeds) {
  const [width, height] = board.size;
  yield number(words.width, width, 10, 2000, 0.1, (mm) => { board.resize(mm, board.size[1]); deeds.redraw(); });
  yield number(words.height, height, 10, 2000, 0.1, (mm) => { board.resize(board.size[0], mm); deeds.redraw(); });
  const radius = Object.values(board.layout.spaces)[0]?.radius ?? 1;
  yield number(words.across, Math.round(20 * radius) / 10, 1, 400, 0.1, (mm) => { board.setRadius(mm / 2); deeds.redraw(); });
}

function* track(board, part, words, deeds) {
  const { points = [], full } = board.value(part, {});
  for (const [slot, value] of points.entries()) {
    yield numberOf(String(slot + 1), value, board, part, ["points", slot], deeds);
  }
  yield numberOf(words.full, full, board, part, ["full"], deeds);
  yield chip("−", false, -1, () => { board.lengthen(part, -1); deeds.redraw(); });
  yield chip("+", false, -1, () => { board.lengthen(part, 1); deeds.redraw(); });
}

/** The fields stay while they are typed in: a phone's "next" goes from one to the other. */
function numberOf(label, value, board, part, key, deeds) {
  return number(label, value, 0, 999, 1, (typed) => { board.setNumber(part, key, typed); deeds.changed(); });
}

function group(title, ...parts) {
  const box = document.createElement("fieldset");
  box.className = "editor-group";
  const legend = document.createElement("legend");
  legend.textContent = title;
  box.append(legend, ...parts);
  return box;
}

function* numbers(board, part, words, deeds) {
  for (const { title, numbers: own } of part.groups) {
    yield group(title, ...own.map(({ key, label }) => numberOf(label, board.number(part, key) ?? "", board, part, key, deeds)));
  }
  if (!part.exceptions) return;
  const { key, choices, labels, add } = part.exceptions;
  const found = board.exceptions(part);
  for (const [id, own] of Object.entries(found)) {
    const remove = chip("−", false, -1, () => { board.removeException(part, id); deeds.redraw(); });
    remove.setAttribute("aria-label", `${words.remove}: ${choices[id] ?? id}`);
    yield group(choices[id] ?? id, ...labels.map((label, place) => (
      numberOf(label, own[place], board, part, [...key, id, place], deeds))), remove);
  }
  const chooser = document.createElement("select");
  chooser.setAttribute("aria-label", add);
  chooser.append(new Option(add, ""), ...Object.entries(choices).filter(([id]) => !(id in found)).map(([id, name]) => new Option(name, id)));
  chooser.addEventListener("change", () => { board.addException(part, chooser.value); deeds.redraw(); });
  yield chooser;
}

export function panelOf(board, now, words, deeds) {
  const part = board.part(now.tool);
  if (now.tool === "size") return size(board, words, deeds);
  if (part?.kind === "track") return track(board, part, words, deeds);
  if (part?.kind === "numbers") return numbers(board, part, words, deeds);
  if (part?.kind === "regions" || part?.kind === "rings") return choices(board, part, now, deeds);
  return now.tool === "corners" ? [] : legend(board);
}

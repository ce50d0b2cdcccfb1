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
    yield number(String(slot + 1), value, 0, 999, 1, (typed) => {
      board.setPoints(part, points.map((old, other) => (other === slot ? typed : old)), full);
      deeds.redraw();
    });
  }
  yield number(words.full, full, 0, 999, 1, (typed) => { board.setPoints(part, points, typed); deeds.redraw(); });
  yield chip("−", false, -1, () => { board.lengthen(part, -1); deeds.redraw(); });
  yield chip("+", false, -1, () => { board.lengthen(part, 1); deeds.redraw(); });
}

export function panelOf(board, now, words, deeds) {
  const part = board.part(now.tool);
  if (now.tool === "size") return size(board, words, deeds);
  if (part?.kind === "track") return track(board, part, words, deeds);
  if (part?.kind === "regions" || part?.kind === "rings") return choices(board, part, now, deeds);
  return now.tool === "corners" ? [] : legend(board);
}

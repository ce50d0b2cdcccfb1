/* What was entered in forms and not sent yet, kept when the part of the page that they are in is drawn anew. */

import { all } from "./dom.js";

/** Fields that the server fills in anew. */
export const UNTYPED = ["csrf_token", "shown", "together", "revision", "back", "delivery"];

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Field */
/** @type {(element: unknown) => element is Field} */
const isField = (element) => element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement ||
  (element instanceof HTMLInputElement && !["hidden", "file"].includes(element.type));
/** @type {(field: Field) => field is HTMLInputElement} */
const isTicked = (field) => field instanceof HTMLInputElement && ["radio", "checkbox"].includes(field.type);

/** What tells a form from others: where it goes, and what it says by itself.
    @param {HTMLFormElement} form */
function nameOf(form) {
  const fixed = all("input[type=hidden]", HTMLInputElement, form).filter(({ name }) => !UNTYPED.includes(name));
  return JSON.stringify([form.getAttribute("action"), ...fixed.map(({ name, value }) => [name, value])]);
}

/** The fields of forms in a part of the page, by form and name, those alike in order.
    @param {ParentNode} part */
function fieldsOf(part) {
  /** @type {Map<string, Field>} */
  const found = new Map();
  for (const form of all("form", HTMLFormElement, part)) {
    for (const field of [...form.elements].filter(isField)) {
      const own = [nameOf(form), field.name, isTicked(field) ? field.value : ""];
      let nth = 0;
      while (found.has(JSON.stringify([...own, nth]))) nth += 1;
      found.set(JSON.stringify([...own, nth]), field);
    }
  }
  return found;
}

/** @param {Field} field */
function isChanged(field) {
  if (isTicked(field)) return field.checked !== field.defaultChecked;
  if (!(field instanceof HTMLSelectElement)) return field.value !== field.defaultValue;
  const chosen = [...field.options].findIndex((option) => option.defaultSelected);
  return field.selectedIndex !== Math.max(chosen, 0);
}

/** Draw a part of the page anew; what was entered there and not sent is entered again.
    @param {HTMLElement} part @param {() => void} draw */
export function keepUnsent(part, draw) {
  const before = [...fieldsOf(part)];
  const changed = before.filter(([, field]) => isChanged(field));
  const focused = before.find(([, field]) => field === document.activeElement)?.[0] ?? "";
  draw();
  const after = fieldsOf(part);
  after.get(focused)?.focus({ preventScroll: true }); // first: it may select what is there
  for (const [name, was] of changed) {
    const field = after.get(name);
    if (!field) continue;
    if (isTicked(field) && isTicked(was)) field.checked = was.checked;
    else if (!(field instanceof HTMLSelectElement) || [...field.options].some(({ value }) => value === was.value)) {
      field.value = was.value;
    }
  }
}

/** Empty a form that was answered, also where it was drawn anew meanwhile.
    @param {HTMLFormElement} form */
export function emptied(form) {
  const name = nameOf(form);
  for (const one of [form, ...all("form", HTMLFormElement)]) if (nameOf(one) === name) one.reset();
}

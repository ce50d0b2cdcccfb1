/* Typed access to a page's elements: an element of an unexpected kind is an error. */

/** @template {HTMLElement | SVGElement} T @typedef {abstract new (...args: never[]) => T} Kind */

/**
 * The element that a selector finds within a part of the page, or null.
 * @template {HTMLElement | SVGElement} [T=HTMLElement]
 * @param {string} selector
 * @param {Kind<T>} [kind]
 * @param {ParentNode} [within]
 * @returns {T | null}
 */
export function maybe(selector, kind, within = document) {
  const found = within.querySelector(selector);
  return found && as(found, kind, selector);
}

/**
 * The element that a selector finds; throws an Error if there is none.
 * @template {HTMLElement | SVGElement} [T=HTMLElement]
 * @param {string} selector
 * @param {Kind<T>} [kind]
 * @param {ParentNode} [within]
 * @returns {T}
 */
export function one(selector, kind, within = document) {
  return as(within.querySelector(selector), kind, selector);
}

/**
 * All elements that a selector finds.
 * @template {HTMLElement | SVGElement} [T=HTMLElement]
 * @param {string} selector
 * @param {Kind<T>} [kind]
 * @param {ParentNode} [within]
 */
export function all(selector, kind, within = document) {
  return Array.from(within.querySelectorAll(selector), (found) => as(found, kind, selector));
}

/**
 * The element with an id; throws an Error if there is none.
 * @template {HTMLElement | SVGElement} [T=HTMLElement]
 * @param {string} id
 * @param {Kind<T>} [kind]
 */
export const byId = (id, kind) => as(document.getElementById(id), kind, `#${id}`);

/**
 * An event's target, or its nearest ancestor that matches a selector; null for the document, or without a
 * match.
 * @template {HTMLElement | SVGElement} [T=HTMLElement]
 * @param {{ target: EventTarget | null }} event
 * @param {string} selector
 * @param {Kind<T>} [kind]
 */
export function closest({ target }, selector, kind) {
  const found = target instanceof Element ? target.closest(selector) : null;
  return found && as(found, kind, selector);
}

/**
 * @template {HTMLElement | SVGElement} T
 * @param {Element | null} found
 * @param {Kind<T> | undefined} kind
 * @param {string} selector
 * @returns {T}
 */
function as(found, kind, selector) {
  const wanted = /** @type {Kind<T>} */ (kind ?? HTMLElement);
  if (found instanceof wanted) return found;
  throw new TypeError(`${selector} is ${found?.constructor.name ?? "not on this page"}, no ${wanted.name}`);
}

/**
 * An element's `data-` attributes, typed as present.
 * @param {HTMLOrSVGElement} element
 */
export const data = (element) => /** @type {Record<string, string>} */ (element.dataset);

/**
 * The submitted form.
 * @param {SubmitEvent} event
 */
export const submitted = ({ target }) => as(/** @type {Element} */ (target), HTMLFormElement, "what is submitted");

/**
 * A form's text fields, without files.
 * @param {FormData} form
 */
export const texts = (form) => [...form].flatMap(([name, value]) => (
  typeof value === "string" ? [/** @type {[string, string]} */ ([name, value])] : []));

const LONGEST_PRESS = 2000; // ms: longer presses are no taps
const CLICK_FOLLOWS = 400; // ms: the click of a touch comes some time after the finger is lifted, or never
const down = new Set(); // pointers
let isDown = false; // or its click is still to come
let lifting = 0;

/** @param {number} after in ms */
function lift(after) {
  if (down.size) return;
  clearTimeout(lifting);
  lifting = setTimeout(() => {
    isDown = false;
    document.dispatchEvent(new Event("lifted"));
  }, after);
}

document.addEventListener("pointerdown", ({ pointerId }) => {
  clearTimeout(lifting);
  isDown = true;
  down.add(pointerId);
}, true);
document.addEventListener("pointerup", ({ pointerId }) => {
  down.delete(pointerId);
  lift(CLICK_FOLLOWS);
}, true);
document.addEventListener("pointercancel", ({ pointerId }) => {
  down.delete(pointerId);
  lift(0);
}, true);
document.addEventListener("click", () => lift(0), true); // after what it does

/** Wait until no finger is down and its click has come: redrawing before would lose the tap, or change its target. */
export const released = () => new Promise((done) => {
  if (!isDown) return done(undefined);
  document.addEventListener("lifted", done, { once: true });
  return setTimeout(done, LONGEST_PRESS);
});

/** A video's current picture from a camera, or null.
    @param {HTMLVideoElement} video */
export const streamOf = ({ srcObject }) => (srcObject instanceof MediaStream ? srcObject : null);

/**
 * The first element in a part of the page.
 * @template {HTMLElement | SVGElement} [T=HTMLElement]
 * @param {ParentNode} within
 * @param {Kind<T>} [kind]
 */
export const first = (within, kind) => as(within.firstElementChild, kind, "the first element");

/** Create an SVG element, without attributes that are undefined or null.
    @param {string} name @param {Record<string, string | number | null | undefined>} attributes
    @param {...(Node | string)} children */
export function made(name, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null) element.setAttribute(key, String(value));
  }
  element.append(...children);
  return element;
}

/* Draws a board over its photograph, in millimetres. */

import { closest, made, maybe, one } from "./dom.js";

/** @import { Board } from "./editor_board.js" */
/** @import { Now, Part, Place, Point } from "../../scripts.js" */

const NARROW = matchMedia("(max-width: 55.99rem)");
const ROW_SHARE = 0.5; // the height shown around a row, relative to the board's width
const GLYPH = 0.6; // a letter's width relative to its size
const FINGER = 20; // px around a circle's centre that count as a hit

/** The height of a place's label in mm.
    @param {Place} place */
const textSize = ({ outline, radius }) => Math.max(outline ? Math.min(radius * 0.4, 8) : radius * 0.9, 3);

/** A circle's label: a track's number, a space's number within its region, or a letter.
    @param {Place} place */
function label(place) {
  if (place.outline && place.name.length * GLYPH * textSize(place) > 2 * place.radius) return "";
  return place.label ?? place.name.match(/\d+$/)?.[0] ?? place.name.replace(/^\W*(the )?/i, "").slice(0, 1);
}

/** The rings of a part with their spaces.
    @type {(board: Board, part: Part) => [string, string[]][]} */
const ringsOf = (board, part) => Object.entries(board.value(part, {}));

/** Which element is the same as before: a place's, else the one at the same position.
    @param {Element} child @param {number} at */
const keyOf = (child, at) => child.getAttribute("data-place") ?? at;

/** Change elements to fresh ones, touching only what differs: a drag redraws the board many times a second.
    @param {Element} old @param {Iterable<Element>} children */
function refill(old, children) {
  const before = [...old.children];
  const kept = new Map(before.map((child, at) => [keyOf(child, at), child]));
  const now = [...children].map((child, at) => {
    const same = kept.get(keyOf(child, at));
    if (same?.tagName !== child.tagName) return child;
    if (!same.isEqualNode(child)) change(same, child);
    return same;
  });
  if (now.length !== before.length || now.some((child, at) => child !== before[at])) old.replaceChildren(...now);
}

/** Set those attributes that differ.
    @param {Element} element @param {Record<string, string | number>} attributes */
function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value));
  }
}

/** @param {Element} old @param {Element} fresh */
function change(old, fresh) {
  for (const name of old.getAttributeNames()) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  set(old, Object.fromEntries([...fresh.attributes].map(({ name, value }) => [name, value])));
  if (fresh.childElementCount) refill(old, fresh.children);
  else if (old.textContent !== fresh.textContent) old.textContent = fresh.textContent;
}

export class Drawing {
  /** @param {SVGSVGElement} svg */
  constructor(svg) {
    this.svg = svg;
    this.photo = one("image", SVGImageElement, svg);
    this.scene = one("#editor-scene", SVGElement, svg);
    const layer = (/** @type {string} */ name) => made("g", { class: `editor-${name}` });
    this.layers = { rings: layer("rings"), links: layer("links"), places: layer("places") };
    this.scene.append(...Object.values(this.layers));
    this.reach = 0; // a finger's, in mm, once it is drawn
  }

  /** mm per screen px. */
  get scale() { return 1 / (this.svg.getScreenCTM()?.a || 1); }

  /** @param {Board} board @param {Now} now */
  draw(board, { tool, chosen, selected, lit, picture }) {
    const [width, height] = board.size;
    const [top, shown] = this.part(board, board.part(tool));
    set(this.svg, { viewBox: `0 ${top} ${width} ${shown}`, "data-tool": tool });
    set(this.photo, { ...(picture && { href: picture }), width, height });
    this.reach = FINGER * this.scale;
    const part = board.part(tool);
    /** @type {(id: string) => Point} */
    const at = (id) => board.layout.spaces?.[id]?.at ?? [0, 0];
    refill(this.layers.rings, this.rings(board, part, chosen, at));
    refill(this.layers.links, this.links(board, part, at));
    const marks = board.parts.filter(({ kind }) => kind === "marks").flatMap((own) => board.value(own));
    const ring = part?.kind === "rings" ? board.value(part, {})[chosen] ?? [] : [];
    const focused = document.activeElement?.getAttribute("data-place");
    const handles = tool === "places" ? board.handles(selected) : [];
    refill(this.layers.places, [...board.places(), ...handles].map((place) => this.place(place, {
      region: place.part ? -1 : board.regionOf(place.id),
      below: part && place.part === part,
      classes: [
        place.doubt && "doubtful", place.part && "slot", place.outline && "area", place.area && "handle",
        part && place.part === part && "now",
        marks.includes(place.id) && "marked",
        selected === place.id && "selected", (lit.includes(place.id) || ring.includes(place.id)) && "lit",
      ],
    })));
    if (!focused || document.activeElement?.getAttribute("data-place") === focused) return;
    maybe(`[data-place="${CSS.escape(focused)}"]`, SVGElement, this.layers.places)?.focus({ preventScroll: true });
  }

  /** The top and height of the visible part of the board: on small screens, the surroundings of a row
      whose numbers are being typed below.
      @param {Board} board @param {Part | undefined} part */
  part(board, part) {
    const [width, height] = board.size;
    const track = part?.kind === "track" ? board.value(part, {}) : {};
    const rows = (track.at ?? []).map((/** @type {Point} */ [, y]) => y);
    if (!rows.length || !NARROW.matches) return [0, height];
    const [first, last] = [Math.min(...rows), Math.max(...rows)];
    const shown = Math.min(height, Math.max(width * ROW_SHARE, last - first + 4 * track.radius));
    return [Math.min(Math.max((first + last - shown) / 2, 0), height - shown), shown];
  }

  /** @param {Board} board @param {Part | undefined} part @param {string} chosen @param {(id: string) => Point} at */
  *rings(board, part, chosen, at) {
    for (const own of board.parts.filter(({ kind }) => kind === "rings")) {
      for (const [name, spaces] of ringsOf(board, own)) {
        const now = own === part && name === chosen;
        yield made("polygon", { points: spaces.map((id) => at(id).join(",")).join(" "), class: now ? "now" : "" });
      }
    }
  }

  /** @param {Board} board @param {Part | undefined} part @param {(id: string) => Point} at */
  *links(board, part, at) {
    for (const own of board.parts.filter(({ kind }) => kind === "links")) {
      for (const [a, b] of board.value(own)) {
        const [[x1, y1], [x2, y2]] = [at(a), at(b)];
        const doubt = board.doubtful[`${a}-${b}`] ?? board.doubtful[`${b}-${a}`];
        const classes = [own.dashed && "dashed", own === part && "now", doubt && "doubtful"];
        yield made("line", { x1, y1, x2, y2, class: classes.filter(Boolean).join(" ") });
      }
    }
  }

  /** A circle with its label, or with the label `below` it where the print must be readable.
      @param {Place} place
      @param {{ region: number, below: boolean | undefined, classes: (string | false | undefined)[] }} how */
  place(place, { region, below, classes }) {
    const { x, y, radius } = place;
    const size = textSize(place);
    const baseline = below ? y + radius + size : y + size * 0.36;
    return made("g", {
      class: ["editor-place", region >= 0 && `region-${region % 8}`, ...classes].filter(Boolean).join(" "),
      "data-place": place.id, tabindex: 0, role: "button",
      "aria-label": place.doubt ? `${place.name}: ${place.doubt}` : place.name,
    },
    ...(place.outline ? [
      made("polygon", { class: "rim", points: place.outline.map((point) => point.join(",")).join(" ") }),
    ] : [
      made("circle", { class: "reach", cx: x, cy: y, r: Math.max(radius, this.reach) }),
      made("circle", { class: "rim", cx: x, cy: y, r: radius }),
    ]),
    made("text", { x, y: baseline, "font-size": size }, label(place)));
  }

  /** The circle nearest to a screen point within a finger's reach, else the area there.
      @param {Board} board @param {MouseEvent} event @param {Place[]} handles */
  nearest(board, event, handles) {
    const point = this.point(event);
    const places = board.places();
    const id = closest(event, "[data-place]", SVGElement)?.dataset.place;
    let best = places.find((place) => place.outline && place.id === id) ?? null;
    let least = Infinity;
    for (const place of [...places, ...handles]) {
      if (place.outline) continue;
      const away = Math.hypot(place.x - point.x, place.y - point.y);
      if (away < least && away < Math.max(place.radius, FINGER * this.scale)) [best, least] = [place, away];
    }
    return best;
  }

  /** An event's position on the board in mm.
      @param {MouseEvent} event */
  point(event) {
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM()?.inverse());
  }
}

/** The part of a drawing under a finger, magnified beside it. */
export class Loupe {
  /** @param {SVGSVGElement} svg */
  constructor(svg) { this.svg = svg; }

  /** @param {MouseEvent} event @param {number} x @param {number} y @param {number} reach */
  show(event, x, y, reach) {
    this.svg.removeAttribute("hidden");
    this.svg.setAttribute("viewBox", `${x - reach} ${y - reach} ${2 * reach} ${2 * reach}`);
    const { width, height } = this.svg.getBoundingClientRect();
    const gap = 40;
    const above = event.clientY - gap - height;
    const top = above > 4 ? above : event.clientY + gap;
    const left = Math.min(Math.max(event.clientX - width / 2, 4), innerWidth - width - 4);
    this.svg.style.transform = `translate(${left}px, ${top}px)`;
  }

  hide() { this.svg.setAttribute("hidden", ""); }
}

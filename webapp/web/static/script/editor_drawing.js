/* Draws a board over its photograph, in millimetres. */

const SVG = "http://www.w3.org/2000/svg";
const NARROW = matchMedia("(max-width: 55.99rem)");
const ROW_SHARE = 0.5; // of the board's width that is shown of its height about a row
const FINGER = 20; // px around a circle's middle that still mean it

export function made(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null) element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

/** What stands on a circle: a track's number, a space's number within its region, or a letter. */
function label(place) {
  return place.label ?? place.name.match(/\d+$/)?.[0] ?? place.name.replace(/^\W*(the )?/i, "").slice(0, 1);
}

export class Drawing {
  constructor(svg) {
    this.svg = svg;
    this.photo = svg.querySelector("image");
    this.scene = svg.querySelector("#editor-scene");
    this.layers = Object.fromEntries(["rings", "links", "places"].map((name) => [name, made("g", { class: `editor-${name}` })]));
    this.scene.append(...Object.values(this.layers));
  }

  /** mm for one px on the screen. */
  get scale() { return 1 / (this.svg.getScreenCTM()?.a || 1); }

  draw(board, { tool, chosen, selected, lit, picture }) {
    const [width, height] = board.size;
    const [top, shown] = this.part(board, board.part(tool));
    this.svg.setAttribute("viewBox", `0 ${top} ${width} ${shown}`);
    this.svg.dataset.tool = tool;
    if (picture && this.photo.getAttribute("href") !== picture) this.photo.setAttribute("href", picture);
    this.photo.setAttribute("width", width);
    this.photo.setAttribute("height", height);
    const part = board.part(tool);
    const at = (id) => board.layout.spaces[id]?.at ?? [0, 0];
    this.layers.rings.replaceChildren(...this.rings(board, part, chosen, at));
    this.layers.links.replaceChildren(...this.links(board, part, at));
    const marks = board.parts.filter(({ kind }) => kind === "marks").flatMap((own) => board.value(own));
    const ring = part?.kind === "rings" ? board.value(part, {})[chosen] ?? [] : [];
    const focused = document.activeElement?.dataset?.place;
    this.layers.places.replaceChildren(...board.places().map((place) => this.place(place, {
      region: place.part ? -1 : board.regionOf(place.id),
      below: part && place.part === part,
      classes: [
        place.doubt && "doubtful", place.part && "slot", part && place.part === part && "now", marks.includes(place.id) && "marked",
        selected === place.id && "selected", (lit.includes(place.id) || ring.includes(place.id)) && "lit",
      ],
    })));
    if (focused) this.layers.places.querySelector(`[data-place="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }

  /** Where the part of the board begins that is shown, and how high it is: where there is little room,
      that about a row whose numbers are typed below it. */
  part(board, part) {
    const [width, height] = board.size;
    const rows = part?.kind === "track" ? (board.value(part, {}).at ?? []).map(([, y]) => y) : [];
    if (!rows.length || !NARROW.matches) return [0, height];
    const [first, last] = [Math.min(...rows), Math.max(...rows)];
    const shown = Math.min(height, Math.max(width * ROW_SHARE, last - first + 4 * board.value(part).radius));
    return [Math.min(Math.max((first + last - shown) / 2, 0), height - shown), shown];
  }

  *rings(board, part, chosen, at) {
    for (const own of board.parts.filter(({ kind }) => kind === "rings")) {
      for (const [name, spaces] of Object.entries(board.value(own, {}))) {
        const now = own === part && name === chosen;
        yield made("polygon", { points: spaces.map((id) => at(id).join(",")).join(" "), class: now ? "now" : "" });
      }
    }
  }

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

  /** A circle with what stands on it; or `below` it, where the print on it is read. */
  place(place, { region, below, classes }) {
    const { x, y, radius } = place;
    const size = Math.max(radius * 0.9, 3);
    const baseline = below ? y + radius + size : y + size * 0.36;
    return made("g", {
      class: ["editor-place", region >= 0 && `region-${region % 8}`, ...classes].filter(Boolean).join(" "),
      "data-place": place.id, tabindex: 0, role: "button",
      "aria-label": place.doubt ? `${place.name}: ${place.doubt}` : place.name,
    },
    made("circle", { class: "reach", cx: x, cy: y, r: Math.max(radius, FINGER * this.scale) }),
    made("circle", { class: "rim", cx: x, cy: y, r: radius }),
    made("text", { x, y: baseline, "font-size": size }, label(place)));
  }

  /** The place nearest to a point of the screen, or none within a finger's reach. */
  nearest(board, event) {
    const point = this.point(event);
    let best = null;
    let least = Infinity;
    for (const place of board.places()) {
      const away = Math.hypot(place.x - point.x, place.y - point.y);
      if (away < least && away < Math.max(place.radius, FINGER * this.scale)) [best, least] = [place, away];
    }
    return best;
  }

  point(event) {
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
  }
}

/** The part of a drawing under a finger, shown beside it. */
export class Loupe {
  constructor(svg) { this.svg = svg; }

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

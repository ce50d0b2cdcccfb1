/* The board's four corners, dragged in the photograph. */

import { closest, made, maybe, one } from "./dom.js";
import { ARROWS } from "./board_taps.js";

/** @import { Loupe } from "./editor_drawing.js" */
/** @import { Point } from "../../scripts.js" */

const NAMES = [0, 1, 2, 3];

export class Corners {
  /** `moved` is called with the corners (fractions of the photograph) when one is released.
      @param {SVGSVGElement} svg @param {Loupe} loupe @param {(corners: Point[]) => void} moved */
  constructor(svg, loupe, moved) {
    this.svg = svg;
    this.loupe = loupe;
    this.moved = moved;
    /** @type {Point[]} */
    this.corners = [];
    this.width = 0;
    this.height = 0;
    /** @type {{ corner: number, dx: number, dy: number } | null} */
    this.held = null;
    this.later = 0;
    this.photo = one("image", SVGImageElement, svg);
    this.scene = one("#corners-scene", SVGElement, svg);
    svg.addEventListener("pointerdown", (event) => this.take(event));
    svg.addEventListener("pointermove", (event) => this.drag(event));
    for (const end of ["pointerup", "pointercancel"]) svg.addEventListener(end, () => this.release());
    svg.addEventListener("keydown", (event) => this.nudge(event));
  }

  /** @param {Point[]} corners @param {string} picture */
  async show(corners, picture) {
    this.corners = corners.map(([x, y]) => [x, y]);
    if (this.photo.getAttribute("href") !== picture) {
      this.photo.setAttribute("href", picture);
      const image = new Image();
      image.src = picture;
      await image.decode();
      [this.width, this.height] = [image.naturalWidth, image.naturalHeight];
      this.svg.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
      this.photo.setAttribute("width", String(this.width));
      this.photo.setAttribute("height", String(this.height));
    }
    this.draw();
  }

  /** Screen px per px of the photograph. */
  get scale() { return this.svg.getScreenCTM()?.a || 1; }

  draw() {
    const focused = document.activeElement?.getAttribute("data-corner");
    const points = this.corners.map(([x, y]) => [x * this.width, y * this.height]);
    const radius = 14 / this.scale;
    this.scene.replaceChildren(
      made("polygon", { points: points.map((point) => point.join(",")).join(" ") }),
      ...NAMES.map((corner) => {
        const [cx, cy] = points[corner];
        const named = { tabindex: 0, role: "button", "aria-label": corner + 1 };
        return made("g", { class: "editor-corner", "data-corner": corner, ...named },
          made("circle", { cx, cy, r: radius }),
          made("text", { x: cx, y: cy + radius * 0.36, "font-size": radius }, String(corner + 1)));
      }));
    if (focused) maybe(`[data-corner="${focused}"]`, SVGElement, this.scene)?.focus({ preventScroll: true });
  }

  /** @param {MouseEvent} event */
  point(event) {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM()?.inverse());
    return [x, y];
  }

  /** @param {PointerEvent} event */
  take(event) {
    const [x, y] = this.point(event);
    const away = this.corners.map(([cx, cy]) => Math.hypot(cx * this.width - x, cy * this.height - y));
    const nearest = away.indexOf(Math.min(...away));
    if (away[nearest] * this.scale > 44) return;
    event.preventDefault();
    this.svg.setPointerCapture(event.pointerId);
    const [cx, cy] = this.corners[nearest];
    this.held = { corner: nearest, dx: cx * this.width - x, dy: cy * this.height - y };
    this.drag(event);
  }

  /** @param {PointerEvent} event */
  drag(event) {
    if (!this.held) return;
    const [x, y] = this.point(event);
    this.put(this.held.corner, x + this.held.dx, y + this.held.dy);
    this.draw();
    this.loupe.show(event, x + this.held.dx, y + this.held.dy, 45 / this.scale);
  }

  /** @param {number} corner @param {number} x @param {number} y */
  put(corner, x, y) {
    const inside = (/** @type {number} */ value, /** @type {number} */ most) => Math.min(Math.max(value / most, 0), 1);
    this.corners[corner] = [inside(x, this.width), inside(y, this.height)];
  }

  release() {
    if (!this.held) return;
    this.held = null;
    this.loupe.hide();
    this.moved(this.corners);
  }

  /** @param {KeyboardEvent} event */
  nudge(event) {
    const corner = closest(event, "[data-corner]", SVGElement)?.dataset.corner;
    const way = ARROWS[event.key];
    if (corner === undefined || !way) return;
    event.preventDefault();
    const step = event.shiftKey ? 10 : 1;
    const [x, y] = this.corners[Number(corner)];
    this.put(Number(corner), x * this.width + way[0] * step, y * this.height + way[1] * step);
    this.draw();
    clearTimeout(this.later);
    this.later = setTimeout(() => this.moved(this.corners), 600);
  }
}

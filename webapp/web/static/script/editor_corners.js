/* The board's four corners, dragged in the photograph itself. */

import { made } from "./editor_drawing.js";

const NAMES = [0, 1, 2, 3];

export class Corners {
  /** `moved` is called with the corners (shares of the photograph) when one has been let go. */
  constructor(svg, loupe, moved) {
    Object.assign(this, { svg, loupe, moved });
    this.photo = svg.querySelector("image");
    this.scene = svg.querySelector("#corners-scene");
    svg.addEventListener("pointerdown", (event) => this.take(event));
    svg.addEventListener("pointermove", (event) => this.drag(event));
    for (const end of ["pointerup", "pointercancel"]) svg.addEventListener(end, () => this.release());
    svg.addEventListener("keydown", (event) => this.nudge(event));
  }

  async show(corners, picture) {
    this.corners = corners.map((corner) => [...corner]);
    if (this.photo.getAttribute("href") !== picture) {
      this.photo.setAttribute("href", picture);
      const image = new Image();
      image.src = picture;
      await image.decode();
      [this.width, this.height] = [image.naturalWidth, image.naturalHeight];
      this.svg.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
      this.photo.setAttribute("width", this.width);
      this.photo.setAttribute("height", this.height);
    }
    this.draw();
  }

  draw() {
    const focused = document.activeElement?.dataset?.corner;
    const points = this.corners.map(([x, y]) => [x * this.width, y * this.height]);
    const radius = 14 / (this.svg.getScreenCTM()?.a || 1);
    this.scene.replaceChildren(
      made("polygon", { points: points.map((point) => point.join(",")).join(" ") }),
      ...NAMES.map((corner) => {
        const [cx, cy] = points[corner];
        return made("g", { class: "editor-corner", "data-corner": corner, tabindex: 0, role: "button", "aria-label": corner + 1 },
          made("circle", { cx, cy, r: radius }),
          made("text", { x: cx, y: cy + radius * 0.36, "font-size": radius }, corner + 1));
      }));
    if (focused) this.scene.querySelector(`[data-corner="${focused}"]`)?.focus({ preventScroll: true });
  }

  point(event) {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    return [x, y];
  }

  take(event) {
    const [x, y] = this.point(event);
    const away = this.corners.map(([cx, cy]) => Math.hypot(cx * this.width - x, cy * this.height - y));
    const nearest = away.indexOf(Math.min(...away));
    if (away[nearest] * this.svg.getScreenCTM().a > 44) return;
    event.preventDefault();
    this.svg.setPointerCapture(event.pointerId);
    const [cx, cy] = this.corners[nearest];
    this.held = { corner: nearest, dx: cx * this.width - x, dy: cy * this.height - y };
    this.drag(event);
  }

  drag(event) {
    if (!this.held) return;
    const [x, y] = this.point(event);
    this.put(this.held.corner, x + this.held.dx, y + this.held.dy);
    this.draw();
    this.loupe.show(event, x + this.held.dx, y + this.held.dy, 45 / this.svg.getScreenCTM().a);
  }

  put(corner, x, y) {
    const inside = (value, most) => Math.min(Math.max(value / most, 0), 1);
    this.corners[corner] = [inside(x, this.width), inside(y, this.height)];
  }

  release() {
    if (!this.held) return;
    this.held = null;
    this.loupe.hide();
    this.moved(this.corners);
  }

  nudge(event) {
    const corner = event.target.closest?.("[data-corner]")?.dataset.corner;
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (corner === undefined || !way) return;
    event.preventDefault();
    const step = event.shiftKey ? 10 : 1;
    const [x, y] = this.corners[corner];
    this.put(Number(corner), x * this.width + way[0] * step, y * this.height + way[1] * step);
    this.draw();
    clearTimeout(this.later);
    this.later = setTimeout(() => this.moved(this.corners), 600);
  }
}

/* The shapes of places in a layout, in mm: circles and bars around a centre, polygons, and wedges, which
   are parts of a ring between two directions in degrees clockwise from the top. */

/** @import { Point, Shape } from "../../scripts.js" */

const STEP = 5; // degrees between two points of an arc
const HUNDREDTHS = 100;

/** @param {number} value */
const tidy = (value) => Math.round(value * HUNDREDTHS) / HUNDREDTHS;

/** @param {Point} centre @param {number} radius @param {number} direction @returns {Point} */
function onArc([x, y], radius, direction) {
  const turn = (direction * Math.PI) / 180;
  return [x + radius * Math.sin(turn), y - radius * Math.cos(turn)];
}

/** The draggable corners of an area, clockwise: a polygon's, or the ends of a wedge's arcs.
    @param {Shape} shape @returns {Point[]} */
export function cornersOf({ points, centre, radii, from = 0, to = 0 }) {
  if (points) return points;
  if (!centre || !radii) return [];
  const [inner, outer] = radii;
  return [onArc(centre, outer, from), onArc(centre, outer, to), onArc(centre, inner, to), onArc(centre, inner, from)];
}

/** The outline of a shape; [] for a circle.
    @param {Shape} shape @returns {Point[]} */
export function outlineOf(shape) {
  const { at, size, turn = 0, centre, radii, from = 0, to = 0 } = shape;
  if (at && size) {
    const [length, width] = size.map((side) => side / 2);
    const [c, s] = [Math.cos((turn * Math.PI) / 180), Math.sin((turn * Math.PI) / 180)];
    return [[length, width], [-length, width], [-length, -width], [length, -width]].map(([u, v]) => (
      [at[0] + c * u - s * v, at[1] + s * u + c * v]));
  }
  if (!centre || !radii) return cornersOf(shape);
  const steps = Math.max(2, Math.ceil((to - from) / STEP));
  const turns = [...Array(steps + 1).keys()].map((step) => from + ((to - from) * step) / steps);
  return [...turns.map((turn) => onArc(centre, radii[1], turn)),
    ...turns.reverse().map((turn) => onArc(centre, radii[0], turn))];
}

/** @param {Shape} shape @returns {Point} */
export function middleOf({ at, points, centre, radii, from = 0, to = 0 }) {
  if (at) return at;
  if (centre && radii) return onArc(centre, (radii[0] + radii[1]) / 2, (from + to) / 2);
  const sum = (points ?? []).reduce(([x, y], [px, py]) => [x + px, y + py], [0, 0]);
  return [sum[0] / (points?.length ?? 1), sum[1] / (points?.length ?? 1)];
}

/** Move a shape's centre to a point.
    @param {Shape} shape @param {Point} to */
export function moveShape(shape, to) {
  const [x, y] = middleOf(shape);
  /** @type {(point: Point) => Point} */
  const moved = ([px, py]) => [tidy(px + to[0] - x), tidy(py + to[1] - y)];
  if (shape.at) shape.at = to;
  else if (shape.centre) shape.centre = moved(shape.centre);
  else if (shape.points) shape.points = shape.points.map(moved);
}

/** Move a corner of an area to a point; a wedge's arc and side follow.
    @param {Shape} shape @param {number} corner @param {Point} to */
export function putCorner(shape, corner, to) {
  if (shape.points) shape.points[corner] = to;
  if (!shape.centre || !shape.radii) return;
  const [x, y] = [to[0] - shape.centre[0], to[1] - shape.centre[1]];
  const side = corner === 0 || corner === 3 ? "from" : "to";
  const turn = (Math.atan2(x, -y) * 180) / Math.PI;
  shape.radii[corner < 2 ? 1 : 0] = tidy(Math.hypot(x, y));
  shape[side] = tidy(turn + 360 * Math.round(((shape[side] ?? 0) - turn) / 360));
}

/* Projects places of a board into a camera's picture, from the board's four corners there. */

/** @import { Point } from "../../scripts.js" */

/**
 * The projection from mm on the board to the units of `corners`, by the homography between them. `corners`
 * are those of the board, clockwise from the top left, in any linear unit.
 * @param {Point[]} corners
 * @param {number} width
 * @param {number} height
 * @returns {(x: number, y: number) => Point}
 */
export function projection([[x0, y0], [x1, y1], [x2, y2], [x3, y3]], width, height) {
  // The unit square to a quadrilateral (Heckbert 1989, 2.2.3).
  const [dx1, dx2, sx] = [x1 - x2, x3 - x2, x0 - x1 + x2 - x3];
  const [dy1, dy2, sy] = [y1 - y2, y3 - y2, y0 - y1 + y2 - y3];
  const bend = dx1 * dy2 - dx2 * dy1;
  const g = (sx * dy2 - dx2 * sy) / bend;
  const h = (dx1 * sy - sx * dy1) / bend;
  return (x, y) => {
    const [u, v] = [x / width, y / height];
    const far = g * u + h * v + 1;
    return [
      ((x1 - x0 + g * x1) * u + (x3 - x0 + h * x3) * v + x0) / far,
      ((y1 - y0 + g * y1) * u + (y3 - y0 + h * y3) * v + y0) / far,
    ];
  };
}

const CORNERS_OF_A_RING = 20;

/** A circle on the board as the camera sees it: the corners of a polygon.
    @param {(x: number, y: number) => Point} project @param {number} x @param {number} y @param {number} radius */
export function ring(project, x, y, radius) {
  return Array.from({ length: CORNERS_OF_A_RING }, (_, step) => {
    const turn = (2 * Math.PI * step) / CORNERS_OF_A_RING;
    return project(x + radius * Math.cos(turn), y + radius * Math.sin(turn));
  });
}

/* A drawn board under a finger or under arrow keys: which space is meant. Distances are in mm. */

const REACH = 15; // mm around a space's centre that still mean it

/** Where on a drawn board a pointer is. */
export function at(svg, event) {
  return new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
}

/** The place that is meant by a tap near it, of some `kinds` where they are given; null far away from all. */
export function nearest(svg, event, kinds = null) {
  const tap = at(svg, event);
  let best = null;
  let least = REACH;
  for (const space of svg.querySelectorAll(".space")) {
    if (kinds && !kinds.includes(space.dataset.kind)) continue;
    const away = Math.hypot(space.dataset.x - tap.x, space.dataset.y - tap.y);
    if (away < least) [best, least] = [space, away];
  }
  return best;
}

/** The next space in the direction of an arrow key, null at the edge. */
export function toward(space, key) {
  const [dx, dy] = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[key];
  let best = null;
  let least = Infinity;
  for (const other of space.ownerSVGElement.querySelectorAll(".space")) {
    const ox = other.dataset.x - space.dataset.x;
    const oy = other.dataset.y - space.dataset.y;
    const along = ox * dx + oy * dy;
    const aside = Math.abs(ox * dy - oy * dx);
    if (along > 1 && along + 2 * aside < least) [best, least] = [other, along + 2 * aside];
  }
  return best;
}

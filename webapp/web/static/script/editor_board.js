/* The board being edited: a layout file's data, read and changed by the game's parts of it. Every change
   makes a new state, for undo. */

import { cornersOf, middleOf, moveShape, outlineOf, putCorner } from "./editor_shapes.js";

/** @import { Edited, EditorState, Layout, Part, Place, Point, Shape } from "../../scripts.js" */

const MOST_STEPS = 200;
const TENTHS = 10;
const PLACE_KEYS = ["spaces", "links", "regions"]; // layout keys that may have shapes by id
const HANDLE = 0.08; // the radius of a corner handle, relative to the area's reach
const LEAST_HANDLE_MM = 1.5;

/** @type {(edited: Edited) => Edited} */
const copy = (data) => JSON.parse(JSON.stringify(data));
/** @param {number} mm */
const tidy = (mm) => Math.round(mm * TENTHS * TENTHS) / (TENTHS * TENTHS);

/** The value at a key path such as ["topology", "links", "direct"], created if missing.
    @param {Record<string, any>} layout @param {(string | number)[]} key @param {unknown} [empty] @returns {any} */
function at(layout, key, empty) {
  let found = layout;
  for (const name of key.slice(0, -1)) found = found[name] ??= {};
  return (found[key[key.length - 1]] ??= empty);
}

export class Board {
  /** @param {EditorState} state */
  constructor({ layout, corners, parts, names, doubtful }) {
    this.layout = layout;
    this.corners = corners;
    this.parts = parts;
    this.names = names;
    this.doubtful = doubtful;
    /** @type {Edited[]} */
    this.undone = [];
    /** @type {Edited[]} */
    this.done = [];
  }

  /** @param {string} id */
  part(id) { return this.parts.find((part) => part.id === id); }
  /** @param {Part} part @param {unknown} empty @returns {any} */
  value(part, empty = []) { return at(this.layout, part.key, empty); }
  get size() { return this.layout.size_mm; }

  /** The shapes of places by id, areas first, as later ones are drawn on top.
      @returns {[string, Shape][]} */
  shapes() {
    return [...PLACE_KEYS].reverse().flatMap((key) => Object.entries(this.layout[key] ?? {}))
      .filter(([, shape]) => !Array.isArray(shape) && (shape.at || shape.points || shape.centre));
  }

  /** @param {string} id @returns {Shape} */
  shape(id) { return PLACE_KEYS.map((key) => this.layout[key]?.[id]).find(Boolean); }

  /** Every place: areas, links, spaces, then the slots of tracks. `doubt` says why it is uncertain.
      @type {() => Place[]} */
  places() {
    const spaces = this.shapes().map(([id, shape]) => {
      const [x, y] = middleOf(shape);
      const outline = outlineOf(shape);
      const radius = shape.radius ?? Math.max(...outline.map((point) => Math.hypot(point[0] - x, point[1] - y)));
      const name = this.names[id] ?? id;
      return { id, x, y, radius, name, doubt: this.doubtful[id], ...(shape.radius ? {} : { outline, label: name }) };
    });
    const slots = this.parts.filter((part) => part.kind === "track").flatMap((part) => {
      const track = this.value(part, {});
      return (track.at ?? []).map((/** @type {Point} */ [x, y], /** @type {number} */ slot) => ({
        id: `${part.track}/${slot}`, part, slot, x, y, radius: track.radius,
        name: `${part.title} ${slot + 1}`, label: String(track.points?.[slot] ?? ""),
        doubt: this.doubtful[`${part.track}/${slot}`],
      }));
    });
    return [...spaces, ...slots];
  }

  /** The draggable corners of an area, with the corners of other polygons that follow them.
      @param {string} id @returns {Place[]} */
  handles(id) {
    const area = this.places().find((place) => place.id === id && place.outline);
    if (!area) return [];
    const radius = Math.max(LEAST_HANDLE_MM, HANDLE * area.radius);
    const others = this.shapes().filter(([other]) => other !== id).flatMap(([other, { points = [] }]) => (
      points.map(([x, y], corner) => ({ area: other, corner, x, y }))));
    return cornersOf(this.shape(id)).map(([x, y], corner) => {
      const beside = others.map((one) => ({ ...one, x: one.x - x, y: one.y - y }))
        .filter((one) => Math.hypot(one.x, one.y) < radius);
      const name = `${area.name} ${corner + 1}`;
      return { id: `${id}/${corner + 1}`, area: id, corner, beside, x, y, radius, label: "", name };
    });
  }

  /** Begin a change, which can be undone.
      @param {(layout: Layout) => void} change */
  change(change) {
    this.remember();
    change(this.layout);
  }

  remember() {
    this.done.push(this.now());
    if (this.done.length > MOST_STEPS) this.done.shift();
    this.undone = [];
  }

  now() { return copy({ layout: this.layout, corners: this.corners, doubtful: this.doubtful }); }

  /** Undo or redo: return the state to restore.
      @param {Edited[]} from @param {Edited[]} to */
  step(from, to) {
    if (!from.length) return null;
    to.push(this.now());
    return from.pop() ?? null;
  }
  undo() { return this.step(this.done, this.undone); }
  redo() { return this.step(this.undone, this.done); }

  /** Move a place, without `change`, so that a whole drag is one undo step.
      @param {Place} place @param {number} x @param {number} y */
  move(place, x, y) {
    const [width, height] = this.size;
    /** @type {(point: Point) => Point} */
    const onBoard = ([px, py]) => [tidy(Math.min(Math.max(px, 0), width)), tidy(Math.min(Math.max(py, 0), height))];
    const to = onBoard([x, y]);
    if (place.part) this.value(place.part).at[place.slot ?? -1] = to;
    else if (place.area) {
      putCorner(this.shape(place.area), place.corner ?? 0, to);
      for (const one of place.beside ?? []) {
        putCorner(this.shape(one.area), one.corner, onBoard([to[0] + one.x, to[1] + one.y]));
      }
    } else moveShape(this.shape(place.id), to);
    delete this.doubtful[place.area ?? place.id];
  }

  /** Confirm an uncertain item as drawn. */
  /** @param {string} doubt */
  confirm(doubt) { this.change(() => { delete this.doubtful[doubt]; }); }

  /** @param {string} a @param {string} b */
  swap(a, b) {
    this.change((layout) => {
      const own = PLACE_KEYS.map((key) => layout[key]).find((shapes) => shapes?.[a] && shapes[b]);
      if (own) [own[a], own[b]] = [own[b], own[a]];
    });
  }

  /** @param {Part} part @param {string} a @param {string} b */
  toggleLink(part, a, b) {
    this.change(() => {
      /** @type {string[][]} */
      const links = this.value(part);
      const found = links.findIndex((ends) => ends.includes(a) && ends.includes(b));
      if (found < 0) links.push([a, b]);
      else links.splice(found, 1);
      delete this.doubtful[`${a}-${b}`];
      delete this.doubtful[`${b}-${a}`];
    });
  }

  /** @param {Part} part @param {string} id */
  toggleMark(part, id) {
    this.change(() => {
      /** @type {string[]} */
      const marks = this.value(part);
      if (marks.includes(id)) marks.splice(marks.indexOf(id), 1);
      else marks.push(id);
    });
  }

  /** Put a space into a region and out of any other, or out of this one.
      @param {Part} part @param {string} name @param {string} id */
  toggleRegion(part, name, id) {
    this.change(() => {
      /** @type {Record<string, string[]>} */
      const regions = this.value(part, {});
      const inside = regions[name].includes(id);
      for (const own of Object.values(regions)) if (own.includes(id)) own.splice(own.indexOf(id), 1);
      if (!inside) regions[name].push(id);
    });
  }

  /** Put a space onto a ring or take it off; a ring's spaces are sorted around its centre.
      @param {Part} part @param {string} name @param {string} id */
  toggleRing(part, name, id) {
    this.change(({ spaces }) => {
      /** @type {string[]} */
      const own = this.value(part, {})[name];
      if (own.includes(id)) own.splice(own.indexOf(id), 1);
      else own.push(id);
      const [x, y] = spaces[part.centre ?? ""]?.at ?? this.size.map((side) => side / 2);
      const angle = (/** @type {string} */ space) => Math.atan2(spaces[space].at[1] - y, spaces[space].at[0] - x);
      own.sort((a, b) => angle(a) - angle(b));
    });
  }

  /** @param {string} id */
  regionOf(id) {
    const part = this.parts.find(({ kind }) => kind === "regions");
    if (!part) return -1;
    return Object.values(this.value(part, {})).findIndex((/** @type {string[]} */ own) => own.includes(id));
  }

  /** Change the real size; everything keeps its position in the picture.
      @param {number} width @param {number} height */
  resize(width, height) {
    const [x, y] = [width / this.size[0], height / this.size[1]];
    const round = Math.sqrt(x * y);
    const scaled = (/** @type {Record<string, any> | null} */ data) => {
      if (!data) return;
      for (const [key, value] of Object.entries(data)) {
        if (key === "radius") data.radius = tidy(value * round);
        else if (key === "radii" || key === "size") {
          data[key] = value.map((/** @type {number} */ mm) => tidy(mm * round));
        }
        else if (key === "at" || key === "centre" || (key === "points" && Array.isArray(value[0]))) {
          data[key] = Array.isArray(value[0]) ? value.map(by) : by(value);
        }
        else if (typeof value === "object" && key !== "topology") scaled(value);
      }
    };
    const by = (/** @type {Point} */ [px, py]) => [tidy(px * x), tidy(py * y)];
    this.change((layout) => {
      scaled(layout);
      layout.size_mm = [width, height];
      delete this.doubtful.size_mm;
    });
  }

  /** Set the radius of all spaces; track slots keep theirs.
      @param {number} radius */
  setRadius(radius) {
    this.change(({ spaces }) => {
      for (const space of Object.values(spaces ?? {})) space.radius = radius;
    });
  }

  /** Get a number of a part; `key` is its path there.
      @param {Part} part @param {(string | number)[]} key */
  number(part, key) { return at(this.value(part, {}), key); }
  /** @param {Part} part @param {(string | number)[]} key @param {number | null} number */
  setNumber(part, key, number) {
    this.change(() => {
      const own = this.value(part, {});
      if (key.length > 1) at(own, key.slice(0, -1), {})[key[key.length - 1]] = number;
      else own[key[0]] = number;
    });
  }

  /** The overrides of a part: numbers by id, which can be added and removed.
      @param {Part} part @returns {Record<string, number[]>} */
  exceptions(part) { return at(this.value(part, {}), part.exceptions?.key ?? [], {}); }
  /** @param {Part} part @param {string} id */
  addException(part, id) {
    this.change(() => {
      this.exceptions(part)[id] = [...at(this.value(part, {}), part.exceptions?.usual ?? [], [])];
    });
  }
  /** @param {Part} part @param {string} id */
  removeException(part, id) {
    this.change(() => { delete this.exceptions(part)[id]; });
  }

  /** Add a slot at the end of a track, continuing its row, without a number.
      @param {Part} part */
  addSlot(part) {
    this.change(() => {
      const track = this.value(part, {});
      /** @type {Point[]} */
      const slots = track.at ??= [];
      const [width, height] = this.size;
      const pitch = 2.3 * track.radius;
      const inside = (/** @type {Point} */ [x, y]) => x > 0 && y > 0 && x < width && y < height;
      /** @type {(last: Point, before?: Point) => Point} */
      const beyond = ([x, y], [bx, by] = [x - pitch, y]) => [tidy(2 * x - bx), tidy(2 * y - by)];
      /** @type {Point} */
      const last = slots.length ? beyond(slots[slots.length - 1], slots.at(-2)) : [pitch, pitch];
      const first = slots.length ? beyond(slots[0], slots[1] ?? [slots[0][0] + pitch, slots[0][1]]) : last;
      const points = track.points ??= [];
      if (inside(last) || !slots.length || !inside(first)) {
        slots.push(inside(last) ? last : [width / 2, height / 2]);
        points.push(null);
      } else {
        slots.unshift(first);
        points.unshift(null);
        this.renumber(part, (slot) => slot + 1);
      }
      delete this.doubtful[part.track];
    });
  }

  /** Delete a slot; later ones move up.
      @param {Part} part @param {number} gone */
  deleteSlot(part, gone) {
    this.change(() => {
      const track = this.value(part, {});
      track.at.splice(gone, 1);
      track.points?.splice(gone, 1);
      this.renumber(part, (slot) => (slot === gone ? null : slot - Number(slot > gone)));
    });
  }

  /** Renumber the doubts about slots: `to` returns the new number, null for a deleted slot.
      @param {Part} part @param {(slot: number) => number | null} to */
  renumber(part, to) {
    const doubts = Object.entries(this.doubtful).flatMap(([id, doubt]) => {
      const [track, slot] = id.split("/");
      if (track !== part.track || !(Number(slot) >= 0)) return [[id, doubt]];
      const now = to(Number(slot));
      return now === null ? [] : [[`${track}/${now}`, doubt]];
    });
    this.doubtful = Object.fromEntries(doubts);
  }
}

/* What the pages' scripts tell one another by events; `tsconfig.json` says how all is checked. */

/** A form's fields as they were entered, or those that a photograph (of `size` bytes) is sent with. */
export interface Entry {
  /** The computer knows it again by this; of two that are the same, the later one counts. */
  same: string;
  url: string;
  fields: [name: string, value: string][];
  /** Where it was entered, and what that page is called. */
  page?: string;
  title?: string;
  /** A selector: the part of the page that shows the answer. */
  swap?: string;
  /** What there was before, which undoing brings back. */
  instead?: string;
  size?: number;
  tries?: number;
  /** Why it was refused, and with which status. */
  problem?: string;
  status?: number;
}

/** A board in a camera's picture: its corners in px, clockwise from the top left. */
export interface SeenBoard {
  corners: [number, number][];
  seat: number | null;
  sure: boolean;
}

/** What the server tells the pages of a game (`live_events.py`), each kind with some of these. */
export interface News {
  game: string;
  number: number;
  revision: number;
  seat: number | null;
  space: string | null;
  waiting: number;
  said: string;
  alerts: Alert[];
}

export interface Alert {
  kind: "objective" | "ending" | "break" | "due";
  say: string;
}

/** What a page says to `live_worker.js`. */
export type Said = { bye: true } | { bye?: false; game: string; after: number; language: string; again?: boolean };

/* The editor of boards. Positions are in mm, (0, 0) at the top left; corners are shares of the photograph. */

export type Point = [number, number];

export interface Space {
  at: Point;
  radius: number;
}

/** Where a place lies: a circle, a bar, a polygon, or a wedge, as `FieldReader.places` reads them. */
export interface Shape extends Partial<Space> {
  size?: Point;
  turn?: number;
  points?: Point[];
  centre?: Point;
  radii?: Point;
  from?: number;
  to?: number;
}

/** A layout file; what else is in it is the game's, and found by its parts' keys. */
export interface Layout {
  size_mm: Point;
  spaces: Record<string, Space>;
  [key: string]: any;
}

/** A part of a layout that the editor changes, as the game describes it. */
export interface Part {
  id: string;
  kind: "links" | "marks" | "numbers" | "regions" | "rings" | "track";
  key: string[];
  title: string;
  words: Record<string, string>;
  track: string;
  centre?: string;
  dashed?: boolean;
  groups: { title: string; numbers: { key: string[]; label: string }[] }[];
  exceptions?: Exceptions;
}

/** Things with other numbers than the rest: `key` leads to them, `usual` to the numbers of the rest. */
export interface Exceptions {
  key: string[];
  usual: string[];
  choices: Record<string, string>;
  labels: string[];
  add: string;
}

/** A place on the board: a space, with an `outline` an area or a link, with `part` a slot of a track, or with `area` a
    corner of one. `doubt` says why it was not surely seen. */
export interface Place {
  id: string;
  x: number;
  y: number;
  radius: number;
  name: string;
  label?: string;
  doubt?: string;
  part?: Part;
  slot?: number;
  outline?: Point[];
  area?: string;
  corner?: number;
  /** Corners of other areas that follow it, so far from it. */
  beside?: { area: string; corner: number; x: number; y: number }[];
}

/** What can be taken back. */
export interface Edited {
  layout: Layout;
  corners: Point[];
  doubtful: Record<string, string>;
}

export interface Problem {
  tool: string;
  text: string;
  mend: string;
  spaces: string[];
}

/** What the server found wrong with a board. */
export interface Findings {
  problems: Problem[];
  notices: string[];
}

export interface EditorState extends Edited, Findings {
  parts: Part[];
  names: Record<string, string>;
  picture: string;
  state: string;
}

/** What is done just now: the tool in hand, what it is used on, and what is lit. */
export interface Now {
  tool: string;
  chosen: string;
  selected: string;
  lit: string[];
  problems: Problem[];
  picture: string;
  doubt: string | null;
}

/** What the panel under the board can do to the page. */
export interface EditorActions {
  choose(name: string): void;
  select(id: string): void;
  changed(): void;
  redraw(): void;
}

declare global {
  interface DocumentEventMap {
    /** What waits on this device has changed. */
    outbox: CustomEvent;
    /** How much of a photograph has gone, from 0 to 1. */
    sending: CustomEvent<{ entry: Entry; part: number }>;
    delivered: CustomEvent<{ entry: Entry; answer: Response }>;
    /** The game has changed; a page that shows it itself prevents the default. */
    news: CustomEvent;
    /** Something else about the game has. */
    stirred: CustomEvent;
    photographed: CustomEvent<{ file: Blob; player: string }>;
  }
  interface HTMLElementEventMap {
    /** A part of the page has been drawn anew. */
    swapped: CustomEvent;
    boards: CustomEvent<SeenBoard[]>;
  }
}

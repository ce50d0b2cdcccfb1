/* Types of the pages' scripts and of their events; `tsconfig.json` configures the type checks. */

/** A form's entered fields, or those sent with a photograph (of `size` bytes). */
export interface Entry {
  /** The server recognises repeats by this; of two equal ones, the later replaces the earlier. */
  same: string;
  url: string;
  fields: [name: string, value: string][];
  /** The URL and title of the page where it was entered. */
  page?: string;
  title?: string;
  /** A selector of the part of the page that shows the response. */
  swap?: string;
  /** The previous value, for undo. */
  instead?: string;
  size?: number;
  tries?: number;
  /** The reason and the status of a refusal. */
  problem?: string;
  status?: number;
}

/** A board in a camera's picture: its corners in px, clockwise from the top left. */
export interface SeenBoard {
  corners: [number, number][];
  seat: number | null;
  sure: boolean;
}

/** News that the server sends to a game's pages (`live_events.py`); each kind has some of these. */
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

/** A page's messages to `live_worker.js`. */
export type Said = { bye: true } | { bye?: false; game: string; after: number; language: string; again?: boolean };

/* The board editor. Positions are in mm, (0, 0) at the top left; corners are fractions of the photograph. */

export type Point = [number, number];

export interface Space {
  at: Point;
  radius: number;
}

/** The shape of a place: a circle, bar, polygon or wedge, as `FieldReader.places` reads them. */
export interface Shape extends Partial<Space> {
  size?: Point;
  turn?: number;
  points?: Point[];
  centre?: Point;
  radii?: Point;
  from?: number;
  to?: number;
}

/** A layout file; its other keys are the game's, found by its parts' key paths. */
export interface Layout {
  size_mm: Point;
  spaces: Record<string, Space>;
  [key: string]: any;
}

/** A part of a layout that the editor changes, as described by the game. */
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

/** Overrides: `key` is the path to their numbers, `usual` to those of all others. */
export interface Exceptions {
  key: string[];
  usual: string[];
  choices: Record<string, string>;
  labels: string[];
  add: string;
}

/** A place on the board: a space; with an `outline`, an area or link; with `part`, a slot of a track; with
    `area`, a corner of one. `doubt` says why it is uncertain. */
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
  /** Corners of other areas that follow it, with their offsets. */
  beside?: { area: string; corner: number; x: number; y: number }[];
}

/** The state that undo restores. */
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

/** The server's findings about a board. */
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

/** The current tool, what it is used on, and what is highlighted. */
export interface Now {
  tool: string;
  chosen: string;
  selected: string;
  lit: string[];
  problems: Problem[];
  picture: string;
  doubt: string | null;
}

/** Actions of the panel under the board on the page. */
export interface EditorActions {
  choose(name: string): void;
  select(id: string): void;
  changed(): void;
  redraw(): void;
}

declare global {
  interface DocumentEventMap {
    /** The queued entries have changed. */
    outbox: CustomEvent;
    /** The uploaded fraction of a photograph, from 0 to 1. */
    sending: CustomEvent<{ entry: Entry; part: number }>;
    delivered: CustomEvent<{ entry: Entry; answer: Response }>;
    refused: CustomEvent<{ entry: Entry }>;
    /** The game has changed; a page that shows that itself prevents the default. */
    news: CustomEvent;
    /** Something else about the game has changed. */
    stirred: CustomEvent;
    photographed: CustomEvent<{ file: Blob; player: string }>;
  }
  interface HTMLElementEventMap {
    /** A part of the page has been redrawn. */
    swapped: CustomEvent;
    boards: CustomEvent<SeenBoard[]>;
  }
}

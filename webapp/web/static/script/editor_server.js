/* What the editor asks of the server: every change is kept there, and checked by the code that
   loads boards. */

/** @import { Board } from "./editor_board.js" */
/** @import { EditorState, Findings, Layout, Point } from "../../scripts.js" */

const SOON = 350; // ms after the last change
const LATER = 2500; // ms until it is tried again

export class Server {
  /** `onFindings` is called with what was found wrong, or with null while a change is not kept yet.
      @param {Record<string, string>} addresses @param {(found: Findings | null) => void} onFindings */
  constructor({ state, keep, corners, again, token }, onFindings) {
    /** @type {Record<string, string>} */
    this.addresses = { state, keep, corners, again };
    this.token = token;
    this.onFindings = onFindings;
    this.waiting = 0;
    /** @type {Board | null} */
    this.unsaved = null;
    this.last = Promise.resolve(true);
  }

  /** @param {string} address @param {unknown} [body] */
  async ask(address, body) {
    const headers = { "X-Partial": "1", "X-CSRFToken": this.token, "Content-Type": "application/json" };
    const answer = await fetch(this.addresses[address], body === undefined
      ? { headers: { "X-Partial": "1" } }
      : { method: "POST", headers, body: JSON.stringify(body) });
    const data = await answer.json();
    if (!answer.ok) throw new Refused(data.message);
    return data;
  }

  /** @returns {Promise<EditorState>} */
  state() { return this.ask("state"); }
  /** @param {Point[]} corners @param {Layout} layout @returns {Promise<EditorState>} */
  straighten(corners, layout) { return this.ask("corners", { corners, layout }); }
  /** @param {Point[]} corners */
  propose(corners) { return this.ask("again", { corners }); }

  /** Keep a board soon; another change before then takes this one's place.
      @param {Board} board */
  keep(board) {
    clearTimeout(this.waiting);
    this.unsaved = board;
    this.onFindings(null);
    this.waiting = setTimeout(() => this.flush(), SOON);
  }

  /** Keep what has not been kept yet, now; whether that was done.
      @returns {Promise<boolean>} */
  flush() {
    clearTimeout(this.waiting);
    this.last = this.last.then(() => this.send());
    return this.last;
  }

  async send() {
    while (this.unsaved) {
      const board = this.unsaved;
      this.unsaved = null; // a change while this one is on its way sets it again
      const { layout, doubtful } = board;
      const found = await this.ask("keep", { layout, doubtful: Object.keys(doubtful) }).catch(() => null);
      if (!found) {
        this.unsaved = board;
        this.waiting = setTimeout(() => this.flush(), LATER);
        return false;
      }
      if (!this.unsaved) this.onFindings(found);
    }
    return true;
  }
}

export class Refused extends Error {}

/* The editor's requests to the server, which saves each change and checks it with the code that loads
   boards. */

/** @import { Board } from "./editor_board.js" */
/** @import { EditorState, Findings, Layout, Point } from "../../scripts.js" */

const SOON = 350; // ms after the last change
const LATER = 2500; // ms before a retry

export class Server {
  /** `onFindings` is called with what is wrong, or with null while a change is unsaved.
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

  /** Save a board soon; a further change before that replaces it.
      @param {Board} board */
  keep(board) {
    clearTimeout(this.waiting);
    this.unsaved = board;
    this.onFindings(null);
    this.waiting = setTimeout(() => this.flush(), SOON);
  }

  /** Save unsaved changes now; return whether that succeeded.
      @returns {Promise<boolean>} */
  flush() {
    clearTimeout(this.waiting);
    this.last = this.last.then(() => this.send());
    return this.last;
  }

  async send() {
    while (this.unsaved) {
      const board = this.unsaved;
      this.unsaved = null; // a change during the request sets it again
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

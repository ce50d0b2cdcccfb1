/* What the editor asks of the server: every change is kept there, and checked by the code that
   loads boards. */

const SOON = 350; // ms after the last change
const LATER = 2500; // ms until it is tried again

export class Server {
  /** `told` is called with what was found wrong, or with null while a change is not kept yet. */
  constructor({ state, keep, corners, again, token }, told) {
    this.addresses = { state, keep, corners, again };
    this.token = token;
    this.told = told;
    this.waiting = null;
    this.last = Promise.resolve();
  }

  async ask(address, body) {
    const answer = await fetch(this.addresses[address], body === undefined
      ? { headers: { "X-Partial": "1" } }
      : { method: "POST", headers: { "X-Partial": "1", "X-CSRFToken": this.token, "Content-Type": "application/json" }, body: JSON.stringify(body) });
    const data = await answer.json();
    if (!answer.ok) throw new Refused(data.message);
    return data;
  }

  state() { return this.ask("state"); }
  straighten(corners, layout) { return this.ask("corners", { corners, layout }); }
  propose(corners) { return this.ask("again", { corners }); }

  /** Keep a board soon; another change before then takes this one's place. */
  keep(board) {
    clearTimeout(this.waiting);
    this.unsaved = board;
    this.told(null);
    this.waiting = setTimeout(() => this.flush(), SOON);
  }

  /** Keep what has not been kept yet, now; whether that was done. */
  flush() {
    clearTimeout(this.waiting);
    this.last = this.last.then(() => this.send());
    return this.last;
  }

  async send() {
    const board = this.unsaved;
    if (!board) return true;
    try {
      const { layout } = board;
      const found = await this.ask("keep", { layout, doubtful: Object.keys(board.doubtful) });
      if (this.unsaved === board && board.layout === layout) this.unsaved = null;
      this.told(found);
      return true;
    } catch {
      this.waiting = setTimeout(() => this.flush(), LATER);
      return false;
    }
  }
}

export class Refused extends Error {}

/* A page's connection to the news of its game: a stream shared by all live pages of the browser, or the
   page's own if there are no shared workers. */

import { data } from "./dom.js";

const HERE_MS = 5000;
/** @import { News } from "../../scripts.js" */

const KINDS = ["change", "revision", "cameras", "beat", "gone", "lost"];

/** Call `hear(kind, news)` with the news after the entry `last()`; the returned function requests it
    again.
    @param {HTMLElement} live @param {() => number} last @param {(kind: string, news: News) => void} hear */
export function listen(live, last, hear) {
  if (!("SharedWorker" in window)) return own(live, last, hear);
  /** @type {(() => void) | null} */
  let line = null;
  const worker = new SharedWorker(data(live).worker);
  worker.onerror = () => { line = own(live, last, hear); }; // no shared streams, or the worker did not load
  worker.port.onmessage = ({ data: { kind, news } }) => { if (!line) hear(kind, news); };
  /** @param {{ again?: boolean }} more */
  const say = (more = {}) => {
    const { game } = live.dataset;
    worker.port.postMessage({ game, after: last(), language: document.documentElement.lang, ...more });
  };
  say();
  setInterval(() => say(), HERE_MS);
  window.addEventListener("pagehide", () => worker.port.postMessage({ bye: true }));
  window.addEventListener("pageshow", (event) => { if (event.persisted) say(); });
  return () => (line ? line() : say({ again: true }));
}

/** Give up the stream while the page is hidden: another page may need the connection.
    @param {HTMLElement} live @param {() => number} last @param {(kind: string, news: News) => void} hear */
function own(live, last, hear) {
  /** @type {EventSource | null} */
  let source = null;
  function open() {
    source?.close();
    if (document.hidden) return;
    source = new EventSource(`${live.dataset.events}?after=${last()}`);
    for (const kind of KINDS) source.addEventListener(kind, (event) => hear(kind, JSON.parse(event.data)));
    source.onerror = () => hear("lost", /** @type {News} */ ({}));
  }
  document.addEventListener("visibilitychange", open);
  open();
  return open;
}

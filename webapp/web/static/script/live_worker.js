/* One event stream for all live pages of a browser, as a browser opens at most six connections to a server,
   and each stream occupies one.

   A page regularly sends `{ game, after, language }`: `after` is the last entry it knows, and `again` that
   it has received nothing for long. It sends `{ bye: true }` when it is left. It receives `{ kind, news }`
   of its game. */

const SILENCE_MS = 12000; // the server sends something every five seconds
const FORGOTTEN_MS = 150000; // background pages send a message only once a minute
const AGAIN_MS = 1500;
const MOST_TRIES = 2; // each doubles the waiting time while the server is busy or unreachable
const KINDS = ["change", "revision", "cameras", "beat", "gone"];

/** @import { News, Said } from "../../scripts.js" */

/** @type {Map<MessagePort, { game: string, since: number }>} */
const pages = new Map(); // by page port: its game, and when it last sent a message
/** @type {Map<string, number>} */
const known = new Map(); // by game: the last entry sent to its pages
/** @type {Map<string, News>} */
const revisions = new Map(); // by game: the revision sent to its pages
/** @type {EventSource | null} */
let source = null;
let language = "";
let lastNewsAt = 0;
let silenceMs = SILENCE_MS;
let opening = 0;
let tries = 0; // failures since the last event
const patience = () => 2 ** Math.min(tries, MOST_TRIES);

function open() {
  clearTimeout(opening);
  opening = 0;
  source?.close();
  source = null;
  const games = new Set([...pages.values()].map((page) => page.game));
  for (const game of known.keys()) {
    if (games.has(game)) continue;
    known.delete(game);
    revisions.delete(game);
  }
  if (!games.size) return;
  const query = new URLSearchParams([...known].map(([game, after]) => ["game", `${game}.${after}`]));
  lastNewsAt = performance.now();
  silenceMs = SILENCE_MS * patience();
  const opened = source = new EventSource(`/live/events?${query}`);
  for (const kind of KINDS) opened.addEventListener(kind, (event) => tell(kind, JSON.parse(event.data)));
  opened.onerror = () => {
    opened.close(); // it would request again what has been received meanwhile
    for (const port of pages.keys()) port.postMessage({ kind: "lost", news: {} });
    openSoon();
  };
}

function again() {
  tries += 1;
  open();
}

function openSoon() {
  const pause = AGAIN_MS * patience() * (0.5 + Math.random()); // spread the pages' requests
  opening ||= setTimeout(again, pause);
}

/** @param {string} kind @param {News} news */
function tell(kind, news) {
  lastNewsAt = performance.now();
  silenceMs = SILENCE_MS;
  tries = 0;
  if (kind === "change") known.set(news.game, news.number);
  if (kind === "revision") revisions.set(news.game, news);
  for (const [port, page] of pages) {
    if (kind === "beat" || page.game === news.game) port.postMessage({ kind, news });
  }
}

/** @param {MessagePort} port @param {Exclude<Said, { bye: true }>} said */
function listen(port, said) {
  const isNew = !pages.has(port);
  pages.set(port, { game: said.game, since: performance.now() });
  const behind = isNew && said.after < (known.get(said.game) ?? Infinity);
  if (behind) known.set(said.game, said.after);
  if (isNew && revisions.has(said.game)) port.postMessage({ kind: "revision", news: revisions.get(said.game) });
  const other = said.language !== language;
  language = said.language;
  if (behind || other) open();
  else if (said.again) openSoon();
}

/** @type {SharedWorkerGlobalScope} */ (/** @type {unknown} */ (self)).onconnect = (event) => {
  const [port] = event.ports;
  /** @param {MessageEvent<Said>} message */
  port.onmessage = ({ data }) => {
    if (data.bye) pages.delete(port);
    else listen(port, data);
    if (!pages.size) open();
  };
};

setInterval(() => {
  const now = performance.now();
  for (const [port, page] of pages) if (now - page.since > FORGOTTEN_MS) pages.delete(port);
  if (source && !pages.size) open();
  else if (source && now - lastNewsAt > silenceMs) again();
}, 2000);

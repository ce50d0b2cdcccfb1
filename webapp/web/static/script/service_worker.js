/* While the computer is away, pages and pictures that this browser was shown are shown again.
   While it is there, everything comes from it: what is kept here is never preferred. */

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const SHELL = `shell ${SHIPPED.version}`;
const KEPT = "kept";
const HEADER = "Stargazer-Keep";
const MOST = 500;
const PATIENCE = 5000; // ms before a kept page is shown in place of one that does not come
const AWAY = "/away";

worker.addEventListener("install", (event) => {
  event.waitUntil(caches.open(SHELL)
    .then((cache) => cache.addAll(SHIPPED.assets.map((url) => new Request(url, { cache: "reload" }))))
    .then(() => worker.skipWaiting()));
});

/** Another version: its pages are asked for anew, so that none is shown with styles of another one. */
async function takeOver() {
  const old = (await caches.keys()).filter((name) => name.startsWith("shell ") && name !== SHELL);
  await worker.clients.claim();
  if (!old.length) return;
  await Promise.all(old.map((name) => caches.delete(name)));
  const cache = await caches.open(KEPT);
  for (const { url } of await cache.keys()) {
    const fresh = await fetch(url).catch(() => null);
    if (!fresh || !await keep(url, fresh)) await cache.delete(url);
  }
}

worker.addEventListener("activate", (event) => event.waitUntil(takeOver()));

/** Keep an answer if the server lets it; what another session was shown goes first.
    @param {string} url @param {Response} answer */
async function keep(url, answer) {
  if (answer.status === 401) await caches.delete(KEPT);
  const whose = answer.headers.get(HEADER);
  if (!whose || !answer.ok || answer.redirected) return false;
  let cache = await caches.open(KEPT);
  const kept = await cache.keys();
  const first = kept.length && await cache.match(kept[0]);
  if (first && first.headers.get(HEADER) !== whose) {
    await caches.delete(KEPT);
    cache = await caches.open(KEPT);
  } else if (kept.length >= MOST) {
    await cache.delete(kept[0]);
  }
  await cache.delete(url);
  await cache.put(url, answer);
  return true;
}

/** @type {(promise: Promise<Response>, ms: number) => Promise<Response>} */
const within = (promise, ms) => Promise.race([
  promise,
  new Promise((_, reject) => { setTimeout(() => reject(new Error("too late")), ms); }),
]);

/** The first of some addresses that is kept.
    @param {string[]} urls @param {Cache} cache */
async function firstOf(urls, cache) {
  for (const url of urls) {
    const found = await cache.match(url);
    if (found) return found;
  }
  return undefined;
}

/** What is kept in place of a page: itself, or what else is known of its game, or that one is away.
    @param {URL} url */
async function inPlaceOf(url) {
  const cache = await caches.open(KEPT);
  const game = /^\/games\/[0-9a-f]{16}/.exec(url.pathname)?.[0];
  const others = game ? [`${game}/score`, `${game}/about`] : [];
  return await cache.match(url.href)
    ?? await cache.match(url.origin + url.pathname, { ignoreSearch: true })
    ?? await firstOf(others.map((path) => url.origin + path), cache);
}

/** @param {FetchEvent} event */
async function page(event) {
  const url = new URL(event.request.url);
  const kept = await inPlaceOf(url);
  const asked = fetch(event.request);
  try {
    const answer = await (kept ? within(asked, PATIENCE) : asked);
    event.waitUntil(keep(url.href, answer.clone()));
    return answer;
  } catch {
    asked.catch(() => {});
    return kept ?? await caches.match(AWAY) ?? Response.error();
  }
}

/** @param {FetchEvent} event @param {string} name */
async function part(event, name) {
  try {
    const answer = await fetch(event.request);
    if (name === KEPT) event.waitUntil(keep(event.request.url, answer.clone()));
    return answer;
  } catch (error) {
    const kept = await (await caches.open(name)).match(event.request, { ignoreVary: true });
    if (kept) return kept;
    throw error;
  }
}

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(event));
  else if (SHIPPED.assets.includes(url.pathname)) event.respondWith(part(event, SHELL));
  else if (request.destination === "image") event.respondWith(part(event, KEPT));
});

/** Keep the pages of games that a list shows, those that changed since; one after the other.
    @param {{ url: string, version: string }[]} pages */
async function keepAll(pages) {
  const cache = await caches.open(KEPT);
  for (const { url, version } of pages) {
    const mark = `${url}#${version}`;
    if (keptVersions.has(mark) && await cache.match(url)) continue;
    const answer = await fetch(url).catch(() => null);
    if (!answer) return;
    if (await keep(new URL(url, location.origin).href, answer)) keptVersions.add(mark);
  }
}

/** Keep pages that are wanted while the computer is away, whether or not anybody has opened them before.
    @param {string[]} urls */
async function keepMissing(urls) {
  const cache = await caches.open(KEPT);
  for (const url of urls) {
    if ((await cache.keys()).length >= MOST) return; // else each would push out what was shown
    if (await cache.match(url)) continue;
    const answer = await fetch(url).catch(() => null);
    if (!answer || !await keep(new URL(url, location.origin).href, answer)) return;
  }
}

const keptVersions = new Set(); // for as long as this worker runs

worker.addEventListener("message", (event) => {
  if (event.data.keep) event.waitUntil(keepAll(event.data.keep));
  if (event.data.keepMissing) event.waitUntil(keepMissing(event.data.keepMissing));
  if (event.data.forget) event.waitUntil(caches.delete(KEPT));
});

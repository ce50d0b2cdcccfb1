/* Offline, shows pages and pictures again that this browser has seen. While the server is reachable, its
   responses are always preferred to the cache. */

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const SHELL = `shell ${SHIPPED.version}`;
const KEPT = "kept";
const HEADER = "Stargazer-Keep";
const MOST = 500;
const PATIENCE = 5000; // ms before a cached page is shown instead of a slow one
const AWAY = "/away";

worker.addEventListener("install", (event) => {
  event.waitUntil(caches.open(SHELL)
    .then((cache) => cache.addAll(SHIPPED.assets.map((url) => new Request(url, { cache: "reload" }))))
    .then(() => worker.skipWaiting()));
});

/** With another version, reload pages, so that none is shown with the wrong styles. */
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

/** Cache a response if the server permits; first drop what belongs to another session.
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

let isSilent = false; // the server was too slow for the last cached page

/** The server's response; where something is cached, it is awaited for so long only.
    @param {Request} request @param {number} ms @returns {Promise<Response>} */
function within(request, ms) {
  const asked = fetch(request);
  asked.then(() => { isSilent = false; }, () => {});
  const late = new Promise((_, reject) => { setTimeout(() => reject(new Error("too late")), ms); });
  return Promise.race([asked, late]);
}

/** The first of several URLs that is cached.
    @param {string[]} urls @param {Cache} cache */
async function firstOf(urls, cache) {
  for (const url of urls) {
    const found = await cache.match(url);
    if (found) return found;
  }
  return undefined;
}

/** What is cached for a page: itself, else another page of its game; undefined if neither is.
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
  try {
    const answer = await (kept ? within(event.request, PATIENCE) : fetch(event.request));
    event.waitUntil(keep(url.href, answer.clone()));
    return answer;
  } catch {
    isSilent = Boolean(kept);
    return kept ?? await caches.match(AWAY) ?? Response.error();
  }
}

/** @param {FetchEvent} event @param {string} name */
async function part(event, name) {
  const kept = await (await caches.open(name)).match(event.request, { ignoreVary: true });
  try {
    const answer = await (kept ? within(event.request, isSilent ? 0 : PATIENCE) : fetch(event.request));
    if (name === KEPT) event.waitUntil(keep(event.request.url, answer.clone()));
    return answer;
  } catch (error) {
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

/** Cache the changed pages of the games in a list, one after the other.
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

/** The cached answer of an address; if there is none, it is fetched, and cached unless that would evict visited pages.
    @param {string} url @param {Cache} cache */
async function cachedOrFetched(url, cache) {
  const kept = await cache.match(url, { ignoreVary: true });
  if (kept || (await cache.keys()).length >= MOST) return kept;
  const answer = await fetch(url).catch(() => null);
  return answer && await keep(new URL(url, location.origin).href, answer.clone()) ? answer : undefined;
}

/** Cache pages that are needed offline, visited or not, and their pictures.
    @param {string[]} urls */
async function keepMissing(urls) {
  const cache = await caches.open(KEPT);
  for (const url of urls) {
    const html = await (await cachedOrFetched(url, cache))?.text();
    if (!html) return;
    for (const [, picture] of html.matchAll(/<(?:img|image)\s[^>]*?(?:src|href)="([^"]+)"/g)) {
      await cachedOrFetched(picture.replaceAll("&amp;", "&"), cache);
    }
  }
}

const keptVersions = new Set(); // while this worker runs

worker.addEventListener("message", (event) => {
  if (event.data.keep) event.waitUntil(keepAll(event.data.keep));
  if (event.data.keepMissing) event.waitUntil(keepMissing(event.data.keepMissing));
  if (event.data.forget) event.waitUntil(caches.delete(KEPT));
});

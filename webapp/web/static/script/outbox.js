/* Entries kept on this device until the server has accepted them, in order: form fields in localStorage,
   photographs in IndexedDB. Each has a unique id, so that repeated deliveries are ignored. */

import { byId, maybe } from "./dom.js";

/** @import { Entry } from "../../scripts.js" */

const QUEUE = "stargazer undelivered";
const MOST = 500; // of what waits
const MOST_BYTES = 300e6; // of waiting photographs
const PATIENCE = 15000; // ms to wait for the response to a form
const STALLED = 20000; // ms without upload progress
const LATER = [401, 429, 502, 503, 504]; // the server is busy, or requires its invitation first
const MOST_TRIES = 5; // of errors on the server
const FILES = "files";

export class FullError extends Error {}

/** @type {() => Entry[]} */
export const queue = () => JSON.parse(localStorage.getItem(QUEUE) ?? "[]");

/** @param {Pick<Entry, "fields">} entry @param {string} name */
export const field = (entry, name) => entry.fields.find(([key]) => key === name)?.[1];

/** A unique id in hex; a game's id has 8 bytes. */
export function newName(bytes = 16) {
  const made = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(made, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {Entry[]} entries */
function store(entries) {
  try {
    localStorage.setItem(QUEUE, JSON.stringify(entries));
  } catch {
    throw new FullError();
  }
  document.dispatchEvent(new CustomEvent("outbox"));
}

/** Change the stored entries, as last left by other pages.
    @param {Entry} entry @param {Entry[]} others */
const replace = (entry, ...others) => store(queue().flatMap((one) => (one.same === entry.same ? others : [one])));

/**
 * @template T
 * @param {IDBTransactionMode} mode
 * @param {(files: IDBObjectStore) => IDBRequest<T>} act
 * @returns {Promise<T>}
 */
async function inFiles(mode, act) {
  /** @type {IDBDatabase} */
  const base = await new Promise((done, fail) => {
    const opening = indexedDB.open("stargazer", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(FILES);
    opening.onsuccess = () => done(opening.result);
    opening.onerror = () => fail(opening.error);
  });
  return new Promise((done, fail) => {
    const transaction = base.transaction(FILES, mode);
    const asked = act(transaction.objectStore(FILES));
    transaction.oncomplete = () => { base.close(); done(asked.result); };
    transaction.onabort = () => { base.close(); fail(transaction.error); };
  });
}

/** The photograph of an entry; undefined if the browser has discarded it.
    @param {Entry} entry @returns {Promise<Blob | undefined>} */
export const fileOf = (entry) => inFiles("readonly", (files) => files.get(entry.same));

/** Queue a form's fields; an entry replaces an earlier one that is the `same`.
    @param {Entry} entry */
export function keep(entry) {
  const before = queue().find((one) => one.same === entry.same && !one.problem);
  const was = before?.fields.find(([name]) => name === "was");
  const fields = entry.fields.map((one) => (one[0] === "was" && was ? was : one));
  if (queue().length >= MOST) throw new FullError();
  store([...queue().filter((one) => one.same !== entry.same), { ...entry, fields }]);
}

/** Queue a photograph with its form fields.
    @param {Entry} entry @param {Blob} file */
export async function keepFile(entry, file) {
  const bytes = queue().reduce((sum, one) => sum + (one.size ?? 0), file.size);
  if (bytes > MOST_BYTES) throw new FullError();
  navigator.storage?.persist?.();
  try {
    await inFiles("readwrite", (files) => files.put(file, entry.same));
  } catch {
    throw new FullError();
  }
  keep({ ...entry, size: Math.max(file.size, 1) }); // an empty file is valid, too
}

/** @param {Entry} entry */
export async function discard(entry) {
  replace(entry);
  if (entry.size) await inFiles("readwrite", (files) => files.delete(entry.same));
}

/** @param {Entry} entry */
export function sendAgain(entry) {
  const { problem, status, tries, ...waiting } = entry;
  replace(entry, waiting);
}

/** Delete everything, on leaving the table. */
export function forget() {
  localStorage.removeItem(QUEUE);
  indexedDB.deleteDatabase("stargazer");
}

/** @param {Entry} entry */
const gameOf = (entry) => /\/games\/([0-9a-f]{16})/.exec(entry.url)?.[1] ?? field(entry, "id");

/** The next entry to send, none of games whose creation was refused. */
export function next() {
  const entries = queue();
  const refused = entries.filter((one) => one.problem && field(one, "id")).map(gameOf);
  return entries.find((one) => !one.problem && !refused.includes(gameOf(one)));
}

/** Send a form with a photograph, by XMLHttpRequest, as fetch reports no upload progress. `whole` is
    called when the upload is complete: then the response may take its time, else progress is due within
    `STALLED` ms.
    @param {string} url @param {FormData} body @param {(part: number) => void} progress @param {() => void} [whole]
    @returns {Promise<Response>} */
export function upload(url, body, progress, whole) {
  return new Promise((done, fail) => {
    const request = new XMLHttpRequest();
    let timer = 0;
    const awaitMore = () => { clearTimeout(timer); timer = setTimeout(() => request.abort(), STALLED); };
    request.open("POST", url);
    request.setRequestHeader("X-Partial", "1");
    request.upload.onprogress = ({ loaded, total }) => { awaitMore(); progress(loaded / total); };
    if (whole) request.upload.onload = () => { clearTimeout(timer); whole(); };
    request.onload = () => done(new Response(request.responseText, { status: request.status }));
    request.onerror = fail;
    request.onabort = fail;
    request.onloadend = () => clearTimeout(timer);
    awaitMore();
    request.send(body);
  });
}

/** @param {Entry} entry @returns {Promise<Response>} */
async function post(entry) {
  const body = new FormData();
  const token = maybe("[name=csrf_token]", HTMLInputElement)?.value;
  for (const [name, value] of entry.fields) body.append(name, name === "csrf_token" && token ? token : value);
  const headers = { "X-Partial": "1" };
  if (!entry.size) {
    const signal = AbortSignal.timeout(PATIENCE);
    return fetch(entry.url, { method: "POST", body, headers, redirect: "manual", signal });
  }
  const file = await fileOf(entry);
  if (!file) return Response.json({ message: undelivered().lost }, { status: 410 });
  body.append("photo", file, "photograph");
  return upload(entry.url, body, (part) => {
    document.dispatchEvent(new CustomEvent("sending", { detail: { entry, part } }));
  });
}

const undelivered = () => byId("undelivered").dataset;
let delivering = false;

/** Send the queued entries in order. Returns false if the server is unreachable or busy, or asks for an
    invitation. */
export async function deliver() {
  if (delivering) return true;
  delivering = true;
  try {
    for (let entry = next(); entry; entry = next()) { // includes what is entered meanwhile
      const answer = await post(entry);
      const tries = (entry.tries ?? 0) + 1;
      if (answer.status === 500 && tries < MOST_TRIES) replace(entry, { ...entry, tries });
      if (LATER.includes(answer.status) || (answer.status === 500 && tries < MOST_TRIES)) return false;
      const done = answer.ok || answer.type === "opaqueredirect";
      if (done) {
        await discard(entry);
        document.dispatchEvent(new CustomEvent("delivered", { detail: { entry, answer } }));
        continue;
      }
      const reply = await answer.json().catch(() => ({}));
      replace(entry, { ...entry, problem: reply.message ?? undelivered().clash, status: answer.status });
      document.dispatchEvent(new CustomEvent("refused", { detail: { entry } }));
    }
    return true;
  } catch {
    return false; // away again
  } finally {
    delivering = false;
    document.dispatchEvent(new CustomEvent("outbox"));
  }
}

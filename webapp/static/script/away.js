/* The computer that serves may be away: then pages say so, ask for nothing that it would have to do,
   and keep what is typed meanwhile until it is back. */

const banner = document.getElementById("away");
const undelivered = document.getElementById("undelivered");
const QUEUE = "stargazer undelivered";
const OFTEN = 3000; // ms
const PATIENCE = 10000; // ms that a tap waits for its answer
let isAway = false;
let shownAway = false;
let timer = null;
let delivering = false;

const queue = () => JSON.parse(localStorage.getItem(QUEUE) ?? "[]");
const store = (entries) => localStorage.setItem(QUEUE, JSON.stringify(entries));

async function isThere() {
  try {
    return (await fetch("/healthz", { cache: "no-store", signal: AbortSignal.timeout(4000) })).ok;
  } catch {
    return false;
  }
}

/** Buttons that the computer would have to answer wait for it; links lead to what was kept. */
function showAway(away) {
  isAway = away;
  document.body.dataset.away = away ? "yes" : "";
  banner.hidden = !away;
  for (const button of document.querySelectorAll("button")) {
    if (button.type !== "submit" || !button.form || "queue" in button.form.dataset || button.form.method === "get") continue;
    if (away && !button.disabled) {
      button.disabled = true;
      button.dataset.waits = "";
    } else if (!away && "waits" in button.dataset) {
      button.disabled = false;
      delete button.dataset.waits;
    }
  }
}

export async function look() {
  clearTimeout(timer);
  const there = await isThere();
  if (there && shownAway) {
    await deliver();
    location.reload();
    return;
  }
  if (there === isAway) showAway(!there);
  if (there) await deliver();
  else timer = setTimeout(look, OFTEN);
}

/** What a form sends that a button was pressed of. */
export function entered(form, button) {
  const data = new FormData(form);
  if (button?.name) data.set(button.name, button.value);
  return data;
}

const next = () => queue().find((entry) => !entry.problem);

/** Whether something waits that comes before whatever is sent now. */
const isWaiting = () => Boolean(next());

/** Each tap has a name of its own: one that is delivered twice is written down once. */
function nameOfTap() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const flying = []; // taps that are on their way
let turn = Promise.resolve(); // they go one after the other

/** Send a tap of a form; null where no answer came. One that can wait is kept then, and what
    waits already goes first. */
export async function sendTap(form, button) {
  const data = entered(form, button);
  data.set("tap", nameOfTap());
  const tap = { url: form.action, fields: [...data] };
  flying.push(tap);
  showCounts();
  turn = turn.then(() => post(form, data));
  const answer = await turn;
  flying.splice(flying.indexOf(tap), 1);
  return answer;
}

async function post(form, data) {
  const waits = "queue" in form.dataset;
  const asked = { method: "POST", body: data, headers: { "X-Partial": "1" }, signal: AbortSignal.timeout(PATIENCE) };
  const answer = waits && isWaiting() ? null : await fetch(form.action, asked).catch(() => null);
  if (waits && (!answer || answer.status >= 500)) keepForLater(form, data);
  else if (!answer) look();
  return answer;
}

/** A count that waits, or is on its way, is shown: the next tap counts from there. */
export function showCounts() {
  const taps = [...queue().filter((entry) => !entry.problem), ...flying];
  for (const form of document.querySelectorAll("form.stepper[data-queue]")) {
    const seat = form.elements.seat?.value;
    const waiting = taps.findLast(({ url, fields }) => {
      const told = new Map(fields);
      return url === form.action && told.get("seat") === seat && told.has("count");
    });
    const shown = form.querySelector(".number");
    const by = waiting ? Number(new Map(waiting.fields).get("count")) - Number(shown.textContent) : 0;
    if (!by) continue;
    shown.textContent = Number(shown.textContent) + by;
    for (const button of form.querySelectorAll("[name=count]")) {
      button.value = Number(button.value) + by;
      button.disabled = button.value < 0 || button.value > Number(form.dataset.most);
    }
  }
}

/** Keep a form for later; a later one of the same page and field takes an earlier one's place.
    Of taps at the live table each is kept, under the name that it has. */
export function keepForLater(form, data) {
  const fields = [...data].filter(([, value]) => typeof value === "string");
  const same = data.get("tap") ?? JSON.stringify([form.action, fields.filter(([name]) => name === "space")]);
  const before = queue().find((entry) => entry.same === same && !entry.problem);
  const was = before?.fields.find(([name]) => name === "was");
  const kept = fields.map((field) => (field[0] === "was" && was ? was : field));
  const entry = { same, url: form.action, page: location.pathname, title: document.title, swap: form.dataset.swap, fields: kept };
  store([...queue().filter((other) => other !== before && other.same !== same), entry]);
  showUndelivered();
  look();
}

async function deliver() {
  if (delivering) return;
  delivering = true;
  try {
    for (let entry = next(); entry; entry = next()) { // what is typed meanwhile comes along
      const body = new FormData();
      for (const [name, value] of entry.fields) body.append(name, value);
      const answer = await fetch(entry.url, { method: "POST", body, headers: { "X-Partial": "1" }, redirect: "manual" });
      if (answer.status >= 500 || answer.status === 429) {
        timer = setTimeout(look, OFTEN); // it is busy
        return;
      }
      const done = answer.ok || answer.type === "opaqueredirect";
      const told = done ? null : await answer.clone().json().catch(() => ({}));
      const sent = JSON.stringify(entry);
      const rest = queue().filter((one) => JSON.stringify(one) !== sent);
      store(done ? rest : [...rest, { ...entry, problem: told.message ?? banner.dataset.clash }]);
      if (done) document.dispatchEvent(new CustomEvent("delivered"));
      const target = entry.swap && entry.page === location.pathname && document.querySelector(entry.swap);
      if (done && target && answer.ok) {
        target.innerHTML = await answer.text();
        target.dispatchEvent(new CustomEvent("swapped", { bubbles: true }));
      }
    }
  } catch {
    timer = setTimeout(look, OFTEN); // away again
  } finally {
    delivering = false;
    showUndelivered();
  }
}

/** What waits, and what was refused: read, then thrown away by whoever typed it. */
function showUndelivered() {
  const entries = queue();
  showCounts();
  undelivered.hidden = !entries.length;
  undelivered.querySelector("span").textContent = undelivered.dataset[entries.length === 1 ? "one" : "more"].replace("9", entries.length);
  const list = undelivered.querySelector("ul");
  list.replaceChildren(...entries.filter((entry) => entry.problem).map((entry) => {
    const item = document.createElement("li");
    const link = Object.assign(document.createElement("a"), { href: entry.page, textContent: entry.title });
    const typed = entry.fields.filter(([name]) => !["csrf_token", "was", "back", "revision", "tap", "what", "seat", "after", "due"].includes(name)).map(([, value]) => value);
    const discard = Object.assign(document.createElement("button"), { type: "button", className: "quiet", textContent: undelivered.dataset.discard });
    discard.addEventListener("click", () => {
      store(queue().filter((other) => other.same !== entry.same));
      showUndelivered();
    });
    item.append(link, ` ${entry.problem} `, Object.assign(document.createElement("q"), { textContent: typed.join(", ") }), discard);
    return item;
  }));
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || !("queue" in form.dataset) || form.dataset.swap || "live" in form.dataset || !isAway) return;
  event.preventDefault();
  keepForLater(form, entered(form, event.submitter));
});
document.addEventListener("submit", (event) => {
  if (!("leave" in event.target.dataset)) return;
  localStorage.removeItem(QUEUE);
  navigator.serviceWorker?.controller?.postMessage({ forget: true });
});

window.addEventListener("offline", look);
window.addEventListener("online", look);
document.addEventListener("visibilitychange", () => { if (!document.hidden && isAway) look(); });

/** The games that the list shows are kept, so that they can be read while the computer is away. */
function keepGames(worker) {
  const pages = [...document.querySelectorAll("[data-keep] [data-game]")].flatMap((tile) => {
    const version = tile.querySelector("time").dateTime;
    const picture = tile.querySelector("img.tile-board")?.getAttribute("src");
    return [tile.dataset.game, tile.dataset.score, picture].filter(Boolean).map((url) => ({ url, version }));
  });
  if (pages.length) worker.active?.postMessage({ keep: [{ url: "/", version: pages[0].version }, ...pages] });
}

showUndelivered();
if (navigator.serviceWorker?.controller || queue().length) {
  look().then(() => { shownAway = isAway; });
}
if (navigator.serviceWorker) {
  window.addEventListener("load", () => setTimeout(async () => {
    await navigator.serviceWorker.register("/service-worker.js").catch(() => {});
    keepGames(await navigator.serviceWorker.ready);
  }, 1500));
}

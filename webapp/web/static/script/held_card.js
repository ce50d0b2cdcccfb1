/* Chooses a secret card that is held up to this device's camera while its dialog is open; needs no tap if
   the page may use the camera already. */

import { DeviceCamera, lends } from "./device_camera.js";
import { all, byId, data, maybe, one, streamOf } from "./dom.js";

const ANSWER_MS = 20000;
const PAUSE_MS = 300;
const WATCHED_MS = 60000;

const dialog = byId("personal", HTMLDialogElement);
const held = one(".held-card", HTMLElement, dialog);
const ask = one("button", HTMLButtonElement, held);
const video = one("video", HTMLVideoElement, held);
const camera = new DeviceCamera(video);
let times = 0; // counts uses of the camera, to end the earlier ones

/** The card that is seen with certainty, "" for none. */
async function look() {
  const picture = await camera.picture();
  if (!picture) return "";
  const form = new FormData(one("form", HTMLFormElement, dialog));
  form.set("photo", picture, "card.jpg");
  const signal = AbortSignal.timeout(ANSWER_MS);
  const headers = { "X-CSRFToken": String(form.get("csrf_token")), "X-Partial": "1" };
  const answer = await fetch(data(held).held, { method: "POST", body: form, headers, signal });
  return answer.ok ? (await answer.json()).card ?? "" : "";
}

/** The camera filming in this page's tile; null if it is not filming. */
function filmed() {
  const tile = maybe("#camera video", HTMLVideoElement);
  const stream = tile && streamOf(tile);
  return stream?.active ? stream : null;
}

/** Watch the camera, or that of the filming tile, until one card has been seen twice in a row. */
async function watch() {
  ask.hidden = true;
  const now = ++times;
  const filming = filmed();
  try {
    if (filming) {
      video.srcObject = filming;
      await video.play();
    } else await camera.open();
  } catch {
    if (!filming) camera.close();
    held.hidden = true; // the cards can be tapped instead
    return;
  }
  video.hidden = false;
  let before = "";
  const until = Date.now() + WATCHED_MS;
  while (dialog.open && now === times && Date.now() < until) {
    const card = await look().catch(() => "");
    const shown = all("[name=card]", HTMLButtonElement, dialog).find(({ value }) => value === card);
    if (dialog.open && now === times && card && card === before) shown?.click();
    before = card;
    await new Promise((done) => { setTimeout(done, PAUSE_MS); });
  }
  if (now !== times) return;
  if (filming) video.srcObject = null;
  else camera.close();
  video.hidden = true;
  ask.hidden = false;
}

async function opened() {
  times += 1;
  held.hidden = !lends;
  video.hidden = true;
  ask.hidden = false;
  if (!lends) return;
  const may = await navigator.permissions.query({ name: /** @type {PermissionName} */ ("camera") }).catch(() => null);
  // a camera over the table may see another player's card: begin after a tap
  if (may?.state === "granted" && !filmed() && dialog.open) await watch();
}

ask.addEventListener("click", watch);
new MutationObserver(() => { if (dialog.open) opened(); }).observe(dialog, { attributeFilter: ["open"] });

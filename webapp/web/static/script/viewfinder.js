/* The device's camera on the page: one tap per board, where the camera app needs three. */

import { all, byId, data, one, streamOf } from "./dom.js";
import { announce } from "./page.js";

const open = byId("take-here", HTMLButtonElement);
const finder = byId("viewfinder", HTMLDialogElement);
const video = one("video", HTMLVideoElement, finder);
const shutter = byId("shutter", HTMLButtonElement);
const message = byId("viewfinder-message");
const WIDEST = { width: { ideal: 4096 }, height: { ideal: 3072 }, facingMode: "environment" };
/** @type {{ player: string, name: string }[]} */
let missing = []; // those without a board

// Browsers give cameras to https pages only; desktop users drop or choose files.
let usable = navigator.mediaDevices && matchMedia("(pointer: coarse)").matches;

/** The missing boards: seats and names. */
function boardless() {
  return all(".board-of:has(.board-state.none)").map((board) => ({
    player: data(one("[data-player]", HTMLInputElement, board)).player,
    name: one(".board-head strong", HTMLElement, board).textContent,
  }));
}

function offer() {
  open.hidden = !usable || !boardless().length;
}

function next() {
  if (!missing.length) {
    finder.close();
    return;
  }
  if (message.textContent === missing[0].name) return;
  message.textContent = missing[0].name;
  announce(message.textContent);
}

open.addEventListener("click", async () => {
  missing = boardless();
  try {
    video.srcObject = await navigator.mediaDevices.getUserMedia({ video: WIDEST, audio: false });
  } catch {
    usable = false; // the camera app is offered beside it
    offer();
    const error = byId("upload-error");
    error.textContent = data(open).refused;
    error.hidden = false;
    one(".taker.camera input", HTMLInputElement).focus();
    return;
  }
  shutter.disabled = true; // until a picture is available
  finder.showModal();
  message.textContent = "";
  next();
});

video.addEventListener("playing", () => { shutter.disabled = false; });

finder.addEventListener("close", () => {
  for (const track of streamOf(video)?.getTracks() ?? []) track.stop();
  video.srcObject = null;
});

/** A photograph in full resolution if the browser supports it, else the displayed picture.
    @returns {Promise<Blob | null>} */
async function take() {
  const [track] = streamOf(video)?.getVideoTracks() ?? [];
  if (track && "ImageCapture" in window) {
    const photograph = await new ImageCapture(track).takePhoto().catch(() => null);
    if (photograph?.size) return photograph;
  }
  const canvas = document.createElement("canvas");
  canvas.width = video.videoWidth;
  canvas.height = video.videoHeight;
  canvas.getContext("2d")?.drawImage(video, 0, 0);
  return new Promise((done) => { canvas.toBlob(done, "image/jpeg", 0.92); });
}

shutter.addEventListener("click", async () => {
  shutter.disabled = true;
  const photograph = await take();
  shutter.disabled = false;
  if (!photograph) return; // the camera was taken away: the next tap retries
  const file = new File([photograph], "photograph", { type: photograph.type });
  const asked = missing.shift(); // none if the last photograph showed all missing boards
  if (asked) document.dispatchEvent(new CustomEvent("photographed", { detail: { file, player: asked.player } }));
  next();
});

byId("viewfinder-close", HTMLButtonElement).addEventListener("click", () => finder.close());

/** One photograph may have shown several boards. */
function drop() {
  const still = new Set(boardless().map(({ player }) => player));
  missing = missing.filter(({ player }) => still.has(player));
  if (finder.open) next();
}

byId("photographs").addEventListener("swapped", () => { offer(); drop(); });
offer();

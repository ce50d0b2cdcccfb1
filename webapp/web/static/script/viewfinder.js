/* The device's camera on the page itself: one tap a board, where the camera's own app takes three. */

import { announce } from "./page.js";

const open = document.getElementById("take-here");
const finder = document.getElementById("viewfinder");
const video = finder.querySelector("video");
const shutter = document.getElementById("shutter");
const told = document.getElementById("viewfinder-told");
const WIDEST = { width: { ideal: 4096 }, height: { ideal: 3072 }, facingMode: "environment" };
let missing = []; // whose boards are still to be photographed

// A browser has a camera for pages over https alone; at a desk a photograph is dropped or chosen.
let usable = navigator.mediaDevices && matchMedia("(pointer: coarse)").matches;

/** Whose boards are missing: their seats and names. */
function boardless() {
  return [...document.querySelectorAll(".board-of:has(.board-state.none)")].map((board) => ({
    player: board.querySelector("[data-player]").dataset.player,
    name: board.querySelector(".board-head strong").textContent,
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
  if (told.textContent === missing[0].name) return;
  told.textContent = missing[0].name;
  announce(told.textContent);
}

open.addEventListener("click", async () => {
  missing = boardless();
  try {
    video.srcObject = await navigator.mediaDevices.getUserMedia({ video: WIDEST, audio: false });
  } catch {
    usable = false; // the camera's own app is beside it
    offer();
    document.querySelector(".taker.camera input").focus();
    return;
  }
  shutter.disabled = true; // until there is a picture to take
  finder.showModal();
  told.textContent = "";
  next();
});

video.addEventListener("playing", () => { shutter.disabled = false; });

finder.addEventListener("close", () => {
  for (const track of video.srcObject?.getTracks() ?? []) track.stop();
  video.srcObject = null;
});

/** A photograph with all that the lens sees, where the browser takes such; else the picture shown. */
async function take() {
  const [track] = video.srcObject.getVideoTracks();
  if (window.ImageCapture) {
    const photograph = await new ImageCapture(track).takePhoto().catch(() => null);
    if (photograph?.size) return photograph;
  }
  const canvas = document.createElement("canvas");
  canvas.width = video.videoWidth;
  canvas.height = video.videoHeight;
  canvas.getContext("2d").drawImage(video, 0, 0);
  return new Promise((done) => { canvas.toBlob(done, "image/jpeg", 0.92); });
}

shutter.addEventListener("click", async () => {
  shutter.disabled = true;
  const photograph = await take();
  shutter.disabled = false;
  const file = new File([photograph], "photograph", { type: photograph.type });
  const asked = missing.shift(); // nobody, where the photograph before showed all that were missing
  if (asked) document.dispatchEvent(new CustomEvent("photographed", { detail: { file, player: asked.player } }));
  next();
});

document.getElementById("viewfinder-close").addEventListener("click", () => finder.close());

/** One photograph may have shown several boards. */
function drop() {
  const still = new Set(boardless().map(({ player }) => player));
  missing = missing.filter(({ player }) => still.has(player));
  if (finder.open) next();
}

document.getElementById("photographs").addEventListener("swapped", () => { offer(); drop(); });
offer();

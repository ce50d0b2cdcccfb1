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

/** Whose boards are missing, by their names. */
function boardless() {
  return [...document.querySelectorAll(".board-of:has(.board-state.none) .board-head strong")].map((name) => name.textContent);
}

function offer() {
  open.hidden = !usable || !boardless().length;
}

function next() {
  if (!missing.length) {
    finder.close();
    return;
  }
  told.textContent = missing[0];
  announce(missing[0]);
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
  finder.showModal();
  next();
});

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
  document.dispatchEvent(new CustomEvent("photographed", { detail: file }));
  missing.shift();
  next();
});

document.getElementById("viewfinder-close").addEventListener("click", () => finder.close());

document.getElementById("photographs").addEventListener("swapped", offer);
offer();

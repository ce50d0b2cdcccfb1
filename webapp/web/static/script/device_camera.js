/* A camera of this device: opening it, switching lenses, taking pictures. */

import { streamOf } from "./dom.js";

const LENS = "stargazer-lens";
const WIDEST = 1280;
const STUCK_MS = 4000; // without a new picture; cameras deliver at least fifteen per second

/** Whether this page can use a camera at all: only over https, or on localhost. */
export const lends = Boolean(window.isSecureContext && navigator.mediaDevices?.getUserMedia);

/** The camera's name on this device, kept across reloads so that its boards stay assigned. */
export function deviceName() {
  let kept = localStorage.getItem("stargazer-camera");
  if (!kept) {
    kept = crypto.getRandomValues(new Uint32Array(2)).reduce((text, one) => text + one.toString(36), "");
    localStorage.setItem("stargazer-camera", kept);
  }
  return kept;
}

export class DeviceCamera {
  #video;
  #canvas = document.createElement("canvas");
  #seen = -1;
  #seenAt = 0;
  /** @type {Promise<void> | null} */
  #opening = null;

  /** Show the camera in `video`.
      @param {HTMLVideoElement} video */
  constructor(video) {
    this.#video = video;
  }

  /** Open the camera, again if necessary, with the last lens chosen. Throws the errors of getUserMedia. */
  open() {
    this.#opening ??= this.#openLens().finally(() => { this.#opening = null; });
    return this.#opening;
  }

  async #openLens() {
    this.close(); // many phones can open only one lens at a time
    const stream = await this.#stream(localStorage.getItem(LENS));
    this.#video.srcObject = stream;
    this.#seenAt = performance.now();
    await this.#video.play();
  }

  /** @param {string | null} lens @returns {Promise<MediaStream>} */
  async #stream(lens) {
    const which = lens ? { deviceId: { exact: lens } } : { facingMode: "environment" };
    const video = { width: { ideal: WIDEST }, height: { ideal: 720 }, ...which };
    try {
      return await navigator.mediaDevices.getUserMedia({ video, audio: false });
    } catch (error) {
      const isGone = error instanceof DOMException && ["OverconstrainedError", "NotFoundError"].includes(error.name);
      if (!lens || !isGone) throw error;
      localStorage.removeItem(LENS); // it was unplugged, or the browser has renamed it
      return this.#stream(null);
    }
  }

  close() {
    for (const track of streamOf(this.#video)?.getTracks() ?? []) track.stop();
    this.#video.srcObject = null;
  }

  /** Whether pictures arrive: the camera is neither taken away, e.g. by a screen lock, nor frozen. */
  get alive() {
    const track = this.#track;
    return track?.readyState === "live" && !track.muted && performance.now() - this.#seenAt < STUCK_MS;
  }

  /** Open this device's next lens. */
  async turn() {
    const lenses = await this.lenses();
    const now = lenses.indexOf(this.#track?.getSettings().deviceId ?? "");
    if (lenses.length) localStorage.setItem(LENS, lenses[(now + 1) % lenses.length]);
    await this.open();
  }

  /** This device's lenses; browsers list them only after permission. */
  async lenses() {
    const devices = await navigator.mediaDevices.enumerateDevices();
    return devices.filter((one) => one.kind === "videoinput" && one.deviceId).map((one) => one.deviceId);
  }

  /** Whether there is a picture that has not been taken yet. */
  get fresh() {
    const moved = this.#video.currentTime !== this.#seen;
    if (moved) this.#seenAt = performance.now();
    return moved;
  }

  /** Take the current picture as a JPEG; null if there is none.
      @returns {Promise<Blob | null>} */
  picture() {
    const { videoWidth, videoHeight, currentTime } = this.#video;
    this.#seen = currentTime;
    const scale = Math.min(1, WIDEST / videoWidth);
    this.#canvas.width = Math.round(videoWidth * scale);
    this.#canvas.height = Math.round(videoHeight * scale);
    this.#canvas.getContext("2d")?.drawImage(this.#video, 0, 0, this.#canvas.width, this.#canvas.height);
    return new Promise((done) => { this.#canvas.toBlob(done, "image/jpeg", 0.85); });
  }

  get #track() {
    return streamOf(this.#video)?.getVideoTracks()[0];
  }
}

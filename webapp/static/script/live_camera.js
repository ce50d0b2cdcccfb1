/* This device's camera: a frame goes up, and the next one only when the server has answered. */

const panel = document.getElementById("camera");
const list = document.getElementById("camera-list");
const SLOW_MS = 500; // before a frame is tried again that the server had no room for
const LEAST_MS = 66; // between two frames: fifteen a second are enough for hands and stars
const WIDEST = 1280;

async function relist() {
  const url = document.getElementById("cameras").dataset.list;
  const response = await fetch(url).catch(() => null);
  if (!response?.ok || list.contains(document.activeElement)) return;
  list.innerHTML = await response.text();
  for (const figure of list.querySelectorAll("[data-picture]")) draw(figure);
}
setInterval(relist, 2000);

/* What the server's own cameras see: fetched a few times a second while somebody looks. */
const LOOK_MS = 300;
const pictures = new Map();

function draw(figure) {
  const shown = pictures.get(figure.dataset.picture);
  if (shown) figure.querySelector("img").src = shown;
}

async function look() {
  for (const { dataset } of document.hidden ? [] : list.querySelectorAll("[data-picture]")) {
    const url = dataset.picture;
    const response = await fetch(url, { headers: { "X-Partial": "1" } }).catch(() => null);
    if (!response?.ok) continue; // the last picture stays; the lamp beside it says that it is lost
    const before = pictures.get(url);
    pictures.set(url, URL.createObjectURL(await response.blob()));
    list.querySelectorAll("[data-picture]").forEach(draw); // the list may have been drawn anew
    if (before) setTimeout(() => URL.revokeObjectURL(before), 1000);
  }
  setTimeout(look, LOOK_MS);
}
look();

/** The camera's name on this device: the same after a reload, so that its boards are known. */
function name() {
  let kept = localStorage.getItem("stargazer-camera");
  if (!kept) {
    kept = crypto.getRandomValues(new Uint32Array(2)).reduce((text, one) => text + one.toString(36), "");
    localStorage.setItem("stargazer-camera", kept);
  }
  return kept;
}

if (panel) {
  const video = panel.querySelector("video");
  const outlines = panel.querySelector("svg");
  const said = document.getElementById("camera-said");
  const start = document.getElementById("camera-start");
  const stop = document.getElementById("camera-stop");
  const canvas = document.createElement("canvas");
  const pause = (ms) => new Promise((done) => { setTimeout(done, ms); });
  let on = false;
  let pumping = null;
  let seen = -1;

  async function open() {
    const wanted = { width: { ideal: WIDEST }, height: { ideal: 720 }, facingMode: "environment" };
    const stream = await navigator.mediaDevices.getUserMedia({ video: wanted, audio: false });
    video.srcObject = stream;
    await video.play();
    panel.querySelector("figure").hidden = false;
    navigator.wakeLock?.request("screen").catch(() => {}); // a battery that is low may refuse
  }

  function alive() {
    const track = video.srcObject?.getVideoTracks()[0];
    return track?.readyState === "live" && !track.muted;
  }

  function picture() {
    const scale = Math.min(1, WIDEST / video.videoWidth);
    canvas.width = Math.round(video.videoWidth * scale);
    canvas.height = Math.round(video.videoHeight * scale);
    canvas.getContext("2d").drawImage(video, 0, 0, canvas.width, canvas.height);
    return new Promise((done) => { canvas.toBlob(done, "image/jpeg", 0.85); });
  }

  function show(answer) {
    said.textContent = answer.said ?? answer.message ?? "";
    outlines.replaceChildren(...(answer.boards ?? []).map((board) => {
      const shape = document.createElementNS("http://www.w3.org/2000/svg", "polygon");
      shape.setAttribute("points", board.corners.map((corner) => corner.join(",")).join(" "));
      if (!board.sure) shape.classList.add("unsure");
      return shape;
    }));
  }

  async function send() {
    const frame = await picture();
    const response = await fetch(`${panel.dataset.frames}?camera=${name()}`, {
      method: "POST",
      body: frame,
      headers: { "X-CSRFToken": panel.dataset.token, "X-Partial": "1", "Content-Type": "image/jpeg" },
    });
    show(await response.json());
    return response.status === 202;
  }

  async function pump() {
    while (on) {
      const begun = performance.now();
      try {
        if (!alive()) {
          said.textContent = panel.dataset.lost;
          await pause(SLOW_MS);
          if (on) await open();
          continue;
        }
        if (video.currentTime === seen) {
          await pause(LEAST_MS / 2);
          continue;
        }
        seen = video.currentTime;
        if (!(await send())) await pause(SLOW_MS);
      } catch {
        said.textContent = alive() ? panel.dataset.unreached : panel.dataset.lost;
        await pause(2 * SLOW_MS);
      }
      const left = LEAST_MS - (performance.now() - begun);
      if (left > 0 && !document.hidden) await pause(left);
    }
  }

  function switched(now) {
    on = now;
    start.hidden = now;
    stop.hidden = !now;
    document.getElementById("camera-hint").hidden = !now;
  }

  start.addEventListener("click", async () => {
    try {
      await open();
    } catch (error) {
      said.textContent = error.name === "NotAllowedError" ? panel.dataset.refused : panel.dataset.none;
      return;
    }
    switched(true);
    pumping = pump();
  });

  stop.addEventListener("click", async () => {
    switched(false);
    await pumping; // a frame on its way would bring the camera back
    for (const track of video.srcObject?.getTracks() ?? []) track.stop();
    panel.querySelector("figure").hidden = true;
    said.textContent = "";
    // Stopped on purpose is not lost: nobody is told to look for the camera.
    fetch(panel.dataset.stop, {
      method: "POST",
      body: new URLSearchParams({ name: `camera-${name()}` }),
      headers: { "X-CSRFToken": panel.dataset.token, "X-Partial": "1" },
    }).then(relist, () => { said.textContent = panel.dataset.unreached; });
  });
}

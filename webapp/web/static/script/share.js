/* Uses the phone's sharing of pictures if there is one; otherwise the link downloads it. */

import { all } from "./dom.js";

/** @param {HTMLAnchorElement} link */
async function send(link) {
  const response = await fetch(link.href);
  if (!response.ok) throw new Error(String(response.status));
  const blob = await response.blob();
  const name = /filename="([^"]+)"/.exec(response.headers.get("Content-Disposition") ?? "")?.[1] ?? "score.png";
  const file = new File([blob], name, { type: blob.type });
  if (!navigator.canShare?.({ files: [file] })) throw new Error("not shareable");
  await navigator.share({ files: [file], title: link.dataset.share });
}

for (const link of all("[data-share]", HTMLAnchorElement)) {
  link.addEventListener("click", (event) => {
    if (!navigator.canShare) return;
    event.preventDefault();
    send(link).catch((error) => {
      if (error.name !== "AbortError") window.location.assign(link.href);
    });
  });
}

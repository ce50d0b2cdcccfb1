/* A board of regions alone, entered by hand: what lies in each is counted, each count a form. */

import "./regions.js";
import { byId } from "./dom.js";
import { swap } from "./page.js";

document.addEventListener("news", (event) => {
  event.preventDefault();
  swap(byId("entry"), location.pathname + location.search).catch(() => {}); // the stream notices, and comes back
});

/* Entry by hand of a board with regions only: each count is a form. */

import "./regions.js";
import { byId } from "./dom.js";
import { swap } from "./page.js";

document.addEventListener("news", (event) => {
  event.preventDefault();
  swap(byId("entry"), location.pathname + location.search).catch(() => {}); // the event stream notices and retries
});

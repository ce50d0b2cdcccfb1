/* Makes a page that waits for another device's step continue with the game. */

import { byId, data } from "./dom.js";

const { onward } = data(byId("waiting"));

setInterval(async () => {
  const there = await fetch(onward, { method: "HEAD" }).catch(() => null); // the server will be back
  if (there?.ok && new URL(there.url).pathname !== location.pathname) location.assign(there.url);
}, 2000);

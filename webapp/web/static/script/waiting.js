/* A page that waits for another device's step goes on as soon as the game does. */

import { byId, data } from "./dom.js";

const { onward } = data(byId("waiting"));

setInterval(async () => {
  const there = await fetch(onward, { method: "HEAD" }).catch(() => null); // the server comes back
  if (there?.ok && new URL(there.url).pathname !== location.pathname) location.assign(there.url);
}, 2000);

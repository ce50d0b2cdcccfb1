/* Keeps the screen on while something on the page needs it. A locked device releases the lock, so it is
   requested again when the page becomes visible. */

const wanted = new Set();
/** @type {WakeLockSentinel | null | undefined} */
let lock = null;

async function renew() {
  const wants = wanted.size > 0 && !document.hidden;
  if (wants && (!lock || lock.released)) {
    lock = await navigator.wakeLock?.request("screen").catch(() => null); // refused e.g. on low battery
    if (lock && !wanted.size) renew(); // no longer needed meanwhile
  } else if (!wants && lock) {
    lock.release();
    lock = null;
  }
}

/** Keep the screen on for a reason, or stop doing so.
    @param {string} reason @param {boolean} on */
export function stayAwake(reason, on) {
  if (on === wanted.has(reason)) return;
  if (on) wanted.add(reason);
  else wanted.delete(reason);
  renew();
}

document.addEventListener("visibilitychange", renew);

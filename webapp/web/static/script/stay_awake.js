/* The screen stays on while something on the page wants it to. A device that is locked lets go of
   the lock: it is asked for again when the page is seen again. */

const wanted = new Set();
/** @type {WakeLockSentinel | null | undefined} */
let lock = null;

async function renew() {
  const wants = wanted.size > 0 && !document.hidden;
  if (wants && (!lock || lock.released)) {
    lock = await navigator.wakeLock?.request("screen").catch(() => null); // a low battery may refuse
    if (lock && !wanted.size) renew(); // what wanted it has ended meanwhile
  } else if (!wants && lock) {
    lock.release();
    lock = null;
  }
}

/** Keep the screen on for a reason, or no longer for that reason.
    @param {string} reason @param {boolean} on */
export function stayAwake(reason, on) {
  if (on === wanted.has(reason)) return;
  if (on) wanted.add(reason);
  else wanted.delete(reason);
  renew();
}

document.addEventListener("visibilitychange", renew);

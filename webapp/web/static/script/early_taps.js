/* What is done on a page before its own scripts are there is kept, and done once they are: on a slow
   network the page is shown long before. No module, so that it is there before anything can be tapped.
   Links, fields and what opens by itself do what they do; a button without scripts is a plain form's. */

{
  const KINDS = ["click", "input", "change", "keydown"];
  const PLAIN = "a:not([data-ask]), summary, label, input, select, textarea";
  /** @type {[EventTarget, Event][]} */
  const kept = [];

  const keep = (/** @type {Event} */ event) => {
    const { target } = event;
    if (!target) return;
    const plain = target instanceof Element && target.closest(PLAIN);
    if (plain && /click|keydown/.test(event.type)) return;
    event.stopImmediatePropagation();
    if (event.type === "click") event.preventDefault();
    const Kind = /** @type {typeof Event} */ (event.constructor);
    kept.push([target, new Kind(event.type, event)]);
  };

  for (const kind of KINDS) document.addEventListener(kind, keep, true);

  // Modules have run by then, or could not be had.
  document.addEventListener("DOMContentLoaded", () => {
    for (const kind of KINDS) document.removeEventListener(kind, keep, true);
    for (const [target, event] of kept) {
      if (!(target instanceof Node) || target.isConnected) target.dispatchEvent(event);
    }
  });
}

// A page that answers a form, and tells of a mistake in it: Back or a reload would ask whether to send it again.
if ("answersForm" in document.documentElement.dataset) history.replaceState(history.state, "", location.href);

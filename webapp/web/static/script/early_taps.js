/* Keeps taps made before the page's own scripts have loaded, and replays them afterwards: on a slow
   network the page appears long before. This is no module, so that it runs before anything can be tapped.
   Links, fields and native controls work as usual; buttons that need no script submit a plain form. */

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

  // Modules have run by then, or failed to load.
  document.addEventListener("DOMContentLoaded", () => {
    for (const kind of KINDS) document.removeEventListener(kind, keep, true);
    for (const [target, event] of kept) {
      if (!(target instanceof Node) || target.isConnected) target.dispatchEvent(event);
    }
  });
}

// On a page that answers a form, Back or reload would ask whether to send it again, or find no page there.
const { answersForm } = document.documentElement.dataset;
if (answersForm !== undefined) history.replaceState(history.state, "", answersForm || location.href);

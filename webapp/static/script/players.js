/* Who plays. Enter in a name goes on to the next player's; after the last one to the next step. */

const form = document.getElementById("step");
const names = [...document.querySelectorAll("input[id^='name-']")];

form.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !names.includes(event.target)) return;
  const next = names.slice(names.indexOf(event.target) + 1).find((name) => name.offsetParent);
  if (!next) return;
  event.preventDefault();
  next.focus();
});

/** Begin the game, and let this page be that game's: who comes back corrects it, and begins no other. */
async function begin(button) {
  const response = await fetch(form.action, {
    method: "POST", body: new FormData(form, button), headers: { "X-Partial": "1" }, redirect: "manual",
  });
  if (response.status !== 201) throw new Error(String(response.status));
  const game = await response.json();
  form.action = game.players;
  delete form.dataset.begins;
  history.replaceState(null, "", game.players);
  location.assign(game.onward);
}

form.addEventListener("submit", (event) => {
  if (!("begins" in form.dataset)) return;
  event.preventDefault();
  if (form.ariaBusy === "true") return; // a second tap on the same button
  form.ariaBusy = "true";
  // The answer to a form says what is wrong with it.
  begin(event.submitter).catch(() => HTMLFormElement.prototype.submit.call(form)).finally(() => { form.ariaBusy = null; });
});

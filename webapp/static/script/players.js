/* Enter in a name goes on to the next player's; after the last one it goes on to the next step. */

const names = [...document.querySelectorAll("input[id^='name-']")];

document.getElementById("step").addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !names.includes(event.target)) return;
  const next = names.slice(names.indexOf(event.target) + 1).find((name) => name.offsetParent);
  if (!next) return;
  event.preventDefault();
  next.focus();
});

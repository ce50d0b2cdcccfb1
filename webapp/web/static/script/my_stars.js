/* My stars: a tap on a star, in the photograph or in the list, asks which one it is. */

const dialog = document.getElementById("naming");
const field = dialog.querySelector("[name=number]");
let opener = null;

function ask(from) {
  opener = from;
  field.value = from.dataset.number;
  dialog.showModal();
  document.getElementById("naming-title").focus();
}

for (const one of document.querySelectorAll(".found-star[data-number], .found-row")) {
  one.addEventListener("click", () => ask(one));
  if (one.matches(".found-row")) continue; // a button hears keys by itself
  one.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    ask(one);
  });
}

dialog.addEventListener("click", (event) => {
  if (event.target === dialog || event.target.closest("[data-close]")) dialog.close();
});
dialog.addEventListener("close", () => opener?.focus({ preventScroll: true }));

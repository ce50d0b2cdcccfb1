/* On a card only one player is the first: whoever is named takes it from the one before. */

document.querySelector(".markers").addEventListener("change", (event) => {
  if (event.target.value !== "first") return;
  for (const other of event.target.closest(".career").querySelectorAll("[value=first]:checked")) {
    if (other !== event.target) other.closest("fieldset").querySelector("[value=later]").checked = true;
  }
});

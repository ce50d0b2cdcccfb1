/* A backup is larger than one request may be: it is sent in parts, one after the other. */

const form = document.getElementById("bring");
const error = document.getElementById("bring-error");
const sending = document.getElementById("sending");
const sent = document.getElementById("sent");

async function send(file) {
  const portion = Number(form.dataset.portion);
  let at = 0;
  do {
    const data = new FormData();
    data.append("csrf_token", form.elements.csrf_token.value);
    data.append("at", at);
    data.append("part", file.slice(at, at + portion), "part");
    const answer = await fetch(form.action, { method: "POST", body: data, headers: { "X-Partial": "1" } });
    const told = await answer.json();
    if (!answer.ok) throw new Error(told.message);
    at = told.at;
    sent.value = at / file.size;
  } while (at < file.size);
  sent.removeAttribute("value");
  location.assign(form.dataset.onward);
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  error.hidden = true;
  sending.hidden = false;
  send(form.elements.part.files[0]).catch((problem) => {
    sending.hidden = true;
    error.hidden = false;
    error.textContent = problem.message && !(problem instanceof TypeError) ? problem.message : form.dataset.lost;
  });
});

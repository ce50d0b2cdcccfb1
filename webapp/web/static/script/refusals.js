/* What the rules would refuse: in a palette each such piece is marked, and why is said below it. It can
   be chosen all the same: people err, and a board is scored as it lies. */

const OF_PLACE = ""; // the key of what every piece would break on a space

/** What is refused on a board: by space and piece the reason. Nothing, where no answer comes. */
export async function refusedOn(url) {
  try {
    const response = await fetch(url, { headers: { "X-Partial": "1" } });
    return response.ok ? await response.json() : {};
  } catch {
    return {};
  }
}

/** Why a piece is refused on a space: for a rule of its own, or for one that all would break. */
export const whyRefused = (refused, space, piece) => refused[space]?.[piece] ?? refused[space]?.[OF_PLACE] ?? "";

/** Mark what of a palette's pieces is refused on a space, with the reasons in its list. */
export function markRefused(palette, refused, space) {
  const list = document.getElementById(palette.dataset.why);
  const reasons = [];
  for (const button of palette.querySelectorAll("[name=star], [name=paint]")) {
    const why = button.value && whyRefused(refused, space, button.value);
    button.classList.toggle("refused", Boolean(why));
    button.removeAttribute("aria-describedby");
    if (!why) continue;
    if (!reasons.includes(why)) reasons.push(why);
    button.setAttribute("aria-describedby", `${list.id}-${reasons.indexOf(why)}`);
  }
  list.replaceChildren(...reasons.map((why, number) => {
    const told = document.createElement("li");
    told.id = `${list.id}-${number}`;
    told.textContent = why;
    return told;
  }));
}

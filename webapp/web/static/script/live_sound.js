/* Silent, chime or voice, as chosen on this device. */

import { byId, maybe, one } from "./dom.js";

/** @import { Alert } from "../../scripts.js" */

const KEY = "stargazer-sound";
const choice = byId("sound");
/** @type {Record<Alert["kind"], number[]>} */
const NOTES = {
  objective: [660, 880, 1100],
  ending: [523, 659, 784, 1047],
  break: [330, 262],
  due: [587],
};
const ORDER = /** @type {const} */ (["ending", "objective", "break", "due"]);
/** @type {AudioContext | undefined} */
let context;

function chosen() {
  return one(":checked", HTMLInputElement, choice).value;
}

/** Play one soft tone for the most important of several alerts.
    @param {Pick<Alert, "kind">[]} alerts */
function chime(alerts) {
  const kind = ORDER.find((one) => alerts.some((alert) => alert.kind === one));
  if (!kind) return;
  const output = context ??= new AudioContext();
  output.resume();
  NOTES[kind].forEach((pitch, index) => {
    const start = output.currentTime + 0.05 + index * 0.16;
    const tone = new OscillatorNode(output, { type: "sine", frequency: pitch });
    const loudness = new GainNode(output, { gain: 0 });
    loudness.gain.setValueAtTime(0, start);
    loudness.gain.linearRampToValueAtTime(0.16, start + 0.02);
    loudness.gain.exponentialRampToValueAtTime(0.001, start + 0.7);
    tone.connect(loudness).connect(output.destination);
    tone.start(start);
    tone.stop(start + 0.75);
  });
}

/** @param {Pick<Alert, "say">[]} alerts */
function speak(alerts) {
  for (const alert of alerts.slice(-3)) {
    const words = new SpeechSynthesisUtterance(alert.say);
    words.lang = document.documentElement.lang;
    words.rate = 0.95;
    speechSynthesis.speak(words);
  }
}

/** @param {Alert[]} alerts */
export function sound(alerts) {
  if (!alerts.length || chosen() === "off") return;
  if (chosen() === "voice" && "speechSynthesis" in window) speak(alerts);
  else chime(alerts);
}

const kept = maybe(`[value="${CSS.escape(localStorage.getItem(KEY) ?? "off")}"]`, HTMLInputElement, choice);
if (kept) kept.checked = true;
choice.addEventListener("change", () => {
  localStorage.setItem(KEY, chosen());
  if (chosen() === "chime") chime([{ kind: "due" }]); // this tap permits the browser to make sounds
  if (chosen() === "voice") speak([{ say: one(":checked + span", HTMLElement, choice).textContent }]);
});

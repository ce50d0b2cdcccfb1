/* Silent, chime or voice: what this device was told to do is kept on it. */

const KEY = "stargazer-sound";
const choice = document.getElementById("sound");
const NOTES = {
  objective: [660, 880, 1100],
  ending: [523, 659, 784, 1047],
  break: [330, 262],
  due: [587],
};
const ORDER = ["ending", "objective", "break", "due"];
let context = null;

function chosen() {
  return choice.querySelector(":checked").value;
}

/** A soft tone for the most important of some alerts; one, however many there are. */
function chime(alerts) {
  const kind = ORDER.find((one) => alerts.some((alert) => alert.kind === one));
  if (!kind) return;
  context ??= new AudioContext();
  context.resume();
  NOTES[kind].forEach((pitch, index) => {
    const start = context.currentTime + 0.05 + index * 0.16;
    const tone = new OscillatorNode(context, { type: "sine", frequency: pitch });
    const loudness = new GainNode(context, { gain: 0 });
    loudness.gain.setValueAtTime(0, start);
    loudness.gain.linearRampToValueAtTime(0.16, start + 0.02);
    loudness.gain.exponentialRampToValueAtTime(0.001, start + 0.7);
    tone.connect(loudness).connect(context.destination);
    tone.start(start);
    tone.stop(start + 0.75);
  });
}

function speak(alerts) {
  for (const alert of alerts.slice(-3)) {
    const words = new SpeechSynthesisUtterance(alert.say);
    words.lang = document.documentElement.lang;
    words.rate = 0.95;
    speechSynthesis.speak(words);
  }
}

export function sound(alerts) {
  if (!alerts.length || chosen() === "off") return;
  if (chosen() === "voice" && "speechSynthesis" in window) speak(alerts);
  else chime(alerts);
}

const kept = choice.querySelector(`[value="${CSS.escape(localStorage.getItem(KEY) ?? "off")}"]`);
if (kept) kept.checked = true;
choice.addEventListener("change", () => {
  localStorage.setItem(KEY, chosen());
  if (chosen() === "chime") chime([{ kind: "due" }]); // the tap that lets a browser make sounds
  if (chosen() === "voice") speak([{ say: choice.querySelector(":checked + span").textContent }]);
});

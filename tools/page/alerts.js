// Turn alerts: a sound, a vibration, a notification, as the player chooses. All are off
// at first.

import { signal } from "@preact/signals";
import { html, Sheet } from "./parts.js";

const KEY = "affray-alerts";
const WAYS = { sound: "A sound", vibration: "A vibration, where the device can", notification: "A notification, while the page is in the background" };

const chosen = signal(read());

/** Alert the player in the chosen ways. */
export function alertOf(text) {
  const { sound, vibration, notification } = chosen.value;
  if (sound) chime();
  if (vibration) navigator.vibrate?.([120, 60, 120]);
  if (notification && document.hidden && globalThis.Notification?.permission === "granted") {
    new Notification("Affray", { body: text, tag: "affray" });
  }
}

/** Render the sheet of turn alerts. */
export function Alerts({ onClose }) {
  const set = async (way, on) => {
    let may = on;
    if (way === "notification" && on) may = (await globalThis.Notification?.requestPermission?.()) === "granted";
    chosen.value = { ...chosen.value, [way]: may };
    if (way === "sound" && on) chime();
    try {
      localStorage.setItem(KEY, JSON.stringify(chosen.value));
    } catch {
      // A browser without storage forgets it with the page.
    }
  };
  return html`<${Sheet} onClose=${onClose}><article class="alerts"><h2>Turn alerts</h2>
    <p class="dim">Alert me with:</p>
    ${Object.entries(WAYS).map(([way, says]) => html`<label class="check" key=${way} for=${`alert-${way}`}><input type="checkbox" id=${`alert-${way}`}
      checked=${Boolean(chosen.value[way])} onChange=${({ target }) => set(way, target.checked)} />${says}</label>`)}
    <footer><form method="dialog"><button class="main">Done</button></form></footer></article><//>`;
}

/** Play two soft notes. */
function chime() {
  const audio = new AudioContext();
  [660, 880].forEach((pitch, nth) => {
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    const start = audio.currentTime + nth * 0.14;
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.12, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + 0.3);
    tone.connect(volume).connect(audio.destination);
    tone.start(start);
    tone.stop(start + 0.32);
  });
  setTimeout(() => audio.close(), 1000);
}

function read() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
}

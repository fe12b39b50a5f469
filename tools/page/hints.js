// Hints for a first evening: one at a time, each until the viewer has followed or dismissed it.

import { signal } from "@preact/signals";
import { isMine } from "./headline.js";
import { Button, html } from "./parts.js";

const KEY = "affray-hints";

const learned = signal(read());

/** The hints, each with its condition and its text. The first that applies and is not learned yet is shown. */
const HINTS = {
  invite: [({ seat }) => seat.isGm && !seat.state.value.round,
    "Invite the players: the people button shows a link for each. Then start the fight."],
  foe: [({ seat, map }) => seat.plays && seat.state.value.acting.length > 0 && (seat.isGm || isMine(seat)) && map,
    "Tap the active combatant to see where they can move. Tap another combatant to see each action against them, with its hit chance."],
  bell: [({ seat }) => seat.me.role === "player" && !isMine(seat),
    "The headline says when it is your turn. The bell, under More, can ring then."],
  receipt: [({ seat }) => seat.history.recorded.some((one) => one.event?.type === "Rolled"),
    "Tap a roll to see where each of its numbers comes from."],
  undo: [({ seat }) => seat.isGm && seat.state.value.round > 0,
    "The arrow above undoes any command. Right-click or long-press a combatant to rule on them: a counter, a condition, a place."],
};

/** Render the hint that applies now, if any. */
export function Hint({ seat, map }) {
  const name = Object.keys(HINTS).find((one) => !learned.value.has(one) && HINTS[one][0]({ seat, map }));
  if (!name || seat.state.value.ended || seat.closed.value) return null;
  return html`<p class="hint" role="note" data-hint=${name}><span>${HINTS[name][1]}</span>
    <${Button} shows="close" label="Dismiss" class="quiet" onClick=${() => learn(name)} /></p>`;
}

/** Record that a hint is learned, so that it is not shown again. */
export function learn(name) {
  if (!name || learned.value.has(name)) return;
  learned.value = new Set([...learned.value, name]);
  try {
    localStorage.setItem(KEY, JSON.stringify([...learned.value]));
  } catch {
    // A browser without storage forgets it with the page.
  }
}

function read() {
  try {
    return new Set(JSON.parse(localStorage.getItem(KEY)) ?? []);
  } catch {
    return new Set();
  }
}

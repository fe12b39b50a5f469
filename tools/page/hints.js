// What one does first at a table, said quietly: one hint at a time, each until one has done it or has understood.

import { signal } from "@preact/signals";
import { isMine } from "./headline.js";
import { Button, html } from "./parts.js";

const KEY = "affray-hints";

const learned = signal(read());

/** Each with when it applies, and what it says; the first that applies and is not learned yet is shown. */
const HINTS = {
  invite: [({ seat }) => seat.isGm && !seat.state.value.round,
    "Invite the players: the button with the people shows a link for each. Then begin."],
  foe: [({ seat, map }) => seat.plays && seat.state.value.acting.length > 0 && (seat.isGm || isMine(seat)) && map,
    "Tap the active combatant to see where they can move. Tap another combatant to see each action against them, with its hit chance."],
  bell: [({ seat }) => seat.me.role === "player" && !isMine(seat),
    "The headline says when it is your turn. The bell, under More, can ring then."],
  receipt: [({ seat }) => seat.history.recorded.some((one) => one.event?.type === "Rolled"),
    "A tap on a roll says where every number of it comes from."],
  undo: [({ seat }) => seat.isGm && seat.state.value.round > 0,
    "The arrow above undoes any command. Right-click or long-press a combatant to rule on them: a counter, a condition, a place."],
};

/** The hint that applies just now, if any. */
export function Hint({ seat, map }) {
  const name = Object.keys(HINTS).find((one) => !learned.value.has(one) && HINTS[one][0]({ seat, map }));
  if (!name || seat.state.value.ended || seat.closed.value) return null;
  return html`<p class="hint" role="note" data-hint=${name}><span>${HINTS[name][1]}</span>
    <${Button} shows="close" label="Understood" class="quiet" onClick=${() => learn(name)} /></p>`;
}

/** Say no more of something, for it was done. */
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

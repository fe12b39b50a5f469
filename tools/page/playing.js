// Sides that the engine plays at the game master's table, on their turns and when asked, until unchecked.

import { signal } from "@preact/signals";
import { Button, html } from "./parts.js";
import { isUp, sidesOf } from "./people.js";
import { capital } from "./words.js";

/** The pause before the engine's next command. */
const PAUSE_MS = 600;

const autos = signal(new Set());
/** The combatant whose single turn the engine plays. */
const turnOf = signal(null);
let next;

/** Render the button that lets the engine play the active combatant's turn. */
export function OneTurn({ seat }) {
  const who = seat.choosing.actor.value;
  if (!seat.isGm || !isUp(seat.state.value, who)) return null;
  const play = () => {
    turnOf.value = turnOf.value === who ? null : who;
    playOn(seat, 0);
  };
  return html`<${Button} says=${turnOf.value === who ? "Stop" : "Play this turn"} title="The engine plays this turn step by step. Each step can be undone"
    data-key="one-turn" onClick=${play} />`;
}

/** Render the choice of the sides that the engine plays. */
export function Playing({ seat }) {
  const play = (side, on) => {
    const chosen = new Set(autos.value);
    if (on) chosen.add(side);
    else chosen.delete(side);
    autos.value = chosen;
    playOn(seat);
  };
  return html`<details class="playing"><summary>Let the engine play</summary>
    <p class="dim">The engine plays these sides: their turns and their answers, until you uncheck them.</p>
    <div class="row">${sidesOf(seat.state.value).map((side, nth) => html`<label class="check" key=${side} for=${`auto-${nth}`}><input type="checkbox" id=${`auto-${nth}`}
      checked=${autos.value.has(side)} onChange=${({ target }) => play(side, target.checked)} />${capital(side)}</label>`)}</div></details>`;
}

/** Let the engine act if it plays the active or asked combatant. It never enters dice. */
export function playOn(seat, pause = PAUSE_MS) {
  const [state, position] = [seat.state.value, seat.position.value];
  if (!seat.isGm || !seat.current.value || state.ended || state.awaited || seat.request) return;
  const turn = state.acting.length ? state.acting : (seat.legal.value.actors ?? []).map(({ who }) => who); // or the combatants that may be next
  const concerned = state.question?.of ?? state.window?.to ?? turn;
  if (turnOf.value && !state.acting.includes(turnOf.value)) turnOf.value = null;
  const played = (who) => autos.value.has(state.combatants[who]?.side) || who === turnOf.value;
  const who = concerned.find(played);
  if (!who) return;
  const { side } = state.combatants[who];
  clearTimeout(next);
  next = setTimeout(async () => {
    const here = () => seat.current.value && seat.position.value === position;
    if (!here() || !played(who) || seat.end.signal.aborted || await seat.send({ type: "Auto", side }, true)) return;
    if (!here()) return;
    autos.value = new Set([...autos.value].filter((one) => one !== side)); // the server refused, and the page shows why
    turnOf.value = null;
  }, pause);
}

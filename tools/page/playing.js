// Autoplay: the engine plays sides, or one turn, at the game master's table, until it is stopped. It belongs to one seat of one fight.

import { signal } from "@preact/signals";
import { Button, html } from "./parts.js";
import { isUp, sidesOf } from "./people.js";
import { called, capital, nameSaid, series } from "./words.js";

/** The pauses before the engine's next command, in milliseconds, by the name of their pace. */
const PACES = { slow: 2000, normal: 600, fast: 150, instant: 0 };

/** The key under which this browser keeps the pace. */
const PACE = "affray-pace";

const pace = signal(localStorage.getItem(PACE) in PACES ? localStorage.getItem(PACE) : "normal");

/** Render the choice of the pace. */
function Pace({ id }) {
  const set = ({ target }) => {
    pace.value = target.value;
    localStorage.setItem(PACE, target.value);
  };
  return html`<label class="unseen" for=${id}>Pace</label><select class="pace" id=${id} title="Pace" value=${pace.value} onChange=${set}>${Object.keys(PACES).map((one) => html`
    <option key=${one} value=${one}>${capital(one)}</option>`)}</select>`;
}

/** Render the button that lets the engine play the active combatant's turn. */
export function OneTurn({ seat }) {
  const who = seat.choosing.actor.value;
  if (!seat.isGm || !isUp(seat.state.value, who)) return null;
  const { sides, turn } = seat.autoplay.value;
  const play = () => setAutoplay(seat, { sides, turn: turn === who ? null : who }, 0);
  return html`<${Button} says=${turn === who ? "Stop" : "Play this turn"} title="The engine plays this turn step by step. Each step can be undone"
    data-key="one-turn" onClick=${play} />`;
}

/** Render the choice of the sides that the engine plays. */
export function Playing({ seat }) {
  const { sides, turn } = seat.autoplay.value;
  const play = (side, on) => setAutoplay(seat, { sides: on ? [...sides, side] : sides.filter((one) => one !== side), turn });
  return html`<details class="playing"><summary>Autoplay</summary>
    <p class="dim">The engine takes the turns and the reactions of these sides, in this fight, until you stop it.</p>
    <div class="row">${sidesOf(seat.state.value).map((side, nth) => html`<label class="check" key=${side} for=${`auto-${nth}`}><input type="checkbox" id=${`auto-${nth}`}
      checked=${sides.includes(side)} onChange=${({ target }) => play(side, target.checked)} />${capital(side)}</label>`)}<${Pace} id="pace" /></div></details>`;
}

/** Render beside the headline what the engine plays, with a button that stops it; nothing if it plays nothing. */
export function Autoplaying({ seat }) {
  const { sides, turn } = seat.autoplay.value;
  if (!sides.length && !turn) return null;
  const played = [...sides.map((side) => capital(nameSaid(side))), ...(turn ? [`${called(seat.names.value, turn)}’s turn`] : [])];
  return html`<div class="autoplay" role="status"><span>Autoplay: <b>${series(played)}</b></span>
    <${Pace} id="pace-now" /><${Button} says="Stop" label="Stop autoplay" onClick=${() => setAutoplay(seat)} /></div>`;
}

/** Set what the engine plays, and let it act; nothing stops it. */
function setAutoplay(seat, chosen = { sides: [], turn: null }, pause = PACES[pace.value]) {
  seat.autoplay.value = chosen;
  playOn(seat, pause);
}

/** Let the engine act if it plays the active or asked combatant. It never enters dice. */
export function playOn(seat, pause = PACES[pace.value]) {
  clearTimeout(seat.nextAutoplay);
  const [state, position] = [seat.state.value, seat.position.value];
  const { sides, turn } = seat.autoplay.value;
  if (state.ended || (turn && !state.acting.includes(turn))) seat.autoplay.value = { sides: state.ended ? [] : sides, turn: null };
  if (!seat.isGm || !seat.current.value || state.ended || state.awaited || seat.request) return;
  const due = state.acting.length ? state.acting : (seat.legal.value.actors ?? []).map(({ who }) => who); // or the combatants that may be next
  const played = (who) => seat.autoplay.value.sides.includes(state.combatants[who]?.side) || who === seat.autoplay.value.turn;
  const who = (state.question?.of ?? state.window?.to ?? due).find(played);
  if (!who) return;
  const { side } = state.combatants[who];
  seat.nextAutoplay = setTimeout(async () => {
    const here = () => seat.current.value && seat.position.value === position;
    if (!here() || !played(who) || seat.end.signal.aborted || await seat.send({ type: "Auto", side }, true)) return;
    if (here()) seat.autoplay.value = { sides: seat.autoplay.value.sides.filter((one) => one !== side), turn: null }; // the server refused, and the page shows why
  }, pause);
}

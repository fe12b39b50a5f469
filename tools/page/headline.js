// Whose turn it is and who is asked what, in words: as the headline, and as the title of the tab.

import { html } from "./parts.js";
import { standing } from "./people.js";
import { called, capital, diceWanted, label, purposeSaid, series } from "./words.js";

/** Whether it is up to whoever sits here. */
export const isMine = (seat) => Boolean(seat.plays && (seat.legal.value.waits.length || seat.legal.value.actors?.length));

/** Return the headline. */
export function headlineOf(seat) {
  const state = seat.state.value;
  const names = seat.names.value;
  const own = seat.me.role === "player" ? seat.own : [];
  const mine = (those) => those.filter((who) => own.includes(who));
  const also = (those) => (own.length > 1 ? `, ${series(mine(those).map((who) => called(names, who)))}` : "");
  if (state.question && mine(state.question.of).length) return `You are asked${also(state.question.of)}`;
  if (state.awaited && own.includes(state.awaited.by)) return `You must throw ${diceWanted(state.awaited.dice)} ${purposeSaid(state.awaited.purpose)}`;
  if (!state.ended && !state.question && !state.awaited) {
    if (state.window && mine(state.window.to).length) return `You may ${label("triggers", state.window.what)} or pass${also(state.window.to)}`;
    if (!state.window && mine(state.acting).length) return `You are up${also(state.acting)}`;
    if (!state.window && !state.acting.length && state.round) return waitsFor(seat, names);
  }
  return standing(state, names, seat.phase.value);
}

/** Return whom the table waits for between turns. */
function waitsFor(seat, names) {
  const who = [...seat.choosing.actors.value.keys()];
  const whose = who.length ? series(who.map((one) => called(names, one)), "or") : "the game master";
  return who.length && who.every((one) => one !== "gm") && seat.me.role === "player" ? "You may act" : `${capital(whose)} may act`;
}

/** The headline of a table. */
export function Headline({ seat, children }) {
  const state = seat.state.value;
  const text = headlineOf(seat);
  return html`<header class=${`headline${isMine(seat) && seat.me.role === "player" ? " mine" : ""}`} aria-label="Where the fight stands">
    <p class="standing">${text}</p>
    <div class="about"><h1>${state.fight || seat.fight}</h1><p class="facts"><span>${seat.about.title}</span>
      <span>${state.round ? `Round ${state.round}` : "Before the first round"}</span>${seat.closed.value ? html`<span>Closed</span>` : null}</p></div>${children}</header>`;
}

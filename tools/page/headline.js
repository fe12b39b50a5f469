// The headline of the table: whose turn it is, or the awaited input.

import { html } from "./parts.js";

/** A headline of more letters than these is set smaller, in more lines. */
const LONG = 32;
const LONGER = 64;

/** Whether the table waits for this viewer: for their answer, or for the turn of one of their combatants. */
export function isMine(seat) {
  const { waits, actors = [] } = seat.legal.value;
  const { acting, question, awaited, window } = seat.state.value;
  const others = question || awaited || window;
  return Boolean(seat.plays && (waits.length || (!others && actors.some(({ who }) => !acting.length || acting.includes(who)))));
}

/** Return the headline from the server. */
export const headlineOf = (seat) => seat.headline.value;

/** Render the headline of a table. */
export function Headline({ seat, children }) {
  const state = seat.state.value;
  const text = headlineOf(seat);
  return html`<header class=${`headline${isMine(seat) && seat.me.role === "player" ? " mine" : ""}`} aria-label="Fight status">
    <p class=${`standing${text.length > LONGER ? " long longer" : text.length > LONG ? " long" : ""}`} title=${text}>${text}</p>
    <div class="about"><h1>${state.fight || seat.fight}</h1><p class="facts"><span>${seat.about.title}</span>
      <span class=${state.round ? null : "before"}>${state.round ? `Round ${state.round}` : "Before the first round"}</span>${seat.closed.value ? html`<span>Closed</span>` : null}</p></div>${children}</header>`;
}

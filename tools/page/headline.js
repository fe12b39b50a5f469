// Whose turn it is and who is asked what, in words: as the headline, and as the title of the tab.

import { html } from "./parts.js";

/** A headline of more letters than these is set smaller, in more lines. */
const LONG = 32;
const LONGER = 64;

/** Whether it is up to whoever sits here: they are asked, or nobody else is and one of theirs is up, or may be next while nobody is. */
export function isMine(seat) {
  const { waits, actors = [] } = seat.legal.value;
  const { acting, question, awaited, window } = seat.state.value;
  const others = question || awaited || window;
  return Boolean(seat.plays && (waits.length || (!others && actors.some(({ who }) => !acting.length || acting.includes(who)))));
}

/** Return the headline, as the server says it. */
export const headlineOf = (seat) => seat.headline.value;

/** The headline of a table. */
export function Headline({ seat, children }) {
  const state = seat.state.value;
  const text = headlineOf(seat);
  return html`<header class=${`headline${isMine(seat) && seat.me.role === "player" ? " mine" : ""}`} aria-label="Where the fight stands">
    <p class=${`standing${text.length > LONGER ? " long longer" : text.length > LONG ? " long" : ""}`} title=${text}>${text}</p>
    <div class="about"><h1>${state.fight || seat.fight}</h1><p class="facts"><span>${seat.about.title}</span>
      <span class=${state.round ? null : "before"}>${state.round ? `Round ${state.round}` : "Before the first round"}</span>${seat.closed.value ? html`<span>Closed</span>` : null}</p></div>${children}</header>`;
}

// The number of a clause. Where there is a server it leads to the clause in the book of the system.

import { html } from "./parts.js";

/** A clause of the rules of the fight; without a system it leads nowhere. */
export function Clause({ seat = null, system = seat?.system, rule }) {
  if (!system) return html`<span class="clause">${rule}</span>`;
  return html`<a class="clause" href=${`/rules/${encodeURIComponent(system)}#${encodeURIComponent(rule)}`} target="_blank" rel="noopener">${rule}</a>`;
}

// The number of a clause, a link to the rules' book if there is a server.

import { html } from "./parts.js";

/** Render the number of a clause; without a system it is no link. */
export function Clause({ seat = null, system = seat?.system, rule }) {
  if (!system) return html`<span class="clause">${rule}</span>`;
  return html`<a class="clause" href=${`/rules/${encodeURIComponent(system)}#${encodeURIComponent(rule)}`} target="_blank" rel="noopener">${rule}</a>`;
}

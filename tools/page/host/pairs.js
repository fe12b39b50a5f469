// A table to fill in with a number for every two combatants, such as their distance.

import { html } from "../parts.js";

/** How many combatants a table has at most; beyond that, each given pair has its own line. */
export const MOST_PEOPLE = 16;

/** Render the table. shape: `between` and `number`, the entry's fields for the two combatants and their number. */
export function Pairs({ draft, value, set, shape, title }) {
  const { between, number } = shape;
  const list = Array.isArray(value) ? value : [];
  const people = draft.people.value;
  const at = (one, other) => list.findIndex((entry) => entry?.[between]?.includes(one) && entry[between].includes(other));
  const give = (one, other) => ({ target }) => {
    const nth = at(one, other);
    const amount = target.value === "" ? undefined : Number(target.value);
    if (amount === undefined) set(nth < 0 ? value : emptied(list.filter((_, place) => place !== nth)));
    else if (nth < 0) set([...list, { [between]: [one, other], [number]: amount }]);
    else set(list.map((entry, place) => (place === nth ? { ...entry, [number]: amount } : entry)));
  };
  if (people.length < 2) return html`<p class="dim">Add two combatants first.</p>`;
  const bad = (nth) => nth >= 0 && draft.faultsAt([shape.part, nth]).length > 0;
  return html`<div class="apart-in scroll" tabindex="0" role="region" aria-label=${title}><table class="pairs"><thead><tr><td></td>
      ${people.slice(1).map((other) => html`<th scope="col" key=${other.id}>${other.name}</th>`)}</tr></thead>
    <tbody>${people.slice(0, -1).map((one, row) => html`<tr key=${one.id}><th scope="row">${one.name}</th>${people.slice(1).map((other, column) => {
      if (column < row) return html`<td key=${other.id}></td>`;
      const nth = at(one.id, other.id);
      return html`<td key=${other.id}><input type="number" inputmode="numeric" step="1" min=${shape.low} max=${shape.high} aria-label=${`${one.name} and ${other.name}, ${number}`}
        aria-invalid=${bad(nth) ? "true" : null} value=${nth < 0 ? "" : list[nth]?.[number] ?? shape.usual ?? ""} onInput=${give(one.id, other.id)} /></td>`;
    })}</tr>`)}</tbody></table></div>`;
}

const emptied = (list) => (list.length ? list : undefined);

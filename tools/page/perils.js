// Dangers to combatants, as the rules declare them: a banner for those whom they concern, and a mark on each.

import { useState } from "preact/hooks";
import { Clause } from "./clause.js";
import { Button, html, Icon } from "./parts.js";

/** How many dangers the banner shows unfolded. */
const FEW = 2;

/** Return the dangers of each combatant, the gravest first, by its id. */
export const perilsBy = (perils) => Map.groupBy(perils, ({ who }) => who);

/** Return the danger that a combatant is marked with; none for one of its things. */
export const markOf = (perils, who) => perils?.get(who)?.find(({ grade }) => grade !== "worn");

/**
 * Return the dangers that concern a viewer. For a player they are those of the own combatants, and those to the lives
 * of allies; for others, those to the lives of player characters.
 */
function concerning({ perils, own, me, state }) {
  const { combatants } = state.value;
  const known = perils.value.filter(({ who, grade }) => combatants[who] && grade !== "worn");
  if (me.role === "player") {
    const sides = new Set(own.map((who) => combatants[who]?.side));
    return known.filter(({ who, grade }) => own.includes(who) || (grade === "mortal" && sides.has(combatants[who].side)))
      .sort((one, other) => own.includes(other.who) - own.includes(one.who));
  }
  const anyPc = Object.values(combatants).some(({ traits }) => traits.includes("pc"));
  return known.filter(({ pc, grade }) => grade === "mortal" && (pc || !anyPc));
}

/** Return the dangers to the lives of a player's own combatants, as sentences. */
export const listOwnDangers = ({ perils, own, me }) => (me.role === "player"
  ? perils.value.filter(({ who, grade }) => grade === "mortal" && own.includes(who)).map(({ says }) => says) : []);

/** Render the banner. look(who): opens what the viewer can do for a combatant. */
export function Perils({ seat, look }) {
  const [all, setAll] = useState(false);
  const those = seat.lost.value ? [] : concerning(seat);
  const more = those.length - FEW;
  return html`<div class="perils" role="status">${(all ? those : those.slice(0, FEW)).map((one) => html`<button type="button" class=${`peril ${one.grade}`} key=${`${one.who} ${one.peril}`}
      data-who=${one.who} onClick=${() => look(one.who)}><${Icon} name="heart" /><span><b>${one.says}</b>${one.helps ? ` ${one.helps}` : ""}</span></button>`)}
    ${more > 0 ? html`<${Button} class="quiet" says=${all ? "Show fewer" : `${more} more in danger`} aria-expanded=${String(all)} onClick=${() => setAll(!all)} />` : null}</div>`;
}

/** Render the dangers of a combatant as sentences, with those to its things if asked, each with its clause. */
export const PerilLines = ({ seat, who, things = false }) => seat.perils.value.filter((one) => one.who === who && (things || one.grade !== "worn"))
  .map(({ says, helps, grade, rule }) => html`<p class=${`peril ${grade}`} key=${says}>${[says, helps].filter(Boolean).join(" ")} ${rule ? html`<${Clause} seat=${seat} rule=${rule} />` : null}</p>`);

/** Render the danger of a combatant beside its name. */
export const PerilTag = ({ peril }) => html`<span class=${`tag peril ${peril.grade}`} title=${[peril.says, peril.helps].filter(Boolean).join(" ")}><${Icon} name="heart" /><span>${peril.label}</span></span>`;

/** Render the mark on a token: what is left of the count-down, or a broken heart. */
export function PerilMark({ peril: { grade, left }, x, y, size }) {
  return html`<g class=${`peril ${grade}`} transform=${`translate(${x} ${y}) scale(${size})`} aria-hidden="true"><circle r="1" />
    ${left === undefined ? html`<path d="M0 .62C-.9-.1-.62-.62-.28-.62-.1-.62 0-.45 0-.35 0-.45.1-.62.28-.62.62-.62.9-.1 0 .62z" /><path class="crack" d="M0-.35L-.14-.1.12.08 0 .3" />`
      : html`<text y="0.42" font-size="1.25">${left}</text>`}</g>`;
}

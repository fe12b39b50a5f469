// A combatant in the list: health, conditions, held items.

import { html, Icon, once, useHeldOrRight } from "./parts.js";
import { markOf, PerilTag } from "./perils.js";
import { portraitOf } from "./pictures.js";
import { borne, called, capital, label, nameSaid, placeSaid, series, withRole, word } from "./words.js";

const FEW = 4;

/** Return the sides in the order they joined. */
export const sidesOf = once((state) => [...new Set(Object.values(state.combatants).map((one) => one.side))]);

/** Return the number that gives a side its colour and its shape, 1 to 6. */
export const hueOf = (state, side) => (sidesOf(state).indexOf(side) % 6) + 1;

/** Return a combatant's health counter; undefined if the system has none. */
export const vitalOf = (combatant, band = {}) => withRole("pools", "health").find((one) => one in combatant.pools || one in band);

/** Return the maximum of a combatant's counter; undefined if it is not known. */
export const mostOf = (combatant, pool) => combatant.stats[word("pools", pool).most];

/** The share of health that stands for a word. */
const ROUGHLY = { unhurt: 1, hurt: 0.5, "badly hurt": 0.2, down: 0 };

/** Return a combatant's remaining share of health, 0 to 1, by its number or by the word for it; null if neither is known. */
export function shareOf(combatant, band = {}) {
  const pool = vitalOf(combatant, band);
  if (band[pool] && !(pool in combatant.pools)) return ROUGHLY[band[pool]];
  const most = pool && mostOf(combatant, pool);
  if (combatant.pools[pool] === undefined || most === undefined) return null;
  const share = combatant.pools[pool] / Math.max(most, combatant.pools[pool], 1);
  return word("pools", pool).rises ? 1 - share : share;
}

/** Return the level of a share: `good`, `fair` or `poor`. */
export const levelOf = (share) => (2 * share > 1 ? "good" : 4 * share > 1 ? "fair" : "poor");

/** Whether a combatant has the turn, alone or with others. */
export const isUp = (state, who) => state.acting.includes(who) && !state.ended;

/**
 * Return the one combatant that acts now: of several with the same turn the chosen one, or the last to declare an
 * action. Empty while there is none.
 */
export function findActor(state, chosen = "", lines = []) {
  if (state.acting.length < 2 || state.ended) return isUp(state, state.acting[0]) ? state.acting[0] : "";
  const declared = () => lines.findLast(({ event }) => event?.type === "Declared" || event?.type === "TurnBegan")?.event.actor;
  return [chosen, state.stack.at(-1)?.actor, declared()].find((who) => state.acting.includes(who)) ?? "";
}

const bears = (one, role) => Object.keys(one.conditions).some((name) => word("conditions", name).role === role);

/** Whether a combatant is out of the fight. */
export const isOut = (one) => bears(one, "out");

/** Whether a combatant is out of the fight for good, rather than in a danger from which another can save it. */
export const isGone = (perils, one) => isOut(one) && markOf(perils, one.id)?.grade !== "mortal";

/** Whether a combatant is helpless. */
export const isHelpless = (one) => bears(one, "helpless");

/** Return the counters worth showing: those that are neither 0 nor at the maximum for every combatant. */
export function tellingPools(people) {
  const pools = [...new Set(people.flatMap((one) => Object.keys(one.pools)))];
  return pools.filter((pool) => pools.length <= FEW || people.some((one) =>
    pool in one.pools && ![0, mostOf(one, pool) ?? 0].includes(one.pools[pool])));
}

/** Render a combatant. up: whether it acts now. */
export function Person({ state, one, score, band, pools, own, targets, tap, menu, up, perils = [] }) {
  const vital = vitalOf(one, band);
  const target = targets?.has(one.id);
  const hidden = state.concealed.includes(one.id);
  const held = useHeldOrRight(menu && (() => menu(one.id)));
  const mark = perils.find(({ grade }) => grade !== "worn");
  return html`<li class=${`person${menu ? " held" : ""}${up ? " up" : ""}${target ? " target" : ""}${hidden ? " hidden-one" : ""}${isOut(one) ? " out" : isHelpless(one) ? " down" : ""}`} data-who=${one.id}
      data-hue=${hueOf(state, one.side)} aria-current=${up ? "true" : null} ...${held}>
    <div class="line"><${Face} state=${state} who=${one.id} />
      ${tap ? html`<button type="button" class=${`name${target ? " pick" : ""}`} data-key=${`pick-${one.id}`}
          aria-label=${target ? `Choose ${one.name}` : one.name} onClick=${() => tap(one.id)}>${one.name}</button>` : html`<span class="name">${one.name}</span>`}
      ${mark ? html`<${PerilTag} peril=${mark} />` : null}${up ? html`<span class="tag turn">active</span>` : null}${own ? html`<span class="tag">yours</span>` : null}
      ${hidden ? html`<span class="tag" title="Hidden from the other players"><${Icon} name="hidden" />hidden</span>` : null}
      ${score ? html`<span class="score" title="Place in the turn order">${score}</span>` : null}</div>
    ${vital ? html`<${Vital} one=${one} pool=${vital} band=${band[vital]} veiled=${isVeiled(state, one, vital)} />` : null}
    <${Details} state=${state} one=${one} pools=${pools} band=${band} />
    <${Conditions} one=${one} perils=${perils} mark=${mark} /></li>`;
}

/** Render a combatant's place, further counters, held items and relations. */
export function Details({ state, one, pools, band = {} }) {
  const vital = vitalOf(one, band);
  return html`<p class="details">${one.place ? html`<span class="place">${placeSaid(one.place)}</span>` : null}${details(state, one, pools.filter((pool) => pool !== vital), band).map((text) => html`<span key=${text}>${text}</span>`)}</p>`;
}

/** Render a combatant's portrait, or the shape of its side. */
export function Face({ state, who }) {
  const one = state.combatants[who];
  const picture = portraitOf(who);
  const hue = hueOf(state, one.side);
  return picture ? html`<img class="face" src=${picture} alt="" data-hue=${hue} />` : html`<${Shape} hue=${hue} />`;
}

/** Render the shape of a side, so that a side is not known by its colour alone. */
export function Shape({ hue }) {
  return html`<svg class="shape" viewBox="-1.1 -1.1 2.2 2.2" aria-hidden="true" data-hue=${hue}><path d=${outlineOf(hue, 1)} /></svg>`;
}

/** Return the outline of a side's tokens around the middle: a disc, a square, a lozenge, a hexagon, an octagon, a triangle. */
export function outlineOf(hue, radius) {
  const corners = [0, 4, 4, 6, 8, 3][hue - 1];
  if (!corners) return `M${-radius} 0a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0z`;
  const turned = hue === 2 ? 45 : hue === 5 ? 22.5 : 0;
  const size = radius * (corners === 4 ? 1.16 : corners === 3 ? 1.25 : 1.06);
  return `M${Array.from({ length: corners }, (_, nth) => {
    const angle = (Math.PI / 180) * ((360 / corners) * nth + turned - 90);
    return `${(size * Math.cos(angle)).toFixed(3)} ${(size * Math.sin(angle)).toFixed(3)}`;
  }).join("L")}z`;
}

/** Whether other players read no number of a counter of this combatant alone. Where that is so of all foes, it is not said of each. */
const isVeiled = (state, one, pool) => pool in (state.veiled[one.id] ?? {}) && (state.foes === "open" || state.heroes.includes(one.side));

function Vital({ one, pool, band, veiled }) {
  const value = one.pools[pool];
  if (value === undefined) return html`<div class="vital"><span class="band" data-band=${band}>${band ?? "unknown"}</span></div>`;
  const share = shareOf(one);
  const most = share === null ? null : Math.max(mostOf(one, pool), value, 1);
  return html`<div class="vital">${share === null ? null : html`<div class=${`meter ${levelOf(share)}`} role="meter" aria-label=${`${one.name}, ${label("pools", pool)}`} aria-valuemin="0"
      aria-valuemax=${most} aria-valuenow=${value} aria-valuetext=${`${value} of ${most}`}>
      <span class="filled" style=${{ width: `${Math.max(0, Math.min(100, 100 * share))}%` }} /></div>`}
    <span class="number">${value}<small class="most">${most === null ? "" : `/${most}`}<span class=${most === null ? null : "unit-of"}> ${label("pools", pool)}</span></small></span>
    ${veiled ? html`<span class="tag" title="Other players see no exact number">approximate</span>` : null}</div>`;
}

/** Whether a counter is not worth showing now: a budget of an inactive combatant, or 0 without a maximum. */
const isIdle = (state, one, pool) => (word("pools", pool).role === "budget" ? isOut(one) || !(isUp(state, one.id) || state.window?.to.includes(one.id))
  : one.pools[pool] === 0 && !mostOf(one, pool));

function details(state, one, pools, band) {
  const counters = pools.filter((pool) => (pool in one.pools || pool in band) && !isIdle(state, one, pool)).map((pool) => {
    if (!(pool in one.pools)) return `${label("pools", pool)} ${band[pool]}`;
    const most = mostOf(one, pool);
    return `${label("pools", pool)} ${one.pools[pool]}${most ? `/${most}` : ""}${isVeiled(state, one, pool) ? " (approximate)" : ""}`;
  });
  const own = Object.values(state.items).filter((item) => item.owner === one.id);
  const held = own.filter(inHand).map(heldSaid);
  const dice = own.filter((item) => item.base && !inHand(item))
    .map((item) => `${nameSaid(item.name)} (${dieSaid(item)})`);
  return [counters.join(" · "), held.join(", "), dice.join(" · "), ...standings(state, one)].filter(Boolean);
}

/** Return a combatant's relations as text: in melee with, riding, held by. */
const standings = (state, one) => Object.values(state.relations).flatMap(({ kind, members }) => {
  const own = members.find(({ who }) => who === one.id);
  const stands = own && (word("relations", kind).stands || word("roles", own.role).stands);
  if (!stands) return [];
  const those = { foes: ({ who }) => state.combatants[who]?.side !== one.side, others: ({ role }) => role !== own.role };
  const named = Object.entries(those).filter(([name]) => stands.includes(`{${name}}`))
    .map(([name, isOne]) => [name, members.filter(isOne).flatMap(({ who }) => state.combatants[who] ? nameSaid(state.combatants[who].name) : [])]);
  return named.every(([, whom]) => whom.length) ? [named.reduce((text, [name, whom]) => text.replace(`{${name}}`, series(whom)), stands)] : [];
});

const inHand = (item) => word("positions", item.where).role === "hand";

/** Return a thing's counters as texts: `loaded`, `not lit`, `bonus 2`. */
export const countersSaid = (item) => Object.entries(item.counters).map(([name, value]) =>
  word("counters", name).role === "flag" ? `${value ? "" : "not "}${label("counters", name)}` : `${label("counters", name)} ${value}`);

/** Return the die of a thing that can lose size as text, with the size that it began with. */
export const dieSaid = ({ die, base }) => `${die ? `d${die}` : "destroyed"}${die && die !== base ? ` of d${base}` : ""}`;

function heldSaid(item) {
  const all = [...(item.die ? [`d${item.die}`] : []), ...countersSaid(item)];
  return all.length ? `${nameSaid(item.name)} (${all.join(", ")})` : nameSaid(item.name);
}

/** Return the end of a condition as text. */
const until = ({ moment, round }) => label("moments", moment).replace("{}", round);

/** Return a condition of a combatant as text, with its count and its end. */
export const conditionSaid = (one, name, sources) =>
  [borne(name, Object.values(sources).reduce((sum, count) => sum + count, 0)), ...Object.values(one.endings[name] ?? {}).map(until)].join(" ");

/** Render the conditions that no danger tells of, and the dangers beside the one that is marked. */
function Conditions({ one, perils, mark }) {
  const told = perils.flatMap(({ peril }) => word("perils", peril).conditions ?? []);
  const conditions = Object.entries(one.conditions).filter(([name]) => !told.includes(name));
  const beside = perils.filter((peril) => peril !== mark);
  if (!conditions.length && !beside.length) return null;
  return html`<ul class="chips" aria-label=${`Conditions of ${one.name}`}>${beside.map(({ says, label: named }) => html`<li class="chip" key=${says} title=${says}>${named}</li>`)}${conditions.map(([name, sources]) => html`<li class="chip" key=${name} title=${conditionSaid(one, name, sources)}>${conditionSaid(one, name, sources)}</li>`)}</ul>`;
}

/** Render the pending actions, the top one first, if there are several. */
export function Pending({ state, names }) {
  if (state.stack.length < 2) return null;
  return html`<section class="pending" aria-label="Pending actions"><h2>Pending actions, in the order they resolve</h2><ol>${[...state.stack].reverse().map((item) => html`
    <li key=${item.id}><b>${capital(called(names, item.actor))}</b>${` ${label("actions", item.kind)}`}${item.targets?.length
      ? ` → ${item.targets.map((who) => called(names, who)).join(", ")}` : ""}</li>`)}</ol></section>`;
}

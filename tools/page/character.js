// A combatant's sheet: its numbers, conditions and gear, as the viewer knows them.

import { useState } from "preact/hooks";
import { html, Icon, Pressable, Sheet } from "./parts.js";
import { conditionSaid, countersSaid, dieSaid, Face, mostOf } from "./people.js";
import { PerilLines } from "./perils.js";
import { capital, declared, label, nameSaid, placeSaid, word } from "./words.js";

const GROUPS = { attributes: "Attributes", defences: "Defences", skills: "Skills", talents: "Talents", "": "Other numbers" };

/** Whether the rules have a word for a trait. Others are of no use on a sheet. */
const isSaid = (trait) => declared("traits").includes(trait);

/** Render the sheet of one of some combatants, with a tab for each. receipt(position) opens the receipt of an event. */
export function Character({ seat, those, receipt, onClose }) {
  const [chosen, setChosen] = useState(those[0]);
  const state = seat.state.value;
  const there = those.filter((who) => who in state.combatants);
  const who = there.includes(chosen) ? chosen : there[0];
  if (!who) return html`<${Sheet} onClose=${onClose}><article><h2>Not in the fight</h2><${Close} /></article><//>`;
  const one = state.combatants[who];
  return html`<${Sheet} onClose=${onClose} kind="character"><article>
    ${there.length > 1 ? html`<nav class="row" aria-label="Combatants">${there.map((each) => html`<button type="button" key=${each} aria-pressed=${String(each === who)}
      onClick=${() => setChosen(each)}>${state.combatants[each].name}</button>`)}</nav>` : null}
    <header class="row"><${Face} state=${state} who=${who} /><div><h2>${one.name}</h2>
      <p class="dim">${[capital(nameSaid(one.side)), one.place && placeSaid(one.place)].filter(Boolean).join(" · ")}</p></div></header>
    <${PerilLines} seat=${seat} who=${who} things />
    <${Conditions} seat=${seat} one=${one} receipt=${receipt} />
    <${Numbers} title="Now" lines=${poolsOf(one, seat.bands.value[who] ?? {})} />
    ${[...statsOf(one)].map(([group, lines]) => html`<${Numbers} key=${group} title=${GROUPS[group]} lines=${lines} />`)}
    ${one.traits.some(isSaid) ? html`<section><h3>Traits</h3><p>${one.traits.filter(isSaid).map((trait) => label("traits", trait)).join(", ")}</p></section>` : null}
    ${[...gearOf(state, who)].map(([kind, things]) => html`<section key=${kind}><h3>${capital(label("items", kind))}</h3>
      <ul class="things">${things.map((thing) => html`<${Thing} key=${thing.id} thing=${thing} />`)}</ul></section>`)}
    <${Close} /></article><//>`;
}

const Close = () => html`<footer><form method="dialog"><button class="quiet">Close</button></form></footer>`;

function Numbers({ title, lines }) {
  return lines.length ? html`<section><h3>${title}</h3><dl class="numbers">${lines.map(([name, value]) => html`<div key=${name}><dt>${capital(name)}</dt><dd>${value}</dd></div>`)}</dl></section>` : null;
}

/** Return the counters of a combatant as [label, text]: the number and its maximum, or the word that stands for it. */
function poolsOf(one, band) {
  const known = Object.entries(one.pools).map(([pool, value]) => [label("pools", pool), mostOf(one, pool) ? `${value} of ${mostOf(one, pool)}` : value]);
  return [...known, ...Object.entries(band).filter(([pool]) => !(pool in one.pools)).map(([pool, text]) => [label("pools", pool), text])];
}

/** Return the numbers of a combatant by group, as [label, text]; without the maxima of its counters. */
function statsOf(one) {
  const maxima = new Set(Object.keys(one.pools).map((pool) => word("pools", pool).most));
  const lines = Object.entries(one.stats).filter(([stat]) => !maxima.has(stat) && !word("stats", stat).quiet);
  const order = Object.keys(GROUPS);
  const groups = Map.groupBy(lines, ([stat]) => word("stats", stat).group ?? "");
  return [...groups].sort(([group], [other]) => order.indexOf(group) - order.indexOf(other))
    .map(([group, those]) => [group, those.map(([stat, value]) => [label("stats", stat), value])]);
}

/** Render the conditions. A tap shows what brought one, with its clause. */
function Conditions({ seat, one, receipt }) {
  const conditions = Object.entries(one.conditions);
  if (!conditions.length) return null;
  const cause = (name) => seat.history.recorded.findLast(({ event }) => event?.type === "ConditionChanged" && event.who === one.id && event.condition === name && event.after)?.position;
  return html`<section><h3>Conditions</h3><ul class="chips">${conditions.map(([name, sources]) => {
    const text = conditionSaid(one, name, sources);
    const at = cause(name);
    return html`<li class="chip" key=${name}>${at ? html`<${Pressable} act=${() => receipt(at)} title="What brought it, and the clause">${text}<//>` : text}</li>`;
  })}</ul></section>`;
}

/** Return what a combatant has, by kind: what is in hand first. */
function gearOf(state, who) {
  const own = Object.values(state.items).filter((item) => item.owner === who);
  const isHeld = (item) => word("positions", item.where).role === "hand";
  return Map.groupBy([...own.filter(isHeld), ...own.filter((item) => !isHeld(item))], ({ kind }) => kind);
}

/** Render a thing: its name, where it is, and what it does. */
function Thing({ thing }) {
  const die = thing.base ? [dieSaid(thing)] : [];
  const counted = new Set(Object.keys(thing.counters));
  const facts = Object.entries(thing.stats).filter(([stat, value]) => value && !counted.has(stat) && !word("stats", stat).quiet).map(([stat]) => factSaid(stat, thing.stats));
  return html`<li><b>${nameSaid(thing.name)}</b>${thing.where ? html` <span class="tag">${label("positions", thing.where)}</span>` : null}
    <span class="dim">${[...die, ...facts, ...countersSaid(thing), ...thing.traits.filter(isSaid).map((trait) => label("traits", trait))].join(" · ")}</span></li>`;
}

/** Return the text for a number of a thing: its own sentence, or its label and the number. */
function factSaid(stat, stats) {
  const { says } = word("stats", stat);
  return says ? says.replace(/\{(\w+)\}/g, (_, name) => stats[name] ?? "–") : `${label("stats", stat)} ${stats[stat]}`;
}

/** Render the button that opens the sheets of what this viewer plays, the active combatant's first. */
export function OwnSheets({ seat, open }) {
  const { acting, combatants } = seat.state.value;
  const own = seat.own.filter((who) => who in combatants);
  if (!own.length) return null;
  const first = own.find((who) => acting.includes(who));
  return html`<button type="button" class="quiet own-sheets" aria-label="Your sheet" title="Your sheet" onClick=${() => open([...new Set([...(first ? [first] : []), ...own])])}><${Icon} name="sheet" /><span>Sheet</span></button>`;
}

// The list of all combatants, in turn order or by side. Large groups fold.

import { useEffect, useRef } from "preact/hooks";
import { html } from "./parts.js";
import { Details, hueOf, isOut, isUp, Person, Shape, sidesOf, tellingPools } from "./people.js";
import { called, capital, nameSaid, namesIn } from "./words.js";

/** A group of more combatants than this folds. */
const FOLDS = 5;

/** A list of more combatants than this is dense wherever it stands, in as many columns as fit. */
const MANY = 12;

/** Return the slots in turn order: each with the combatants that it holds, and its score. Those without a slot come last. */
function listSlots(state) {
  const left = new Set(Object.keys(state.combatants));
  const take = (members) => members.filter((who) => left.delete(who)).map((who) => state.combatants[who]);
  const slots = state.slots.map((slot) => ({ id: slot.id, score: slot.score, members: take(slot.members ?? [slot.id]) }));
  return [...slots, ...take([...left]).map((one) => ({ id: one.id, members: [one] }))];
}

/**
 * Render all combatants, in turn order or by side: as cards, or dense with one line for each.
 *
 * up: the combatant that acts now; perils: the dangers of each combatant; targets: the possible targets; tap(who): handles a click on a combatant, if given;
 * yours: ids of the viewer's combatants.
 */
export function People({ state, up = "", bands = {}, perils = new Map(), yours = [], targets = null, tap = null, menu = null, ordered = false, dense = false }) {
  const everybody = Object.values(state.combatants);
  const pools = tellingPools(everybody);
  const list = useRef();
  useEffect(() => list.current && scrollToActor(list.current), [up, state.acting.join()]);
  const person = (one, score = null) => html`<${Person} key=${one.id} state=${state} one=${one} score=${score} band=${bands[one.id] ?? {}}
    pools=${pools} own=${yours.includes(one.id)} targets=${targets} tap=${tap} menu=${menu} up=${one.id === up} perils=${perils.get(one.id)} />`;
  const group = (slot, called) => html`<${Group} key=${slot.id} state=${state} slot=${slot} called=${called} up=${up} targets=${targets} pools=${pools} bands=${bands} person=${person} />`;
  const lines = `${dense || everybody.length > MANY ? " dense" : ""}${everybody.length > MANY ? " many" : ""}`;
  if (ordered) {
    const names = namesIn(state);
    return html`<h2 class="order-of">Turn order</h2><ol class=${`people order${lines}`} ref=${list} aria-label="Turn order">${listSlots(state).map((slot) =>
      (slot.members.length > FOLDS ? html`<li class="group-of" key=${slot.id}>${group(slot, called(names, slot.id).replace(/^the /, ""))}</li>` : slot.members.map((one) => person(one, slot.score))))}</ol>`;
  }
  return html`<div class="sides" ref=${list}>${sidesOf(state).map((side) => {
    const members = everybody.filter((one) => one.side === side);
    return html`<section class="side" key=${side} data-hue=${hueOf(state, side)} aria-label=${`The ${nameSaid(side)}`}>${members.length > FOLDS && lines
      ? group({ id: side, members }, nameSaid(side)) : html`<h2>${capital(nameSaid(side))}</h2><ul class=${`people${lines}`}>${members.map((one) => person(one))}</ul>`}</section>`;
  })}</div>`;
}

/** Render a large group: a line with how many are left, and its members. It is open while one of them acts or can be chosen. */
function Group({ state, slot: { members, score = null }, called: name, up, targets, pools, bands, person }) {
  const left = members.filter((one) => !isOut(one)).length;
  const due = members.filter((one) => isUp(state, one.id)).length;
  const actor = members.find((one) => one.id === up);
  const open = due > 0 || members.some((one) => targets?.has(one.id)) || !state.slots.length;
  return html`<details class=${`group${due ? " up-now" : ""}`} open=${open}><summary><${Shape} hue=${hueOf(state, members[0].side)} /><b>${capital(name)}</b>
    <span class="left">${left === members.length ? left : `${left} of ${members.length} left`}</span>
    ${score ? html`<span class="score" title="Place in the turn order">${score}</span>` : null}</summary>
    ${due ? html`<div class="acting-of"><b>${actor?.name}</b><span class="tag turn">${`${due} to act`}</span>${actor ? html`<${Details} state=${state} one=${actor} pools=${pools} band=${bands[actor.id]} />` : null}</div>` : null}
    <ul class="people dense members">${members.map((one) => person(one))}</ul></details>`;
}

/** Scroll the list to the combatant that acts, if it is out of sight. */
function scrollToActor(list) {
  const frame = list.parentElement;
  const up = list.querySelector(".person.up") ?? list.querySelector(".up-now > summary");
  if (!up || frame.scrollHeight <= frame.clientHeight) return;
  const [outer, inner] = [frame.getBoundingClientRect(), up.getBoundingClientRect()];
  if (inner.top < outer.top || inner.bottom > outer.bottom) frame.scrollTop += inner.top - outer.top;
}

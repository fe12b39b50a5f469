// The map of the editor: the starting places and the ground, on the board of the table.

import { computed, signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { Board } from "../board.js";
import { ARROWS, hexes, squares } from "../ground.js";
import { Button, html } from "../parts.js";
import { capital, label } from "../words.js";

/** How many cells an empty map shows. */
const [WIDE, HIGH] = [12, 8];
/** The placement in progress, of a combatant or a ground. It takes the part of `Choosing` at the table. */
export class Placing {
  /** The moved token, as `entry-number`, and the drawn ground. */
  actor = signal("");
  brush = signal(null);
  pointed = signal(null);
  doubtful = signal(false);
  targets = signal(null);
  fields = signal([]);

  /** shown(): returns the state that the map shows; by default the encounter alone. */
  constructor(draft, map, shown = () => stateOf(draft, map)) {
    Object.assign(this, { draft, map });
    this.state = computed(shown);
    this.ways = computed(() => (this.actor.value || this.brush.value
      ? new Map(Object.keys(this.state.value.places).map((id) => [id, [{ to: id, path: [id], cost: 0 }]])) : new Map()));
  }

  go(place) {
    if (this.brush.value) this.paint(place);
    else if (this.actor.value) {
      const [nth, each] = this.actor.value.split("-").map(Number);
      this.draft.place(nth, each, place);
      this.actor.value = "";
    }
    this.pointed.value = null;
  }

  paint(place) {
    const { path } = this.brush.value;
    const now = this.draft.list(path);
    const then = now.includes(place) ? now.filter((one) => one !== place) : [...now, place];
    this.draft.change(path, then.length ? then : undefined);
  }

  take(id) {
    this.brush.value = null;
    this.actor.value = this.actor.value === id ? "" : id;
  }

  /** Move the selected combatant by a step, and keep it selected. */
  step(by) {
    const [nth, each] = this.actor.value.split("-").map(Number);
    const [x, y] = this.draft.placesOf(nth)[each].split(",").map(Number);
    if (![x, y].every(Number.isInteger)) return;
    this.draft.place(nth, each, `${x + by[0]},${y + by[1]}`);
  }
}

/** Return the state of a fight that shows an encounter's map. */
export function stateOf(draft, map) {
  const combatants = {};
  const concealed = [];
  draft.entries.value.forEach((one, nth) => draft.placesOf(nth).forEach((place, each, all) => {
    const id = `${nth}-${each}`;
    const name = `${one.name ?? "?"}${all.length > 1 ? ` ${String.fromCharCode(65 + (each % 26))}` : ""}`;
    combatants[id] = { id, name, side: String(one.side ?? ""), place, pools: {}, stats: {}, conditions: {}, traits: [] };
    if (one.concealed) concealed.push(id);
  }));
  return { combatants, concealed, places: placesOf(draft, map), acting: [], slots: [], items: {}, distances: {}, relations: {}, ended: false, round: 0, stack: [] };
}

/** Return a place as the state has it. */
const placeOf = (id, traits = [], exits = []) => ({ id, traits, exits, side_traits: [] });

function placesOf(draft, map) {
  if (map === "zones") {
    return Object.fromEntries(draft.zones.value.flatMap((one, nth) => (one.name ? [[String(one.name),
      placeOf(String(one.name), draft.list([draft.zonesIn, nth, "traits"]), draft.list([draft.zonesIn, nth, "exits"]))]] : [])));
  }
  const shape = map === "hexes" ? hexes : squares;
  const places = Object.fromEntries(shape.around([0, 0], [WIDE - 1, HIGH - 1]).map((cell) => [cell.join(","), placeOf(cell.join(","))]));
  for (const { trait, path } of draft.grounds) {
    for (const id of draft.list(path)) places[id] = placeOf(id, [...(places[id]?.traits ?? []), trait]);
  }
  return places;
}

/** Return the place of a new combatant: a free cell at its side's edge, or the first or last zone. It is empty if no combatant has a place, unless `anyway`. */
export function placeFor(draft, map, side, anyway = false) {
  const taken = new Set(draft.entries.value.flatMap((_, nth) => draft.placesOf(nth)).filter(Boolean));
  const first = (draft.sides.value[0] ?? side) === side;
  if (map === "zones") return (first ? draft.zones.value[0] : draft.zones.value.at(-1))?.name ?? "";
  if (!anyway && draft.entries.value.length && !taken.size && !draft.content.value[draft.board]) return "";
  const ground = new Set(draft.grounds.flatMap(({ path }) => draft.list(path)));
  for (let away = 0; away < WIDE; away += 1) {
    for (let y = 1; y < HIGH; y += 1) {
      const x = (first ? 1 + away : WIDE - 3 - away) - (map === "hexes" ? Math.floor(y / 2) : 0);
      if (!taken.has(`${x},${y}`) && !ground.has(`${x},${y}`)) return `${x},${y}`;
    }
  }
  return "";
}

/** Render the map, and the combatants that are not on it yet. */
export function Stage({ draft, map }) {
  const [placing] = useState(() => new Placing(draft, map));
  const state = placing.state.value;
  const off = Object.values(state.combatants).filter((one) => !one.place);
  const moved = state.combatants[placing.actor.value];
  const nowhere = !Object.keys(state.places).length;
  const placeAll = () => off.forEach((one) => {
    const [nth, each] = one.id.split("-").map(Number);
    draft.place(nth, each, placeFor(draft, map, one.side, true));
  });
  const key = (event) => {
    if (event.key === "Escape" && (placing.actor.value || placing.brush.value)) {
      placing.actor.value = "";
      placing.brush.value = null;
    } else if (ARROWS[event.key] && placing.actor.value && map !== "zones" && event.target.closest(".token")) placing.step(ARROWS[event.key]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const grab = (id, begins) => {
    if (begins) {
      placing.brush.value = null;
      placing.actor.value = id;
    }
    return true;
  };
  if (off.length && off.length === Object.keys(state.combatants).length && !draft.content.value[draft.board] && !draft.zones.value.length) {
    return html`<section class="panel stage-of" aria-labelledby="map-of"><header><h2 id="map-of">No map</h2>${map === "zones" ? null
        : html`<${Button} shows="map" says="Use a map" onClick=${placeAll} />`}</header>
      <p class="dim">No combatant has a place: only distances count. ${map === "zones" ? "For a map, describe its places below, and then place each combatant where they begin." : ""}</p></section>`;
  }
  return html`<section class="panel stage-of" data-map=${map} aria-labelledby="map-of"><header><h2 id="map-of">Map</h2>
      <div class="row">${off.length ? html`<${Button} says="Place all combatants" onClick=${placeAll} disabled=${nowhere} />` : null}
        ${off.length < Object.keys(state.combatants).length ? html`<${Button} class="quiet" says="Remove the map" onClick=${() => draft.unmapped()} />` : null}</div></header>
    ${draft.grounds.length ? html`<div class="brushes row" role="group" aria-label="Map tools">
      <button type="button" aria-pressed=${!placing.brush.value} onClick=${() => { placing.brush.value = null; }}>Move combatants</button>
      ${draft.grounds.map((one) => html`<button type="button" key=${one.trait} data-ground=${one.trait} aria-pressed=${placing.brush.value?.trait === one.trait}
        onClick=${() => { placing.actor.value = ""; placing.brush.value = one; }}>${capital(label("traits", one.trait))}</button>`)}</div>` : null}
    ${nowhere ? html`<p class="nothing">There are no zones yet. Describe zones below, and then place each combatant.</p>`
      : html`<div class="stage" onKeyDown=${key}><${Board} state=${state} map=${map} always choosing=${placing} tap=${(id) => placing.take(id)} mover=${grab} /></div>`}
    <p class="dim" role="status">${placing.brush.value ? `Tap a place to mark it: ${label("traits", placing.brush.value.trait)}. Tap it again to clear the mark.`
      : moved ? `Where does ${moved.name} begin? Tap a place${map === "zones" ? "" : ", or use the arrow keys"}.` : nowhere ? "" : "Drag a combatant, or tap one and then a place."}</p>
    ${off.length ? html`<div class="row off" role="group" aria-label="Not on the map">${off.map((one) => html`<button type="button" key=${one.id} aria-pressed=${placing.actor.value === one.id}
      onClick=${() => placing.take(one.id)}>${one.name}</button>`)}</div>` : null}</section>`;
}

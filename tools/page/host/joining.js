// New combatants at the table: from the library or with their own numbers, placed on the fight's map, all by one ruling.

import { batch, computed, signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { Board, mapOf } from "../board.js";
import { Draft } from "./draft.js";
import { cellOf, hexes, squares } from "../ground.js";
import { Button, html, Icon, Labelled, Sheet } from "../parts.js";
import { isOut, sidesOf } from "../people.js";
import { Picker } from "./picker.js";
import { Placing, stateOf } from "./placing.js";
import { Card, freeName, theirOwn } from "./sheet.js";
import { capital, problemSaid } from "../words.js";

/** How many cells around the combatants the map offers, and how far from a side its newcomers begin without a comrade on the map. */
const [AROUND, AWAY] = [3, 6];

/** The entries of newcomers, as in an encounter file. The server checks them when they join. */
class Newcomers extends Draft {
  /** seat: the game master's; rules: { system, schema, tables }. */
  constructor(seat, rules) {
    super(seat.client, rules, { content: { system: rules.system, combatant: [] } });
    this.seat = seat;
    this.map = mapOf(seat.state.value, seat.about.map);
    const { state } = seat;
    this.sides = computed(() => sidesOf(state.value));
    this.placing = new Arriving(this);
  }

  /** Store nothing in this window: the fight holds who has joined. */
  remember() {}

  async check() {
    batch(() => {
      this.checked.value = this.known.value = true;
    });
  }

  /** Add an entry of a stat block or of none, on a free place of its side. */
  add(block) {
    const names = [...this.entries.value, ...Object.values(this.seat.state.value.combatants)];
    const name = freeName(block ? capital(this.called(this.blocks, block)) : "Combatant", names);
    const side = this.entries.value.at(-1)?.side ?? this.sides.value.at(-1) ?? "";
    const nth = this.entries.value.length;
    this.change(["combatant"], [...this.entries.value, { name, side, ...(block && { block }) }]);
    this.settle(nth, {});
    this.placing.actor.value = this.map ? `${nth}-0` : "";
  }

  /** Change an entry, and place those of its combatants that have no place yet. */
  settle(nth, changes) {
    const one = { ...this.entries.value[nth], ...changes };
    this.change(["combatant"], this.entries.value.with(nth, one));
    if (!this.map) return;
    const places = [];
    for (const place of this.placesOf(nth)) places.push(place || freePlace(this.placing.state.value, this.map, one.side, places));
    this.change(["combatant", nth, "at"], places.length > 1 ? places : places[0]);
  }
}

/** The placement of newcomers on the map of the fight. */
class Arriving extends Placing {
  constructor(draft) {
    super(draft, draft.map, () => {
      const { value: state } = draft.seat.state;
      return { ...state, acting: [], combatants: { ...state.combatants, ...stateOf(draft, draft.map).combatants }, places: { ...cellsAround(state, draft.map), ...state.places } };
    });
  }

  /** Place the selected newcomer, and select the next one of its entry. */
  go(place) {
    const [nth, each] = this.actor.value.split("-").map(Number);
    super.go(place);
    const count = this.draft.placesOf(nth).length;
    if (each + 1 < count) this.actor.value = `${nth}-${each + 1}`;
  }
}

/** Return the cells around the combatants of a fight, as its state has places. */
function cellsAround({ combatants }, map) {
  if (map === "zones") return {};
  const shape = map === "hexes" ? hexes : squares;
  const centres = Object.values(combatants).flatMap((one) => (one.place ? [shape.centre(cellOf(one.place))] : []));
  const [xs, ys] = [0, 1].map((axis) => centres.map((one) => Math.round(one[axis])));
  const cells = shape.around([Math.min(...xs) - AROUND, Math.min(...ys) - AROUND], [Math.max(...xs) + AROUND, Math.max(...ys) + AROUND]);
  return Object.fromEntries(cells.map((cell) => [cell.join(","), { id: cell.join(","), traits: [], exits: [], side_traits: [] }]));
}

/** Return a free place for a newcomer: the zone of its side, or the free cell without a mark that is next to its side. */
function freePlace(state, map, side, besides = []) {
  const there = Object.values(state.combatants).filter((one) => one.place);
  const mates = there.filter((one) => one.side === side && !isOut(one));
  if (map === "zones") return (mates[0] ?? there[0])?.place ?? Object.keys(state.places)[0];
  const shape = map === "hexes" ? hexes : squares;
  const taken = new Set([...there.map((one) => one.place), ...besides]);
  const [x, y] = shape.centre(cellOf((mates.at(-1) ?? there[0]).place));
  const from = mates.length ? [x, y] : [x + AWAY, y];
  const far = (place) => Math.hypot(...shape.centre(cellOf(place)).map((one, axis) => one - from[axis]));
  const free = Object.values(state.places).filter((one) => !taken.has(one.id) && !one.traits.length).map((one) => one.id);
  return free.sort((one, other) => far(one) - far(other))[0] ?? "";
}

/** Render the sheet that brings combatants into the fight. form: the ruling's, with its schema. */
export function Joining({ seat, form, onClose }) {
  const [draft, setDraft] = useState(null);
  const [wrong, setWrong] = useState("");
  useEffect(() => {
    const about = (what) => seat.client.json(`/systems/${encodeURIComponent(seat.system)}/${what}`);
    Promise.all([about("schema"), about("tables")]).then(([schema, { tables }]) => setDraft(new Newcomers(seat, { system: seat.system, schema, tables })),
      (problem) => setWrong(problemSaid(problem)));
  }, []);
  return html`<${Sheet} onClose=${onClose} kind="joining">${draft ? html`<${Entries} draft=${draft} form=${form} onClose=${onClose} />`
    : html`<article><h2>Add combatants</h2><p role="status">${wrong || "Fetching the library …"}</p></article>`}<//>`;
}

function Entries({ draft, form, onClose }) {
  const { seat, placing } = draft;
  const [adds, setAdds] = useState(true);
  const [wrong] = useState(() => signal(""));
  const entries = draft.entries.value;
  const state = seat.state.value;
  const hue = (side) => (sidesOf(placing.state.value).indexOf(side) % 6) + 1;
  const join = async (event) => {
    event.preventDefault();
    const data = new FormData(event.target);
    const [turn, initiative] = ["turn", "initiative"].map((name) => data.get(`join-${name}`));
    entries.forEach((_, nth) => draft.settle(nth, {}));
    const combatant = draft.entries.value;
    try {
      await seat.submit({ type: "Ruled", kind: form.kind, reason: data.get("join-reason") || "reinforcements",
        params: { combatant, ...(turn && { turn }), ...(initiative && { initiative: Number(initiative) }) } });
      onClose();
    } catch (problem) {
      batch(() => {
        wrong.value = problemSaid(problem);
        draft.faults.value = problem.field ? [{ field: problem.field.replace(/^combatant(?=\.|$)/, "combatant[0]"), detail: problem.detail }] : [];
      });
    }
  };
  const add = (block) => draft.add(block);
  return html`<form onSubmit=${join}><header class="row"><h2>Add combatants</h2><${Button} shows="plus" says="Another" onClick=${() => setAdds(true)} /></header>
    ${entries.length ? null : html`<p class="nothing">Nobody is chosen yet.</p>`}
    <ul class="newcomers">${entries.map((one, nth) => html`<${Newcomer} key=${nth} draft=${draft} nth=${nth} hue=${hue(one.side)} />`)}</ul>
    ${draft.map && entries.length ? html`<section class="stage-of" aria-label="Where they appear" data-map=${draft.map}>
      <p class="dim" role="status">${placing.actor.value ? `Tap where ${placing.state.value.combatants[placing.actor.value]?.name ?? "they"} appears.` : "Tap a newcomer, then a place."}</p>
      <div class="stage"><${Board} state=${placing.state.value} map=${draft.map} always choosing=${placing} tap=${(id) => !(id in state.combatants) && placing.take(id)}
        mover=${(id, begins) => !(id in state.combatants) && ((begins && placing.take(id)), true)} /></div></section>` : null}
    ${entries.length ? html`<div class="fields">${"turn" in propertiesOf(form) ? html`<${Labelled} says="They act" of="join-turn"><select id="join-turn" name="join-turn">
        <option value="">As the rules say</option><option value="next">Next, before all others</option></select><//>` : null}
      ${"initiative" in propertiesOf(form) && state.slots.length ? html`<${Labelled} says="Initiative" of="join-initiative"><input type="number" step="1" id="join-initiative" name="join-initiative" placeholder="last" /><//>` : null}
      <${Labelled} says="Reason, for the record" of="join-reason"><input type="text" id="join-reason" name="join-reason" maxlength="200" autocomplete="off" placeholder="reinforcements" /><//></div>` : null}
    <p class="warning" role="alert">${wrong.value}</p>
    <footer><button type="button" class="quiet" onClick=${onClose}>Cancel</button><button type="submit" class="main" disabled=${!entries.length}>Add to the fight</button></footer>
    ${adds ? html`<${Picker} draft=${draft} table=${draft.blocks} title="Who joins?" pick=${add} besides=${theirOwn(draft, add)} onClose=${() => setAdds(false)} />` : null}</form>`;
}

/** Render an entry: how many, seen or hidden, and its sheet. */
function Newcomer({ draft, nth, hue }) {
  const one = draft.entries.value[nth];
  const count = Number(one.count) || 1;
  const many = (to) => draft.settle(nth, { count: to });
  return html`<${Card} draft=${draft} nth=${nth} hue=${hue}><div class="row">
    <div class="row many" role="group" aria-label=${`How many: ${one.name}`}><${Button} says="−" label="One fewer" disabled=${count < 2} onClick=${() => many(count - 1)} />
      <output>${count}</output><${Button} says="+" label="One more" onClick=${() => many(count + 1)} /></div>
    <label class="row"><span>Side</span><select aria-label=${`Side of ${one.name}`} onChange=${({ target }) => draft.settle(nth, { side: target.value, at: undefined })}>
      ${[...new Set([...draft.sides.value, one.side])].map((side) => html`<option key=${side} value=${side} selected=${side === one.side}>${capital(side)}</option>`)}</select></label>
    <label class="check"><input type="checkbox" checked=${one.concealed ?? false} onChange=${({ target }) => draft.settle(nth, { concealed: target.checked })} /><${Icon} name="hidden" />Hidden</label></div><//>`;
}

const propertiesOf = ({ schema }) => (schema.$ref ? schema.$defs[schema.$ref.split("/").at(-1)] : schema).properties ?? {};

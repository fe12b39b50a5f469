// Inputs made from a JSON Schema, or from recorded parameters. `Field` draws each, and `read` reads it from its form.

import { html, Labelled } from "./parts.js";
import { sidesOf } from "./people.js";
import { areCells, capital, declared, idSaid, label, nameSaid, placeSaid, placesMeant, placesTyped, said } from "./words.js";

/**
 * Return the form field of a property of a ruling's schema; null for a structure, which has no field of its own.
 *
 * names: the kind of things that its values name, if any; who: the combatant of the ruling, if known.
 */
export function fieldOf(name, schema, { required, names = "", state, definitions, who = null }) {
  const shape = resolved(schema, definitions);
  const list = shape.type === "array";
  const common = { name, id: `field-${name}`, says: capital(label("fields", name)), required, usual: shape.default };
  const choices = choicesOf(names, state, who);
  if (list && ["combatant", "pools"].includes(names)) return { ...common, kind: "several", choices };
  if (names === "place") return { ...common, kind: "place", several: list, choices: Object.values(state.places).map((one) => [placesTyped(one.id), placeSaid(one.id)]) };
  if (shape.enum) return { ...common, kind: "choice", choices: shape.enum.map((one) => [one, said(one)]) };
  if (choices && !list) return { ...common, kind: ["combatant", "several", "item", "pools"].includes(names) ? "choice" : "open", choices };
  if (shape.type === "boolean") return { ...common, kind: "flag" };
  if (shape.type === "integer") return { ...common, kind: "number", low: shape.minimum, high: shape.maximum };
  if (list) return { ...common, kind: "list", choices, numbers: shape.items?.type === "integer", usual: names === "slot" ? choices.map(([id]) => id) : [] };
  if (shape.type === "string") return { ...common, kind: "text", longest: shape.maxLength ?? 200 };
  return null;
}

/** Return the form field of a recorded parameter; null for a structure, which stays as it was recorded. */
export function valueOf(name, value, state, actor) {
  const common = { name, id: `param-${name}`, says: capital(label("fields", name)), required: true, usual: value };
  const own = Object.values(state.items).filter((one) => one.owner === actor);
  const ofActor = own.find((one) => one.id === value || one.id === `${actor}.${value}`);
  if (typeof value === "string" && value in state.combatants) return { ...common, kind: "choice", choices: peopleOf(state) };
  if (ofActor) {
    const short = ofActor.id !== value;
    return { ...common, kind: "choice", choices: own.map((one) => [short ? one.id.slice(actor.length + 1) : one.id, one.name]) };
  }
  if (areCells(value)) return { ...common, kind: "place", several: Array.isArray(value), choices: [] };
  if (typeof value === "number") return { ...common, kind: "number", always: true };
  if (typeof value === "boolean") return { ...common, kind: "flag", always: true };
  if (typeof value === "string") return { ...common, kind: "text", longest: 200, required: false, always: true };
  const numbers = [value].flat().some(Number.isInteger);
  return Array.isArray(value) && value.every((one) => typeof one === (numbers ? "number" : "string")) ? { ...common, kind: "list", numbers } : null;
}

/** Render the input of a field. */
export function Field({ field }) {
  const { id, name, says, kind, choices, required, usual } = field;
  const common = { id, name, required };
  if (kind === "several") {
    return html`<div class="field"><span>${says}</span><div id=${id} class="people-of" role="group" aria-label=${says}>${choices.map(([value, text]) => html`
      <label class="check" key=${value}><input type="checkbox" name=${name} value=${value} />${text}</label>`)}</div></div>`;
  }
  const listed = () => html`<datalist id=${`${id}-choices`}>${choices.map(([value, text]) => html`<option key=${value} value=${value}>${text}</option>`)}</datalist>`;
  const input = {
    choice: () => html`<select ...${common}>${required ? null : html`<option value="">–</option>`}
      ${choices.map(([value, text]) => html`<option key=${value} value=${value} selected=${value === usual}>${text}</option>`)}</select>`,
    flag: () => html`<input type="checkbox" id=${id} name=${name} defaultChecked=${usual === true} />`,
    number: () => html`<input ...${common} type="number" step="1" min=${field.low} max=${field.high} inputmode="numeric"
      defaultValue=${typeof usual === "number" ? String(usual) : ""} />`,
    open: () => html`<input ...${common} type="text" list=${`${id}-choices`} maxlength="200" defaultValue=${usual ?? ""} autocomplete="off" />${listed()}`,
    place: () => html`<input ...${common} type="text" list=${`${id}-choices`} placeholder=${field.several ? "one; another" : null} defaultValue=${placesTyped(usual)} autocomplete="off" />${listed()}`,
    list: () => html`<input ...${common} type="text" list=${choices ? `${id}-choices` : null} placeholder="one, another" defaultValue=${(usual ?? []).join(", ")} autocomplete="off" />${choices ? listed() : null}`,
    text: () => html`<input ...${common} type="text" maxlength=${field.longest} defaultValue=${usual ?? ""} />`,
  }[kind]();
  return html`<${Labelled} says=${says} of=${id}>${input}<//>`;
}

/** Return a field's value in a form; undefined for the default. */
export function read(field, form) {
  const data = new FormData(form);
  const raw = data.get(field.name);
  switch (field.kind) {
    case "several": return data.getAll(field.name);
    case "flag": {
      const on = data.has(field.name);
      return !field.always && on === (field.usual ?? false) ? undefined : on;
    }
    case "number": return raw === "" ? undefined : Number(raw);
    case "place": {
      const places = placesMeant(raw);
      return field.several ? places : places[0];
    }
    case "list": return raw.split(",").map((part) => part.trim()).filter(Boolean).map(field.numbers ? Number : String);
    default: return raw || (field.always ? "" : undefined);
  }
}

const peopleOf = (state) => Object.values(state.combatants).map((one) => [one.id, one.name]);

/** Return the name of a combatant, or its id if it is not in the fight. */
const nameOf = (state, who) => (state.combatants[who] ? nameSaid(state.combatants[who].name) : idSaid(who));

/** The present choices of kinds whose ids a person does not know, as [value, text]. */
const NOW = {
  pending: (state) => state.stack.map(({ id, actor, kind }) => [id, `${nameOf(state, actor)}: ${label("actions", kind)}`]),
  relation: (state) => Object.values(state.relations).map(({ id, members }) => [id, members.map(({ who }) => nameOf(state, who)).join(", ")]),
  slot: (state) => state.slots.map(({ id }) => [id, state.combatants[id]?.name ?? said(id)]),
  source: (state) => [...new Set(Object.values(state.combatants).flatMap((one) => Object.values(one.conditions).flatMap(Object.keys)))].map((one) => [one, one]),
};

/** Return the choices of a kind in a fight or in its rules, as [value, text]; nothing if any value is allowed. */
function choicesOf(names, state, who) {
  if (!names) return null;
  if (names === "combatant") return peopleOf(state);
  if (names === "item") return Object.values(state.items).map((one) => [one.id, `${nameSaid(one.name)} (${one.owner ? nameOf(state, one.owner) : "no owner"})`]);
  if (names === "several") return [...peopleOf(state), ...sidesOf(state).map((one) => [one, one]), ["*", "all combatants"]];
  if (names === "side") return sidesOf(state).map((one) => [one, one]);
  if (names in NOW) return NOW[names](state);
  const own = names === "pools" && who in state.combatants ? Object.keys(state.combatants[who].pools) : declared(names);
  return own.length ? own.map((one) => [one, label(names, one)]) : null;
}

function resolved(schema, definitions) {
  if (schema.$ref) return { ...definitions[schema.$ref.split("/").at(-1)], ...schema };
  const real = schema.anyOf?.find((one) => one.type !== "null");
  return real ? { ...resolved(real, definitions), default: schema.default } : schema;
}

// Inputs made from a JSON Schema, or from parameters as they were recorded.

import { h, labelled } from "./dom.js";
import { capital, said } from "./words.js";

/**
 * Return an input for a property of a ruling's schema, and a function that reads it; it returns undefined where it is
 * left as it would be anyway.
 */
export function schemaField(name, schema, { required, people, things, state, definitions }) {
  const shape = resolved(schema, definitions);
  const list = shape.type === "array";
  const fallback = shape.default;
  const id = `field-${name}`;
  let shown;
  let read;
  if (people && list) {
    const boxes = Object.values(state.combatants).map((one) => h("label", { class: "check" },
      h("input", { type: "checkbox", value: one.id }), one.name));
    shown = h("div", { id, class: "people-of", role: "group", "aria-label": capital(said(name)) }, boxes);
    read = () => boxes.map((box) => box.querySelector("input")).filter((box) => box.checked).map((box) => box.value);
  } else if (shape.enum || people || things) {
    const choices = shape.enum ?? (people ? Object.values(state.combatants).map((one) => [one.id, one.name])
      : Object.values(state.items).map((one) => [one.id, `${one.name} (${one.owner || "nobody"})`]));
    shown = h("select", { id, required }, required ? null : h("option", { value: "" }, "–"),
      choices.map((one) => Array.isArray(one) ? h("option", { value: one[0] }, one[1])
        : h("option", { value: one, selected: one === fallback }, said(one))));
    read = () => shown.value || undefined;
  } else if (shape.type === "boolean") {
    shown = h("input", { type: "checkbox", id, checked: fallback === true });
    read = () => (shown.checked === (fallback ?? false) ? undefined : shown.checked);
  } else if (shape.type === "integer") {
    shown = h("input", { type: "number", id, required, step: 1, min: shape.minimum ?? null, max: shape.maximum ?? null, inputmode: "numeric",
      value: typeof fallback === "number" ? String(fallback) : "" });
    read = () => (shown.value === "" ? undefined : Number(shown.value));
  } else if (list) {
    shown = h("input", { type: "text", id, required, placeholder: "one, another" });
    const one = shape.items?.type === "integer" ? Number : (text) => text;
    read = () => shown.value.split(",").map((part) => part.trim()).filter(Boolean).map(one);
  } else if (shape.type === "string") {
    shown = h("input", { type: "text", id, required, maxlength: shape.maxLength ?? 200, value: fallback ?? "" });
    read = () => shown.value || undefined;
  } else {
    shown = h("textarea", { id, required, rows: 4, spellcheck: "false", placeholder: "{ … } as JSON" });
    read = () => (shown.value ? JSON.parse(shown.value) : undefined);
  }
  return { name, read, view: labelled(capital(said(name)), shown) };
}

function resolved(schema, definitions) {
  if (schema.$ref) return { ...definitions[schema.$ref.split("/").at(-1)], ...schema };
  const real = schema.anyOf?.find((one) => one.type !== "null");
  return real ? { ...resolved(real, definitions), default: schema.default } : schema;
}

/** Return an input for a parameter as it was recorded, and a function that reads it. */
export function valueField(name, value, state, actor) {
  const id = `param-${name}`;
  let shown;
  let read = () => shown.value;
  const own = Object.values(state.items).filter((one) => one.owner === actor);
  const ofActor = own.find((one) => one.id === value || one.id === `${actor}.${value}`);
  if (typeof value === "string" && value in state.combatants) {
    shown = select(id, value, Object.values(state.combatants).map((one) => [one.id, one.name]));
  } else if (ofActor) {
    const short = ofActor.id !== value;
    shown = select(id, value, own.map((one) => [short ? one.id.slice(actor.length + 1) : one.id, one.name]));
  } else if (typeof value === "number") {
    shown = h("input", { id, type: "number", value: String(value), required: true });
    read = () => Number(shown.value);
  } else if (typeof value === "boolean") {
    shown = h("input", { id, type: "checkbox", checked: value });
    read = () => shown.checked;
  } else if (typeof value === "string") {
    shown = h("input", { id, type: "text", value, maxlength: 200 });
  } else {
    shown = h("textarea", { id, rows: 2, spellcheck: "false" }, JSON.stringify(value));
    read = () => JSON.parse(shown.value);
  }
  return { name, read, view: labelled(capital(said(name)), shown) };
}

function select(id, value, choices) {
  return h("select", { id }, choices.map(([one, text]) => h("option", { value: one, selected: one === value }, text)));
}

// The kind of an encounter's field, from its JSON Schema.

import { inCells } from "../words.js";

/** Return the alternatives of a field's schema, with references resolved and without null. */
export function kindsOf(node, definitions) {
  if (node.$ref) return kindsOf({ ...definitions[node.$ref.split("/").at(-1)], ...without(node, "$ref") }, definitions);
  const several = node.anyOf?.flatMap((one) => kindsOf(one, definitions));
  return several ?? (node.type === "null" ? [] : [node]);
}

/** Return the kind of a field's input, with its parameters. */
export function shapeOf(node, definitions) {
  const kinds = kindsOf(node, definitions);
  const names = node["x-names"];
  const is = (type) => kinds.length === 1 && kinds[0].type === type;
  const list = kinds.find((one) => one.type === "array");
  const object = kinds.find((one) => one.type === "object");
  const text = kinds.find((one) => one.type === "string");
  if (kinds.length === 1 && kinds[0].enum) return { kind: "choice", choices: kinds[0].enum, says: kinds[0]["x-says"] };
  if (is("boolean")) return { kind: kinds.length < (node.anyOf?.length ?? 1) ? "perhaps" : "flag" };
  if (is("integer")) return { kind: "number", low: kinds[0].minimum, high: kinds[0].maximum };
  if (names === "place" && text) return { kind: "where" };
  if (names === "place" && list) return inCells() ? { kind: "where", several: true } : { kind: "ways" };
  if (names === "combatant") return list ? { kind: "people", pair: list.maxItems === 2 } : { kind: "person" };
  if (list && kinds.length === 1) return listOf(list, definitions);
  if (text?.["x-table"]) return { kind: "pick", table: text["x-table"], more: object && { ...object, "x-key": keyOf(object) } };
  if (is("string")) return { kind: "text", longest: kinds[0].maxLength };
  if (object && kinds.length === 1) return object.properties ? { kind: "group", properties: object.properties, required: object.required ?? [] } : mapOf(object, definitions);
  return { kind: "any" };
}

function listOf(list, definitions) {
  if (!list.items) return { kind: "any" };
  const kinds = kindsOf(list.items, definitions);
  const [text, object] = [kinds.find((one) => one.type === "string"), kinds.find((one) => one.type === "object" && one.properties)];
  if (kinds[0].enum) return { kind: "several", choices: kinds[0].enum };
  if (text?.["x-table"]) return { kind: "picks", table: text["x-table"], more: object && { ...object, "x-key": keyOf(object) } };
  if (object && kinds.length === 1) return { kind: "entries", of: object, pairs: pairsIn(object) };
  return { kind: "words" };
}

/** Return the fields of an object for two combatants and their number; null if it has other fields. */
function pairsIn({ properties }) {
  const names = Object.keys(properties);
  const between = names.find((name) => properties[name]["x-names"] === "combatant" && properties[name].maxItems === 2);
  const number = names.find((name) => properties[name].type === "integer");
  if (names.length !== 2 || !between || !number) return null;
  const { minimum: low, maximum: high, default: usual } = properties[number];
  return { between, number, low, high, usual };
}

function mapOf(object, definitions) {
  const kinds = typeof object.additionalProperties === "object" ? kindsOf(object.additionalProperties, definitions) : [];
  if (kinds.length === 1 && kinds[0].properties) return { kind: "named", of: kinds[0] };
  const [one] = kinds;
  return { kind: "counts", table: object.propertyNames?.["x-table"], choices: one?.enum, low: one?.minimum, high: one?.maximum };
}

/** Return the field of an object that a plain text can replace. */
const keyOf = (object) => Object.keys(object.properties ?? {}).find((name) => object.properties[name]["x-table"]);

const without = (object, key) => Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));

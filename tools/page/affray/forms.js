/** Values in the forms that shapes.js names: read with defaults filled in, written with defaults left out. */

import { elements, members, pairs } from "./scan.js";
import { SHAPES } from "./shapes.js";

/** @typedef {string | [unknown] | [unknown, number] | {of: unknown} | {among: string[]}} Form */
/** @typedef {{name: string, form: Form, fallback?: unknown}} Field */

/** An error: a value cannot be read, or not written exactly; `line` is the number of the line, if any. */
export class Unreadable extends Error {
  /** @param {string} reason @param {number} [line] */
  constructor(reason, line = 0) {
    super(line ? `line ${line}: ${reason}` : reason);
    this.name = "Unreadable";
    this.reason = reason;
    this.line = line;
  }
}

/** @type {Map<string, Field[]>} */
const STRUCTS = new Map();
for (const [name, rows] of Object.entries(/** @type {Record<string, any[][]>} */ (SHAPES))) {
  STRUCTS.set(name, rows.map(([field, form, ...usual]) => ({ name: field, form, ...(usual.length && { fallback: usual[0] }) })));
}

/** @param {string} name @returns {Field[]} */
function fieldsOf(name) {
  const fields = STRUCTS.get(name);
  if (!fields) throw new Unreadable(`${name} is nothing that is known here`);
  return fields;
}

/** @type {Record<string, (value: any) => boolean>} The forms of plain values, with their checks. */
const PLAIN = {
  int: Number.isInteger,
  "int?": (value) => value === null || Number.isInteger(value),
  str: (value) => typeof value === "string",
  bool: (value) => typeof value === "boolean",
  scalar: (value) => PLAIN["int?"](value) || PLAIN.str(value) || PLAIN.bool(value),
  setting: (value) => PLAIN.scalar(value) || (Array.isArray(value) && value.every(PLAIN.str)),
};

/**
 * Return the form of a value whose form depends on it: a part of a mark, and an entry of such a part.
 *
 * @param {any} form
 * @param {any} value
 */
function formOf(form, value) {
  if (form === "part") return Array.isArray(value) ? ["entry"] : "scalar";
  if (form === "entry") return typeof value === "object" ? { of: "setting" } : "str";
  if (form.or) return typeof value === "object" ? form.or : "str";
  return form;
}

/** Tell whether values of a form are plain JSON. @param {any} form */
const isPlain = (form) => (typeof form === "string" ? Object.hasOwn(PLAIN, form) : Object.hasOwn(form, "among"));

/** Return a plain value. @param {any} form @param {any} value @throws {Unreadable} It does not fit its form. */
function fitting(form, value) {
  if (typeof form === "string" ? PLAIN[form](value) : form.among.includes(value)) return value;
  throw new Unreadable(`${JSON.stringify(value)} where ${typeof form === "string" ? form : form.among.join(" or ")} was due`);
}

/** @type {WeakMap<object, string>} The exact text of the values that need it. */
const TEXTS = new WeakMap();

/** @type {Map<string, boolean>} Cached answers about structs. */
const RAW = new Map();

/** Tell whether the text of something inside counts. @param {any} form @returns {boolean} */
export function holdsRaw(form) {
  form = formOf(form, "");
  if (form === "raw" || isPlain(form)) return form === "raw";
  if (Array.isArray(form)) return holdsRaw(form[0]);
  if (typeof form === "object") return holdsRaw(form.of);
  const known = RAW.get(form) ?? fieldsOf(form).some((field) => holdsRaw(field.form));
  RAW.set(form, known);
  return known;
}

/**
 * Return an object without a prototype, so that no key, not even `__proto__`, means anything but itself.
 *
 * @template T
 * @param {...Record<string, T>} parts The objects whose entries it gets.
 * @returns {Record<string, T>}
 */
export function table(...parts) {
  const whole = Object.create(null);
  for (const part of parts) {
    for (const key in part) whole[key] = part[key]; // a few times as quick as Object.assign, and a fight is folded by this
  }
  return whole;
}

/**
 * Refuse whole numbers that are written with a fraction or an exponent, wherever a form has them.
 *
 * @param {any} form
 * @param {string} text Valid JSON, whose doubled keys all count.
 * @throws {Unreadable}
 */
export function mustBeWhole(form, text) {
  if (form === "raw") return;
  form = formOf(form, text[0] === "[" ? [] : text[0] === "{" ? {} : "");
  if (isPlain(form)) {
    if (/^-?\d+[.eE]/.test(text)) throw new Unreadable(`${text} where a whole number was due`);
  } else if (Array.isArray(form)) {
    for (const one of elements(text)) mustBeWhole(form[0], one);
  } else if (typeof form === "object") {
    for (const [, one] of pairs(text)) mustBeWhole(form.of, one);
  } else {
    const known = new Map(fieldsOf(form).map(({ name, form: inner }) => [name, inner]));
    for (const [name, one] of pairs(text)) if (known.has(name)) mustBeWhole(known.get(name), one);
  }
}

/** Read JSON in a form. @param {any} form @param {string} text @returns {any} */
export function read(form, text) {
  if (form === "raw") return remembered(JSON.parse(text), text);
  if (!holdsRaw(form)) return filled(form, JSON.parse(text));
  if (Array.isArray(form)) return list(elements(text), form[1]).map((one) => read(form[0], one));
  const given = members(text);
  if (typeof form === "object") {
    const found = table();
    for (const [key, one] of given) found[key] = read(form.of, one);
    return found;
  }
  return struct(form, ({ name, form: inner, fallback }) => {
    const one = given.get(name);
    if (one === undefined) return undefined;
    return one === "null" && fallback === null ? null : read(inner, one);
  });
}

/** Fill in what was left out of a value that is already parsed. @param {any} form @param {any} value @returns {any} */
export function filled(form, value) {
  if (form === "raw") return value;
  form = formOf(form, value);
  if (isPlain(form)) return fitting(form, value);
  if (Array.isArray(form)) return list(value, form[1]).map((one) => filled(form[0], one));
  if (typeof form === "object") {
    const found = table();
    for (const [key, one] of Object.entries(object(value))) found[key] = filled(form.of, one);
    return found;
  }
  object(value);
  return struct(form, (field) => {
    if (!Object.hasOwn(value, field.name)) return undefined;
    const one = value[field.name];
    return one === null && field.fallback === null ? null : filled(field.form, one);
  });
}

/** @param {string} name @param {(field: Field) => unknown} given @returns {Record<string, unknown>} */
function struct(name, given) {
  /** @type {Record<string, unknown>} */
  const found = {};
  for (const field of fieldsOf(name)) {
    const value = given(field);
    if (value !== undefined) found[field.name] = value;
    else if ("fallback" in field) found[field.name] = field.fallback === null ? null : filled(field.form, field.fallback);
    else throw new Unreadable(`${name} without ${field.name}`);
  }
  return found;
}

/** Return a list, of so many if there is a number. @param {any} value @param {number} [count] */
function list(value, count) {
  if (Array.isArray(value) && value.length === (count ?? value.length)) return value;
  throw new Unreadable(`${JSON.stringify(value)} where a list${count === undefined ? "" : ` of ${count}`} was due`);
}

/** @param {any} value */
function object(value) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Unreadable(`${JSON.stringify(value)} where an object was due`);
  }
  return value;
}

/** @param {any} value @param {string} text */
function remembered(value, text) {
  if (typeof value === "object" && value !== null) TEXTS.set(value, text);
  return value;
}

/**
 * Write a value as the engine does: keys of tables in the order of their code points, fields in the order of the struct,
 * defaults left out. A text or number is written as such, also where earlier formats held one in place of a table.
 *
 * @param {any} form
 * @param {any} value
 * @returns {string}
 */
export function write(form, value) {
  if (form === "raw") return TEXTS.get(value) ?? JSON.stringify(value);
  form = formOf(form, value);
  if (isPlain(form) || typeof value !== "object" || value === null) return plain(value);
  if (Array.isArray(form)) return `[${value.map((/** @type {any} */ one) => write(form[0], one)).join()}]`;
  const parts = [];
  if (typeof form === "object") {
    for (const key of Object.keys(value).sort(byCodePoint)) parts.push(`${plain(key)}:${write(form.of, value[key])}`);
  } else {
    for (const field of fieldsOf(form)) {
      if (!usual(field, value[field.name])) parts.push(`${plain(field.name)}:${write(field.form, value[field.name])}`);
    }
  }
  return `{${parts.join()}}`;
}

/** @param {any} value */
function plain(value) {
  if (typeof value === "number" && !Number.isSafeInteger(value)) {
    throw new Unreadable(`${value} is more than JavaScript holds exactly`);
  }
  return JSON.stringify(value);
}

/** Tell whether a field is what it would be if it were left out. @param {Field} field @param {any} value */
function usual(field, value) {
  if (!("fallback" in field)) return false;
  if (typeof value !== "object" || value === null) return value === field.fallback;
  return typeof field.fallback === "object" && field.fallback !== null && Object.keys(value).length === 0;
}

/**
 * Compare as the bytes of UTF-8 compare; JavaScript's own order differs beyond the first 65,536 characters.
 *
 * @param {string} one
 * @param {string} other
 */
function byCodePoint(one, other) {
  let i = 0;
  while (i < one.length && one.charCodeAt(i) === other.charCodeAt(i)) i += 1;
  const [left, right] = [one, other].map((word) => (i < word.length ? rank(word.charCodeAt(i)) : -1));
  return left - right;
}

/** Put the halves of a surrogate pair behind all other characters. @param {number} unit */
function rank(unit) {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

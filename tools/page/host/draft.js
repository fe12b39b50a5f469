// The store of the editor: an encounter, its errors, and its saved version.

import { batch, computed, signal } from "@preact/signals";
import { nameOf, underFreeName } from "../opening.js";
import { kindsOf } from "./schemas.js";
import { problemSaid, said } from "../words.js";

/** The pause after the last change before the encounter is checked. */
const PAUSE_MS = 350;

/** How many changes can be undone. */
const MOST_PAST = 200;

const keyOf = (name) => `affray-draft:${name}`;
const at = (name) => `/encounters/${encodeURIComponent(name)}`;

export class Draft {
  /** The content of the encounter file. It is immutable: each change makes a new one. */
  content = signal({});
  /** The text of the saved or loaded file, whose comments are kept. */
  was = signal("");
  /** The errors, each with its `field`, and the combatants of the fight. */
  faults = signal([]);
  people = signal([]);
  /** Whether the shown content has been checked, and whether any was. */
  checked = signal(false);
  known = signal(false);
  /** The saved name and version; empty if it is not saved yet. */
  name = signal("");
  version = signal("");
  /** Whether it has unsaved changes. */
  dirty = signal(false);
  /** Whether unsaved changes of this window were restored. */
  restored = signal(false);
  /** The earlier contents, the latest last. */
  past = signal([]);
  /** The last refusal, `{ says, superseded }`. */
  refusal = signal(null);
  /** The index of the open sheet, and the field to focus. */
  open = signal(-1);
  asked = signal("");

  /** client: the host's; rules: { system, schema, tables }. */
  constructor(client, rules, { content, toml = "", name = "", version = "" }) {
    Object.assign(this, { client, rules, definitions: rules.schema.$defs ?? {} });
    batch(() => {
      this.content.value = content;
      this.was.value = toml;
      this.name.value = name;
      this.version.value = version;
    });
    this.tables = new Map(rules.tables.map((one) => [one.kind, one]));
    this.entries = computed(() => (Array.isArray(this.content.value.combatant) ? this.content.value.combatant.map((one) => (isTable(one) ? one : {})) : []));
    this.sides = computed(() => [...new Set(this.entries.value.map((one) => one.side).filter((one) => typeof one === "string" && one))]);
    const parts = Object.entries(rules.schema.properties);
    /** The part of the file that describes zones, if places are zones; and the parts that describe cells. */
    this.zonesIn = parts.find(([, node]) => node["x-zones"])?.[0] ?? null;
    this.zones = computed(() => (this.zonesIn && Array.isArray(this.content.value[this.zonesIn]) ? this.content.value[this.zonesIn].filter(isTable) : []));
    this.grounds = parts.flatMap(([part, node]) => kindsOf(node, this.definitions).flatMap((kind) => Object.entries(kind.properties ?? {})
      .flatMap(([name, inner]) => (inner["x-ground"] ? [{ trait: inner["x-ground"], path: [part, name] }] : []))));
    this.entry = kindsOf(kindsOf(rules.schema.properties.combatant, this.definitions)[0].items, this.definitions)[0];
    /** The part that every encounter with a map of cells has, even an empty one. */
    this.board = this.grounds[0]?.path[0];
    this.blocks = this.entry.properties.block?.["x-table"];
    this.checks = 0;
    this.check();
  }

  /** Return the value at a path of keys and indexes. */
  read(path) {
    return path.reduce((found, step) => found?.[step], this.content.value);
  }

  /** Set the value at a path; undefined removes it. */
  change(path, value) {
    const content = put(this.content.value, path, value);
    const [part] = path;
    if (part !== this.board && isEmpty(content[part])) delete content[part];
    this.become(content, typeof value === "object" ? "" : fieldOf(path));
  }

  /** Replace the content. One undo reverts consecutive changes of one field. */
  become(content, field = "") {
    if (!field || field !== this.last) this.past.value = [...this.past.value, this.content.value].slice(-MOST_PAST);
    this.last = field;
    this.say(content);
  }

  /** Undo the last change. */
  undo() {
    const before = this.past.value.at(-1);
    if (!before) return;
    this.past.value = this.past.value.slice(0, -1);
    this.last = "";
    this.say(before);
  }

  /** Replace the content, and check it after a pause. Errors of a list whose length changed are dropped until then. */
  say(content) {
    const isOther = (part) => Array.isArray(content[part]) && content[part].length !== this.content.value[part]?.length;
    const faults = this.faults.value.filter((one) => !isOther(one.field));
    batch(() => {
      this.known.value &&= faults.length === this.faults.value.length;
      this.faults.value = faults;
      this.content.value = content;
      this.dirty.value = true;
      this.checked.value = false;
    });
    this.remember();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.check(), PAUSE_MS);
  }

  /** Check the content on the server. */
  async check() {
    clearTimeout(this.timer);
    const asked = ++this.checks;
    const content = this.content.value;
    try {
      const found = await this.client.post("/check", { content });
      if (asked !== this.checks) return;
      batch(() => {
        this.faults.value = found.faults ?? [];
        this.people.value = found.people ?? [];
        this.checked.value = this.known.value = true;
        if (!this.refusal.value?.superseded) this.refusal.value = null;
      });
    } catch (problem) {
      if (asked === this.checks) this.refuse(problem);
    }
  }

  /** Return the errors at a field or inside it. */
  faultsAt(path) {
    const field = fieldOf(path);
    return this.faults.value.filter((one) => one.field && within(one.field, field));
  }

  /** Save the encounter. @returns {Promise<boolean>} whether it was saved. */
  async save({ over = false } = {}) {
    const [content, was] = [this.content.value, this.was.value];
    const wanted = this.named();
    try {
      const version = over ? (await this.client.json(at(wanted))).version : this.version.value;
      const keep = (name) => this.client.json(at(name), { method: "PUT", body: { content, was, version } });
      const kept = this.name.value ? await keep(wanted) : await underFreeName(wanted, keep);
      sessionStorage.removeItem(keyOf(this.name.value));
      const { toml } = await this.client.json(at(kept.name));
      batch(() => {
        this.name.value = kept.name;
        this.version.value = kept.version;
        this.was.value = toml;
        this.dirty.value = this.content.value !== content;
        this.restored.value = false;
        this.refusal.value = null;
      });
      return true;
    } catch (problem) {
      this.refuse(problem);
      return false;
    }
  }

  /** Return the text of the file with the present content. */
  async text() {
    const { toml } = await this.client.post("/check", { content: this.content.value, was: this.was.value });
    return toml;
  }

  /** Return the saved name, or the name for saving. */
  named() {
    return this.name.value || nameOf(String(this.content.value.name ?? ""), "encounter");
  }

  refuse(problem) {
    const superseded = problem.code === "superseded";
    this.refusal.value = { superseded, says: superseded ? "This encounter was changed in another window." : problemSaid(problem) };
  }

  /** Store unsaved changes for this window. */
  remember() {
    const { content, was, name, version } = this;
    sessionStorage.setItem(keyOf(name.value), JSON.stringify({ content: content.value, toml: was.value, name: name.value, version: version.value }));
  }

  forget() {
    sessionStorage.removeItem(keyOf(this.name.value));
  }

  /** Return the name of an entry of a table, from the rules or from the encounter. */
  called(kind, key) {
    const table = this.tables.get(kind);
    const own = table?.own ? this.content.value[table.own]?.[key] : null;
    return own?.name || this.line(kind, key)?.values.name || said(key);
  }

  /** Return the places of an entry's combatants. */
  placesOf(nth) {
    const { at: where, count = 1 } = this.entries.value[nth];
    const told = (Array.isArray(where) ? where : where ? [where] : []).map(String);
    return Array.from({ length: Math.min(Math.max(Number(count) || 1, 1), 500) }, (_, each) => told[each] ?? "");
  }

  /** Place one of an entry's combatants; an empty place removes it from the map. */
  place(nth, each, where) {
    const places = this.placesOf(nth);
    places[each] = where;
    const told = places.some(Boolean) ? places : [];
    const content = put(this.content.value, ["combatant", nth, "at"], told.length > 1 ? told : told[0]);
    this.become(told.length ? this.mapped(content) : content);
  }

  /** Return a content with a map. */
  mapped(content) {
    return this.board && content[this.board] === undefined ? { ...content, [this.board]: {} } : content;
  }

  /** Remove the map, and all combatants from it. */
  unmapped() {
    const content = { ...this.content.value, combatant: this.entries.value.map(({ at: _, ...one }) => one) };
    for (const part of [this.board, this.zonesIn]) if (part) delete content[part];
    this.become(content);
  }

  /** Return the list of texts at a path; an empty one if the file has none there. */
  list(path) {
    const found = this.read(path);
    return Array.isArray(found) ? found.map(String) : [];
  }

  line(kind, key) {
    return this.tables.get(kind)?.lines.find((one) => one.key === key);
  }
}

/** Return the unsaved changes of an encounter in this window. */
export function unsaved(name) {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(name)));
  } catch {
    return null;
  }
}

/** Return a path as an error names it: `combatant[0].weapons[1]`. */
export const fieldOf = (path) => path.reduce((said, step) => (typeof step === "number" ? `${said}[${step}]` : said ? `${said}.${step}` : step), "");

/** Whether an error's field is a field or lies inside it. */
export const within = (fault, field) => fault === field || fault.startsWith(`${field}.`) || fault.startsWith(`${field}[`);

function put(from, [step, ...rest], value) {
  const made = Array.isArray(from) ? [...from] : { ...from };
  if (rest.length) made[step] = put(made[step] ?? (typeof rest[0] === "number" ? [] : {}), rest, value);
  else if (value !== undefined) made[step] = value;
  else if (Array.isArray(made)) made.splice(step, 1);
  else delete made[step];
  return made;
}

const isTable = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

const isEmpty = (value) => isTable(value) && !Object.keys(value).length;

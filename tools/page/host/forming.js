// Inputs for the fields of an encounter, made from its JSON Schema; each shows the server's errors.

import { useState } from "preact/hooks";
import { fieldOf } from "./draft.js";
import { MOST_PEOPLE, Pairs } from "./pairs.js";
import { Button, html, Icon } from "../parts.js";
import { Picker, valueSaid } from "./picker.js";
import { shapeOf } from "./schemas.js";
import { capital, placesMeant, placesTyped, said } from "../words.js";

const idOf = (path) => `at-${fieldOf(path)}`;
const WIDE = new Set(["picks", "counts", "entries", "named", "people", "several", "ways", "words", "group", "where"]);

/**
 * Render a field with its title and its errors.
 *
 * node: its schema; usual: the default, such as the stat block's value; list: suggested values;
 * bare: hides the title, which a heading shows already.
 */
export function Field({ draft, path, node, usual, list = null, bare = false }) {
  const shape = shapeOf(node, draft.definitions);
  const title = node.title ?? capital(said(path.at(-1)));
  const inner = ["entries", "named", "group"].includes(shape.kind);
  const faults = draft.faultsAt(path).filter((one) => !inner || one.field === fieldOf(path));
  const id = idOf(path);
  const Input = INPUTS[shape.kind] ?? Written;
  const wrong = faults.length ? { "aria-invalid": "true", "aria-describedby": `${id}-wrong` } : {};
  const grouped = WIDE.has(shape.kind) && shape.kind !== "words" && shape.kind !== "where";
  const label = grouped ? html`<span id=${`${id}-label`} class=${bare ? "unseen" : "title"}>${title}</span>` : html`<label for=${id}>${title}</label>`;
  const body = html`<${Input} ...${{ draft, path, node, shape, usual, id, wrong, list, title }} value=${draft.read(path)} set=${(value) => draft.change(path, value)} />`;
  const props = { class: `field is-${shape.kind} ${WIDE.has(shape.kind) ? "broad" : ""}`, "data-field": fieldOf(path) };
  return html`<div ...${props} role=${grouped ? "group" : null} aria-labelledby=${grouped ? `${id}-label` : null}>${shape.kind === "flag" ? null : label}${body}
    ${faults.length ? html`<p class="wrong" id=${`${id}-wrong`}>${faults.map((one) => capital(one.detail)).join(" ")}</p>` : null}</div>`;
}

const hint = (usual) => (usual === undefined || usual === null || usual === "" ? "" : valueSaid(usual));
const typed = ({ target }) => target.value;

function Text({ id, value, set, usual, wrong, list, shape }) {
  return html`<input type="text" id=${id} ...${wrong} value=${value ?? ""} maxlength=${shape.longest ?? 200} placeholder=${hint(usual)} autocomplete="off" list=${list ? `${id}-list` : null}
    onInput=${(event) => set(typed(event) || undefined)} />${list ? html`<datalist id=${`${id}-list`}>${list.map((one) => html`<option key=${one} value=${one} />`)}</datalist>` : null}`;
}

function Amount({ id, value, set, usual, wrong, shape }) {
  const give = (event) => set(typed(event) === "" ? undefined : Number(typed(event)));
  return html`<input type="number" step="1" inputmode="numeric" id=${id} ...${wrong} value=${value ?? ""} min=${shape.low} max=${shape.high} placeholder=${hint(usual)} onInput=${give} />`;
}

function Flag({ id, value, set, usual, title, wrong }) {
  return html`<label class="check"><input type="checkbox" id=${id} ...${wrong} checked=${value ?? usual ?? false}
    onChange=${({ target }) => set(target.checked === (usual ?? false) ? undefined : target.checked)} />${title}</label>`;
}

function Choice({ id, value, set, usual, wrong, shape }) {
  const choices = shape.kind === "perhaps" ? [true, false] : shape.choices;
  const chosen = choices.findIndex((one) => one === value);
  const otherwise = usual === undefined || usual === null ? "–" : `Default: ${shape.says?.[usual] ?? (hint(usual) || "–")}`;
  return html`<select id=${id} ...${wrong} onChange=${({ target }) => set(target.value === "" ? undefined : choices[Number(target.value)])}>
    <option value="" selected=${value === undefined}>${otherwise}</option>
    ${chosen < 0 && value !== undefined && value !== null ? html`<option value="" selected>${valueSaid(value)}</option>` : null}
    ${choices.map((one, nth) => html`<option key=${nth} value=${nth} selected=${nth === chosen}>${capital(shape.says?.[one] ?? valueSaid(one)) || "–"}</option>`)}</select>`;
}

function Several({ value, set, shape }) {
  const has = new Set(value ?? []);
  const turn = (one) => ({ target }) => {
    const now = shape.choices.filter((other) => (other === one ? target.checked : has.has(other)));
    set(now.length ? now : undefined);
  };
  return html`<div class="people-of">${shape.choices.map((one) => html`<label class="check" key=${one}><input type="checkbox" checked=${has.has(one)} onChange=${turn(one)} />${said(one)}</label>`)}</div>`;
}

/** Render the choice of one entry of a table. */
function Pick({ draft, value, set, usual, shape, title, id, wrong }) {
  const [open, setOpen] = useState(false);
  const key = typeof value === "object" && value ? value[shape.more?.["x-key"]] : value;
  const says = key ? capital(draft.called(shape.table, key)) : usual ? `${capital(draft.called(shape.table, usual))}(default)` : "None";
  return html`<div class="row"><button type="button" id=${id} ...${wrong} class="choose" aria-haspopup="dialog" aria-label=${`${title}: ${says}`} onClick=${() => setOpen(true)}><span>${says}</span><${Icon} name="more" /></button>
      ${key ? html`<${Button} shows="close" class="quiet" label=${`Clear ${title}`} onClick=${() => set(undefined)} />` : null}</div>
    ${open ? html`<${Picker} draft=${draft} table=${shape.table} title=${title} pick=${set} onClose=${() => setOpen(false)} />` : null}`;
}

/** Render the choice of several entries of a table, each with optional details. */
function Picks({ draft, path, value, set, usual, shape, title, id, wrong }) {
  const [open, setOpen] = useState(false);
  const [more, setMore] = useState(-1);
  const list = Array.isArray(value) ? value : [];
  const keyed = shape.more?.["x-key"];
  const add = (key) => draft.change(path, [...(Array.isArray(draft.read(path)) ? draft.read(path) : []), key]);
  const toggle = (nth) => {
    if (typeof list[nth] === "string") draft.change([...path, nth], { [keyed]: list[nth] });
    setMore(more === nth ? -1 : nth);
  };
  const chip = (one, nth) => {
    const name = capital(draft.called(shape.table, typeof one === "object" ? one?.[keyed] ?? "" : one));
    const bad = draft.faultsAt([...path, nth]).length > 0;
    return html`<li class=${`piece ${bad ? "bad" : ""}`} key=${`${nth}-${name}`}><span>${name}</span>
      ${keyed ? html`<${Button} shows="more" class="quiet" label=${`More about ${name}`} aria-expanded=${more === nth} onClick=${() => toggle(nth)} />` : null}
      <${Button} shows="close" class="quiet" label=${`Remove ${name}`} onClick=${() => { setMore(-1); set(list.filter((_, at) => at !== nth)); }} /></li>`;
  };
  return html`<ul class="pieces">${list.map(chip)}${value === undefined && usual?.length ? usual.map((one) => html`<li class="piece usual" key=${`usual-${valueSaid(one)}`}>${capital(draft.called(shape.table, one))}</li>`) : null}
      <li><button type="button" id=${id} ...${wrong} class="add" aria-label=${`Add to ${title}`} aria-haspopup="dialog" onClick=${() => setOpen(true)}><${Icon} name="plus" /><span>Add</span></button></li></ul>
    ${more >= 0 && typeof list[more] === "object" ? html`<${Group} draft=${draft} path=${[...path, more]} properties=${shape.more.properties} />` : null}
    ${open ? html`<${Picker} draft=${draft} table=${shape.table} title=${title} pick=${add} several onClose=${() => setOpen(false)} />` : null}`;
}

/** Render entries of a table, or words, each with a number. */
function Counts({ draft, path, value, set, usual, shape, title, id }) {
  const [open, setOpen] = useState(false);
  const entries = Object.entries(value ?? {});
  const first = shape.choices?.[0] ?? Math.max(1, shape.low ?? 1);
  const add = (key) => key in (draft.read(path) ?? {}) || draft.change([...path, key], first);
  const named = (key) => (shape.table ? draft.called(shape.table, key) : said(key));
  const numbered = (key, one) => (shape.choices ? html`<select aria-label=${named(key)} onChange=${({ target }) => draft.change([...path, key], Number(target.value))}>
      ${shape.choices.map((each) => html`<option key=${each} value=${each} selected=${each === one}>${each}</option>`)}</select>`
    : html`<input type="number" step="1" inputmode="numeric" aria-label=${named(key)} value=${one} min=${shape.low} max=${shape.high} onInput=${(event) => typed(event) !== "" && draft.change([...path, key], Number(typed(event)))} />`);
  const without = (key) => () => set(Object.fromEntries(entries.filter(([other]) => other !== key)));
  return html`<ul class="pieces">${entries.map(([key, one]) => html`<li class=${`piece ${draft.faultsAt([...path, key]).length ? "bad" : ""}`} key=${key}><span>${capital(named(key))}</span>${numbered(key, one)}
        <${Button} shows="close" class="quiet" label=${`Remove ${named(key)}`} onClick=${without(key)} /></li>`)}
      ${value === undefined && usual ? Object.entries(usual).map(([key, one]) => html`<li class="piece usual" key=${`usual-${key}`}>${capital(named(key))} ${one}</li>`) : null}
      <li>${shape.table ? html`<button type="button" id=${id} class="add" aria-label=${`Add to ${title}`} aria-haspopup="dialog" onClick=${() => setOpen(true)}><${Icon} name="plus" /><span>Add</span></button>`
        : html`<input type="text" id=${id} class="add" placeholder="Add …" aria-label=${`Add to ${title}`} onChange=${({ target }) => { if (target.value.trim()) add(target.value.trim()); target.value = ""; }} />`}</li></ul>
    ${open ? html`<${Picker} draft=${draft} table=${shape.table} title=${title} pick=${add} several onClose=${() => setOpen(false)} />` : null}`;
}

/** Render a list of words in one line, such as `rope, lamp oil`. */
function Words({ id, value, set, usual, wrong }) {
  const give = (event) => {
    const parts = typed(event).split(",").map((part) => part.trim()).filter(Boolean);
    set(parts.length ? parts : undefined);
  };
  const shown = Array.isArray(value) ? value.join(", ") : value ?? "";
  return html`<input type="text" id=${id} ...${wrong} value=${shown} placeholder=${hint(usual) || "one, another"} autocomplete="off" onChange=${give} />`;
}

/** Render the input of a place, or of several. */
function Where({ id, value, set, usual, wrong, shape }) {
  const give = (event) => {
    const places = placesMeant(typed(event));
    set(places.length ? (shape.several || places.length > 1 ? places : places[0]) : undefined);
  };
  return html`<input type="text" id=${id} ...${wrong} value=${placesTyped(value)} placeholder=${placesTyped(usual) || "no place yet"} autocomplete="off" onChange=${give} />`;
}

function whoCan(draft, value) {
  const known = draft.people.value.map((one) => [one.id, one.name]);
  return value && !known.some(([id]) => id === value) ? [...known, [value, value]] : known;
}

function Person({ draft, id, value, set, wrong, title }) {
  return html`<select id=${id} aria-label=${title ?? null} ...${wrong} onChange=${({ target }) => set(target.value || undefined)}><option value="" selected=${!value}>–</option>
    ${whoCan(draft, value).map(([who, name]) => html`<option key=${who} value=${who} selected=${who === value}>${name}</option>`)}</select>`;
}

function People({ draft, id, value, set, shape, wrong }) {
  const list = Array.isArray(value) ? value : [];
  if (shape.pair) {
    const give = (nth) => (who) => set([nth ? list[0] ?? "" : who ?? "", nth ? who ?? "" : list[1] ?? ""]);
    return html`<div class="pair">${[0, 1].map((nth) => html`<${Person} key=${nth} draft=${draft} id=${`${id}-${nth}`} title=${nth ? "Second combatant" : "First combatant"} value=${list[nth]} set=${give(nth)} wrong=${wrong} />`)}</div>`;
  }
  const turn = (who) => ({ target }) => set(target.checked ? [...list, who] : list.filter((one) => one !== who));
  return html`<div class="people-of">${draft.people.value.map((one) => html`<label class="check" key=${one.id}><input type="checkbox" checked=${list.includes(one.id)} onChange=${turn(one.id)} />${one.name}</label>`)}</div>`;
}

/** Render the exits of a zone. */
function Ways({ draft, path, value, set }) {
  const own = draft.read(path.slice(0, -1))?.name;
  const list = Array.isArray(value) ? value : [];
  const others = [...new Set([...draft.zones.value.map((one) => one.name), ...list])].filter((one) => one && one !== own);
  const turn = (one) => ({ target }) => set(target.checked ? [...list, one] : list.filter((other) => other !== one));
  if (!others.length) return html`<p class="dim">There is no other zone yet.</p>`;
  return html`<div class="people-of">${others.map((one) => html`<label class="check" key=${one}><input type="checkbox" checked=${list.includes(one)} onChange=${turn(one)} />${said(one)}</label>`)}</div>`;
}

/** Render a group of fields. */
export function Group({ draft, path, properties, shape, usual = {}, but = [] }) {
  const fields = Object.entries(properties ?? shape.properties).filter(([name, node]) => !node.deprecated && !but.includes(name));
  return html`<div class="fields">${fields.map(([name, node]) => html`<${Field} key=${name} draft=${draft} path=${[...path, name]} node=${node} usual=${usual?.[name] ?? node.default} />`)}</div>`;
}

/** Render a list of objects, each with its fields. */
function Entries({ draft, path, value, set, shape, title, id }) {
  const list = Array.isArray(value) ? value : [];
  const placed = draft.entries.value.some((one) => one.at);
  const [fill, setFill] = useState(false);
  if (shape.pairs && placed && !list.length && !fill) return html`<div><${Button} says="Fill in" label=${`Fill in: ${title}`} onClick=${() => setFill(true)} /></div>`;
  if (shape.pairs && draft.people.value.length <= MOST_PEOPLE) {
    return html`<${Pairs} draft=${draft} value=${value} set=${set} shape=${{ ...shape.pairs, part: path[0] }} title=${`${title}: ${said(shape.pairs.number)}`} />
      ${list.map((_, nth) => html`<${Faults} key=${nth} draft=${draft} path=${[...path, nth]} properties=${{}} />`)}`;
  }
  return html`<ol class="entries">${list.map((_, nth) => html`<${Entry} key=${nth} draft=${draft} path=${[...path, nth]} properties=${shape.of.properties} required=${shape.of.required ?? []}
      name=${`${title} ${nth + 1}`} remove=${() => set(list.filter((__, at) => at !== nth))} />`)}</ol>
    <button type="button" id=${id} class="add" onClick=${() => set([...list, {}])}><${Icon} name="plus" /><span>Add: ${title.toLowerCase()}</span></button>`;
}

/** Render one object: the fields with values, and the others on demand. */
function Entry({ draft, path, properties, required, name, remove }) {
  const [whole, setWhole] = useState(() => !Object.keys(draft.read(path) ?? {}).length);
  const one = draft.read(path) ?? {};
  const silent = Object.keys(properties).filter((field) => one[field] === undefined && !required.includes(field) && !draft.faultsAt([...path, field]).length);
  return html`<li class="entry-of"><${Group} draft=${draft} path=${path} properties=${properties} but=${whole ? [] : silent} />
    <div class="row">${silent.length && !whole ? html`<${Button} shows="more" class="quiet" label=${`More about ${name}`} onClick=${() => setWhole(true)} />` : null}
      <${Button} shows="bin" class="quiet" label=${`Remove ${name}`} onClick=${remove} /></div>
    <${Faults} draft=${draft} path=${path} properties=${properties} /></li>`;
}

/** Render objects by name, each with its fields. */
function Named({ draft, path, value, set, shape, title, id }) {
  const entries = Object.entries(value ?? {});
  const add = ({ target }) => {
    const key = target.value.trim();
    if (key && !(key in (value ?? {}))) set({ ...value, [key]: {} });
    target.value = "";
  };
  const without = (key) => () => set(Object.fromEntries(entries.filter(([other]) => other !== key)));
  return html`<ol class="entries">${entries.map(([key]) => html`<li class="named-of" key=${key}><h4>${said(key)}</h4><ol class="entries">
      <${Entry} draft=${draft} path=${[...path, key]} properties=${shape.of.properties} required=${shape.of.required ?? []} name=${said(key)} remove=${without(key)} /></ol></li>`)}</ol>
    <input type="text" id=${id} class="add" placeholder="Enter a name to add one" aria-label=${`Add: ${title}`} onChange=${add} />`;
}

/** Render the errors of an object that none of its fields shows. */
export function Faults({ draft, path, properties }) {
  const field = fieldOf(path);
  const own = draft.faultsAt(path).filter((one) => one.field === field || !(one.field.slice(field.length + 1).match(/^\w+/)?.[0] in properties));
  return own.length ? html`<p class="wrong">${own.map((one) => capital(one.detail)).join(" ")}</p>` : null;
}

/** Render a value without an input as text. */
function Written({ id, value, usual }) {
  return html`<output id=${id} class="dim">${valueSaid(value ?? usual) || "–"}</output>`;
}

const INPUTS = { text: Text, number: Amount, flag: Flag, perhaps: Choice, choice: Choice, several: Several, pick: Pick, picks: Picks, counts: Counts, words: Words,
  where: Where, person: Person, people: People, ways: Ways, group: Group, entries: Entries, named: Named, any: Written };

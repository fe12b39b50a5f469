// The library of a rule system: a searchable list of its entries.

import { useState } from "preact/hooks";
import { announce, Button, html, Icon, Sheet } from "../parts.js";
import { shapeOf } from "./schemas.js";
import { capital, said } from "../words.js";

const MOST = 60;

/** Render a sheet to pick entries of a table. pick(key) takes one; `several` keeps it open; `besides` is an extra choice. */
export function Picker({ draft, table, title, pick, several = false, besides = null, onClose }) {
  const [search, setSearch] = useState("");
  const [picked, setPicked] = useState([]);
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const lines = linesOf(draft, table);
  const found = lines.filter((one) => words.every((word) => one.text.includes(word)));
  const free = search.trim();
  const unknown = free && !found.length;
  const take = (key, name) => {
    pick(key);
    if (!several) return onClose();
    setPicked([...picked, name]);
    announce(`${name} added`);
    return null;
  };
  const enter = (event) => {
    if (event.key !== "Enter" || !free) return;
    event.preventDefault();
    if (found.length) take(found[0].key, found[0].name);
    else take(free, free);
  };
  return html`<${Sheet} onClose=${onClose} kind="picker"><article><header class="row"><h2>${title}</h2></header>
    <label class="search"><span class="unseen">Search</span><input type="search" value=${search} onInput=${({ target }) => setSearch(target.value)} onKeyDown=${enter}
      placeholder="Search by name or text" autocomplete="off" spellcheck="false" autofocus /></label>
    ${picked.length ? html`<p class="picked" role="status"><${Icon} name="check" />${picked.join(", ")}</p>` : null}
    <ul class="lines">${besides && !free ? html`<li><button type="button" class="line" onClick=${() => { besides.act(); onClose(); }}><b>${besides.says}</b><span class="dim">${besides.why}</span></button></li>` : null}
      ${found.slice(0, MOST).map((one) => html`<li key=${one.key}><button type="button" class="line" data-line=${one.key} onClick=${() => take(one.key, one.name)}>
        <b>${one.name}</b>${one.own ? html`<span class="tag">of this encounter</span>` : null}<span class="dim">${one.says}</span></button></li>`)}</ul>
    ${found.length > MOST ? html`<p class="dim">${found.length - MOST} more. Search to narrow the list.</p>` : null}
    ${unknown ? html`<div class="row"><span>No entry matches “${free}”.</span><${Button} says="Use this text" onClick=${() => take(free, free)} /></div>` : null}
    <footer><form method="dialog"><button class=${several ? "main" : "quiet"}>${several ? "Done" : "Cancel"}</button></form></footer></article><//>`;
}

/** Return the entries of a table, the encounter's own first. */
function linesOf(draft, kind) {
  const table = draft.tables.get(kind);
  const own = table?.own ? Object.entries(draft.content.value[table.own] ?? {}) : [];
  const lines = [...own.map(([key, values]) => [key, values, true]), ...(table?.lines ?? []).map((one) => [one.key, one.values, false])];
  return lines.map(([key, values, isOwn]) => {
    const name = capital(String(values?.name ?? said(key)));
    const says = Object.entries(values ?? {}).filter(([field]) => field !== "name").map(([field, value]) => (kind === draft.blocks
      ? factSaid(draft.entry.properties[field]?.title ?? field, typeof value === "boolean" ? value : entrySaid(draft, field, value)) : factSaid(field, value)))
      .filter(Boolean).join(" · ");
    return { key, name, says, own: isOwn, text: `${key} ${name} ${says}`.toLowerCase() };
  });
}

/** Return a field of an entry as text. */
function factSaid(field, value) {
  if (value === true) return said(field);
  if (value === false || value === null) return "";
  return `${said(field)} ${valueSaid(value)}`;
}

/** Return a field of a combatant's entry as text, with the names of library entries. */
export function entrySaid(draft, field, value) {
  const { table, more } = shapeOf(draft.entry.properties[field] ?? {}, draft.definitions);
  if (!table) return valueSaid(value);
  const called = (one) => draft.called(table, one?.[more?.["x-key"]] ?? one);
  if (Array.isArray(value)) return value.map(called).join(", ");
  return typeof value === "object" ? Object.entries(value).map(([key, one]) => `${called(key)} ${valueSaid(one)}`).join(", ") : called(value);
}

/** Return a value of a table or a file as text. */
export function valueSaid(value) {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.map(valueSaid).join(", ");
  if (typeof value === "object") return Object.entries(value).map(([name, one]) => `${said(name)} ${valueSaid(one)}`).join(", ");
  return said(value);
}

// A combatant of an encounter: a card with the main facts, and the sheet as a form.

import { useLayoutEffect, useRef } from "preact/hooks";
import { within } from "./draft.js";
import { Faults, Field } from "./forming.js";
import { Button, html, Icon } from "../parts.js";
import { entrySaid } from "./picker.js";
import { capital, placeSaid, said } from "../words.js";

/** The fields above all sections. */
const FIRST = ["name", "side", "block", "count", "at"];

/** Render the card of an entry; `hue` is the colour of its side, room(side) returns a free place; children stand below the facts. */
export function Card({ draft, nth, hue, room = null, children = null }) {
  const one = draft.entries.value[nth];
  const path = ["combatant", nth];
  const faults = draft.faultsAt(path);
  const open = draft.open.value === nth;
  const frame = useRef();
  useLayoutEffect(() => {
    if (!open || !draft.asked.value) return;
    const field = [...frame.current.querySelectorAll("[data-field]")].filter((each) => within(draft.asked.value, each.dataset.field)).at(-1);
    field?.closest("details")?.setAttribute("open", "");
    (field?.querySelector("input, select, button") ?? frame.current.querySelector("input"))?.focus();
    draft.asked.value = "";
  });
  const turn = () => { draft.open.value = open ? -1 : nth; };
  const name = one.name || "Combatant";
  const copy = () => draft.change(["combatant"], withCopy(draft.entries.value, nth, room));
  const remove = () => {
    draft.open.value = -1;
    draft.change(["combatant"], draft.entries.value.filter((_, at) => at !== nth));
  };
  const block = one.block ? capital(draft.called(draft.blocks, one.block)) : "";
  return html`<li class=${`fighter ${faults.length ? "bad" : ""}`} data-hue=${hue} data-entry=${nth} ref=${frame}>
    <div class="face"><span class="sign" aria-hidden="true">${capital(String(name)).charAt(0)}</span>
      <div class="what"><h4>${name}${one.count > 1 ? html` <span class="tag">× ${one.count}</span>` : null}${one.concealed ? html` <${Icon} name="hidden" />` : null}</h4>
        <p class="dim">${[block && block !== name ? block : null, [...new Set([one.at ?? []].flat())].map(placeSaid).join("; ")].filter(Boolean).join(" · ")}</p></div>
      <dl class="facts-of">${factsOf(draft, one).map(([title, value]) => html`<div key=${title}><dt>${title}</dt><dd>${value}</dd></div>`)}</dl>
      <div class="deeds">${faults.length ? html`<${Button} class="faulty" shows="warning" says=${String(faults.length)} label=${`Errors in ${name}: ${faults.length}`} onClick=${() => { draft.asked.value = faults[0].field; draft.open.value = nth; }} />` : null}
        <${Button} says=${open ? "Done" : "Edit"} label=${`${open ? "Done with" : "Edit"} ${name}`} aria-expanded=${open} onClick=${turn} />
        <${Button} class="quiet" shows="copy" label=${`Duplicate ${name}`} onClick=${copy} />
        <${Button} class="quiet" shows="bin" label=${`Remove ${name}`} onClick=${remove} /></div></div>
    ${children}${open ? html`<${Sheet} draft=${draft} nth=${nth} />` : null}</li>`;
}

function Sheet({ draft, nth }) {
  const path = ["combatant", nth];
  const { properties } = draft.entry;
  const one = draft.entries.value[nth];
  const block = draft.line(draft.blocks, one.block)?.values ?? {};
  const field = (name, list = null) => (properties[name] ? html`<${Field} key=${name} draft=${draft} path=${[...path, name]} node=${properties[name]} usual=${block[name] ?? properties[name].default} list=${list} />` : null);
  const sections = draft.entry["x-sections"];
  const named = new Set([...FIRST, ...sections.flatMap((section) => section.fields)]);
  const rest = Object.keys(properties).filter((name) => !named.has(name) && !properties[name].deprecated);
  const said = (section) => section.fields.some((name) => one[name] !== undefined || draft.faultsAt([...path, name]).length);
  return html`<div class="sheet-of"><${Faults} draft=${draft} path=${path} properties=${properties} />
    <div class="fields">${FIRST.map((name) => field(name, name === "side" ? draft.sides.value : null))}</div>
    ${sections.map((section) => (section.more && !said(section)
      ? html`<details key=${section.title}><summary>${section.title}</summary><div class="fields">${section.fields.map((name) => field(name))}</div></details>`
      : html`<section key=${section.title}><h5>${section.title}</h5><div class="fields">${section.fields.map((name) => field(name))}</div></section>`))}
    ${rest.length ? html`<details><summary>Other</summary><div class="fields">${rest.map((name) => field(name))}</div></details>` : null}</div>`;
}

/** Return the main facts of an entry, as [title, value], from the entry or from its stat block. */
function factsOf(draft, one) {
  const { properties, "x-facts": facts } = draft.entry;
  const block = draft.line(draft.blocks, one.block)?.values ?? {};
  return facts.map((name) => [name, one[name] ?? block[name]]).filter(([, value]) => value !== undefined && value !== null && value !== "" && value !== false && value.length !== 0)
    .map(([name, value]) => [properties[name].title, entrySaid(draft, name, value)]);
}

/** Return entries with a copy of one behind it, under a free name, and on a free place if it has one place. */
export function withCopy(entries, nth, room) {
  const { at: place, ...rest } = entries[nth];
  const at = room && typeof place === "string" ? room(rest.side) : "";
  const name = freeName(String(rest.name || "Combatant"), entries);
  return entries.toSpliced(nth + 1, 0, { ...rest, name, ...(at && { at }) });
}

/** Return a free name: the name itself, or with a number. */
export function freeName(name, entries) {
  const taken = new Set(entries.map((one) => String(one.name ?? "").toLowerCase()));
  if (!taken.has(name.toLowerCase())) return name;
  const [, base] = /^(.*?)(?: \d+)?$/.exec(name);
  for (let nth = 2; ; nth += 1) if (!taken.has(`${base} ${nth}`.toLowerCase())) return `${base} ${nth}`;
}

/** Return the picker's choice of a custom combatant, which `add` adds and whose sheet opens. */
export const theirOwn = (draft, add) => ({ says: "Custom combatant", why: "without a stat block: enter every number", act: () => {
  add("");
  draft.open.value = draft.entries.value.length - 1;
} });

/** Render all errors, each as a link to its field. */
export const FaultList = ({ draft }) => html`<ul>${draft.faults.value.map((one) => html`<li key=${`${one.field}${one.detail}`}>
  <button type="button" class="quiet" onClick=${() => goTo(draft, one)}>${faultSaid(draft, one)}</button></li>`)}</ul>`;

/** Return an error as text: the combatant, the field and the detail. */
function faultSaid(draft, { field = "", detail }) {
  const [, nth, inner = ""] = /^combatant\[(\d+)\]\.?(.*)$/.exec(field) ?? [];
  const who = nth === undefined ? null : draft.entries.value[Number(nth)]?.name || `entry ${Number(nth) + 1}`;
  const key = (nth === undefined ? field : inner).match(/^\w+/)?.[0] ?? "";
  const title = nth === undefined ? draft.rules.schema.properties[key]?.title : draft.entry.properties[key]?.title;
  return [[who, title ?? said(key)].filter(Boolean).join(", "), capital(detail)].filter(Boolean).join(": ");
}

/** Open and focus the field of an error. */
function goTo(draft, { field = "" }) {
  const [, nth] = /^combatant\[(\d+)\]/.exec(field) ?? [];
  if (nth !== undefined) {
    draft.asked.value = field;
    draft.open.value = Number(nth);
    return;
  }
  const found = [...document.querySelectorAll(".parts-of [data-field]")].filter((one) => within(field, one.dataset.field)).at(-1);
  for (let at = found; at; at = at.parentElement?.closest("details")) if (at.tagName === "DETAILS") at.open = true;
  (found?.querySelector("input, select, button") ?? document.getElementById("encounter-name")).focus();
}

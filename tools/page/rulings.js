// The game master's rulings: a form for each, made from its schema, and the usual ones for a combatant.

import { useState } from "preact/hooks";
import { Field, fieldOf, read } from "./fields.js";
import { Button, html, Labelled, Sheet, useTrying } from "./parts.js";
import { Portrait } from "./portrait.js";
import { OnlyThoseWhoKnow } from "./readers.js";
import { asksFor, capital, label, word } from "./words.js";

/** The ruling that brings in combatants. It has a sheet of its own. */
export const JOIN = "join";

/** Render the form. send(intent) returns a promise; first: the preselected kind and field values; join(): opens the sheet for new combatants. */
export function Ruling({ forms, state, send, join, first = {}, onClose }) {
  const [kind, setKind] = useState(first.kind ?? (forms.some((one) => one.kind === "pool") ? "pool" : forms[0].kind));
  const [wrong, trying] = useTrying();
  const [known, setKnown] = useState(first);
  const chosen = forms.find((one) => one.kind === kind);
  const fields = fieldsOf(chosen, state, known);
  const usual = label("rulings", kind);
  const groups = Map.groupBy(forms, (one) => word("rulings", one.kind).group ?? "");
  const submit = trying(async (event) => {
    event.preventDefault();
    const params = Object.fromEntries(fields.map((one) => [one.name, read(one, event.target)]).filter(([, value]) => value !== undefined));
    await send({ type: "Ruled", kind, params, reason: new FormData(event.target).get("ruling-reason") || usual });
    onClose();
  });
  const input = ({ target }) => {
    if (chosen.names[target.name] === "combatant") setKnown({ ...known, who: target.value });
  };
  return html`<${Sheet} onClose=${onClose}><form class="ruling" onSubmit=${submit} onChange=${input}><h2>Ruling</h2>
    <${Labelled} says="Kind" of="ruling-kind"><select id="ruling-kind" value=${kind} onChange=${({ target }) => (target.value === JOIN ? join() : setKind(target.value))}>
      ${[...groups].map(([group, those]) => html`<optgroup key=${group} label=${capital(group || "other")}>${those.map((one) => html`
        <option key=${one.kind} value=${one.kind}>${capital(label("rulings", one.kind))}</option>`)}</optgroup>`)}</select><//>
    <p class="dim">${capital(chosen.says)}.</p>
    <div class="fields" key=${kind}>${fields.map((field) => html`<${Field} key=${`${kind}-${field.name}`} field=${field} />`)}</div>
    <${Labelled} says="Reason, for the record" of="ruling-reason"><input type="text" id="ruling-reason" name="ruling-reason" maxlength="200" autocomplete="off"
      placeholder=${usual} /><//><${OnlyThoseWhoKnow} state=${state} />
    <p class="warning" role="alert">${wrong}</p>
    <footer><button type="button" class="quiet" onClick=${onClose}>Cancel</button><button type="submit" class="main">Rule</button></footer></form><//>`;
}

function fieldsOf(form, state, known) {
  const definitions = form.schema.$defs ?? {};
  const own = form.schema.$ref ? definitions[form.schema.$ref.split("/").at(-1)] : form.schema;
  const order = [...form.words, ...Object.keys(own.properties ?? {}).filter((name) => !form.words.includes(name))];
  const who = known.who ?? Object.keys(state.combatants)[0];
  return order.filter((name) => own.properties?.[name]).flatMap((name) => {
    const field = fieldOf(name, own.properties[name], { state, definitions, names: form.names[name], who,
      required: (own.required ?? []).includes(name) });
    if (!field) return [];
    const asked = { ...field, says: asksFor("rulings", form.kind, name) };
    return known[name] !== undefined && field.kind !== "several" ? { ...asked, usual: known[name] } : asked;
  });
}

/** Render the usual rulings on a combatant: change a counter, conceal, reveal, move, remove, give. */
export function Hand({ seat, who, rule, character, onClose }) {
  const state = seat.state.value;
  const one = state.combatants[who];
  const [wrong, trying] = useTrying();
  if (!one) return null;
  const rules = async (kind, params, reason) => {
    await seat.submit({ type: "Ruled", kind, params, reason });
    onClose();
  };
  const ruled = trying(rules);
  const change = (pool) => trying(async (event) => {
    event.preventDefault();
    const given = new FormData(event.target).get("change").trim().replace("−", "-");
    const by = /^[+-]/.test(given);
    if (!/^[+-]?\d+$/.test(given)) throw new Error("Enter a number such as 7, or a change such as -5.");
    await rules("pool", { who, pool, [by ? "by" : "to"]: Number(given) }, `${label("pools", pool)} ${given}`);
  });
  const hidden = state.concealed.includes(who);
  return html`<${Sheet} onClose=${onClose}><article class="hand"><h2>${one.name}</h2>
    <div class="pools">${Object.entries(one.pools).map(([pool, value]) => html`<form key=${pool} class="pool" onSubmit=${change(pool)}>
      <label for=${`hand-${pool}`}>${capital(label("pools", pool))}<b>${value}</b></label>
      <input id=${`hand-${pool}`} name="change" type="text" inputmode="text" title="7 sets the value; +2 or -2 changes it." autocomplete="off" required size="5" /><button type="submit">Change</button></form>`)}</div>
    <p class="dim">Enter 7 to set the value, +2 or −2 to change it.</p>
    <p class="warning" role="alert">${wrong}</p>
    <div class="row">
      <${Button} says="Sheet" onClick=${() => character([who])} />
      <${Button} says="Conditions …" onClick=${() => rule({ kind: "condition", who })} />
      <${Button} says=${hidden ? "Reveal" : "Conceal"} shows=${hidden ? "seen" : "hidden"} onClick=${() => ruled(hidden ? "reveal" : "conceal", { who }, hidden ? "revealed" : "concealed")} />
      <${Button} says="Move …" onClick=${() => rule({ kind: "place", who })} />
      <${Button} says="Give an item …" onClick=${() => rule({ kind: "give", to: who })} />
      <${Button} says="Remove from the fight …" onClick=${() => rule({ kind: "leave", who })} />
      <${Button} says="Another ruling …" class="quiet" onClick=${() => rule({ who })} /></div>
    <${Portrait} seat=${seat} who=${who} name=${one.name} />
    <footer><form method="dialog"><button class="quiet">Close</button></form></footer></article><//>`;
}

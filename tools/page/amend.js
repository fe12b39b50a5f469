// Correction of an earlier command: change it, preview the consequences, accept.

import { useRef, useState } from "preact/hooks";
import { Field, read, valueOf } from "./fields.js";
import { html, Labelled, Sheet } from "./parts.js";
import { Everybody } from "./readers.js";
import { asksFor, capital, label, problemSaid, topic } from "./words.js";
import { fieldSaid, Waiting } from "./waiting.js";

/**
 * Render the form that corrects an input event.
 *
 * line: its line of the log; before: the state before it; preview(intent) and send(intent) ask the server.
 */
export function Amend({ line, before, options, names, preview, send, onClose }) {
  const form = useRef();
  const [fields] = useState(() => fieldsOf(line.event, before, options, names));
  const [retract, setRetract] = useState(false);
  const [wrong, setWrong] = useState("");
  const [found, setFound] = useState(null);
  const answers = useRef([]);
  const accept = useRef();

  const meant = () => ({ type: "Amend", position: line.position, instead: retract ? [] : [rebuildEvent(line.event, fields, form.current)],
    answers: answers.current, reason: new FormData(form.current).get("amend-reason") });
  const look = async () => {
    setWrong("");
    try {
      const reply = await preview(meant());
      const told = reply.preview && typeof reply.preview === "object" ? reply.preview : reply;
      setFound(told);
      if (!told.needs) setTimeout(() => accept.current?.focus());
    } catch (problem) {
      setFound(null);
      setWrong(problemSaid(problem));
    }
  };
  const record = async () => {
    setWrong("");
    try {
      await send(meant());
      onClose();
    } catch (problem) {
      setWrong(problemSaid(problem));
    }
  };
  const submitted = (event) => {
    event.preventDefault();
    answers.current = [];
    look();
  };
  const answer = (intent) => {
    answers.current = [...answers.current, intent];
    look();
  };
  return html`<${Sheet} onClose=${onClose}><div class="amending"><form class="amend" ref=${form} onSubmit=${submitted} onInput=${() => setFound(null)}>
      <p class="eyebrow">Position ${line.position}</p><h2>Correct this command</h2><p>Recorded: <q>${line.says}</q></p>
      <div class="fields" hidden=${retract}>${fields.map((field) => html`<${Field} key=${field.name} field=${field} />`)}</div>
      <label class="check" for="amend-retract"><input type="checkbox" id="amend-retract" checked=${retract} onChange=${({ target }) => setRetract(target.checked)} />Retract it</label>
      <${Labelled} says="Reason, for the record" of="amend-reason"><input type="text" id="amend-reason" name="amend-reason" required maxlength="200" autocomplete="off" /><//>
      <${Everybody} /><p class="warning" role="alert">${wrong}</p>
      <div class="seen" role="status">${found ? html`<${Changes} found=${found} />` : null}</div>
      <footer><button type="button" class="quiet" onClick=${onClose}>Cancel</button><button type="submit">Preview</button>
        <button type="button" class="main" ref=${accept} disabled=${!found || Boolean(found.needs)} onClick=${record}>Accept</button></footer></form>
    ${found?.needs ? html`<div class="needed"><h3>A new question:</h3><${Waiting} waits=${asLegal(found.needs)} state=${{ ...before, stack: [] }}
      names=${names} own=${[]} send=${answer} /></div>` : null}</div><//>`;
}

function fieldsOf(event, before, options, names) {
  if (event.type === "Answered") {
    const asked = options ?? [{ choice: event.choice }];
    return [{ name: "choice", id: "amend-choice", says: "Answer", kind: "choice", required: true, usual: event.choice,
      choices: asked.map((one) => [one.choice, capital(label("options", one.choice))]) },
    ...Object.entries(event.fields ?? {}).map(([name, value]) => valueOf(name, value, before, event.by)).filter(Boolean),
    ...Object.entries(event.about ?? {}).flatMap(([whom, values]) => Object.entries(values).map(([key, value]) => ({
      ...valueOf(`${whom}-${key}`, value, before, event.by), says: fieldSaid({ name: key, about: whom }, names), whom, key }))).filter((one) => one.kind)];
  }
  if (event.type === "DiceEntered") return event.faces.map((face, at) => valueOf(`die ${at + 1}`, face, before, ""));
  const kinds = event.type === "Ruled" ? "rulings" : "actions";
  return Object.entries(event.params ?? {}).map(([name, value]) => valueOf(name, value, before, event.actor ?? "")).filter(Boolean)
    .map((one) => ({ ...one, says: asksFor(kinds, event.kind, one.name) }));
}

function rebuildEvent(event, fields, form) {
  const given = Object.fromEntries(fields.map((one) => [one.name, read(one, form)]));
  const plain = Object.fromEntries(Object.entries(event).filter(([name]) => name !== "rules"));
  if (event.type === "DiceEntered") return { ...plain, faces: Object.values(given) };
  if (event.type === "Answered") {
    const { about = {} } = structuredClone(event);
    for (const { whom, key, name } of fields) if (whom) about[whom][key] = given[name];
    const own = fields.filter((one) => !one.whom && one.name !== "choice").map(({ name }) => [name, given[name]]);
    return { ...plain, choice: given.choice, fields: { ...event.fields, ...Object.fromEntries(own) }, about };
  }
  return event.params ? { ...plain, params: { ...event.params, ...given } } : plain;
}

function asLegal(needs) {
  if (needs.options) return [{ kind: "answer", question: needs.id, of: needs.of, about: needs.about, says: `${capital(label("questions", topic(needs.about)))}?`, options: needs.options }];
  if (needs.roll) return [{ kind: "faces", ...needs }];
  return (needs.to ?? []).map((who) => ({ kind: "pass", intent: { window: needs.id, who } }));
}

function Changes({ found }) {
  const changes = found.says ?? [];
  return html`<h3>Changes</h3>
    ${changes.length ? html`<ul class="changes">${changes.map((one, nth) => html`<li key=${nth}>${one}</li>`)}</ul>`
      : html`<p>${found.needs ? "That depends on an answer." : "It ends the same."}</p>`}
    ${found.parting ? html`<p class="dim">The fight changes from position ${found.parting.position} on.</p>` : null}
    ${found.dropped?.length ? html`<h3>Commands that are dropped</h3><ul class="rows">${found.dropped.map((one) => html`<li key=${one.position}>
      <b>${one.position}</b> ${one.says}${one.why?.message ? html`<span class="dim"> – ${one.why.message}</span>` : null}</li>`)}</ul>` : null}
    ${found.drawn?.length ? html`<p class="warning">This revealed dice that were not rolled before: ${found.drawn.join(", ")}.</p>` : null}`;
}

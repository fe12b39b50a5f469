// The receipt of a number: its dice, and its modifiers with their clauses, from the log alone. A server adds the chain of
// causes and the texts of the clauses.

import { useEffect, useState } from "preact/hooks";
import { Clause } from "./clause.js";
import { html, Sheet } from "./parts.js";
import { Dice, judgementOf, rollSaid, Total } from "./rolls.js";
import { moment } from "./times.js";
import { authorSaid, signed, termSaid, valueSaid, wordSaid } from "./words.js";

const READ = { sum: "their sum", highest: "the highest of them", lowest: "the lowest of them", sixes: "the number of sixes",
  digits: "digits, set side by side" };

/** Render the receipt of the event at a position. `explain` asks a server, if there is one. */
export function Receipt({ lines, position, names, explain = null, onClose }) {
  const line = lines[position - 1];
  const [found, setFound] = useState(null);
  useEffect(() => {
    // The log is enough. The rest may be hidden from this viewer, or the server may be away.
    explain?.(position).then(setFound, () => null);
  }, [position]);
  if (!line?.event) return null;
  const { event } = line;
  const system = explain && lines[0]?.event?.system;
  return html`<${Sheet} onClose=${onClose}><article class="receipt">
    <header><p class="eyebrow">Position ${position}</p><h2>${event.type === "Rolled" ? rollSaid(event, names) : line.says}</h2>
      ${event.rules?.length ? html`<p class="clauses">${event.rules.map((rule) => html`<${Clause} key=${rule} system=${system} rule=${rule} />`)}</p>` : null}</header>
    ${event.type === "Rolled" ? html`<${Roll} lines=${lines} line=${line} names=${names} system=${system} />` : null}
    ${event.type === "Damaged" ? html`<${Numbers} caption="Damage" of=${event.terms} names=${names} system=${system} />
      <p class="total">Damage taken: ${event.amount}</p>` : null}
    <${Command} lines=${lines} line=${line} names=${names} />
    <div class="more">${found ? html`<${Explained} found=${found} system=${system} />` : null}</div>
    <footer><form method="dialog"><button class="quiet">Close</button></form></footer></article><//>`;
}

function Roll({ lines, line, names, system }) {
  const { event } = line;
  return html`<${Dice} event=${event} names=${names} />
    <p class="dim">${event.source === "entered" ? "Real dice, entered by hand." : `Rolled by the engine as ${event.roll}.`}</p>
    <${Numbers} caption="Dice pool" of=${event.pool} names=${names} system=${system} />
    <${Numbers} caption="Modifiers" of=${event.modifiers} names=${names} system=${system} />
    <${Total} event=${event} judged=${judgementOf(lines, line)} />
    ${event.dice.reduce((sum, group) => sum + group.faces.length, 0) > 1 || event.reading !== "sum"
      ? html`<p class="dim">Read as ${READ[event.reading] ?? wordSaid(event.reading)}.</p>` : null}`;
}

function Numbers({ caption, of, names, system }) {
  if (!of?.length) return null;
  return html`<table class="numbers"><caption>${caption}</caption>
    <thead><tr>${["Value", "Name", "Source", "Clause"].map((text) => html`<th scope="col" key=${text}>${text}</th>`)}</tr></thead>
    <tbody>${of.map((one, nth) => html`<tr key=${nth}><td class="number">${signed(one.value)}</td><th scope="row">${termSaid(one)}</th>
      <td>${one.source ? sourceSaid(one.source, names) : "the rules"}</td>
      <td>${one.rule ? html`<${Clause} system=${system} rule=${one.rule} />` : ""}</td></tr>`)}</tbody></table>`;
}

function sourceSaid(source, names) {
  if (typeof source === "object") {
    const of = valueSaid(source.of, names);
    return source.to ? `${of} to ${valueSaid(source.to, names)}` : `${of}: ${valueSaid(source.about || source.name, names)}`;
  }
  if (Object.hasOwn(names, source)) return names[source];
  const [who, ...rest] = source.split(".");
  return Object.hasOwn(names, who) && rest.length ? `${names[who]}: ${valueSaid(rest.join("."), names)}` : valueSaid(source, names);
}

function Command({ lines, line, names }) {
  let at = line.position;
  while (at > 1 && lines[at - 2].cause === line.cause) at -= 1;
  const first = lines[at - 1];
  return html`<p class="dim">${`Part of ${first.position}: ${first.event ? first.says : "a command hidden from you"}. `
    + `Sent by ${authorSaid(line.who, names)} (by their own word), ${moment(line.time)}.`}</p>`;
}

function Explained({ found, system }) {
  const clause = (rule) => html`<${Clause} key=${rule} system=${system} rule=${rule} />`;
  const rows = (heading, all) => all?.length ? html`<h3>${heading}</h3><ol class="rows">${all.map((row) => html`<li key=${row.position}>
    <b>${row.position}</b> ${row.text} ${(row.rules ?? []).map(clause)}</li>`)}</ol>` : null;
  const texts = Object.entries(found.clauses ?? {});
  return html`${rows("How it came about", found.chain?.slice(0, -1))}${rows("What followed", found.consequences)}
    ${texts.length ? html`<h3>The rules</h3><dl>${texts.map(([name, text]) => html`<dt key=${name}>${clause(name)} ${text.title}</dt><dd key=${`${name}-says`}>${text.says}</dd>`)}</dl>` : null}`;
}

// The game master's sheet of the record: downloads, a what-if, undo with fresh dice, closing.

import { useRef, useState } from "preact/hooks";
import { addressesOf } from "./address.js";
import { Given } from "./invite.js";
import { Button, html, Labelled, Sheet, useTrying } from "./parts.js";
import { Everybody } from "./readers.js";
import { quoted } from "./words.js";

const FILES = { "export.html": "Report as a web page", "export.md": "Report as Markdown", "rolls.csv": "Rolls as a table",
  "events.csv": "Events as a table", "log.jsonl": "Log file" };

/**
 * Render the sheet.
 *
 * at: the position from which a what-if starts; send(intent): sends a command, if the fight can continue; over:
 * whether the fight has ended.
 */
export function RecordSheet({ client, fight, at, over = false, send = null, onClose }) {
  return html`<${Sheet} onClose=${onClose}><article class="record">
    <header><p class="dim">${fight}</p><h2>The record</h2></header>
    <section aria-label="Downloads"><h3>Downloads</h3><${Downloads} client=${client} fight=${fight} /></section>
    <${ReplayLink} client=${client} fight=${fight} />
    <${WhatIf} client=${client} fight=${fight} at=${at} />
    ${send ? html`<${TakingBack} send=${send} done=${onClose} /><${Closing} send=${send} over=${over} done=${onClose} />` : null}
    <footer><form method="dialog"><button class="quiet">Done</button></form></footer></article><//>`;
}

/** Render the button that makes a read-only link to the replay: a link of a spectator, which can be revoked as any. */
function ReplayLink({ client, fight }) {
  const [link, setLink] = useState("");
  const [wrong, trying] = useTrying();
  const make = trying(async () => {
    const given = await client.grant(fight, { role: "spectator", name: "replay" });
    const [place] = addressesOf(await client.grants(fight));
    setLink(`${place}/${new URL(given.link).hash}&view=replay`);
  });
  return html`<section aria-label="Replay link"><h3>Share the replay</h3><p class="dim">The link opens the replay and changes nothing. It shows what spectators may see.</p>
    ${link ? html`<${Given} client=${client} link=${link} name="the replay" />` : html`<div class="row"><${Button} says="Make a replay link" onClick=${make} /></div>`}
    <p class="warning" role="alert">${wrong}</p></section>`;
}

/** The byte order mark by which spreadsheets recognise UTF-8. */
const MARK = "\ufeff";

/** Render buttons that save a fight's files. */
export function Downloads({ client, fight, names = Object.keys(FILES) }) {
  const [wrong, trying] = useTrying();
  const save = trying(async (name) => {
    const file = await client.export(fight, name);
    saveFile(name.endsWith(".csv") ? new Blob([MARK, file], { type: file.type }) : file, name.startsWith("export.") ? name.replace("export", fight)
      : name === "log.jsonl" ? `${fight}.jsonl` : `${fight}.${name}`);
  });
  return html`<div class="files"><div class="row">${names.map((name) => html`<${Button} key=${name} says=${FILES[name]} data-file=${name} onClick=${() => save(name)} />`)}</div>
    <p class="warning" role="alert">${wrong}</p></div>`;
}

/** Save a blob as a file. */
export function saveFile(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Render a folded form; act(data) submits it, and a refusal is shown below its fields. */
function Deed({ title, says, does, fields, act, extra = null }) {
  const [wrong, trying] = useTrying();
  const submit = trying((event) => {
    event.preventDefault();
    return act(new FormData(event.target));
  });
  return html`<details class="deed" name="deed"><summary>${title}</summary><form onSubmit=${submit}><p class="dim">${says}</p>
    ${fields}<p class="warning" role="alert">${wrong}</p>
    <div class="row"><button type="submit" class="main">${does}</button>${extra}</div></form></details>`;
}

function Reason({ id }) {
  return html`<${Labelled} says="Reason, for the record" of=${id}><input type="text" id=${id} name="reason" maxlength="200" autocomplete="off" /><//><${Everybody} />`;
}

function WhatIf({ client, fight, at }) {
  const [begun, setBegun] = useState(null);
  const act = async (data) => {
    setBegun(null);
    setBegun(await client.fork(fight, { id: data.get("name"), at: Number(data.get("at")), reason: data.get("reason") }));
  };
  const link = (who, address) => html`<li key=${who}><a href=${address} target="_blank" rel="noopener">${who}</a></li>`;
  return html`<${Deed} title="Start a what-if" says="A separate fight that begins as a copy of this one. This one does not change."
    does="Start the what-if" act=${act} fields=${html`<div class="fields">
      <${Labelled} says="Name" of="fork-name"><input type="text" id="fork-name" name="name" required maxlength="100" autocomplete="off" spellcheck="false"
        pattern="[A-Za-z0-9][A-Za-z0-9_\\-]*" title="Letters, digits, - and _" defaultValue=${`${fight}-what-if`} /><//>
      <${Labelled} says="From position" of="fork-at"><input type="number" id="fork-at" name="at" required min="1" step="1" inputmode="numeric" defaultValue=${String(at)} /><//>
      <${Reason} id="fork-reason" /></div>
      <div class="begun" role="status">${begun ? html`<p><b>${begun.id}</b> has started. Its links:</p><ul class="row">
        ${link("Game master", begun.links.gm)}${Object.entries(begun.links.players).map(([who, address]) => link(who, address))}
        ${link("Spectators", begun.links.spectator)}</ul>` : null}</div>`} />`;
}

function TakingBack({ send, done }) {
  const act = async (data) => {
    await send({ type: "Undo", commands: Number(data.get("commands")), fresh: true, reason: data.get("reason") });
    done();
  };
  return html`<${Deed} title="Undo with fresh dice" says="Later rolls get new dice. An ordinary Undo keeps the dice."
    does="Undo" act=${act} fields=${html`<div class="fields"><${Labelled} says="How many commands" of="back-commands">
      <input type="number" id="back-commands" name="commands" required min="1" step="1" inputmode="numeric" defaultValue="1" /><//><${Reason} id="back-reason" /></div>`} />`;
}

function Closing({ send, over, done }) {
  const whole = useRef();
  const act = async (data) => {
    await send({ type: "Close", unfinished: !over, reason: data.get("reason") });
    done();
  };
  return html`<div ref=${whole}><${Deed} title="Close the record" says=${"Close it for good? This reveals the seed of the dice, so that anyone can check every roll. "
    + "Afterwards nothing can be added or undone."} does="Close it for good" act=${act}
    extra=${html`<${Button} says="Keep it open" class="quiet" onClick=${() => whole.current.querySelector("details").removeAttribute("open")} />`}
    fields=${html`${over ? null : html`<label class="check" for="close-unfinished"><input type="checkbox" id="close-unfinished" required />The fight is not over; close it unfinished</label>`}
      <${Reason} id="close-reason" />`} /></div>`;
}

/** Render the notice of a closed record, with its seed and how to verify it; nothing while it is open. */
export function ClosedSaid({ history, fight }) {
  if (!history?.closed) return null;
  const { seed, reason } = history.at(history.closed).event;
  return html`<section class="closed" aria-label="The record is closed"><p><b>This fight is closed.</b> Nothing can be added or undone.${reason ? ` Reason: ${quoted(reason)}.` : ""}</p>
    ${seed ? html`<p>Dice seed: <code class="seed">${seed}</code></p>` : null}
    <p class="dim">To verify it, save the log and run <code>${`affray audit ${fight}.jsonl`}</code> on it. The audit repeats every decision and every roll.
      docs/verify.md explains how to check a single roll by hand.</p></section>`;
}

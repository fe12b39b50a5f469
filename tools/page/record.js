// What the game master does with the record as a whole: share it, begin a what-if, take back with fresh dice, close it.

import { useRef, useState } from "preact/hooks";
import { Button, html, Labelled, Sheet, useTrying } from "./parts.js";
import { Everybody } from "./readers.js";
import { quoted } from "./words.js";

const FILES = { "export.html": "Report as a web page", "export.md": "Report as Markdown", "rolls.csv": "Rolls as a table",
  "events.csv": "Events as a table", "log.jsonl": "The log itself" };

/**
 * The sheet.
 *
 * at: the position a what-if begins at; send(intent), where the fight can be gone on with, carries out a command; over:
 * whether the fight has ended.
 */
export function RecordSheet({ client, fight, at, over = false, send = null, onClose }) {
  return html`<${Sheet} onClose=${onClose}><article class="record">
    <header><p class="dim">${fight}</p><h2>The record</h2></header>
    <section aria-label="To share and to keep"><h3>To share and to keep</h3><${Downloads} client=${client} fight=${fight} /></section>
    <${WhatIf} client=${client} fight=${fight} at=${at} />
    ${send ? html`<${TakingBack} send=${send} done=${onClose} /><${Closing} send=${send} over=${over} done=${onClose} />` : null}
    <footer><form method="dialog"><button class="quiet">Done</button></form></footer></article><//>`;
}

/** What a spreadsheet knows a UTF-8 table by. */
const MARK = "\ufeff";

/** Buttons that save a fight's files. */
export function Downloads({ client, fight, names = Object.keys(FILES) }) {
  const [wrong, trying] = useTrying();
  const save = trying(async (name) => {
    const file = await client.export(fight, name);
    saved(name.endsWith(".csv") ? new Blob([MARK, file], { type: file.type }) : file, name.startsWith("export.") ? name.replace("export", fight)
      : name === "log.jsonl" ? `${fight}.jsonl` : `${fight}.${name}`);
  });
  return html`<div class="files"><div class="row">${names.map((name) => html`<${Button} key=${name} says=${FILES[name]} data-file=${name} onClick=${() => save(name)} />`)}</div>
    <p class="warning" role="alert">${wrong}</p></div>`;
}

/** Save something as a file of that name. */
export function saved(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** A deed that opens on demand; act(data) carries it out, and what is refused is said below its fields. */
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
  return html`<${Deed} title="Begin a what-if" says="A separate fight that begins as a copy of this one. This one does not change."
    does="Begin the what-if" act=${act} fields=${html`<div class="fields">
      <${Labelled} says="Its name" of="fork-name"><input type="text" id="fork-name" name="name" required maxlength="100" autocomplete="off" spellcheck="false"
        pattern="[A-Za-z0-9][A-Za-z0-9_\\-]*" title="Letters, digits, - and _" defaultValue=${`${fight}-what-if`} /><//>
      <${Labelled} says="From position" of="fork-at"><input type="number" id="fork-at" name="at" required min="1" step="1" inputmode="numeric" defaultValue=${String(at)} /><//>
      <${Reason} id="fork-reason" /></div>
      <div class="begun" role="status">${begun ? html`<p><b>${begun.id}</b> has begun. Who enters by which link:</p><ul class="row">
        ${link("Game master", begun.links.gm)}${Object.entries(begun.links.players).map(([who, address]) => link(who, address))}
        ${link("Spectators", begun.links.spectator)}</ul>` : null}</div>`} />`;
}

function TakingBack({ send, done }) {
  const act = async (data) => {
    await send({ type: "Undo", commands: Number(data.get("commands")), fresh: true, reason: data.get("reason") });
    done();
  };
  return html`<${Deed} title="Take back with fresh dice" says="What is declared again meets other dice than before; an ordinary Undo keeps them."
    does="Take back" act=${act} fields=${html`<div class="fields"><${Labelled} says="How many commands" of="back-commands">
      <input type="number" id="back-commands" name="commands" required min="1" step="1" inputmode="numeric" defaultValue="1" /><//><${Reason} id="back-reason" /></div>`} />`;
}

function Closing({ send, over, done }) {
  const whole = useRef();
  const act = async (data) => {
    await send({ type: "Close", unfinished: !over, reason: data.get("reason") });
    done();
  };
  return html`<div ref=${whole}><${Deed} title="Close the record" says=${"Close it for good? The seed of its dice is revealed, so that anyone can check every die; "
    + "after that nothing can be added and nothing taken back."} does="Close it for good" act=${act}
    extra=${html`<${Button} says="Leave it open" class="quiet" onClick=${() => whole.current.querySelector("details").removeAttribute("open")} />`}
    fields=${html`${over ? null : html`<label class="check" for="close-unfinished"><input type="checkbox" id="close-unfinished" required />The fight is not over; close it unfinished</label>`}
      <${Reason} id="close-reason" />`} /></div>`;
}

/** What is said of a closed record, and how anybody can verify it; nothing while it is open. */
export function ClosedSaid({ history, fight }) {
  if (!history?.closed) return null;
  const { seed, reason } = history.at(history.closed).event;
  return html`<section class="closed" aria-label="The record is closed"><p><b>This fight is closed.</b> Nothing can follow, and nothing can be taken back.${reason ? ` Why: ${quoted(reason)}.` : ""}</p>
    ${seed ? html`<p>The seed of its dice: <code class="seed">${seed}</code></p>` : null}
    <p class="dim">Anyone can verify it: save the log and run <code>${`affray audit ${fight}.jsonl`}</code> on it. It decides and rolls everything again.
      How to check a single roll by hand, without Affray, is told in docs/verify.md.</p></section>`;
}

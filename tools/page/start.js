// Where one begins who runs no server: open a recorded fight, or enter the link one was given.

import { html, Icon } from "./parts.js";

const KEYS = [["← →", "a step back, a step on"], ["↑ ↓", "a turn"], ["Page ↑ ↓", "a round"], [", .", "a single event"],
  ["Home End", "the beginning, the end"], ["Space", "play, pause"]];

/** The beginning; `wrong` says why it is not what was asked for. */
export function Start({ openFile, wrong = "" }) {
  return html`<div class="view start"><${Wrong} says=${wrong} />
    <header class="hero"><${Icon} name="mark" /><h1>A fight, and how it came about</h1>
      <p>Every declaration, every die and every consequence is in the log. Look at a recorded one here, or sit down at a table.</p></header>
    <${Watch} openFile=${openFile} /><${SitDown} />
    <section class="panel"><h2>Run fights of your own</h2><p>The host opens this server with the host's link, which <code>affray serve</code> prints;
      there fights are made, begun and continued.</p></section>
    <section class="panel keys"><h2>Keys in a replay</h2><dl>${KEYS.map(([key, text]) => html`<div key=${key}><dt><kbd>${key}</kbd></dt><dd>${text}</dd></div>`)}</dl></section></div>`;
}

/** What is wrong, if anything is, read out as soon as it is there. */
export function Wrong({ says }) {
  return html`<div class="refusal" role="alert">${says ? html`<p><${Icon} name="warning" />${says}</p>` : null}</div>`;
}

/** Choosing or dropping a log. */
export function Watch({ openFile }) {
  return html`<section class="panel drop"><h2>Watch a recorded fight</h2>
    <p>Drop a log file anywhere on this page, or choose one. The server of this page tells it; nothing of it is kept.</p>
    <label class="button main" for="log-file">Choose a log …</label>
    <input type="file" id="log-file" accept=".jsonl,.ndjson,.json,.txt,application/jsonl,application/x-ndjson"
      onChange=${({ target }) => target.files[0] && openFile(target.files[0])} /></section>`;
}

/** Entering the link that one was given. */
export function SitDown() {
  return html`<section class="panel"><h2>Sit down at a table</h2><p>Open the link you were given, or paste it here.</p>
    <form class="row" onSubmit=${sitDown}><label class="unseen" for="fight-link">Link to a fight</label>
      <input type="url" id="fight-link" placeholder="http://…/#fight=bridge&token=…" required autocomplete="off" />
      <button type="submit" class="main">Sit down</button></form></section>`;
}

function sitDown(event) {
  event.preventDefault();
  const link = event.target.querySelector("input");
  const hash = new URL(link.value, document.baseURI).hash;
  if (hash.includes("fight=")) {
    location.hash = hash;
    return;
  }
  link.setCustomValidity("This is no link to a fight: it has no #fight= in it.");
  link.reportValidity();
  link.addEventListener("input", () => link.setCustomValidity(""), { once: true });
}

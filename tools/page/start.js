// The start view for visitors without the host's link: open a recorded fight, or enter an invitation link.

import { html, Icon } from "./parts.js";

const KEYS = [["← →", "previous step, next step"], ["↑ ↓", "previous turn, next turn"], ["Page ↑ ↓", "previous round, next round"], [", .", "previous event, next event"],
  ["Home End", "start, end"], ["Space", "play, pause"]];

/** Render the start view; `wrong` says why the requested view could not be shown. */
export function Start({ openFile, wrong = "" }) {
  return html`<div class="view start"><${Wrong} says=${wrong} />
    <header class="hero"><${Icon} name="mark" /><h1>Play fights, and replay them</h1>
      <p>The log records every action, every roll and every consequence. Replay a recorded fight here, or join a table.</p></header>
    <${Watch} openFile=${openFile} /><${SitDown} />
    <section class="panel"><h2>Host your own fights</h2><p>Open the host's link, which <code>affray serve</code> prints.
      There you create, start and continue fights.</p></section>
    <section class="panel keys"><h2>Keys in a replay</h2><dl>${KEYS.map(([key, text]) => html`<div key=${key}><dt><kbd>${key}</kbd></dt><dd>${text}</dd></div>`)}</dl></section></div>`;
}

const REVOKED = "This link no longer works: it was revoked, or its fight was removed.";

/** The messages to a viewer whose link or fight is gone, by whose link it was. */
const LOST = {
  host: "The host's link no longer works. Open the one that affray serve printed last, or start the server again for a new one.",
  gm: `${REVOKED} Ask the host for a new link.`,
  removed: "This fight is no longer on the server. What you see is how it was last.",
};

/** Return what happened to a lost link or fight, and what to do: `host`, `removed`, or the role of the link. */
export const lostSaid = (kind) => LOST[kind] ?? `${REVOKED} Ask the game master for a new link.`;

/** Render an error message; a screen reader reads it out when it appears. */
export function Wrong({ says }) {
  return html`<div class="refusal" role="alert">${says ? html`<p><${Icon} name="warning" />${says}</p>` : null}</div>`;
}

/** Render the panel in which a visitor chooses or drops a log file. */
export function Watch({ openFile }) {
  return html`<section class="panel drop"><h2>Replay a recorded fight</h2>
    <p>Drop a log file anywhere on this page, or choose one. The server reads it and stores nothing.</p>
    <label class="button main" for="log-file">Choose a log file …</label>
    <input type="file" id="log-file" accept=".jsonl,.ndjson,.json,.txt,application/jsonl,application/x-ndjson"
      onChange=${({ target }) => target.files[0] && openFile(target.files[0])} /></section>`;
}

/** Render the form that takes an invitation link. */
export function SitDown() {
  return html`<section class="panel"><h2>Join a table</h2><p>Open your invitation link, or paste it here.</p>
    <form class="row" onSubmit=${sitDown}><label class="unseen" for="fight-link">Link to a fight</label>
      <input type="url" id="fight-link" placeholder="http://…/#fight=bridge&token=…" required autocomplete="off" />
      <button type="submit" class="main">Join</button></form></section>`;
}

function sitDown(event) {
  event.preventDefault();
  const link = event.target.querySelector("input");
  const hash = new URL(link.value, document.baseURI).hash;
  if (hash.includes("fight=")) {
    location.hash = hash;
    return;
  }
  link.setCustomValidity("This is not a link to a fight: #fight= is missing.");
  link.reportValidity();
  link.addEventListener("input", () => link.setCustomValidity(""), { once: true });
}

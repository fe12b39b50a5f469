// A player's undo request after a roll: the game master allows or declines it, and the others wait.

import { Button, html } from "./parts.js";
import { sentenceOf } from "./storylines.js";
import { quoted } from "./words.js";

/** Render the pending undo request, with the game master's answers; nothing if there is none. */
export function UndoRequest({ seat }) {
  const line = seat.request;
  if (!line) return null;
  if (!seat.isGm) return html`<p class="undo-request" role="status">Undo requested. Waiting for the game master.</p>`;
  const { position, who, event } = line;
  const undone = seat.story.entries.value.find((entry) => entry.position > event.to && !entry.record && !entry.undone);
  const answer = (allow) => seat.send({ type: "AnswerUndo", request: position, allow }, true);
  return html`<section class="card undo-request" aria-label="Undo request"><h2>${`${who} asks for an undo`}</h2>
    ${undone ? html`<p>${sentenceOf(undone)}</p>` : null}${event.reason ? html`<p class="dim">${quoted(event.reason)}</p>` : null}
    <div class="row"><${Button} says="Allow" class="answer" data-key="undo-allow" onClick=${() => answer(true)} />
      <${Button} says="Decline" class="answer" data-key="undo-decline" onClick=${() => answer(false)} /></div></section>`;
}

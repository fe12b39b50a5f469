// Notes beside text inputs that say which viewers will read the text.

import { html } from "./parts.js";

/** Render the note beside free text, hidden unless the viewer knows a hidden combatant. */
export function OnlyThoseWhoKnow({ state }) {
  return html`<p class="dim readers" hidden=${!state?.concealed.length}>Only viewers who know the hidden combatants can read this text, until it is released.</p>`;
}

/** Render the note beside a reason that every viewer reads. */
export const Everybody = () => html`<p class="dim readers">Every viewer will read this reason.</p>`;

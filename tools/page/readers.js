// Who will read the words that somebody writes, said where they are written.

import { html } from "./parts.js";

/** What stands beside words of somebody who knows of somebody hidden; nothing where nobody is. */
export function OnlyThoseWhoKnow({ state }) {
  return html`<p class="dim readers" hidden=${!state?.concealed.length}>Only those who know of who is hidden will read these words, until they are released.</p>`;
}

/** What stands beside the reason of what everybody reads, whoever is hidden. */
export const Everybody = () => html`<p class="dim readers">Every viewer will read this reason.</p>`;

// Who will read the words that somebody writes, said where they are written.

import { h } from "./dom.js";

/** Return what stands beside words of somebody who knows of somebody hidden; nothing where nobody is. */
export function onlyThoseWhoKnow(state) {
  return h("p", { class: "dim readers", hidden: !state.concealed.length },
    "Only those who know of who is hidden will read these words, until they are released.");
}

/** Return what stands beside the reason of what everybody reads, whoever is hidden. */
export const everybody = () => h("p", { class: "dim readers" }, "Everybody will read this reason.");

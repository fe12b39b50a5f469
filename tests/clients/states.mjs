// Folds logs as the client does: a list of texts on standard input; the canonical text of each last state, and its digest, or why there is none.

import { readFileSync } from "node:fs";

import { digest, encode, History, readState, Unreadable } from "../../tools/page/affray/index.js";

function told(text) {
  try {
    const { state } = History.read(text);
    const encoded = encode(state);
    return { encoded, digest: digest(state), again: encode(readState(encoded)) };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { unreadable: error.reason };
  }
}

console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf-8")).map(told)));

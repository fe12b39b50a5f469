// Folds logs as the client does: a list of texts on standard input; the canonical text of each last state, and its digest.

import { readFileSync } from "node:fs";

import { digest, encode, History, readState } from "../../tools/page/affray/index.js";

function told(text) {
  const { state } = History.read(text);
  const encoded = encode(state);
  return { encoded, digest: digest(state), again: encode(readState(encoded)) };
}

console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf-8")).map(told)));

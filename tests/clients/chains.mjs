// Checks chains as the client does: a list of logs on standard input, each a text, bytes as base64, or lines; the head's hash, or what is wrong.

import { readFileSync } from "node:fs";

import { ChainBroken, History, readLine, Unreadable, verifyChain } from "../../tools/page/affray/index.js";

function told({ log, bytes, lines }) {
  try {
    if (lines) return verifyChain(lines.map((line, index) => readLine(line, index + 1)));
    const history = History.read(bytes === undefined ? log : new Uint8Array(Buffer.from(bytes, "base64")));
    const hash = verifyChain(history.recorded);
    return bytes === undefined ? hash : { hash, torn: history.torn };
  } catch (error) {
    if (error instanceof ChainBroken) return { broken: error.position };
    if (error instanceof Unreadable) return { unreadable: error.line, reason: error.reason };
    throw error;
  }
}

console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf-8")).map(told)));

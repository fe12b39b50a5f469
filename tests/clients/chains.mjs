// Checks chains as the client does: a list of logs, each a list of lines, on standard input; the head's hash, or what is wrong.

import { readFileSync } from "node:fs";

import { ChainBroken, readLine, readLog, Unreadable, verifyChain } from "../../tools/page/affray/index.js";

function told({ log, lines }) {
  try {
    return verifyChain(log === undefined ? lines.map((line, index) => readLine(line, index + 1)) : readLog(log));
  } catch (error) {
    if (error instanceof ChainBroken) return { broken: error.position };
    if (error instanceof Unreadable) return { unreadable: error.line, reason: error.reason };
    throw error;
  }
}

console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf-8")).map(told)));

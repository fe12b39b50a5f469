// Reads logs as the client does and tells what it makes of them: [{path | text, states: [positions]}] on standard input.

import { readFileSync } from "node:fs";

import { digest, History, marks, step, verifyChain } from "../../tools/page/affray/index.js";

function told({ path, text = readFileSync(path, "utf-8"), states }) {
  const history = History.read(text);
  return {
    head: history.head,
    hash: verifyChain(history.recorded),
    digest: digest(history.state),
    format: history.format,
    version: history.version,
    path: history.path,
    undone: history.undone,
    floor: history.floor,
    forked: history.forked,
    closed: history.closed,
    request: history.request,
    lanes: history.lanes(),
    commands: marks(history, "command"),
    walked: [...walked(marks(history, "command"))],
    turns: marks(history, "turn").length,
    rounds: marks(history, "round").length,
    states: states.map((position) => digest(history.stateAt(position))),
    backwards: states.toReversed().map((position) => digest(history.stateAt(position))),
  };
}

function* walked(stops) {
  let at = 0;
  for (let next = step(stops, at); next !== at; next = step(stops, at)) yield (at = next);
}

console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf-8")).map(told)));

// Reads the addresses of logs from standard input and writes what the page tells of them.

import { readFileSync } from "node:fs";

import { EVENTS, History, readLog } from "../../tools/page/affray/index.js";
import { kindOfMap } from "../../tools/page/ground.js";
import { SILENT, Story } from "../../tools/page/story.js";
import { tell, TELLERS } from "../../tools/page/telling.js";

const logs = Object.fromEntries(JSON.parse(readFileSync(0, "utf8")).map((file) => {
  const lines = readLog(readFileSync(file, "utf8"));
  const story = new Story();
  const sentences = [];
  for (const line of lines) story.add(line);
  for (const line of lines) sentences.push(tell(line.event, story.names));
  story.settle();
  const entries = story.entries.map(({ position, to, depth, parts, notes }) =>
    ({ position, to, depth, text: parts.map((part) => part.text ?? part).join(""), notes }));
  return [file, { sentences, entries, map: kindOfMap(lines, new History(lines).state) }];
}));
console.log(JSON.stringify({ types: [...EVENTS], told: Object.keys(TELLERS), silent: [...SILENT], logs }));

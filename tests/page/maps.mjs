// Reads the addresses of logs from standard input and writes which kind of map each of them has.

import { readFileSync } from "node:fs";

import { History, readLog } from "../../tools/page/affray/index.js";
import { kindOfMap } from "../../tools/page/ground.js";

const maps = Object.fromEntries(JSON.parse(readFileSync(0, "utf8")).map((file) => {
  const lines = readLog(readFileSync(file, "utf8"));
  return [file, kindOfMap(lines, new History(lines).state)];
}));
console.log(JSON.stringify(maps));

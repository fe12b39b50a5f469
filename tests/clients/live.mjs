// Plays a fight on a server by its legal actions, followed by everybody at the table; tells whenever somebody's state is not
// what the server says it is: {base, fight, tokens: {gm, ilse, spectator}} on standard input.

import { readFileSync } from "node:fs";

import { Client, digest, Problem, verifyChain } from "../../tools/page/affray/index.js";

const COMMANDS = 40;
const BETWEEN = new Map([
  [4, (gm) => gm.say(fight, "rule conceal captain", { reason: "behind the trees" })],
  [8, (gm) => gm.say(fight, "rule veil bandit-a health", { reason: "who knows" })],
  [14, (gm) => gm.undo(fight, { commands: 3, reason: "the table wants it" })],
  [15, (gm) => gm.redo(fight, { reason: "it does not" })],
  [3, (gm) => gm.say(fight, "rule secret_roll 2d6 listening", { reason: "who hears them?" })],
  [24, (gm) => gm.undo(fight, { commands: 2, fresh: true, reason: "fresh dice" })],
  [29, (gm) => gm.say(fight, "rule note 'somebody stirs there'", { reason: "the trees rustle" })],
  [30, (gm) => gm.say(fight, "rule reveal captain", { reason: "there he is" })],
  [COMMANDS - 2, (gm) => gm.say(fight, "rule release", { reason: "now they may know" })],
  [COMMANDS - 1, (gm) => gm.command(fight, { type: "Close", unfinished: true, reason: "it is late" })],
]);

const { base, fight, tokens } = JSON.parse(readFileSync(0, "utf-8"));
const clients = Object.fromEntries(Object.entries(tokens).map(([who, token]) => [who, new Client({ base, token })]));
const wrong = [];
let awaited = () => {};
const opened = [];
const follow = (who, whole) => {
  const nth = opened.push(0) - 1;
  const failed = (error) => wrong.push(String(error));
  return clients[who].follow(fight, { whole, line: () => awaited(), ready: () => awaited(), opened: () => (opened[nth] += 1), failed });
};
const followings = [["gm", follow("gm", true)], ["gm", follow("gm", false)], ["ilse", follow("ilse", true)], ["ilse", follow("ilse", false)], ["spectator", follow("spectator", false)]];

/** Wait until everybody has heard of a position. */
function heard(head) {
  return new Promise((done) => {
    awaited = () => followings.every(([, one]) => one.ready && one.history.head >= head) && done();
    awaited();
  });
}

/** Do what is waited for, or what somebody may do: whoever is the nth, or the next thing that is accepted. */
async function act(nth) {
  const { actors, waits } = await clients.gm.whoMay(fight);
  const ways = [...actors.map((one) => () => declared(one, nth)), ...waits.map((one) => () => one.intent ?? answer(one))];
  let refused;
  for (let tried = 0; tried < ways.length; tried += 1) {
    try {
      return await clients.gm.command(fight, await ways[(nth * 7 + tried) % ways.length]());
    } catch (error) {
      if (!(error instanceof Problem) || error.status >= 500) throw error;
      refused = error;
    }
  }
  throw new Error(`nothing of ${JSON.stringify({ actors, waits })} is possible`, { cause: refused });
}

/** Return what somebody may declare, step by step, each time the nth of what is possible. */
async function declared({ who, manner }, nth) {
  const open = (/** @type {any[]} */ all) => all.filter((one) => !one.refused);
  const { kinds } = await clients.gm.whatMay(fight, who, { manner });
  const { kind } = open(kinds)[(nth * 3) % open(kinds).length];
  const chosen = {};
  for (;;) {
    const { fields, whole } = await clients.gm.howMay(fight, who, kind, { manner, chosen });
    if (whole) return whole.intent;
    const [{ field, choices }] = fields;
    chosen[field] = open(choices).length ? open(choices)[nth % open(choices).length].value : "a stunt";
  }
}

const answer = ({ question, of, options }) => ({ type: "Answered", question, by: of[0], choice: options.at(-1).choice });

const told = [];
await heard((await clients.gm.fight(fight)).head);
for (let nth = 0; nth < COMMANDS; nth += 1) {
  const { head, lines } = await (BETWEEN.get(nth)?.(clients.gm) ?? act(nth));
  told.push(lines.length);
  await heard(head);
  const states = new Map();
  for (const who of Object.keys(clients)) states.set(who, await clients[who].state(fight));
  for (const [index, [who, one]] of followings.entries()) {
    if (one.position !== head) wrong.push(`${nth}: ${index} stands at ${one.position}, not at ${head}`);
    if (digest(one.state) !== digest(states.get(who).state)) wrong.push(`${nth}: ${who} (${index}) has another state`);
  }
  if (states.get("gm").digest !== digest(states.get("gm").state)) wrong.push(`${nth}: the digest is another one`);
}
for (const [, one] of followings) {
  const { history } = one;
  if (verifyChain(history.recorded, history.start.hash, history.start.position) !== history.headHash) wrong.push("chain");
  for (const { event, by } of history.recorded) {
    if (event?.type === "Ruled" && event.kind === "secret_roll" && by) wrong.push("who rolled in secret is not told");
  }
  if (!history.recorded.some(({ event }) => event?.purpose === "listening")) wrong.push("the secret roll is not opened");
  one.close();
}
await Promise.all(followings.map(([, one]) => one.done));
const partial = followings.map(([, one]) => one.history.partial);
console.log(JSON.stringify({ wrong, partial, opened, commands: told.length, repeated: told.filter((lines) => !lines).length }));

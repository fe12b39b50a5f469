// The client against a server that does what servers and networks do at their worst. Run by test_client.py.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { test } from "node:test";

import { Client, digest, encode, History, payloadDigest, Problem, readLine, sha256, Unreachable, verifyChain } from "../../tools/page/affray/index.js";

const LOG = readFileSync(new URL("../../replays/wyrd/closed-powder.jsonl", import.meta.url), "utf-8").trim().split("\n");
const WHOLE = History.read(`${LOG.join("\n")}\n`);
const END = WHOLE.head;
const ARCHER = readFileSync(new URL("../../replays/vestige/version-2-hidden-archer.jsonl", import.meta.url), "utf-8").trim().split("\n");

/** Serve with these answers, one a request, while a test runs; returns a client, and what it asked. */
async function serving(t, ...answers) {
  const asked = [];
  const waits = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    asked.push({ method: request.method, url: request.url, headers: request.headers, body: body && JSON.parse(body) });
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    await answer(response, request);
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const base = `http://127.0.0.1:${server.address().port}`;
  return { client: new Client({ base, token: "secret", wait: async (ms) => void waits.push(ms) }), asked, waits };
}

const json = (value, status = 200, type = "application/json") => (response) =>
  response.writeHead(status, { "Content-Type": type }).end(JSON.stringify(value));

const cut = (response) => response.destroy();

const message = (event, data, id) => `${id ? `id: ${id}\n` : ""}event: ${event}\ndata: ${data}\n\n`;
const lines = (from, to) => LOG.slice(from - 1, to).map((line, nth) => message("line", line, from + nth)).join("");
const ready = message("ready", `{"head":${END}}`);
const snapshot = (position, state = WHOLE.stateAt(position), bands = {}) =>
  message("snapshot", `{"position":${position},"hash":"${WHOLE.at(position).hash}","state":${encode(state)},"bands":${JSON.stringify(bands)}}`);

/** Answer with a stream, piece by piece, and cut it off unless it is the last. */
const stream = (pieces, { last = false } = {}) => async (response) => {
  response.writeHead(200, { "Content-Type": "text/event-stream" });
  for (const piece of pieces) {
    response.write(piece);
    await new Promise((done) => setImmediate(done));
  }
  if (!last) setTimeout(() => response.destroy(), 5);
};

/** Follow until a condition holds. */
function until(client, options, holds) {
  return new Promise((done, failed) => {
    const seen = { away: 0, back: 0, lines: [], changed: [] };
    const following = client.follow("powder", {
      ...options,
      away: () => (seen.away += 1),
      back: () => (seen.back += 1),
      line: (line) => seen.lines.push(line.position),
      changed: (now) => {
        seen.changed.push(now.position);
        if (holds(now)) {
          now.close();
          done({ following, seen });
        }
      },
      failed,
    });
  });
}

const numbers = (from, to) => Array.from({ length: to - from + 1 }, (_, nth) => from + nth);

test("every request says who asks, and where", async (t) => {
  const { client, asked } = await serving(t, json({ ok: true }));
  assert.deepEqual(await client.fight("a fight/of mine"), { ok: true });
  await client.explain("x", 7);
  await client.log("x", { after: 3, limit: 2 });
  assert.deepEqual(asked.map((one) => one.url), ["/api/fights/a%20fight%2Fof%20mine", "/api/fights/x/explain/7", "/api/fights/x/log?after=3&limit=2"]);
  assert.ok(asked.every((one) => one.headers.authorization === "Bearer secret"));
  assert.ok(asked.every((one) => !one.url.includes("secret")));
});

test("lines and states keep the text their hashes are taken over", async (t) => {
  const at = 40;
  const log = (response) => response.end(`{"head":${END},"hash":"h","lines":[${LOG.slice(0, at).join(",")}]}`);
  const state = (response) => response.end(`{"position":${at},"hash":"h","state":${encode(WHOLE.stateAt(at))},"digest":"d"}`);
  const { client } = await serving(t, log, state);
  assert.deepEqual((await client.log("x")).lines, WHOLE.recorded.slice(0, at));
  const found = await client.state("x", at);
  assert.equal(digest(found.state), digest(WHOLE.stateAt(at)));
  assert.deepEqual(found.bands, {});
});

test("a command is sent again under its id until it is known what became of it", async (t) => {
  const { client, asked, waits } = await serving(t, cut, json({ title: "store" }, 503), json({ head: 9, repeated: true, lines: [] }));
  assert.deepEqual(await client.say("x", "ilse attack captain", { expected: 8 }), { head: 9, repeated: true, lines: [] });
  assert.equal(asked.length, 3);
  assert.equal(new Set(asked.map((one) => one.body.id)).size, 1);
  assert.deepEqual(asked[0].body, { ...asked[2].body, expected: 8, intent: { type: "Said", words: "ilse attack captain", reason: "" } });
  assert.deepEqual(waits, [250, 500]);
});

test("a command of which nobody knows whether it was recorded is sent again under its id", async (t) => {
  const unsure = { title: "It is not known whether this was recorded", code: "unsure" };
  const { client, asked } = await serving(t, json(unsure, 503), json({ head: 9, repeated: true, lines: [] }));
  assert.equal((await client.say("x", "ilse attack captain")).repeated, true);
  assert.equal(asked.length, 2);
  assert.equal(asked[0].body.id, asked[1].body.id);
});

test("a command to a fight that stands still is not sent again", async (t) => {
  const { client, asked } = await serving(t, json({ title: "The log was changed", code: "altered" }, 503));
  await assert.rejects(client.say("x", "w"), (error) => error instanceof Problem && error.code === "altered");
  assert.equal(asked.length, 1);
});

test("two commands have two ids", async (t) => {
  const { client, asked } = await serving(t, json({ head: 1, lines: [] }));
  await client.undo("x", { fresh: true, reason: "r" });
  await client.redo("x");
  assert.deepEqual(asked.map((one) => one.body.intent), [{ fresh: true, reason: "r", type: "Undo" }, { type: "Redo" }]);
  assert.notEqual(asked[0].body.id, asked[1].body.id);
});

test("a refusal is not sent again, and says why", async (t) => {
  const said = { type: "urn:affray:too_far", title: "Refused", status: 422, detail: "too far", code: "too_far", rule: "VES-020", source: "sword" };
  const { client, asked } = await serving(t, json(said, 422, "application/problem+json"));
  await assert.rejects(client.say("x", "w"), (error) => {
    assert.ok(error instanceof Problem);
    const { status, code, rule, source, message: words } = error;
    assert.deepEqual({ status, code, rule, source, words }, { status: 422, code: "too_far", rule: "VES-020", source: "sword", words: "too far" });
    return true;
  });
  assert.equal(asked.length, 1);
});

test("an answer that is no document of ours is a problem too", async (t) => {
  const { client } = await serving(t, (response) => response.writeHead(413).end("<html>too large</html>"));
  await assert.rejects(client.fights(), (error) => error instanceof Problem && error.status === 413);
});

test("nobody there is told apart from a refusal", async () => {
  const client = new Client({ base: "http://127.0.0.1:1", wait: async () => {} });
  await assert.rejects(client.say("x", "w"), (error) => error instanceof Unreachable && error.cause !== undefined);
});

test("a record that is followed from its beginning has no gap and no double, however often the connection is lost", async (t) => {
  const half = lines(301, 400);
  const { client, asked } = await serving(
    t,
    stream([lines(1, 300)]),
    stream([half.slice(0, half.length - 30)]), // breaks off in the middle of a line
    cut,
    json({ title: "starting" }, 503),
    stream([lines(390, 700), message("lagging", '{"head":9}')]), // says again what is known
    stream([": \n\n", lines(701, END), ready], { last: true }),
  );
  const { following, seen } = await until(client, { whole: true }, (now) => now.ready);
  assert.deepEqual(seen.lines, numbers(1, END));
  assert.deepEqual(asked.map((one) => one.headers["last-event-id"]), ["0", "300", "399", "399", "399", "700"]);
  assert.equal(digest(following.state), digest(WHOLE.state));
  assert.deepEqual(following.history.lanes(), WHOLE.lanes());
  assert.ok(seen.away >= 2 && seen.back >= 2);
});

test("who was left in good order is told that nobody is there, if so, and that somebody is again", async (t) => {
  const ended = (response) => response.writeHead(200, { "Content-Type": "text/event-stream" }).end(lines(1, 300) + ready);
  const { client } = await serving(t, ended, cut, cut, stream([lines(301, END), ready], { last: true }));
  const { seen } = await until(client, { whole: true }, (now) => now.history.head === END);
  assert.deepEqual([seen.away, seen.back], [1, 1]);
  assert.deepEqual(seen.lines, numbers(1, END));
});

test("the pauses grow, and not without end", async (t) => {
  const { client, waits } = await serving(t, ...Array(12).fill(cut), stream([lines(1, END), ready], { last: true }));
  await until(client, { whole: true }, (now) => now.ready);
  assert.equal(waits.length, 12);
  assert.ok(waits[0] <= 250 && waits[3] > waits[0]);
  assert.ok(waits.every((ms) => ms <= 10_000));
});

test("who joins late begins with the state, and folds what follows", async (t) => {
  const from = WHOLE.recorded.findLast((one) => one.position < 190 && !one.more).position;
  const { client, asked } = await serving(t, stream([snapshot(from), ready, lines(from + 1, 192)], { last: true }));
  const { following, seen } = await until(client, {}, (now) => now.position === 192);
  assert.equal(asked[0].headers["last-event-id"], undefined);
  assert.deepEqual(seen.lines, numbers(from + 1, 192));
  assert.equal(digest(following.state), digest(WHOLE.stateAt(192)));
  assert.equal(following.history.headHash, WHOLE.at(192).hash);
});

test("a snapshot comes before the lines it covers, and they change nothing any more", async (t) => {
  const amended = WHOLE.recorded.find((one) => one.event.type === "Amended");
  const from = amended.position - 1;
  const covered = amended.position + amended.more;
  assert.ok(amended.event.to < from);
  const told = snapshot(covered, WHOLE.stateAt(covered), { ilse: { hp: "hurt" } });
  const { client } = await serving(t, stream([snapshot(from), ready, told, lines(from + 1, END)], { last: true }));
  const digests = new Map();
  const { following } = await until(client, {}, (now) => {
    digests.set(now.position, digest(now.state));
    return now.history.head === END;
  });
  assert.deepEqual(following.bands, { ilse: { hp: "hurt" } });
  for (const [position, found] of digests) assert.equal(found, digest(WHOLE.stateAt(position)), `at ${position}`);
  assert.ok(digests.has(covered) && digests.size > 3);
});

test("who may not read everything takes the server's word for the state", async (t) => {
  const hidden = LOG.slice(0, 60).map((line, nth) => {
    if (nth % 3) return line;
    const { event, ...envelope } = JSON.parse(line);
    return nth ? JSON.stringify({ ...envelope, digest: "d", readers: "r" }) : line;
  });
  const end = WHOLE.recorded.findLast((one) => one.position <= 60 && !one.more)?.position ?? 60;
  const sent = hidden.slice(0, end).map((line, nth) => message("line", line, nth + 1)).join("");
  const { client } = await serving(t, stream([snapshot(end), sent, ready], { last: true }));
  const { following } = await until(client, { whole: true }, (now) => now.ready);
  assert.ok(following.history.partial);
  assert.equal(digest(following.state), digest(WHOLE.stateAt(end)));
  assert.doesNotThrow(() => following.history.stateAt(20));
});

/** Return a line as it comes to whoever may not read what is for the game master alone, nor know who sent it. */
function sealed(text) {
  const { event, who, cause, audience, salt, known_to, mask, ...envelope } = JSON.parse(text);
  if (!known_to) return text;
  const by = sha256([mask, known_to.join(), who, cause].join("\n"));
  const rest = audience ? { digest: payloadDigest(readLine(text)), readers: sha256(salt + audience.join()) } : { event };
  return JSON.stringify({ ...envelope, by, ...rest });
}

test("what is sealed is opened in its place, and the chain holds before and after", async (t) => {
  const rolled = ARCHER.findIndex((line) => line.includes('"kind":"secret_roll"'));
  const end = JSON.parse(ARCHER[rolled]).more + rolled + 1;
  const text = (from, to, seen) => ARCHER.slice(from, to).map((line, nth) => message("line", seen(line), from + nth + 1)).join("");
  const opened = ARCHER.slice(rolled, end).map((line) => message("opened", line)).join("");
  const whole = History.read(`${ARCHER.slice(0, end + 1 + JSON.parse(ARCHER[end]).more).join("\n")}\n`);
  const { client, asked } = await serving(
    t,
    stream([text(0, end, sealed), ready, opened]), // cut off before the line that opens them
    stream([opened, text(end, whole.head, sealed), ready], { last: true }),
  );
  let before;
  const heard = [];
  const { following } = await until(client, { whole: true, opened: (line) => heard.push(line.position) }, (now) => {
    before ??= now.history.recorded.slice();
    return now.history.head === whole.head;
  });
  assert.deepEqual(asked.map((one) => one.headers["last-event-id"]), ["0", String(end)]);
  assert.deepEqual(heard, [...numbers(rolled + 1, end), ...numbers(rolled + 1, end)]);
  const { history } = following;
  assert.ok(before[rolled].event === null && before[rolled].who === "" && before[rolled].by);
  assert.equal(verifyChain(before), before.at(-1).hash);
  assert.equal(verifyChain(history.recorded), whole.headHash);
  assert.deepEqual(history.recorded, whole.recorded);
  assert.equal(history.partial, false);
  assert.equal(digest(history.state), digest(whole.state));
});

test("what is opened must be what was sealed, and what is not there is let be", () => {
  const rolled = ARCHER.findIndex((line) => line.includes('"kind":"secret_roll"'));
  const history = new History(ARCHER.slice(0, rolled + 2).map((line) => readLine(sealed(line))));
  assert.deepEqual(history.commandOf(rolled + 2).map((line) => line.position), numbers(rolled + 1, rolled + 2));
  assert.throws(() => history.open({ ...readLine(ARCHER[rolled]), hash: "0" }), /not what was sealed/);
  history.open(readLine(ARCHER[rolled + 40]));
  assert.equal(history.head, rolled + 2);
  assert.ok(history.partial);
});

test("a token that is refused ends it", async (t) => {
  const { client, asked } = await serving(t, json({ status: 401, code: "token" }, 401));
  await assert.rejects(until(client, {}, () => true), (error) => error instanceof Problem && error.code === "token");
  assert.equal(asked.length, 1);
});

test("a signal ends it quietly", async (t) => {
  const { client } = await serving(t, stream([snapshot(END), ready], { last: true }));
  const stop = new AbortController();
  const following = client.follow("x", { signal: stop.signal, ready: () => stop.abort() });
  await following.done;
  assert.equal(following.position, END);
  await client.follow("x", { signal: stop.signal }).done;
});

test("who asks for it is told that the table has settled", async (t) => {
  const settled = message("settled", `{"head":${END}}`);
  const { client, asked } = await serving(t, stream([snapshot(END), ready, settled], { last: true }));
  const head = await new Promise((done, failed) => {
    const following = client.follow("powder", { settled: (at) => done([at, following.position, following.close()]), failed });
  });
  assert.deepEqual(head, [END, END, undefined]);
  assert.equal(asked[0].url, "/api/fights/powder/feed?settled=true");
});

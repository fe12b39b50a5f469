// What the rules wait for: a question, real dice, an answer to what somebody else means to do.

import { useEffect, useRef, useState } from "preact/hooks";
import { signal } from "@preact/signals";
import { Clause } from "./clause.js";
import { EnterDice } from "./dice.js";
import { toldApart } from "./ground.js";
import { Button, html, Labelled } from "./parts.js";
import { OnlyThoseWhoKnow } from "./readers.js";
import { Thrown } from "./rolls.js";
import { sentenceOf } from "./storylines.js";
import { called, capital, declared, label, said, topic, valueSaid, word } from "./words.js";

/**
 * Cards for whatever this viewer may answer now.
 *
 * waits: what the server says is waited for; own: whom the viewer plays; meant: what is declared and unresolved, as a
 * sentence; send(intent) says an answer, all(intents) several one after the other; lines: of the log, the last roll of which a question is likely about;
 * entries: of the story, told by that log; passing: whether nothing is better than to let a window pass.
 */
export function Waiting({ waits, state, names, own, send, all = null, meant, lines = [], entries = [], passing = true }) {
  const passes = waits.filter((one) => one.kind === "pass");
  return html`${waits.filter((one) => one.kind === "answer").map((one) => html`<${Question} key=${one.question} asked=${one} state=${state}
      names=${names} own=${own} send=${send} lines=${lines} entries=${entries} />`)}
    ${waits.filter((one) => one.kind === "faces").map((one) => html`<${EnterDice} key=${one.roll} wanted=${one} names=${names} send=${send} />`)}
    ${passes.length ? html`<${Open} passes=${passes} patience=${state.patience} opened=${lines.findLast((one) => one.event?.type === "WindowOpened")?.time ?? ""} meant=${meant} names=${names} send=${send} all=${all} host=${!own.length} passing=${passing} />` : null}`;
}

function Card({ kind, title, children }) {
  return html`<section class=${`card ${kind}`} aria-label=${title}><h2>${title}</h2>${children}</section>`;
}

/** Answers that somebody gives whenever they are asked the same, by what is asked of whom. */
const habits = signal(new Map());
const habitOf = ({ about, of }) => `${topic(about)}|${of.join()}`;

/** Whether an option can be chosen without saying anything else. */
const isPlain = (option) => (option.fields ?? []).every((field) => field.optional);

/** Whether it makes sense to answer a question so whenever it is asked. */
const isUsual = ({ about }, option) => Boolean(word("questions", topic(about)).always) && isPlain(option);

/** Return what can be said with whatever is answered: the fields that every one of several options has alike. */
function sharedBy(options) {
  const [first, ...others] = options.map((one) => (one.fields ?? []).filter((field) => field.optional));
  const alike = (field) => others.every((those) => those.some((one) => JSON.stringify(one) === JSON.stringify(field)));
  return others.length ? first.filter(alike) : [];
}

/** Return the answer to what waits that goes without saying, as somebody said once; nothing where there is none. */
export function answered(waits, own, state) {
  const asked = waits.find((one) => one.kind === "answer");
  const said = asked && habits.value.get(habitOf(asked));
  const option = said && asked.options.find((one) => one.choice === said.choice && isPlain(one));
  if (!option) return null;
  const now = option.fields?.map(({ name, ...field }) => [name, nearer(state, { name, ...field }) ?? said.fields[name]]).filter(([, value]) => value !== undefined);
  return { type: "Answered", question: asked.question, by: asked.of.find((who) => own.includes(who)) ?? asked.of[0], choice: said.choice, fields: Object.fromEntries(now ?? []) };
}

/** Which questions are answered by themselves, each to be asked again. */
export function Habits({ names }) {
  if (!habits.value.size) return null;
  const drop = (key) => { habits.value = new Map([...habits.value].filter(([one]) => one !== key)); };
  return html`<div class="habits"><h3 id="habits-title">Answered so, until it is struck out</h3><div class="row" role="group" aria-labelledby="habits-title">${[...habits.value].map(([key, { choice }]) => {
    const [about, of] = key.split("|");
    return html`<${Button} key=${key} shows="close" says=${`${capital(called(names, of))}, ${label("questions", about)}: ${label("options", choice)}`}
      title="Ask again" class="quiet" onClick=${() => drop(key)} />`;
  })}</div></div>`;
}

function Question({ asked, state, names, own, send, lines, entries }) {
  const by = asked.of.find((who) => own.includes(who)) ?? asked.of[0];
  const answer = (choice, fields = {}, always = false) => {
    if (always) habits.value = new Map(habits.value).set(habitOf(asked), { choice, fields });
    send({ type: "Answered", question: asked.question, by, choice, fields });
  };
  const rolls = rollsBefore(asked, lines);
  const shared = sharedBy(asked.options);
  const along = useRef(null);
  const left = (option) => (option.fields ?? []).filter((field) => !shared.some(({ name }) => name === field.name));
  const give = (option, fields = {}, always = false) => answer(option.choice, { ...filledIn(shared, along.current), ...fields }, always);
  return html`<${Card} kind="question" title=${rolls.length ? asked.asks : asked.says}>
    <${Prevented} asked=${asked} lines=${lines} names=${names} system=${state.system} send=${send} />
    ${rolls.map((line) => html`<div class="rolled" key=${line.position}><${Thrown} line=${line} lines=${lines} names=${names} /></div>`)}
    ${harmBefore(asked, entries, lines).map((entry) => html`<p class="harm" key=${entry.position}>${sentenceOf(entry)}</p>`)}
    ${shared.length ? html`<form class="shared" ref=${along} onSubmit=${(event) => event.preventDefault()}>
      <${Fields} asked=${asked} fields=${shared} state=${state} names=${names} /></form>` : null}
    ${asked.options.map((option) => left(option).length
      ? html`<${WithFields} key=${option.choice} asked=${asked} option=${option} fields=${left(option)} state=${state} names=${names} give=${give} />`
      : html`<div class="option" key=${option.choice}><${Button} says=${capital(label("options", option.choice))} class="answer"
          data-key=${`answer-${option.choice}`} data-choice=${option.choice} onClick=${() => give(option)} />
          <span class="dim">${asked.stakes?.[option.choice] ?? option.says}</span>
          ${isUsual(asked, option) ? html`<${Always} option=${option} onClick=${() => give(option, {}, true)} />` : null}</div>`)}<//>`;
}

/** What a player attempts and what prevents it, with a button to reveal each combatant who does. Only the game master reads it. */
function Prevented({ asked, lines, names, system, send }) {
  const [attempt, refused] = lines.slice(Math.max(0, askedAt(asked, lines) - 2));
  if (refused?.event?.type !== "AttemptRefused") return null;
  const { rules = [], because_of: hidden = [] } = refused.event;
  const reveal = (who) => send({ type: "Ruled", kind: "reveal", params: { who }, reason: "an attempt" });
  return html`<p>${attempt.says}</p><p>${refused.says}${rules.map((rule) => html` <${Clause} key=${rule} system=${system} rule=${rule} />`)}</p>
    ${hidden.map((who) => html`<div class="option" key=${who}><${Button} says=${`Reveal ${called(names, who)}`} class="answer" data-key=${`reveal-${who}`}
      onClick=${() => reveal(who)} /><span class="dim">every player learns of them; the player chooses again</span></div>`)}`;
}

/** Inputs for fields of an answer. */
function Fields({ asked, fields, state, names }) {
  const asks = word("questions", topic(asked.about)).asks ?? {};
  const bounds = ({ kind, low, high, name }) => (kind === "int" && low !== undefined && high - low > 1 && !(name in state.combatants) ? ` (${low} to ${high})` : "");
  return fields.map((field) => html`<${Labelled} key=${field.name} says=${`${asks[field.name] ? capital(asks[field.name]) : fieldSaid(field.name, names)}${bounds(field)}`} of=${`answer-${field.name}`}>
    <${Input} field=${field} names=${names} state=${state} so=${nearer(state, field)} /><//>`);
}

/** Return what a form says of fields of an answer; of those that are left out, nothing. */
function filledIn(fields, form) {
  const data = new FormData(form ?? undefined);
  const given = fields.map((field) => [field, data.get(field.name)]).filter(([field, raw]) => raw !== null && (raw !== "" || !field.optional));
  return Object.fromEntries(given.map(([field, raw]) => [field.name, field.kind === "int" ? Number(raw) : raw]));
}

/** Answers, and says that it is answered so whenever this is asked; what is kept can be dropped under "More". */
function Always({ option, ...properties }) {
  return html`<${Button} says="always" label=${`${capital(label("options", option.choice))}, whenever this is asked`} class="quiet always"
    data-key=${`always-${option.choice}`} data-always=${option.choice} ...${properties} />`;
}

/** Return where among the lines a question was asked last; below 0 where it was not. */
const askedAt = (asked, lines) => lines.findLastIndex((one) => one.event?.type === "Asked" && one.event.question === asked.question);

/** As many rolls as this are shown with a question, the last ones. */
const ROLLS = 4;

/** Return the rolls that led to a question: those since an action was declared, each as it was thrown last. */
export function rollsBefore(asked, lines) {
  const at = askedAt(asked, lines);
  const rolls = new Map();
  for (let nth = at - 1; nth >= 0 && !["Declared", "Attempted"].includes(lines[nth].event?.type); nth -= 1) {
    const { event } = lines[nth];
    if (event?.type === "Rolled" && event.dice.length && !rolls.has(event.roll)) rolls.set(event.roll, lines[nth]);
  }
  return [...rolls.values()].slice(0, ROLLS).reverse();
}

/** Return what the story tells last of harm in the same command, just before a question; nothing where it tells of none. */
function harmBefore(asked, entries, lines) {
  const at = askedAt(asked, lines);
  const harmed = lines.slice(0, Math.max(0, at)).findLast((one) => one.event?.type === "Damaged");
  if (!harmed || harmed.cause !== lines[at].cause) return [];
  return entries.filter((one) => one.position <= harmed.position && harmed.position <= one.to).slice(-1);
}

function WithFields({ asked, option, fields, state, names, give }) {
  const submit = (event) => {
    event.preventDefault();
    give(option, filledIn(fields, event.target), event.submitter?.dataset.always === option.choice);
  };
  return html`<form class="option" data-choice=${option.choice} onSubmit=${submit}>
    <${Fields} asked=${asked} fields=${fields} state=${state} names=${names} />
    ${fields.some((field) => field.kind === "text") ? html`<${OnlyThoseWhoKnow} state=${state} />` : null}
    <div class="row"><button type="submit" class="answer" data-key=${`answer-${option.choice}`}>${capital(label("options", option.choice))}</button>
      <span class="dim">${asked.stakes?.[option.choice] ?? option.says}</span>${isUsual(asked, option) ? html`<${Always} option=${option} type="submit" />` : null}</div></form>`;
}

/** Return what a field asks: its words, with whom it is about where they say `{}`, as in `seen:archer-a`; what is no word is somebody. */
function fieldSaid(name, names) {
  const [first, whom] = name.split(":");
  const asked = said(word("fields", first).says ? label("fields", first) : called(names, first));
  if (!whom) return capital(asked);
  return capital(asked.includes("{}") ? asked.replace("{}", called(names, whom)) : `${asked}, ${called(names, whom)}`);
}

/**
 * Return how far whoever acts is likely to be from whom a field names, if that is what it asks: as far as they have been,
 * or from a foe as near as they can have come.
 */
function nearer(state, { name, low }) {
  const me = state.combatants[state.stack.at(-1)?.actor];
  const other = state.combatants[name];
  const so = me && other ? toldApart(state, me.id, name) : undefined;
  return so !== undefined && me.side !== other.side ? low ?? 0 : so;
}

/** Return how it is said that none of what a field offers is chosen: what it is then, nobody, no thing, or no other way than the usual. */
function noneOf({ name, among = [] }, names, state) {
  const { otherwise } = word("fields", name);
  if (otherwise) return otherwise;
  if (among.some((id) => id in state.combatants)) return "nobody";
  return among.some((id) => id in names) ? "none" : "as it is";
}

function Input({ field, names, state, so }) {
  const required = !field.optional;
  const common = { id: `answer-${field.name}`, name: field.name, required, "data-key": `field-${field.name}`, "data-field": field.name };
  if (field.kind === "int" && field.optional && field.high === 1 && !field.low) return html`<input ...${common} type="checkbox" value="1" />`;
  if (field.kind === "int") {
    return html`<input ...${common} type="number" min=${field.low ?? 0} max=${field.high ?? 0} inputmode="numeric"
      defaultValue=${so !== undefined || required ? String(so ?? field.low ?? 0) : ""} />`;
  }
  if (field.kind === "id") {
    return html`<select ...${common}>${field.optional ? html`<option value="">${capital(noneOf(field, names, state))}</option>` : null}
      ${(field.among ?? []).map((id) => html`<option key=${id} value=${id}>${capital(valueSaid(id, names))}</option>`)}</select>`;
  }
  return html`<input ...${common} type="text" maxlength="200" />`;
}

/** How long it still is until whoever has not answered passes; the server counts, this only shows it. One that began again, it counts anew. */
function Countdown({ patience, opened }) {
  const gone = Date.now() - Date.parse(opened);
  const from = useRef(Date.now() - (gone > 0 && gone < patience * 1000 ? gone : 0));
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((nth) => nth + 1), 250);
    return () => clearInterval(timer);
  }, []);
  const left = Math.max(0, Math.ceil(patience - (Date.now() - from.current) / 1000));
  return html`<p class="counting" role="timer">${left ? `${left} s left; then all open answers pass.` : "Time is up."}</p>`;
}

function Open({ passes, patience, opened, meant, names, send, all, host, passing }) {
  const likely = passing ? "main" : null;
  const each = passes.map(({ intent }) => ({ type: "Passed", ...intent }));
  const everybody = () => (host ? send({ ...each[0], who: "*" }) : all(each)); // a player passes for their own, one by one
  return html`<${Card} kind="window" title=${meant || "Between turns"}><p class="dim">Answer with an action below, or let it pass.</p>
    ${patience ? html`<${Countdown} patience=${patience} opened=${opened} key=${opened} />` : null}
    <div class="row">${passes.map(({ intent }) => html`<${Button} key=${intent.who} says=${`${capital(called(names, intent.who))}: pass`}
      data-key=${`pass-${intent.who}`} data-pass=${intent.who} class=${passes.length > 1 ? null : likely} onClick=${() => send({ type: "Passed", ...intent })} />`)}
      ${passes.length > 1 && all ? html`<${Button} says="All pass" class=${likely} onClick=${everybody} />` : null}</div><//>`;
}

/** How one stirs words into the dice; nothing once a die of the engine's has fallen, or where there are none. */
export function Stirring({ lines, send }) {
  let [promised, fallen] = ["", false];
  for (const { event } of lines) {
    if (["FightOpened", "Forked"].includes(event?.type) && event.commitment !== promised) [promised, fallen] = [event.commitment, false];
    else if (event?.type === "Rolled" && event.source === "engine" && event.dice.length) fallen = true;
  }
  if (!promised || fallen) return null;
  const stir = async (event) => {
    event.preventDefault();
    const form = event.target;
    if (await send({ type: "Stir", words: new FormData(form).get("words") })) form.reset();
  };
  return html`<details class="asking" data-key="stirring"><summary>Stir words into the dice</summary>
    <form onSubmit=${stir}><p>Any player may add words until the first die falls. Then no die can have been chosen beforehand.</p>
      <div class="row"><label class="unseen" for="stir-words">Any words</label>
        <input type="text" id="stir-words" name="words" required maxlength="200" autocomplete="off" />
        <${Button} type="submit" says="Stir" data-key="stir" /></div></form></details>`;
}

const ASKED = [["always", "whenever something can be answered"], ["worthwhile", "when it is worth it, or one is aimed at"], ["targeted", "only when aimed at"], ["never", "never"]];

/** How one says when one's own combatants shall be asked in windows. */
export function StandingPasses({ state, names, own, send }) {
  const there = own.filter((who) => who in state.combatants);
  if (!there.length) return null;
  return html`<details class="asking" data-key="asking"><summary>When shall I be asked?</summary>
    ${there.map((who) => html`<${Labelled} key=${who} says=${capital(called(names, who))} of=${`asking-${who}`}>
      <select id=${`asking-${who}`} value=${state.standing[who] ?? "always"} onChange=${({ target }) => send({ type: "AskingSet", who, ask: target.value })}>
        ${ASKED.map(([value, text]) => html`<option key=${value} value=${value}>${text}</option>`)}</select><//>`)}</details>`;
}

/** How the game master says when the table stops in windows, in all of them or one kind, and for how long. */
export function TableStops({ state, send }) {
  const set = (event) => {
    event.preventDefault();
    const data = new FormData(event.target);
    send({ type: "AskingSet", who: "*", ask: data.get("ask"), what: data.get("what"), seconds: Number(data.get("seconds")) || 0 });
  };
  const now = state.stops[""] ?? "worthwhile";
  return html`<details class="asking" data-key="stops"><summary>When does the table stop?</summary><form onSubmit=${set} class="fields">
    <${Labelled} says="In" of="stops-what"><select id="stops-what" name="what"><option value="">every window</option>
      ${declared("triggers").map((one) => html`<option key=${one} value=${one}>${capital(label("triggers", one))}</option>`)}</select><//>
    <${Labelled} says="It stops" of="stops-ask"><select id="stops-ask" name="ask">${ASKED.map(([value, text]) => html`
      <option key=${value} value=${value} selected=${value === now}>${text}</option>`)}</select><//>
    <${Labelled} says="Seconds until an open answer passes; 0: no time limit" of="stops-seconds"><input id="stops-seconds" name="seconds" type="number" min="0" step="1"
      inputmode="numeric" defaultValue=${String(state.patience ?? 0)} /><//>
    <button type="submit">Set</button></form></details>`;
}

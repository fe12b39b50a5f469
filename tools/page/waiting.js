// The awaited inputs: questions, entered dice, and reactions to a declared action.

import { useEffect, useRef, useState } from "preact/hooks";
import { Clause } from "./clause.js";
import { EnterDice } from "./dice.js";
import { toldApart } from "./ground.js";
import { Button, html, Labelled } from "./parts.js";
import { OnlyThoseWhoKnow } from "./readers.js";
import { Thrown } from "./rolls.js";
import { sentenceOf } from "./storylines.js";
import { called, capital, declared, label, said, series, topic, valueSaid, word } from "./words.js";

/**
 * Render a card for each input that this viewer may give now.
 *
 * waits: the awaited inputs; own: the viewer's combatants; habits: the automatic answers, if there can be some; meant: the declared, unresolved action as a sentence;
 * send(intent): sends an answer; all(intents): sends several in a row; lines: the log, whose last rolls a question shows;
 * entries: the story of that log; passing: whether passing is the suggested answer in a window; ignore(): lets all
 * windows of this turn go by.
 */
export function Waiting({ waits, state, names, own, habits = null, send, all = null, meant, lines = [], entries = [], passing = true, ignore = null }) {
  const passes = waits.filter((one) => one.kind === "pass");
  return html`${waits.filter((one) => one.kind === "answer").map((one) => html`<${Question} key=${one.question} asked=${one} state=${state}
      names=${names} own=${own} habits=${habits} send=${send} lines=${lines} entries=${entries} />`)}
    ${waits.filter((one) => one.kind === "faces").map((one) => html`<${EnterDice} key=${one.roll} wanted=${one} names=${names} send=${send} />`)}
    ${passes.length ? html`<${Open} passes=${passes} patience=${state.patience} opened=${lines.findLast((one) => one.event?.type === "WindowOpened")?.time ?? ""} meant=${meant} names=${names} send=${send} all=${all} host=${!own.length} passing=${passing} ignore=${ignore} />` : null}`;
}

function Card({ kind, title, children }) {
  return html`<section class=${`card ${kind}`} aria-label=${title}><h2>${title}</h2>${children}</section>`;
}

/** Return the key of an automatic answer: its question and combatants. */
const habitOf = ({ about, of }) => `${topic(about)}|${of.join()}`;

/** Whether an option needs no further value. */
const isPlain = (option) => (option.fields ?? []).every((field) => field.optional);

/** Whether an option can become the automatic answer to its question. */
const isUsual = ({ about }, option) => Boolean(word("questions", topic(about)).always) && isPlain(option);

/** Return the optional fields that all options of a question share. */
function listSharedFields(options) {
  const [first, ...others] = options.map((one) => (one.fields ?? []).filter((field) => field.optional));
  const alike = (field) => others.every((those) => those.some((one) => JSON.stringify(one) === JSON.stringify(field)));
  return others.length ? first.filter(alike) : [];
}

/** Return the automatic answer to the awaited question; nothing if the player set none. */
export function findAutomaticAnswer(habits, waits, own, state) {
  const asked = waits.find((one) => one.kind === "answer");
  const said = asked && habits.get(habitOf(asked));
  const option = said && asked.options.find((one) => one.choice === said.choice && isPlain(one));
  if (!option) return null;
  const saidFor = (field) => said.values.find(([one]) => controlOf(one) === controlOf(field))?.[1];
  const now = (option.fields ?? []).map((field) => [field, suggestDistance(state, field) ?? saidFor(field)]).filter(([, value]) => value !== undefined);
  return { type: "Answered", question: asked.question, by: asked.of.find((who) => own.includes(who)) ?? asked.of[0], choice: said.choice, ...giveValues(now) };
}

/** Render the automatic answers, each with a button that removes it. */
export function Habits({ habits, names }) {
  if (!habits.value.size) return null;
  const drop = (key) => { habits.value = new Map([...habits.value].filter(([one]) => one !== key)); };
  return html`<div class="habits"><h3 id="habits-title">Automatic answers</h3><div class="row" role="group" aria-labelledby="habits-title">${[...habits.value].map(([key, { about, of, choice }]) =>
    html`<${Button} key=${key} shows="close" says=${`${capital(called(names, of))}, ${label("questions", about)}: ${label("options", choice)}`}
      title="Ask again" class="quiet" onClick=${() => drop(key)} />`)}</div></div>`;
}

function Question({ asked, state, names, own, habits, send, lines, entries }) {
  const by = asked.of.find((who) => own.includes(who)) ?? asked.of[0];
  const answer = (choice, values, always) => {
    if (always) habits.value = new Map(habits.value).set(habitOf(asked), { about: topic(asked.about), of: asked.of.join(), choice, values });
    send({ type: "Answered", question: asked.question, by, choice, ...giveValues(values) });
  };
  const rolls = listRollsBefore(asked, lines);
  const shared = listSharedFields(asked.options);
  const along = useRef(null);
  const left = (option) => (option.fields ?? []).filter((field) => !shared.some((one) => controlOf(one) === controlOf(field)));
  const usual = (option) => habits && isUsual(asked, option);
  const give = (option, values = [], always = false) => answer(option.choice, [...readFields(shared, along.current), ...values], always);
  return html`<${Card} kind="question" title=${rolls.length ? asked.asks : asked.says}>
    <${Prevented} asked=${asked} lines=${lines} names=${names} system=${state.system} send=${send} />
    ${rolls.map((line) => html`<div class="rolled" key=${line.position}><${Thrown} line=${line} lines=${lines} names=${names} /></div>`)}
    ${listHarmBefore(asked, entries, lines).map((entry) => html`<p class="harm" key=${entry.position}>${sentenceOf(entry)}</p>`)}
    ${shared.length ? html`<form class="shared" ref=${along} onSubmit=${(event) => event.preventDefault()}>
      <${Fields} asked=${asked} fields=${shared} state=${state} names=${names} /></form>` : null}
    ${asked.options.map((option) => left(option).length
      ? html`<${WithFields} key=${option.choice} asked=${asked} option=${option} fields=${left(option)} usual=${usual(option)} state=${state} names=${names} give=${give} />`
      : html`<div class="option" key=${option.choice}><${Button} says=${capital(label("options", option.choice))} class="answer"
          data-key=${`answer-${option.choice}`} data-choice=${option.choice} onClick=${() => give(option)} />
          <span class="dim">${asked.stakes?.[option.choice] ?? option.says}</span>
          ${usual(option) ? html`<${Always} option=${option} onClick=${() => give(option, [], true)} />` : null}</div>`)}<//>`;
}

/** Render a player's attempt and what prevents it, with a button to reveal each hidden combatant. Only the game master sees it. */
function Prevented({ asked, lines, names, system, send }) {
  const [attempt, refused] = lines.slice(Math.max(0, askedAt(asked, lines) - 2));
  if (refused?.event?.type !== "AttemptRefused") return null;
  const { rules = [], because_of: hidden = [] } = refused.event;
  const reveal = (who) => send({ type: "Ruled", kind: "reveal", params: { who }, reason: "an attempt" });
  return html`<p>${attempt.says}</p><p>${refused.says}${rules.map((rule) => html` <${Clause} key=${rule} system=${system} rule=${rule} />`)}</p>
    ${hidden.map((who) => html`<div class="option" key=${who}><${Button} says=${`Reveal ${called(names, who)}`} class="answer" data-key=${`reveal-${who}`}
      onClick=${() => reveal(who)} /><span class="dim">every player sees them, and the player chooses again</span></div>`)}`;
}

/** Render inputs for fields of an answer. */
function Fields({ asked, fields, state, names }) {
  const asks = word("questions", topic(asked.about)).asks ?? {};
  const bounds = ({ kind, low, high, about }) => (kind === "int" && low !== undefined && high - low > 1 && !about ? ` (${low} to ${high})` : "");
  return fields.map((field) => html`<${Labelled} key=${controlOf(field)} says=${`${asks[field.name] ? capital(asks[field.name]) : fieldSaid(field, names)}${bounds(field)}`} of=${`answer-${controlOf(field)}`}>
    <${Input} field=${field} names=${names} state=${state} so=${suggestDistance(state, field)} /><//>`);
}

/** Return the name of the control of a field: no other field of its form has it. */
const controlOf = ({ name, about = "" }) => (about ? `${about}-${name}` : name);

/** Return the fields of an answer with the values that a form holds for them, without the empty optional ones. */
function readFields(fields, form) {
  const data = new FormData(form ?? undefined);
  const given = fields.map((field) => [field, data.get(controlOf(field))]).filter(([field, raw]) => raw !== null && (raw !== "" || !field.optional));
  return given.map(([field, raw]) => [field, field.kind === "int" ? Number(raw) : raw]);
}

/** Return the parts of an answer that hold the values of fields: those about a combatant or a side are under its id. */
function giveValues(given) {
  const whole = { fields: {}, about: {} };
  for (const [{ name, about }, value] of given) (about ? whole.about[about] ??= {} : whole.fields)[name] = value;
  return whole;
}

/** Render the button that gives an answer now and automatically from then on. "More" lists it. */
function Always({ option, ...properties }) {
  return html`<${Button} says="always" label=${`Always: ${label("options", option.choice)}`} class="quiet always"
    data-key=${`always-${option.choice}`} data-always=${option.choice} ...${properties} />`;
}

/** Return the index of the line that asked a question last; below 0 if none did. */
const askedAt = (asked, lines) => lines.findLastIndex((one) => one.event?.type === "Asked" && one.event.question === asked.question);

/** How many of the last rolls a question shows at most. */
const ROLLS = 4;

/** Return the rolls since the last declared action before a question. Of a repeated roll it returns the last. */
export function listRollsBefore(asked, lines) {
  const at = askedAt(asked, lines);
  const rolls = new Map();
  for (let nth = at - 1; nth >= 0 && !["Declared", "Attempted"].includes(lines[nth].event?.type); nth -= 1) {
    const { event } = lines[nth];
    if (event?.type === "Rolled" && event.dice.length && !rolls.has(event.roll)) rolls.set(event.roll, lines[nth]);
  }
  return [...rolls.values()].slice(0, ROLLS).reverse();
}

/** Return the last story entry with harm in the same command before a question, as a list of at most one. */
function listHarmBefore(asked, entries, lines) {
  const at = askedAt(asked, lines);
  const harmed = lines.slice(0, Math.max(0, at)).findLast((one) => one.event?.type === "Damaged");
  if (!harmed || harmed.cause !== lines[at].cause) return [];
  return entries.filter((one) => one.position <= harmed.position && harmed.position <= one.to).slice(-1);
}

function WithFields({ asked, option, fields, usual, state, names, give }) {
  const submit = (event) => {
    event.preventDefault();
    give(option, readFields(fields, event.target), event.submitter?.dataset.always === option.choice);
  };
  return html`<form class="option" data-choice=${option.choice} onSubmit=${submit}>
    <${Fields} asked=${asked} fields=${fields} state=${state} names=${names} />
    ${fields.some((field) => field.kind === "text") ? html`<${OnlyThoseWhoKnow} state=${state} />` : null}
    <div class="row"><button type="submit" class="answer" data-key=${`answer-${option.choice}`}>${capital(label("options", option.choice))}</button>
      <span class="dim">${asked.stakes?.[option.choice] ?? option.says}</span>${usual ? html`<${Always} option=${option} type="submit" />` : null}</div></form>`;
}

/** Return the label of a field. `{}` in it stands for the combatant or the side that it is about. */
export function fieldSaid({ name, about }, names) {
  const asked = said(label("fields", name));
  if (!about) return capital(asked);
  return capital(asked.includes("{}") ? asked.replace("{}", called(names, about)) : `${asked}, ${called(names, about)}`);
}

/**
 * Return the likely distance between the acting combatant and the combatant that a field names. It is the recorded
 * distance, or for a foe the lowest one that the field allows.
 */
function suggestDistance(state, { name, about, low }) {
  const me = state.combatants[state.stack.at(-1)?.actor];
  const other = name === "distance" ? state.combatants[about] : undefined;
  const so = me && other ? toldApart(state, me.id, about) : undefined;
  return so !== undefined && me.side !== other.side ? low ?? 0 : so;
}

/** Return the label of the empty choice of a field. */
function labelNoChoice({ name, among = [] }, names, state) {
  const { otherwise } = word("fields", name);
  if (otherwise) return otherwise;
  return among.some((id) => id in state.combatants || id in names) ? "none" : "no change";
}

function Input({ field, names, state, so }) {
  const required = !field.optional;
  const control = controlOf(field);
  const common = { id: `answer-${control}`, name: control, required, "data-key": `field-${control}`, "data-field": field.name, "data-about": field.about };
  if (field.kind === "int" && field.optional && field.high === 1 && !field.low) return html`<input ...${common} type="checkbox" value="1" />`;
  if (field.kind === "int") {
    return html`<input ...${common} type="number" min=${field.low ?? 0} max=${field.high ?? 0} inputmode="numeric"
      defaultValue=${so !== undefined || required ? String(so ?? field.low ?? 0) : ""} />`;
  }
  if (field.kind === "id") {
    return html`<select ...${common}>${field.optional ? html`<option value="">${capital(labelNoChoice(field, names, state))}</option>` : null}
      ${(field.among ?? []).map((id) => html`<option key=${id} value=${id}>${capital(valueSaid(id, names))}</option>`)}</select>`;
  }
  return html`<input ...${common} type="text" maxlength="200" />`;
}

/** Render the seconds until every open answer passes. The server keeps the timer; this only displays it. */
function Countdown({ patience, opened }) {
  const gone = Date.now() - Date.parse(opened);
  const from = useRef(Date.now() - (gone > 0 && gone < patience * 1000 ? gone : 0));
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((nth) => nth + 1), 250);
    return () => clearInterval(timer);
  }, []);
  const left = Math.max(0, Math.ceil(patience - (Date.now() - from.current) / 1000));
  return html`<p class="counting" role="timer">${left ? `${left} s left. Then every open answer passes.` : "Time is up."}</p>`;
}

/** More combatants than these are counted in the title of their prompt. */
const NAMED = 3;

/** Return what lets a window go by: one pass for all at the game master's table, else one for each own combatant. */
export const passesFor = (waits, host) => {
  const each = waits.filter(({ kind }) => kind === "pass").map(({ intent }) => ({ type: "Passed", ...intent }));
  return host && each.length > 1 ? [{ ...each[0], who: "*" }] : each;
};

/** Render the one prompt of a window: who can react to what, and no reaction with one tap, also for the rest of the turn. */
function Open({ passes, patience, opened, meant, names, send, all, host, passing, ignore }) {
  const people = passes.map(({ intent }) => intent.who);
  const title = `${people.length > NAMED ? people.length : series(people.map((who) => capital(called(names, who))))} can react`;
  return html`<${Card} kind="window" title=${title}><p>${meant || "Between turns"}</p>
    ${patience ? html`<${Countdown} patience=${patience} opened=${opened} key=${opened} />` : null}
    <div class="row"><${Button} says="No reaction" data-key="pass-all" data-pass=${people.length > 1 ? "*" : people[0]} class=${passing ? "main" : null}
        onClick=${() => all(passesFor(passes, host))} />
      ${ignore ? html`<${Button} says="None this turn" title="No reaction until the next turn begins" data-key="pass-turn" onClick=${ignore} />` : null}
      ${people.length > 1 ? passes.map(({ intent }) => html`<${Button} key=${intent.who} says=${`${capital(called(names, intent.who))}: no reaction`} class="quiet"
        data-key=${`pass-${intent.who}`} data-pass=${intent.who} onClick=${() => send({ type: "Passed", ...intent })} />`) : null}</div><//>`;
}

/** The first log format whose commitments cover the opening, too. */
const COVERING = 6;

/** Render the commitment and the form that adds words to the dice seed; nothing after the engine's first roll, or without a seed. */
export function Stirring({ lines, send }) {
  let [promised, fallen, format, covers] = ["", false, 0, false];
  for (const { event } of lines) {
    format = event?.format ?? format;
    if (["FightOpened", "Forked"].includes(event?.type) && event.commitment !== promised) [promised, fallen, covers] = [event.commitment, false, format >= COVERING];
    else if (event?.type === "Rolled" && event.source === "engine" && event.dice.length) fallen = true;
  }
  if (!promised || fallen) return null;
  const stir = async (event) => {
    event.preventDefault();
    const form = event.target;
    if (await send({ type: "Stir", words: new FormData(form).get("words") })) form.reset();
  };
  return html`<details class="asking" data-key="stirring"><summary>Add words to the dice seed</summary>
    <form onSubmit=${stir}><p>Any player may add words before the first roll. They prove that no roll was chosen in advance.</p>
      <p class="dim">Note the commitment. It covers the seed${covers ? " and the opening" : ""}: <code>${promised}</code></p>
      <div class="row"><label class="unseen" for="stir-words">Any words</label>
        <input type="text" id="stir-words" name="words" required maxlength="200" autocomplete="off" />
        <${Button} type="submit" says="Add" data-key="stir" /></div></form></details>`;
}

const ASKED = [["always", "whenever a reaction is possible"], ["worthwhile", "when a reaction is worthwhile, or when targeted"], ["targeted", "only when targeted"], ["never", "never"]];

/** Render when a player's combatants are asked in windows, one choice for each. */
export function StandingPasses({ state, names, own, send }) {
  const there = own.filter((who) => who in state.combatants);
  if (!there.length) return null;
  return html`<details class="asking" data-key="asking"><summary>Reaction prompts</summary>
    ${there.map((who) => html`<${Labelled} key=${who} says=${capital(called(names, who))} of=${`asking-${who}`}>
      <select id=${`asking-${who}`} value=${state.standing[who] ?? "always"} onChange=${({ target }) => send({ type: "AskingSet", who, ask: target.value })}>
        ${ASKED.map(([value, text]) => html`<option key=${value} value=${value}>${text}</option>`)}</select><//>`)}</details>`;
}

/** Render the game master's form for pauses in windows: which kind, when, and the time limit. */
export function TableStops({ state, send }) {
  const set = (event) => {
    event.preventDefault();
    const data = new FormData(event.target);
    send({ type: "AskingSet", who: "*", ask: data.get("ask"), what: data.get("what"), seconds: Number(data.get("seconds")) || 0 });
  };
  const now = state.stops[""] ?? "worthwhile";
  return html`<details class="asking" data-key="stops"><summary>Pauses for reactions</summary><form onSubmit=${set} class="fields">
    <${Labelled} says="Window" of="stops-what"><select id="stops-what" name="what"><option value="">Every reaction window</option>
      ${declared("triggers").map((one) => html`<option key=${one} value=${one}>${capital(label("triggers", one))}</option>`)}</select><//>
    <${Labelled} says="Pause" of="stops-ask"><select id="stops-ask" name="ask">${ASKED.map(([value, text]) => html`
      <option key=${value} value=${value} selected=${value === now}>${text}</option>`)}</select><//>
    <${Labelled} says="Time limit in seconds (0: no limit)" of="stops-seconds"><input id="stops-seconds" name="seconds" type="number" min="0" step="1"
      inputmode="numeric" defaultValue=${String(state.patience ?? 0)} /><//>
    <button type="submit">Set</button></form></details>`;
}

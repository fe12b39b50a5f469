// What the rules wait for: a question, real dice, an answer to what somebody else means to do.

import { enterDice } from "./dice.js";
import { button, h, labelled } from "./dom.js";
import { onlyThoseWhoKnow } from "./readers.js";
import { called, capital, label, said, valueSaid, word } from "./words.js";

/** Return cards for whatever this viewer may answer now; waits is what the server says is waited for. */
export function waiting(waits, state, names, { own, send, meant }) {
  const passes = waits.filter((one) => one.kind === "pass");
  return [
    ...waits.filter((one) => one.kind === "answer").map((one) => question(one, state, names, own, send)),
    ...waits.filter((one) => one.kind === "faces").map((one) => enterDice(one, names, send)),
    passes.length ? open(passes, meant, names, send) : null,
  ].filter(Boolean);
}

function card(kind, title, ...children) {
  return h("section", { class: `card ${kind}`, "aria-label": title }, h("h3", {}, title), ...children);
}

function question(asked, state, names, own, send) {
  const by = asked.of.find((who) => own.includes(who)) ?? asked.of[0];
  const answer = (choice, fields = {}) => send({ type: "Answered", question: asked.question, by, choice, fields });
  return card("question", asked.says,
    asked.options.map((option) => option.fields?.length ? withFields(option, state, names, answer)
      : h("div", { class: "option" }, button({ says: capital(label("options", option.choice)), class: "main", data: { key: `answer-${option.choice}`,
        choice: option.choice }, onclick: () => answer(option.choice) }), h("span", { class: "dim" }, option.says))));
}

function withFields(option, state, names, answer) {
  const inputs = option.fields.map((field) => [field, input(field, names)]);
  return h("form", { class: "option", data: { choice: option.choice }, onsubmit: (event) => {
    event.preventDefault();
    const given = inputs.map(([field, shown]) => [field.name, field.kind === "int" ? Number(shown.value) : shown.value, field, shown.value]);
    answer(option.choice, Object.fromEntries(given.filter(([, , field, raw]) => raw !== "" || !field.optional)
      .map(([name, value]) => [name, value])));
  } }, inputs.map(([field, shown]) => labelled(fieldSaid(field.name, names), shown)),
    option.fields.some((field) => field.kind === "text") ? onlyThoseWhoKnow(state) : null,
    h("div", { class: "row" }, h("button", { type: "submit", class: "main", data: { key: `answer-${option.choice}` } }, capital(label("options", option.choice))),
      h("span", { class: "dim" }, option.says)));
}

/** Return what a field asks: its words, and whom it is about, as in `seen:archer-a`; what is no word is somebody. */
function fieldSaid(name, names) {
  const [first, whom] = name.split(":");
  const asked = word("fields", first).says ? label("fields", first) : called(names, first);
  return capital(whom ? `${said(asked)}, ${called(names, whom)}` : said(asked));
}

function input(field, names) {
  const required = !field.optional;
  const id = `answer-${field.name}`;
  const key = { key: `field-${field.name}`, field: field.name };
  if (field.kind === "int") {
    return h("input", { id, type: "number", min: field.low ?? 0, max: field.high ?? 0, required, inputmode: "numeric", data: key,
      value: required ? String(field.low ?? 0) : "" });
  }
  if (field.kind === "id") {
    return h("select", { id, required, data: key }, field.optional ? h("option", { value: "" }, "nobody") : null,
      (field.among ?? []).map((id) => h("option", { value: id }, capital(valueSaid(id, names)))));
  }
  return h("input", { id, type: "text", required, maxlength: 200, data: key });
}

function open(passes, meant, names, send) {
  return card("window", meant || "Between turns", h("p", { class: "dim" }, `Answer with an action below, or let it pass.`),
    h("div", { class: "row" }, passes.map(({ intent }) => button({ says: `${capital(called(names, intent.who))}: pass`,
      data: { key: `pass-${intent.who}`, pass: intent.who }, onclick: () => send({ type: "Passed", ...intent }) }))));
}

/** Return how one stirs words into the dice; nothing once a die of the engine's has fallen, or where there are none. */
export function stirring(lines, send) {
  let [promised, fallen] = ["", false];
  for (const { event } of lines) {
    if (["FightOpened", "Forked"].includes(event?.type) && event.commitment !== promised) [promised, fallen] = [event.commitment, false];
    else if (event?.type === "Rolled" && event.source === "engine" && event.dice.length) fallen = true;
  }
  if (!promised || fallen) return null;
  const words = h("input", { type: "text", id: "stir-words", required: true, maxlength: 200, autocomplete: "off", data: { key: "stir-words", keep: "" } });
  return h("details", { class: "asking", data: { key: "stirring" } }, h("summary", {}, "Stir words into the dice"),
    h("form", { onsubmit: async (event) => {
      event.preventDefault();
      if (await send({ type: "Stir", words: words.value })) words.value = "";
    } }, h("p", {}, "Until the first die falls, anybody may. No die can then have been chosen beforehand."),
    h("div", { class: "row" }, h("label", { class: "unseen", for: "stir-words" }, "Any words"), words,
      button({ type: "submit", says: "Stir", data: { key: "stir" } }))));
}

/** Return how one says when one's own combatants shall be asked in windows. */
export function standingPasses(state, names, own, send) {
  const there = own.filter((who) => who in state.combatants);
  if (!there.length) return null;
  return h("details", { class: "asking", data: { key: "asking" } }, h("summary", {}, "When shall I be asked?"),
    there.map((who) => labelled(capital(called(names, who)),
      h("select", { id: `asking-${who}`, data: { key: `asking-${who}` }, onchange: (event) => send({ type: "AskingSet", who, ask: event.target.value }) },
        [["always", "whenever something can be answered"], ["targeted", "only when aimed at"], ["never", "never"]].map(([value, text]) =>
          h("option", { value, selected: (state.standing[who] ?? "always") === value }, text))))));
}

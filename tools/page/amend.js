// Correcting an earlier command: say what should have been, see what that changes, accept it.

import { button, fill, h, labelled, openSheet } from "./dom.js";
import { valueField } from "./fields.js";
import { everybody } from "./readers.js";
import { capital, label, topic } from "./words.js";
import { waiting } from "./waiting.js";

/**
 * Open the form for the input event recorded at a position.
 *
 * line: that of the log; before: the state it met; preview(intent) and send(intent) ask the server.
 */
export function amend(dialog, { line, before, options, names, preview, send }) {
  const event = line.event;
  const reason = h("input", { type: "text", id: "amend-reason", required: true, maxlength: 200, autocomplete: "off" });
  const retract = h("input", { type: "checkbox", id: "amend-retract", onchange: () => fields.toggleAttribute("hidden", retract.checked) });
  const inputs = fieldsOf(event, before, options);
  const fields = h("div", { class: "fields" }, inputs.map((one) => one.view));
  const seen = h("div", { class: "seen", role: "status" });
  const wrong = h("p", { class: "warning", role: "alert" });
  const accept = button({ says: "Accept", class: "main", disabled: true, onclick: () => record() });
  let answers = [];
  openSheet(dialog, h("form", { class: "amend", onsubmit: (submitted) => {
    submitted.preventDefault();
    answers = [];
    look();
  }, oninput: () => accept.toggleAttribute("disabled", true) }, h("p", { class: "eyebrow" }, `Position ${line.position}`),
    h("h2", {}, "What should have been?"),
    h("p", {}, "Recorded: ", h("q", {}, line.says)), fields,
    h("label", { class: "check", for: "amend-retract" }, retract, "Nothing: retract it"),
    labelled("Reason, for the record", reason), everybody(), wrong, seen,
    h("footer", {}, button({ says: "Never mind", class: "quiet", onclick: () => dialog.close() }),
      h("button", { type: "submit" }, "Preview"), accept)));

  function meant() {
    const corrected = retract.checked ? [] : [rebuilt(event, inputs)];
    return { type: "Amend", position: line.position, instead: corrected, answers, reason: reason.value };
  }

  async function look() {
    wrong.textContent = "";
    try {
      const reply = await preview(meant());
      const found = reply.preview && typeof reply.preview === "object" ? reply.preview : reply;
      fill(seen, shown(found));
      accept.disabled = Boolean(found.needs);
      if (found.needs) fill(seen, shown(found), needed(found.needs));
      else accept.focus();
    } catch (problem) {
      fill(seen);
      wrong.textContent = capital(problem.detail || problem.message);
    }
  }

  function needed(needs) {
    const answer = (intent) => {
      answers = [...answers, intent];
      look();
    };
    return h("div", {}, h("h3", {}, "This was never asked before:"),
      waiting(asLegal(needs), { ...before, stack: [] }, names, { own: [], send: answer }));
  }

  async function record() {
    wrong.textContent = "";
    try {
      await send(meant());
      dialog.close();
    } catch (problem) {
      wrong.textContent = capital(problem.detail || problem.message);
    }
  }
}

function fieldsOf(event, before, options) {
  if (event.type === "Answered") {
    const asked = options ?? [{ choice: event.choice }];
    const shown = h("select", { id: "amend-choice" }, asked.map((one) =>
      h("option", { value: one.choice, selected: one.choice === event.choice }, capital(label("options", one.choice)))));
    return [{ name: "choice", read: () => shown.value, view: labelled("Answer", shown) },
      ...Object.entries(event.fields ?? {}).map(([name, value]) => valueField(name, value, before, event.by))];
  }
  if (event.type === "DiceEntered") {
    return event.faces.map((face, at) => ({ ...valueField(`die ${at + 1}`, face, before, "") }));
  }
  return Object.entries(event.params ?? {}).map(([name, value]) => valueField(name, value, before, event.actor ?? ""));
}

function rebuilt(event, inputs) {
  const given = Object.fromEntries(inputs.map((one) => [one.name, one.read()]));
  const plain = Object.fromEntries(Object.entries(event).filter(([name]) => name !== "rules"));
  if (event.type === "DiceEntered") return { ...plain, faces: inputs.map((one) => one.read()) };
  if (event.type === "Answered") {
    const { choice, ...fields } = given;
    return { ...plain, choice, fields };
  }
  return event.params ? { ...plain, params: { ...event.params, ...given } } : plain;
}

function asLegal(needs) {
  if (needs.options) return [{ kind: "answer", question: needs.id, of: needs.of, about: needs.about, says: `${capital(label("questions", topic(needs.about)))}?`, options: needs.options }];
  if (needs.roll) return [{ kind: "faces", ...needs }];
  return (needs.to ?? []).map((who) => ({ kind: "pass", intent: { window: needs.id, who } }));
}

function shown(found) {
  const changes = (found.says ?? []).map((one) => h("li", {}, one));
  return [
    h("h3", {}, "What that changes"),
    changes.length ? h("ul", { class: "changes" }, changes) : h("p", {}, found.needs ? "That depends on an answer." : "It ends the same."),
    found.parting ? h("p", { class: "dim" }, `Goes differently from position ${found.parting.position}.`) : null,
    found.dropped?.length ? [h("h3", {}, "No longer possible, or no longer asked for"), h("ul", { class: "rows" }, found.dropped.map((one) =>
      h("li", {}, h("b", {}, String(one.position)), " ", one.says, one.why?.message ? h("span", { class: "dim" }, ` – ${one.why.message}`) : null)))] : null,
    found.drawn?.length ? h("p", { class: "warning" }, `This showed dice nobody had seen before: ${found.drawn.join(", ")}.`) : null,
  ];
}

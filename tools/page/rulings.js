// The game master's rulings: a form for each, made from its schema.

import { button, fill, h, labelled, openSheet } from "./dom.js";
import { schemaField } from "./fields.js";
import { onlyThoseWhoKnow } from "./readers.js";
import { capital, said } from "./words.js";

/** Open the form. send(intent) returns a promise; refused(problem) says why not. */
export function rule(dialog, forms, state, send) {
  const fields = h("div", { class: "fields" });
  const says = h("p", { class: "dim" });
  const wrong = h("p", { class: "warning", role: "alert" });
  let inputs = [];
  const kinds = h("select", { id: "ruling-kind", onchange: show }, forms.map((one) =>
    h("option", { value: one.kind }, capital(said(one.kind)))));
  const reason = h("input", { type: "text", id: "ruling-reason", required: true, maxlength: 200, autocomplete: "off" });
  const form = h("form", { class: "ruling", onsubmit: submit }, h("h2", {}, "A ruling"),
    labelled("What", kinds), says, fields,
    labelled("Reason, for the record", reason), onlyThoseWhoKnow(state), wrong,
    h("footer", {}, button({ says: "Never mind", class: "quiet", onclick: () => dialog.close() }),
      h("button", { type: "submit", class: "main" }, "Rule")));
  if (forms.some((one) => one.kind === "pool")) kinds.value = "pool";
  show();
  openSheet(dialog, form);

  function show() {
    const chosen = forms.find((one) => one.kind === kinds.value);
    const definitions = chosen.schema.$defs ?? {};
    const own = chosen.schema.$ref ? definitions[chosen.schema.$ref.split("/").at(-1)] : chosen.schema;
    const order = [...chosen.words, ...Object.keys(own.properties ?? {}).filter((name) => !chosen.words.includes(name))];
    inputs = order.filter((name) => own.properties?.[name]).map((name) => schemaField(name, own.properties[name], { state, definitions,
      required: (own.required ?? []).includes(name), people: chosen.people.includes(name), things: chosen.things.includes(name) }));
    says.textContent = `${capital(chosen.says)}.`;
    fill(fields, inputs.map((one) => one.view));
  }

  async function submit(event) {
    event.preventDefault();
    wrong.textContent = "";
    try {
      const params = Object.fromEntries(inputs.map((one) => [one.name, one.read()]).filter(([, value]) => value !== undefined));
      await send({ type: "Ruled", kind: kinds.value, params, reason: reason.value });
      dialog.close();
    } catch (problem) {
      wrong.textContent = capital(problem.detail || problem.message);
    }
  }
}

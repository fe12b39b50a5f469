// The receipt of a number: its dice, what was added and by which clause. From the log alone; a server adds the chain of
// what led to it and the texts of the clauses.

import { clauses } from "./clause.js";
import { button, fill, h, openSheet } from "./dom.js";
import { called, capital, label, outcomeSaid, plain, said, signed, topic } from "./words.js";

const READ = { sum: "their sum", highest: "the highest counts", lowest: "the lowest counts", sixes: "the number of sixes",
  digits: "digits, set side by side" };
const AS_FAR = 120;

/** Show the receipt of what is recorded at a position. `explain` asks a server, where there is one. */
export async function showReceipt(dialog, lines, position, names, explain = null) {
  const line = lines[position - 1];
  if (!line?.event) return;
  const close = button({ says: "Close", class: "quiet", onclick: () => dialog.close() });
  const clause = clauses(explain && lines[0]?.event?.system);
  const more = h("div", { class: "more" });
  openSheet(dialog, h("article", { class: "receipt" },
    h("header", {}, h("p", { class: "eyebrow" }, `Position ${position}`),
      h("h2", {}, title(line, names)), cited(line.event.rules, clause)),
    line.event.type === "Rolled" ? roll(lines, line, names, clause) : null,
    line.event.type === "Damaged" ? numbers("What it is made of", line.event.terms, names, clause) : null,
    line.event.type === "Damaged" ? h("p", { class: "total" }, `Takes ${line.event.amount}`) : null,
    command(lines, line), more, h("footer", {}, close)));
  if (!explain) return;
  try {
    fill(more, explained(await explain(position), clause));
  } catch {
    // What the log says stands; the rest is not for this viewer, or the server is away.
  }
}

function title({ event, says }, names) {
  if (event.type !== "Rolled") return says;
  return `${capital(called(names, event.purpose.split(":")[1] || event.by))}, ${label("purposes", topic(event.purpose))}`;
}

function cited(rules, clause) {
  return rules?.length ? h("p", { class: "clauses" }, rules.map(clause)) : null;
}

function roll(lines, line, names, clause) {
  const event = line.event;
  const following = lines.slice(line.position, line.position + AS_FAR);
  const end = following.findIndex((one) => one.event?.type === "Rolled" && one.event.roll === event.roll);
  const judged = following.slice(0, end < 0 ? undefined : end)
    .find((one) => one.event?.type === "Judged" && one.event.roll === event.roll)?.event;
  const against = event.against === null || event.against === undefined ? "" : ` against ${event.against}`;
  return [
    h("ul", { class: "dice", "aria-label": "Dice" }, event.dice.flatMap((group) => group.faces.map((face, at) => {
      const fate = group.fates?.[at] ?? "kept";
      const kind = group.kind && !["die", `d${group.sides}`].includes(group.kind) ? label("dice", group.kind) : "";
      const from = group.item ? ` of ${called(names, group.item)}` : "";
      return h("li", { class: `die ${fate === "kept" ? "" : "other"}`, data: { sides: group.sides } },
        h("b", {}, String(face)), h("small", {}, `d${group.sides}${kind ? ` ${kind}` : ""}${from}`),
        fate === "kept" ? null : h("small", { class: "fate" }, label("fates", fate)));
    }))),
    h("p", { class: "dim" }, event.source === "entered" ? "Real dice, entered by hand." : `Thrown by the engine as ${event.roll}.`),
    numbers("What the dice come from", event.pool, names, clause),
    numbers("What was added", event.modifiers, names, clause),
    h("p", { class: "total" }, `Total ${plain(event.total)}${against}`,
      judged ? h("span", { class: `outcome ${judged.outcome}` }, capital(outcomeSaid(judged))) : null),
    event.dice.reduce((sum, group) => sum + group.faces.length, 0) > 1 || event.reading !== "sum"
      ? h("p", { class: "dim" }, `Read as ${READ[event.reading] ?? said(event.reading)}.`) : null,
  ];
}

function numbers(caption, modifiers, names, clause) {
  if (!modifiers?.length) return null;
  return h("table", { class: "numbers" }, h("caption", {}, caption),
    h("thead", {}, h("tr", {}, ["Value", "What", "From", "Clause"].map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, modifiers.map((one) => h("tr", {}, h("td", { class: "number" }, signed(one.value)),
      h("th", { scope: "row" }, said(one.label)), h("td", {}, one.source ? sourceSaid(one.source, names) : "the rules"),
      h("td", {}, one.rule ? clause(one.rule) : "")))));
}

function sourceSaid(source, names) {
  if (Object.hasOwn(names, source)) return names[source];
  const [who, ...rest] = source.split(".");
  return Object.hasOwn(names, who) && rest.length ? `${names[who]}: ${said(rest.join("."))}` : said(source);
}

function command(lines, line) {
  let at = line.position;
  while (at > 1 && lines[at - 2].cause === line.cause) at -= 1;
  const first = lines[at - 1];
  return h("p", { class: "dim" }, `Part of ${first.position}: ${first.event ? first.says : "a command hidden from you"}. `,
    `Sent by ${line.who} (as claimed), ${line.time.replace("T", " ").replace(/\.\d+Z$/, " UTC")}.`);
}

function explained(found, clause) {
  const rows = (heading, all) => all?.length ? [h("h3", {}, heading), h("ol", { class: "rows" }, all.map((row) =>
    h("li", {}, h("b", {}, String(row.position)), " ", row.text, " ", (row.rules ?? []).map(clause))))] : [];
  const texts = Object.entries(found.clauses ?? {});
  return [
    ...rows("How it came about", found.chain?.slice(0, -1)), ...rows("What followed", found.consequences),
    texts.length ? [h("h3", {}, "The rules"), h("dl", {}, texts.map(([name, text]) =>
      [h("dt", {}, clause(name), ` ${text.title}`), h("dd", {}, text.says)]))] : null,
  ];
}

// A roll on the page: its dice, modifiers, target number and outcome.

import { html } from "./parts.js";
import { called, capital, label, outcomeSaid, plain, signed, termSaid, topic } from "./words.js";

const AS_FAR = 120;

/** Return the first judgement after a roll, before it is rolled again; nothing if there is none. */
export function judgementOf(lines, line) {
  const following = lines.slice(line.position, line.position + AS_FAR);
  const end = following.findIndex((one) => one.event?.type === "Rolled" && one.event.roll === line.event.roll);
  return following.slice(0, end < 0 ? undefined : end)
    .find((one) => one.event?.type === "Judged" && one.event.roll === line.event.roll)?.event;
}

/** Return the title of a roll: the roller and the purpose. */
export const rollSaid = (event, names) =>
  `${capital(called(names, event.purpose.split(":")[1] || event.by))}, ${label("purposes", topic(event.purpose))}`;

/** Render the dice of a roll; dice that do not count are dimmed. */
export function Dice({ event, names, small = false }) {
  const several = small && new Set(event.dice.map((group) => group.kind)).size > 1;
  return html`<ul class="dice" aria-label="Dice">${event.dice.flatMap((group, nth) => [several ? html`<li key=${nth} class="of-kind">${label("dice", group.kind)}</li>` : null, ...group.faces.map((face, at) => {
    const fate = group.fates?.[at] ?? "kept";
    const kind = group.kind && !["die", `d${group.sides}`].includes(group.kind) ? label("dice", group.kind) : "";
    const from = group.item ? ` of ${called(names, group.item)}` : "";
    return html`<li key=${`${nth}-${at}`} class=${`die ${fate === "kept" ? "" : "other"}`} data-sides=${group.sides}
        title=${small ? `d${group.sides}${kind ? ` ${kind}` : ""}${from}${fate === "kept" ? "" : `, ${label("fates", fate)}`}` : null}>
      <b>${face}</b>${small ? null : html`<small>d${group.sides}${kind ? ` ${kind}` : ""}${from}</small>`}
      ${fate === "kept" ? null : html`<small class=${small ? "unseen" : "fate"}>${label("fates", fate)}</small>`}</li>`;
  })])}</ul>`;
}

/** Render the modifiers of a roll, such as `+2 strength` or `+1 (1 ep)`, without those of 0. */
export function Terms({ event }) {
  const counted = (text) => (/^\d/.test(text) ? `(${text})` : text);
  return html`<span class="terms">${(event.modifiers ?? []).filter((one) => one.value).map((one, nth) => html`<span key=${nth}><b>${signed(one.value)}</b> ${counted(termSaid(one))}</span>`)}</span>`;
}

/** The readings that give a total. Every other reading counts dice. */
const TOTALS = new Set(["sum", "highest", "lowest"]);

/** Render the total of a roll, its target number and its outcome. */
export function Total({ event, judged }) {
  const against = event.against === null || event.against === undefined ? "" : ` against ${event.against}`;
  return html`<p class="total">${TOTALS.has(event.reading ?? "sum") ? "Total" : capital(event.reading)} ${plain(event.total)}${against}
    ${judged ? html`<span class=${`outcome ${judged.outcome}`}>${capital(outcomeSaid(judged))}</span>` : null}</p>`;
}

/** Render a roll in a line: title, dice, modifiers, total. line: one of the log's `lines`. */
export function Thrown({ line, lines, names }) {
  return html`<span class="whose">${rollSaid(line.event, names)}</span><${Dice} event=${line.event} names=${names} small />
    <${Terms} event=${line.event} /><${Total} event=${line.event} judged=${judgementOf(lines, line)} />`;
}

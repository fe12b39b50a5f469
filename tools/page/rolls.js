// A roll as one sees it: its dice, what was added, what it had to reach, and what came of it.

import { html } from "./parts.js";
import { called, capital, label, outcomeSaid, plain, signed, termSaid, topic } from "./words.js";

const AS_FAR = 120;

/** Return what a roll was judged to be: the first judgement behind it, before it is thrown again; nothing if there is none. */
export function judgementOf(lines, line) {
  const following = lines.slice(line.position, line.position + AS_FAR);
  const end = following.findIndex((one) => one.event?.type === "Rolled" && one.event.roll === line.event.roll);
  return following.slice(0, end < 0 ? undefined : end)
    .find((one) => one.event?.type === "Judged" && one.event.roll === line.event.roll)?.event;
}

/** Return what a roll is called: who threw it and what for. */
export const rollSaid = (event, names) =>
  `${capital(called(names, event.purpose.split(":")[1] || event.by))}, ${label("purposes", topic(event.purpose))}`;

/** The dice of a roll, each with its face; those that do not count stand back. */
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

/** What was added to a roll, in short: `+2 strength`, `+1 (1 ep)`; what adds nothing is left out. */
export function Terms({ event }) {
  const counted = (text) => (/^\d/.test(text) ? `(${text})` : text);
  return html`<span class="terms">${(event.modifiers ?? []).filter((one) => one.value).map((one, nth) => html`<span key=${nth}><b>${signed(one.value)}</b> ${counted(termSaid(one))}</span>`)}</span>`;
}

/** How dice are read that come to a number of their own; otherwise the dice that count are counted. */
const TOTALS = new Set(["sum", "highest", "lowest"]);

/** What a roll came to, and against what. */
export function Total({ event, judged }) {
  const against = event.against === null || event.against === undefined ? "" : ` against ${event.against}`;
  return html`<p class="total">${TOTALS.has(event.reading ?? "sum") ? "Total" : capital(event.reading)} ${plain(event.total)}${against}
    ${judged ? html`<span class=${`outcome ${judged.outcome}`}>${capital(outcomeSaid(judged))}</span>` : null}</p>`;
}

/** A roll in a line: whose it is, its dice, what was added, what it came to. line: of the log, one of its `lines`. */
export function Thrown({ line, lines, names }) {
  return html`<span class="whose">${rollSaid(line.event, names)}</span><${Dice} event=${line.event} names=${names} small />
    <${Terms} event=${line.event} /><${Total} event=${line.event} judged=${judgementOf(lines, line)} />`;
}

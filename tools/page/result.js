// The result card: the newest result of dice. A viewer can page back, and the card stays until the next result.

import { useEffect, useState } from "preact/hooks";
import { Button, html } from "./parts.js";
import { Thrown } from "./rolls.js";
import { gistOf, sentenceOf } from "./storylines.js";
import { listRollsBefore } from "./waiting.js";
import { capital, word } from "./words.js";

/** How many results the card holds. */
const PAGES = 40;

/** More rolls than these stand side by side, and can be hidden. */
const FEW = 2;

/** The gravity of a combatant that can no longer act. All such combatants are named, however many. */
const DOWN = 5;

/** The gravity of a decided action without effect. */
const DECIDED = 1;

/** The most letters of the headline; less grave results are added while they fit. */
const LONG = 64;

/** Render the card. receipt(position) opens a receipt. */
export function Result({ seat, receipt }) {
  const lines = seat.history?.recorded ?? [];
  const results = resultsOf(seat.story.entries.value, lines);
  const [back, setBack] = useState(0);
  const newest = results.at(-1)?.at;
  const [small, setSmall] = useState(false);
  useEffect(() => {
    setBack(0);
    setSmall(false);
  }, [newest]);
  const asked = seat.legal.value.waits.some((one) => one.kind === "answer" && listRollsBefore(one, lines).length);
  if (asked) return null; // the question shows the roll
  if (!results.length) return html`<p class="result none dim">Rolls appear here.</p>`;
  const at = Math.max(0, results.length - 1 - back);
  const { entries, rolls } = results[at];
  const last = entries.at(-1);
  const { main, says } = headlineOf(entries, lines);
  const others = entries.filter((one) => (one !== main || one.gist) && one.depth === 2 && !rolls.some((line) => one.position <= line.position && line.position <= one.to));
  return html`<section class="result" aria-label="Latest roll" data-position=${last.position} key=${results[at].at}>
    <header><div class="pages"><${Button} shows="back" label="Previous roll" class="quiet" disabled=${at === 0} onClick=${() => setBack(back + 1)} />
        <${Button} shows="forward" label="Next roll" class="quiet" disabled=${back === 0} onClick=${() => setBack(back - 1)} />
        ${rolls.length > FEW ? html`<${Button} shows=${small ? "plus" : "minus"} label=${small ? "Show the dice" : "Hide the dice"} class="quiet" onClick=${() => setSmall(!small)} />` : null}</div><p class="says">${says}</p></header>
    ${small ? null : html`<div class=${`rolls${rolls.length > FEW ? " many" : ""}`}>${rolls.map((line) => html`<button type="button" class="rolled" key=${line.position} title="Why this number?" aria-haspopup="dialog"
        onClick=${() => receipt(line.position)}><${Thrown} line=${line} lines=${lines} names=${seat.names.value} /></button>`)}</div>`}
    ${[...others.map(sentenceOf), ...(main.notes ?? [])].map((text, nth) => html`<p class="dim" key=${nth}>${capital(text)}</p>`)}</section>`;
}

/**
 * Return the headline of a result, and its entry: the gravest outcome, with other outcomes while they fit, or else the
 * outcome of the last roll.
 */
function headlineOf(entries, lines) {
  const graves = [...new Set(entries.map((one) => one.grave ?? 0))].filter((grave) => grave > 0).sort((one, other) => other - one);
  const gravest = entries.filter((one) => graves.length && one.grave === graves[0]);
  const done = entries.filter((one) => !ends(lines[one.input - 1]?.event));
  const told = (type) => done.findLast((one) => tells(one, lines, type)) ?? entries.findLast((one) => tells(one, lines, type));
  const main = gravest.at(-1) ?? told("Judged") ?? told("Rolled") ?? entries.at(-1);
  const all = gravest.map(gistOf).join("; ");
  const first = graves[0] >= DOWN || (all && all.length <= LONG) ? all : gistOf(main);
  const others = graves.slice(1).filter((grave) => grave > DECIDED).flatMap((grave) => entries.filter((one) => one.grave === grave)).map(gistOf);
  return { main, says: others.reduce((says, one) => (says.length + one.length + 2 > LONG || says.includes(one) ? says : `${says}; ${one}`), first) };
}

/** Whether an entry tells of an event of these types. */
const tells = (entry, lines, ...types) => lines.slice(entry.position - 1, entry.to).some((line) => types.includes(line.event?.type));

/** The commands that continue a command that waited for them. */
const GOES_ON = new Set(["Answered", "Passed", "DiceEntered"]);

/** Whether a command continues the one before it: as its answer, or as the end of its turn. */
const goesOn = (event) => GOES_ON.has(event?.type) || ends(event);

/** Whether a command ends a turn. */
const ends = (event) => event?.type === "Declared" && word("actions", event.kind).ends;

/**
 * Return the results of dice, the newest last, without undone ones. A result joins a command with the answers that it
 * waited for. A roll at the end of a turn joins the last command of that turn.
 *
 * Each has `at`, its first position, its `entries`, and the lines of its `rolls`.
 */
function resultsOf(entries, lines) {
  const found = [];
  let group = null;
  const take = () => group?.rolls.length && found.unshift(group);
  for (let nth = entries.length - 1; nth >= 0 && found.length < PAGES; nth -= 1) {
    const entry = entries[nth];
    if (entry.undone || entry.record) continue;
    const rolls = lines.slice(entry.position - 1, entry.to).filter((line) => line.event?.type === "Rolled" && line.event.dice.length);
    if (group && entry.input && (entry.input === group.input || (entry.depth === 2 && goesOn(lines[group.input - 1]?.event)))) {
      group = { at: entry.position, input: entry.input, entries: [entry, ...group.entries], rolls: [...rolls, ...group.rolls] };
      continue;
    }
    take();
    group = entry.depth === 2 || rolls.length ? { at: entry.position, input: entry.input, entries: [entry], rolls } : null;
  }
  if (found.length < PAGES) take();
  return found;
}

// How hard an edited encounter is: the chance to win, who falls, and what one foe fewer or more would change.

import { signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { Button, html } from "../parts.js";
import { withCopy } from "./sheet.js";
import { capital, said } from "../words.js";

/** The pause after a checked change before the server is asked, and the pause between two looks. */
const PAUSE_MS = 600;
const LOOK_MS = 400;

/** The chances to aim for, in percent. */
const AIMS = [50, 60, 70, 80, 90];

/** How many combatants are named as likely to fall, and from which chance on. */
const MOST_NAMED = 4;
const LEAST_NAMED = 0.1;

/** The odds of an encounter, and of its variants with one foe fewer and one more. */
class Balance {
  /** The forecasts, by `main`, `fewer` and `more`, and the encounter that they were `asked` for, as JSON. */
  found = signal({ asked: "" });
  wanted = signal(70);
  run = 0;
  /** The ids of unfinished forecasts. */
  open = new Set();

  constructor(client) {
    this.client = client;
  }

  /** Compute the odds of an encounter, and then of its variants. */
  async compute(asked, variants) {
    const run = ++this.run;
    try {
      await this.follow(run, "main", JSON.parse(asked), asked);
      if (this.found.value.main?.stage !== "done") return;
      for (const [name, other] of Object.entries(variants)) if (other && run === this.run) await this.follow(run, name, other);
    } catch { // the server restarted, or is busy with other forecasts
      if (run === this.run) this.found.value = { asked, main: { stage: "failed" } };
    }
  }

  /** Ask for a forecast and show its progress, until it is done or another content is computed. */
  async follow(run, name, content, asked = this.found.value.asked) {
    let known = await this.client.post("/balance", { content });
    const { id } = known;
    this.open.add(id);
    for (;;) {
      const finished = known.stage === "done" || known.stage === "failed";
      if (finished) this.open.delete(id);
      if (run !== this.run) {
        this.drop();
        return;
      }
      this.found.value = asked === this.found.value.asked ? { ...this.found.value, [name]: known } : { asked, [name]: known };
      if (finished) return;
      await new Promise((done) => { setTimeout(done, LOOK_MS); });
      if (run === this.run) known = await this.client.json(`/balance/${id}`);
    }
  }

  /** Stop all forecasts. */
  stop() {
    this.run += 1;
    this.drop();
  }

  drop() {
    for (const id of this.open) this.client.ask(`/balance/${id}`, { method: "DELETE" }).catch(() => null); // it has ended already
    this.open.clear();
  }
}

/**
 * Render the difficulty of an encounter that can be fought.
 *
 * sides: all sides in their order on the page; room(side): a free place for one more, or "".
 */
export function Difficulty({ draft, sides, room }) {
  const balance = useMemo(() => new Balance(draft.client), [draft]);
  const ours = draft.sides.value[0];
  const ready = draft.checked.value && !draft.faults.value.length && draft.sides.value.length > 1;
  const asked = ready ? JSON.stringify(unnamed(draft.content.value)) : "";
  const variants = ready ? { fewer: withFewer(draft, ours), more: withMore(draft, ours, room) } : {};
  useEffect(() => {
    if (!asked) return undefined;
    const contents = Object.fromEntries(Object.entries(variants).map(([name, one]) => [name, one && unnamed(one.content)]));
    const timer = setTimeout(() => balance.compute(asked, contents), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      balance.stop();
    };
  }, [asked]);
  if (!ready) return null;
  const { asked: known, main, ...others } = balance.found.value;
  const current = known === asked;
  return html`<section class="panel difficulty" aria-labelledby="difficulty-title" data-stage=${(current && main?.stage) || "waiting"} aria-busy=${!current}><header><h2 id="difficulty-title">Difficulty</h2>
      <label class="row">Wanted chance <select value=${balance.wanted.value} onChange=${({ target }) => { balance.wanted.value = Number(target.value); }}>
        ${AIMS.map((one) => html`<option key=${one} value=${one}>${one} %</option>`)}</select></label></header>
    ${main?.odds ? html`<${Odds} odds=${main.odds} done=${current && main.stage === "done"} draft=${draft} sides=${sides} />`
      : html`<p class="dim">${main?.stage === "failed" ? "The difficulty cannot be computed right now." : "The server fights this encounter many times …"}</p>`}
    ${main?.odds ? html`<div class="row suggestions">${["fewer", "more"].map((name) => current && variants[name] && others[name]?.stage === "done" ? html`<${Suggestion} key=${name} draft=${draft} change=${variants[name]}
      chance=${others[name].odds.wins[ours]} now=${main.odds.wins[ours]} wanted=${balance.wanted.value} />` : null)}</div>` : null}</section>`;
}

/** Render the chances of the sides, the rounds, and who is likely to fall. */
function Odds({ odds, done, draft, sides }) {
  const shares = sides.filter((one) => odds.wins[one]).map((one) => ({ side: one, hue: (sides.indexOf(one) % 6) + 1, ...odds.wins[one] }));
  const most = Math.max(...shares.map((one) => one.high - one.low)) / 2;
  const falls = draft.people.value.map(({ id, name, entry }) => ({ name, share: odds.falls[id]?.share ?? 0, side: draft.entries.value[entry]?.side }))
    .filter((one) => one.side === draft.sides.value[0] && one.share >= LEAST_NAMED).sort((one, other) => other.share - one.share).slice(0, MOST_NAMED);
  const { p10, p50, p90 } = odds.rounds;
  return html`<div class="chance-bar" role="img" aria-label=${shares.map((one) => `${capital(said(one.side))} ${percent(one.share)}`).join(", ")}>
      ${shares.map((one) => html`<span key=${one.side} data-hue=${one.hue} style=${{ flexGrow: one.share }} />`)}</div>
    <ul class="chance-of">${shares.map((one) => html`<li key=${one.side} data-hue=${one.hue}><b>${percent(one.share)}</b> ${capital(said(one.side))} ${one.share === Math.max(...shares.map(({ share }) => share)) ? html`<span class="dim">± ${Math.round(100 * most)}</span>` : null}</li>`)}
      ${odds.unended.share >= 0.01 ? html`<li><b>${percent(odds.unended.share)}</b> undecided</li>` : null}</ul>
    <p class="dim">${`${p50} rounds${p90 > p10 ? ` (${p10} to ${p90})` : ""}. ${falls.length ? `Likely to fall: ${falls.map((one) => `${one.name} ${percent(one.share)}`).join(", ")}.` : "No one of the party is likely to fall."}`}
      ${` ${odds.trials} simulated fights${done ? "." : " so far …"}`}</p>`;
}

/** Render a variant as a button that applies it; it stands out if it comes nearer to the wanted chance. */
function Suggestion({ draft, change, chance, now, wanted }) {
  const off = (one) => Math.abs(100 * one.share - wanted);
  const nearer = off(chance) < off(now);
  return html`<${Button} class=${nearer ? "main" : ""} says=${`${change.says}: ${percent(chance.share)}`} title=${nearer ? `Nearer to ${wanted} %` : null} onClick=${() => draft.become(change.content)} />`;
}

/** Return an encounter without its name, on which its dice would depend. */
const unnamed = ({ name: _, ...content }) => content;

const percent = (share) => `${Math.round(100 * share)} %`;

/** Return the index of the last entry of another side; -1 if there is none. */
const lastFoe = (draft, ours) => draft.entries.value.findLastIndex((one) => one.side && one.side !== ours);

/** Return the content with one foe fewer, and its words; null if only one foe is left. */
function withFewer(draft, ours) {
  const nth = lastFoe(draft, ours);
  const entries = draft.entries.value;
  const foes = entries.filter((one) => one.side && one.side !== ours);
  if (nth < 0 || foes.reduce((sum, one) => sum + (Number(one.count) || 1), 0) < 2) return null;
  const { count = 1, at, name } = entries[nth];
  const rest = { ...entries[nth], count: count - 1, ...(Array.isArray(at) && { at: at.slice(0, count - 1) }) };
  const combatant = count > 1 ? entries.with(nth, rest) : entries.toSpliced(nth, 1);
  return { says: `Fewer (${count > 1 ? `${name} × ${count - 1}` : `without ${name}`})`, content: { ...draft.content.value, combatant } };
}

/** Return the content with one foe more, and its words; null if there is no foe yet. */
function withMore(draft, ours, room) {
  const nth = lastFoe(draft, ours);
  if (nth < 0) return null;
  const entries = draft.entries.value;
  const one = entries[nth];
  const { count = 1, at } = one;
  if (count > 1) {
    const more = { ...one, count: count + 1, ...(Array.isArray(at) && { at: [...at, room(one.side)] }) };
    return { says: `More (${one.name} × ${count + 1})`, content: { ...draft.content.value, combatant: entries.with(nth, more) } };
  }
  const combatant = withCopy(entries, nth, room);
  return { says: `More (with ${combatant[nth + 1].name})`, content: { ...draft.content.value, combatant } };
}

// Luck: what dice and decisions changed, from the server, as a curve above the scrubber with turning points.

import { signal } from "@preact/signals";
import { useEffect, useMemo, useState } from "preact/hooks";
import { announce, Button, html } from "./parts.js";
import { hueOf, sidesOf } from "./people.js";
import { capital, nameSaid, plain, problemSaid } from "./words.js";

const [WIDE, HIGH] = [1000, 100];
const LOOK_MS = 700;
const SUMS = { opening: "at the beginning", luck: "dice", decisions: "decisions", rulings: "rulings", unclear: "unclear (older rules)",
  result: "in the end" };

/** Return the luck forecast of a fight, followed while the view is mounted. */
export function useLuck(history, foreseen) {
  const asking = useMemo(() => new Asking(history, foreseen), [history]);
  useEffect(() => {
    asking.open();
    return () => asking.close();
  }, [asking]);
  return asking;
}

/**
 * The luck forecast of a fight, and its progress.
 *
 * foreseen: { begin(wish), look(id), all(), drop(id) } asks the server; begin and drop are null for a spectator.
 */
class Asking {
  /** `{ stage: "nothing" | "offered" | "computing" | "known", wrong, known, luck }`. */
  now = signal({ stage: "nothing" });
  following = null;

  constructor(history, foreseen) {
    Object.assign(this, { history, foreseen });
  }

  /** Look for a forecast that a viewer has requested already. */
  async open() {
    if (!this.foreseen) return;
    try {
      const { forecasts } = await this.foreseen.all();
      const mine = forecasts.filter((one) => one.what === "luck" && one.hash === this.history.recorded.at(-1)?.hash && one.stage !== "failed");
      const known = mine.find((one) => one.stage === "done") ?? mine[0];
      if (known) this.follow(known);
      else this.offer();
    } catch {
      this.now.value = { stage: "nothing" }; // a part of the fight is hidden from this viewer
    }
  }

  /** Offer the computation to a viewer who may request it. */
  offer(wrong = "") {
    this.following = null;
    this.now.value = { stage: this.foreseen.begin ? "offered" : "nothing", wrong };
  }

  async begin(wish) {
    try {
      await this.follow(await this.foreseen.begin(wish));
    } catch (problem) {
      this.offer(problemSaid(problem));
    }
  }

  /** Poll the progress, until the forecast is done or the view is closed. */
  async follow(known) {
    this.following = known.id;
    while (this.following === known.id && !["done", "failed"].includes(known.stage)) {
      this.now.value = { stage: "computing", known };
      await new Promise((done) => { setTimeout(done, LOOK_MS); });
      if (this.following !== known.id) return;
      try {
        known = await this.foreseen.look(known.id);
      } catch (problem) { // another viewer dropped it, or the server restarted
        if (this.following === known.id) this.offer(problemSaid(problem));
        return;
      }
    }
    if (this.following !== known.id) return;
    if (known.stage === "failed") {
      this.offer(capital(known.wrong));
      return;
    }
    this.now.value = { stage: "known", luck: known.luck };
    announce(`The curve is drawn; ${known.luck.turning.length} turning points`);
  }

  async drop(id) {
    this.offer();
    await this.foreseen.drop(id).catch(() => null); // it has gone already
  }

  close() {
    this.following = null;
  }
}

/** Return the forecast queries of a fight; a spectator can only read forecasts. */
export function foreseenBy(client, fight, role) {
  const asks = role !== "spectator";
  return { all: () => client.forecasts(fight), look: (id) => client.forecast(fight, id),
    begin: asks ? (wish) => client.foresee(fight, wish) : null, drop: asks ? (id) => client.dropForecast(fight, id) : null };
}

/** Render the luck panel below an optional curve, with the form that requests it. */
export function Luck({ luck: asking, foreseen, state, go, children }) {
  const now = asking.now.value;
  return html`<section class="panel worth" aria-labelledby="luck-title" hidden=${now.stage === "nothing"}><h2 id="luck-title">Was it the dice?</h2>${children}
    <div class="luck">${now.stage === "offered" ? html`<${Offer} asking=${asking} state=${state} wrong=${now.wrong} />`
      : now.stage === "computing" ? html`<${Computing} asking=${asking} known=${now.known} />`
        : now.stage === "known" ? html`<${Known} luck=${now.luck} go=${go} again=${foreseen.begin ? () => asking.offer() : null} />` : null}</div></section>`;
}

function Offer({ asking, state, wrong }) {
  const sides = sidesOf(state);
  const [side, setSide] = useState(sides[0]);
  return html`<p class="dim">The server plays on from every moment of this fight, many times with other dice.
      The curve shows the chance to win, and what each roll and each decision changed.</p>
    <div class="row"><label for="luck-side">Chance to win of </label><select id="luck-side" value=${side} onChange=${({ target }) => setSide(target.value)}>
      ${sides.map((one) => html`<option key=${one} value=${one}>${capital(one)}</option>`)}</select>
    <${Button} says="Draw the curve" onClick=${() => asking.begin({ what: "luck", side })} /></div>
    <p class="warning" role="alert">${wrong}</p>`;
}

function Computing({ asking, known }) {
  const says = known.stage !== "working" ? "Waiting for the server …" : known.of ? `${known.done ?? 0} of ${known.of} moments` : "Reading the record …";
  return html`<div class="row"><progress max="1" value=${known.of ? (known.done ?? 0) / known.of : 0} aria-label="Progress" />
    <span class="dim">${says}</span>${asking.foreseen.drop ? html`<${Button} says="Stop" class="quiet" onClick=${() => asking.drop(known.id)} />` : null}</div>`;
}

function Known({ luck, go, again }) {
  const share = (count) => Math.round((100 * count) / luck.trials);
  const rows = Object.entries(SUMS).filter(([name]) => luck[name] || !["rulings", "unclear"].includes(name));
  return html`<dl class="sums">${rows.map(([name, text]) => html`<div key=${name}><dt>${name === "result" && !luck.ended ? "by now" : text}</dt>
      <dd>${["opening", "result"].includes(name) ? `${share(luck[name])} %` : signedPoints(share(luck[name]))}</dd></div>`)}</dl>
    <p class="dim">${`The chance of the ${nameSaid(luck.side)} to win, ${luck.trials} fights from each of ${luck.moves.length + 1} moments. Smaller swings may be noise.`}</p>
    ${luck.turning.length ? html`<h3>Turning points</h3>` : null}
    <ol class="rows turning">${luck.turning.map(({ position, says }, nth) => html`<li key=${position}><b>${nth + 1}</b>
      <${Button} says=${String(position)} class="at" label=${`Go to ${position}`} onClick=${() => go(position)} /><span>${says}</span></li>`)}</ol>
    ${again ? html`<div class="row"><${Button} says="Choose another side …" class="quiet" onClick=${again} /></div>` : null}`;
}

/** Render the curve over the stops of the scrubber, with a cursor at a position. */
export function Curve({ luck: asking, position, stops, go, state }) {
  const { luck } = asking.now.value;
  if (!luck) return null;
  const x = (at) => ((at / Math.max(1, stops.length - 1)) * WIDE).toFixed(1);
  const y = (count) => (HIGH * (1 - count / luck.trials)).toFixed(1);
  const points = [[0, luck.opening], ...luck.moves.map((one) => [indexOf(one.position, stops), one.after])];
  const line = points.map(([at, count], nth) => (nth ? `H${x(at)}V${y(count)}` : `M0 ${y(count)}`)).join("");
  const hue = hueOf(state, luck.side);
  const cursor = x(indexOf(position, stops));
  const percent = (count) => Math.round((100 * count) / luck.trials);
  const clicked = (event) => {
    const box = event.currentTarget.getBoundingClientRect();
    go(stops[Math.round(((event.clientX - box.left) / box.width) * (stops.length - 1))]);
  };
  return html`<div class="curve"><svg class="chances" viewBox=${`0 0 ${WIDE} ${HIGH}`} preserveAspectRatio="none" role="img" onClick=${clicked}
      aria-label=${`The chance of the ${nameSaid(luck.side)} to win, from ${percent(luck.opening)} to ${percent(luck.result)} percent`}>
    <path class="half" d=${`M0 ${HIGH / 2}H${WIDE}`} /><path class="below" data-hue=${hue} d=${`${line}H${WIDE}V${HIGH}H0Z`} />
    <path class="track" data-hue=${hue} d=${`${line}H${WIDE}`} /><line class="cursor" x1=${cursor} x2=${cursor} y1="0" y2=${HIGH} /></svg>
    <div class="turnings">${luck.turning.map(({ position: at, says }, nth) => {
      const { before, after } = luck.moves.find((one) => one.position === at);
      return html`<${Button} key=${at} says=${String(nth + 1)} label=${`Turning point ${nth + 1}: ${says}`} class=${`swing ${after > before ? "up" : "down"}`}
        style=${{ left: `${x(indexOf(at, stops)) / (WIDE / 100)}%`, top: `${y(after)}%` }} onClick=${() => go(at)} />`;
    })}</div></div>`;
}

/** Render the chance to win at a position. */
export function Chance({ luck: asking, position }) {
  const { luck } = asking.now.value;
  if (!luck) return html`<output class="chance" />`;
  const last = luck.moves.findLast((one) => one.position <= position);
  return html`<output class="chance"><b>${Math.round((100 * (last ? last.after : luck.opening)) / luck.trials)} %</b>${` ${nameSaid(luck.side)}`}</output>`;
}

/** Return the index of a position among stops; a position within a command lies between two. */
function indexOf(position, stops) {
  const at = stops.findIndex((stop) => stop >= position);
  if (at <= 0 || stops[at] === position) return at < 0 ? stops.length - 1 : at;
  const [before, after] = [stops[at - 1], stops[at]];
  return at - 1 + (position - before) / (after - before);
}

const signedPoints = (value) => `${value > 0 ? "+" : ""}${plain(value)}`;

// What dice and decisions were worth: asked of the server, drawn as a curve above the scrubber, its turning points marked.

import { announce, button, fill, h, s } from "./dom.js";
import { hueOf } from "./people.js";
import { capital, plain } from "./words.js";

const [WIDE, HIGH] = [1000, 100];
const LOOK_MS = 700;
const SUMS = { opening: "at the beginning", luck: "dice", decisions: "decisions", rulings: "rulings", unclear: "older rules, unclear",
  result: "in the end" };

/**
 * The curve of a fight, and what is told of it.
 *
 * foreseen: { begin(wish), look(id), all(), drop(id) } asks the server; begin and drop are null for who may only watch.
 * go(position) shows a moment of the fight.
 */
export class Luck {
  constructor(history, foreseen, go) {
    Object.assign(this, { history, foreseen, go });
    this.cursor = s("line", { class: "cursor", y1: 0, y2: HIGH });
    this.drawing = s("svg", { class: "chances", viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none", role: "img", hidden: true });
    this.marks = h("div", { class: "turnings" });
    this.curve = h("div", { class: "curve", hidden: true }, this.drawing, this.marks);
    this.told = h("div", { class: "luck" });
    this.now = h("output", { class: "chance" });
    this.panel = h("section", { class: "panel worth", "aria-labelledby": "luck-title", hidden: true },
      h("h2", { id: "luck-title" }, "Was it the dice?"), this.told);
    this.drawing.addEventListener("click", (event) => {
      const box = this.drawing.getBoundingClientRect();
      const at = Math.round(((event.clientX - box.left) / box.width) * (this.stops.length - 1));
      if (this.stops[at]) go(this.stops[at]);
    });
    this.open();
  }

  /** See whether anybody has asked already. */
  async open() {
    if (!this.foreseen) return;
    try {
      const { forecasts } = await this.foreseen.all();
      const mine = forecasts.filter((one) => one.what === "luck" && one.hash === this.history.recorded.at(-1)?.hash && one.stage !== "failed");
      const known = mine.find((one) => one.stage === "done") ?? mine[0];
      this.panel.hidden = !known && !this.foreseen.begin;
      if (known) this.follow(known);
      else this.offer();
    } catch {
      this.panel.hidden = true; // something of the fight is hidden from whoever looks on
    }
  }

  /** Offer to have it computed, for a side. */
  offer(wrong = "") {
    const state = this.history.state;
    const sides = [...new Set(Object.values(state.combatants).map((one) => one.side))];
    const side = h("select", { id: "luck-side" }, sides.map((one) => h("option", { value: one }, capital(one))));
    fill(this.told,
      h("p", { class: "dim" }, "From every moment of this fight it is fought on, again and again with other dice: how good were the chances, "
        + "and what did each roll and each decision change?"),
      h("div", { class: "row" }, h("label", { for: "luck-side" }, "The chances of "), side,
        button({ says: "Draw the curve", onclick: () => this.begin({ what: "luck", side: side.value }) })),
      h("p", { class: "warning", role: "alert" }, wrong));
  }

  async begin(wish) {
    try {
      await this.follow(await this.foreseen.begin(wish));
    } catch (problem) {
      this.offer(capital(problem.detail ?? problem.message));
    }
  }

  /** Show how far it is, until it is done or the view is left. */
  async follow(known) {
    const bar = h("progress", { max: 1, value: 0, "aria-label": "How much is computed" });
    const said = h("span", { class: "dim" }, "Waiting for its turn …");
    fill(this.told, h("div", { class: "row" }, bar, said, this.foreseen.drop ? button({ says: "Stop", class: "quiet",
      onclick: () => this.drop(known.id) }) : null));
    this.following = known.id;
    while (this.following === known.id && !["done", "failed"].includes(known.stage)) {
      await new Promise((done) => { setTimeout(done, LOOK_MS); });
      if (this.following !== known.id) return;
      try {
        known = await this.foreseen.look(known.id);
      } catch (problem) { // somebody has dropped it, or the server was started anew
        if (this.following === known.id) this.lost(problem.detail ?? problem.message);
        return;
      }
      bar.value = known.of ? (known.done ?? 0) / known.of : 0;
      if (known.stage === "working") fill(said, known.of ? `${known.done ?? 0} of ${known.of} moments` : "Reading the record …");
    }
    if (this.following !== known.id) return;
    if (known.stage === "failed") this.lost(known.wrong);
    else this.show(known.luck);
  }

  /** Say why nothing comes of it, to whoever may ask again. */
  lost(wrong) {
    this.following = null;
    this.panel.hidden = !this.foreseen.begin;
    this.offer(capital(wrong));
  }

  async drop(id) {
    this.following = null;
    this.offer();
    await this.foreseen.drop(id).catch(() => null); // it has gone already
  }

  /** Show what is known. */
  show(luck) {
    this.luck = luck;
    const share = (count) => Math.round((100 * count) / luck.trials);
    const rows = Object.entries(SUMS).filter(([name]) => luck[name] || !["rulings", "unclear"].includes(name));
    fill(this.told,
      h("dl", { class: "sums" }, rows.map(([name, text]) => h("div", {}, h("dt", {}, name === "result" && !luck.ended ? "by now" : text),
        h("dd", {}, ["opening", "result"].includes(name) ? `${share(luck[name])} %` : signedPoints(share(luck[name])))))),
      h("p", { class: "dim" }, `The chance of the ${luck.side} to win, ${luck.trials} fights from each of ${luck.moves.length + 1} moments. `
        + "Smaller swings may be noise."),
      luck.turning.length ? h("h3", {}, "Turning points") : null,
      h("ol", { class: "rows turning" }, luck.turning.map(({ position, says }, nth) => h("li", {}, h("b", {}, String(nth + 1)),
        button({ says: String(position), class: "at", label: `Go to ${position}`, onclick: () => this.go(position) }), h("span", {}, says)))),
      this.foreseen.begin ? h("div", { class: "row" }, button({ says: "For another side …", class: "quiet", onclick: () => this.again() })) : null);
    this.curve.hidden = false;
    this.draw(this.stops);
    this.at(this.position);
    announce(`The curve is drawn; ${luck.turning.length} turning points`);
  }

  again() {
    this.luck = null;
    this.curve.hidden = true;
    fill(this.now);
    this.offer();
  }

  /** Draw the curve over the stops of the scrubber. */
  draw(stops) {
    this.stops = stops;
    const { luck } = this;
    if (!luck) return;
    const points = [[0, luck.opening], ...luck.moves.map((one) => [this.index(one.position), one.after])];
    const y = (count) => (HIGH * (1 - count / luck.trials)).toFixed(1);
    const line = points.map(([at, count], nth) => (nth ? `H${this.x(at)}V${y(count)}` : `M0 ${y(count)}`)).join("");
    fill(this.drawing, s("title", {}, `The chance of the ${luck.side} to win, from ${Math.round((100 * luck.opening) / luck.trials)} to `
      + `${Math.round((100 * luck.result) / luck.trials)} percent`),
    s("path", { class: "half", d: `M0 ${HIGH / 2}H${WIDE}` }),
    s("path", { class: "below", data: { hue: hueOf(this.history.state, luck.side) }, d: `${line}H${WIDE}V${HIGH}H0Z` }),
    s("path", { class: "track", data: { hue: hueOf(this.history.state, luck.side) }, d: `${line}H${WIDE}` }), this.cursor);
    this.drawing.removeAttribute("hidden");
    fill(this.marks, luck.turning.map(({ position, says }, nth) => {
      const { before, after } = luck.moves.find((one) => one.position === position);
      const mark = button({ says: String(nth + 1), label: `Turning point ${nth + 1}: ${says}`, class: `swing ${after > before ? "up" : "down"}`,
        onclick: () => this.go(position) });
      mark.style.left = `${this.x(this.index(position)) / (WIDE / 100)}%`;
      mark.style.top = `${y(after)}%`;
      return mark;
    }));
  }

  /** Put the cursor at a position, and say how the chances stand there. */
  at(position) {
    this.position = position;
    const { luck } = this;
    if (!luck || !this.stops) return;
    const x = this.x(this.index(position));
    this.cursor.setAttribute("x1", x);
    this.cursor.setAttribute("x2", x);
    const last = luck.moves.filter((one) => one.position <= position).at(-1);
    const count = last ? last.after : luck.opening;
    fill(this.now, h("b", {}, `${Math.round((100 * count) / luck.trials)} %`), ` ${luck.side}`);
  }

  /** Return where a position lies among the stops; one within a command lies between two. */
  index(position) {
    const at = this.stops.findIndex((stop) => stop >= position);
    if (at <= 0 || this.stops[at] === position) return at < 0 ? this.stops.length - 1 : at;
    const [before, after] = [this.stops[at - 1], this.stops[at]];
    return at - 1 + (position - before) / (after - before);
  }

  x(at) {
    return ((at / Math.max(1, this.stops.length - 1)) * WIDE).toFixed(1);
  }

  close() {
    this.following = null;
  }
}

const signedPoints = (value) => `${value > 0 ? "+" : ""}${plain(value)}`;

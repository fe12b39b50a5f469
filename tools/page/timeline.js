// How everybody fared: a line for each combatant's hit points over the fight.

import { marks } from "./affray/index.js";
import { fill, h, s } from "./dom.js";
import { hueOf, mostOf, vitalOf } from "./people.js";
import { label } from "./words.js";

const [WIDE, HIGH, PAD] = [1000, 120, 8];
const DASHES = ["", "9 5", "3 4", "14 4 3 4"];

/** A drawing whose cursor moves; what it shows is drawn once for each head. */
export class Timeline {
  constructor(go) {
    this.cursor = s("line", { class: "cursor", y1: 0, y2: HIGH });
    this.drawing = s("svg", { class: "timeline", viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none", role: "img" });
    this.legend = h("ul", { class: "legend" });
    this.element = h("figure", { class: "fared" }, this.drawing, this.legend);
    this.marks = [];
    this.drawing.addEventListener("click", (event) => {
      const box = this.drawing.getBoundingClientRect();
      const share = (event.clientX - box.left) / box.width;
      const at = Math.round(share * (this.marks.length - 1));
      if (this.marks[at]) go(this.marks[at]);
    });
  }

  /** Draw the effective fight of a history. */
  draw(history) {
    this.marks = marks(history, "event");
    const end = history.state;
    const seen = tracks(history, this.marks);
    const rounds = this.marks.flatMap((position, at) =>
      history.at(position).event?.type === "RoundBegan" ? [[at, history.at(position).event.round]] : []);
    const peers = new Map();
    const drawn = [...seen.values()].map((track) => {
      const nth = peers.get(track.side) ?? 0;
      peers.set(track.side, nth + 1);
      return { ...track, hue: hueOf(end, track.side), dash: DASHES[nth % DASHES.length] };
    });
    fill(this.drawing,
      s("title", {}, `How they fared over the fight: ${drawn.map((one) =>
        `${one.name} ${label("pools", one.pool)} from ${one.points[0][1]} to ${one.points.at(-1)[1]}`).join("; ")}`),
      rounds.map(([at]) => s("line", { class: "round", x1: this.x(at), x2: this.x(at), y1: 0, y2: HIGH })),
      drawn.map((one) => s("path", { class: "track", data: { hue: one.hue }, "stroke-dasharray": one.dash || null,
        d: path(one, (at) => this.x(at), this.marks.length - 1) })), this.cursor);
    fill(this.legend, drawn.map((one) => h("li", {}, s("svg", { class: "stroke", viewBox: "0 0 28 4", "aria-hidden": "true" },
      s("path", { class: "track", data: { hue: one.hue }, "stroke-dasharray": one.dash || null, d: "M0 2H28" })), one.name)));
    this.element.closest("section").hidden = !drawn.length;
  }

  /** Put the cursor at a position. */
  show(position) {
    let at = this.marks.length - 1;
    while (at > 0 && this.marks[at] > position) at -= 1;
    this.cursor.setAttribute("x1", this.x(at));
    this.cursor.setAttribute("x2", this.x(at));
  }

  x(at) {
    return this.marks.length > 1 ? ((at / (this.marks.length - 1)) * WIDE).toFixed(1) : 0;
  }
}

/** Return per combatant the points at which its vital pool changed, as [index, value]. */
function tracks(history, marks) {
  const seen = new Map();
  marks.forEach((position, at) => {
    const event = history.at(position).event;
    if (event?.type === "Joined") {
      const pool = vitalOf({ pools: event.pools, stats: event.stats });
      if (!pool) return;
      seen.set(event.who, { name: event.name, side: event.side, pool, most: Math.max(1, mostOf(event, pool) ?? 0, event.pools[pool]),
        points: [[at, event.pools[pool]]] });
    } else if (event?.type === "PoolChanged" && seen.get(event.who)?.pool === event.pool) {
      const track = seen.get(event.who);
      track.points.push([at, event.after]);
      track.most = Math.max(track.most, event.after);
    }
  });
  return seen;
}

function path(track, x, last) {
  const y = (value) => (HIGH - PAD - (value / track.most) * (HIGH - 2 * PAD)).toFixed(1);
  const [[first, start], ...rest] = track.points;
  return `M${x(first)} ${y(start)}${rest.map(([at, value]) => `H${x(at)}V${y(value)}`).join("")}H${x(last)}`;
}

// The chart of health: a line for each combatant over the fight.

import { useMemo } from "preact/hooks";
import { marks } from "./affray/index.js";
import { html } from "./parts.js";
import { hueOf, mostOf, vitalOf } from "./people.js";
import { label, nameSaid } from "./words.js";

const [WIDE, HIGH, PAD] = [1000, 120, 8];
const DASHES = ["", "9 5", "3 4", "14 4 3 4"];

/** Render the chart, with a cursor at a position; hidden if no combatant has a health counter. */
export function Timeline({ history, position, go }) {
  const { stops, drawn, rounds } = useMemo(() => lanesOf(history), [history]);
  const x = (at) => (stops.length > 1 ? ((at / (stops.length - 1)) * WIDE).toFixed(1) : 0);
  const at = Math.max(0, stops.findLastIndex((stop) => stop <= position));
  const clicked = (event) => {
    const box = event.currentTarget.getBoundingClientRect();
    go(stops[Math.round(((event.clientX - box.left) / box.width) * (stops.length - 1))]);
  };
  const title = `Health over the fight: ${drawn.map((one) =>
    `${nameSaid(one.name)} ${label("pools", one.pool)} from ${one.points[0][1]} to ${one.points.at(-1)[1]}`).join("; ")}`;
  return html`<section class="panel fares" aria-labelledby="fares-title" hidden=${!drawn.length}><h2 id="fares-title">Health over the fight</h2>
    <figure class="fared"><svg class="timeline" viewBox=${`0 0 ${WIDE} ${HIGH}`} preserveAspectRatio="none" role="img" aria-label=${title} onClick=${clicked}>
      ${rounds.map((one) => html`<line key=${one} class="round" x1=${x(one)} x2=${x(one)} y1="0" y2=${HIGH} />`)}
      ${drawn.map((one) => html`<path key=${one.who} class="track" data-hue=${one.hue} stroke-dasharray=${one.dash || null} d=${path(one, x, stops.length - 1)} />`)}
      <line class="cursor" x1=${x(at)} x2=${x(at)} y1="0" y2=${HIGH} /></svg>
    <ul class="legend">${drawn.map((one) => html`<li key=${one.who}><svg class="stroke" viewBox="0 0 28 4" aria-hidden="true">
      <path class="track" data-hue=${one.hue} stroke-dasharray=${one.dash || null} d="M0 2H28" /></svg>${one.name}</li>`)}</ul></figure></section>`;
}

/** Return the chart's stops, lines and rounds. */
function lanesOf(history) {
  const stops = marks(history, "event");
  const end = history.state;
  const peers = new Map();
  const drawn = [...tracks(history, stops).values()].map((track) => {
    const nth = peers.get(track.side) ?? 0;
    peers.set(track.side, nth + 1);
    return { ...track, hue: hueOf(end, track.side), dash: DASHES[nth % DASHES.length] };
  });
  const rounds = stops.flatMap((position, at) => (history.at(position).event?.type === "RoundBegan" ? [at] : []));
  return { stops, drawn, rounds };
}

/** Return per combatant the points at which its vital pool changed, as [index, value]. */
function tracks(history, stops) {
  const seen = new Map();
  stops.forEach((position, at) => {
    const event = history.at(position).event;
    if (event?.type === "Joined") {
      const pool = vitalOf({ pools: event.pools, stats: event.stats });
      if (!pool) return;
      seen.set(event.who, { who: event.who, name: event.name, side: event.side, pool,
        most: Math.max(1, mostOf(event, pool) ?? 0, event.pools[pool]), points: [[at, event.pools[pool]]] });
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

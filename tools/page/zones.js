// Zones and the ways between them, in the layout in which they are largest.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { columnsOf } from "./ground.js";
import { html } from "./parts.js";
import { isGone, isOut } from "./people.js";
import { Spot } from "./spots.js";
import { Tokens } from "./tokens.js";
import { capital, placeSaid, traitsOf, word } from "./words.js";

/** How much larger zones must become before the layout changes. */
const BETTER = 1.15;

/** The width of a letter of a zone's name and of its traits, and the most and least room for them beside the tokens. */
const [LETTER, SMALL, MOST, LEAST] = [0.25, 0.19, 4.6, 1.6];

/**
 * The layouts of zones.
 *
 * Each has `down`, whether zones lie one below the other; `beside`, whether names stand beside the tokens rather than
 * above; `inline`, whether traits follow the names rather than standing below; how `wide` the
 * room for tokens is, how `high` a zone, the `gap` between two; how many tokens a `row` has room for at least, and how
 * many there are at `most` before there are two. `one` and `two` say how large tokens are then, and how far down each row is.
 */
const BOX = { beside: false, wide: 4, high: 2.1, gap: 0.6, row: 4, most: 6, one: { radius: 0.36, rows: [1.54] }, two: { radius: 0.25, rows: [1.18, 1.76] } };
const BAND = { down: true, beside: true, wide: 6.1, gap: 0.35, row: 6 };
const SHAPES = {
  across: { ...BOX, down: false },
  down: { ...BOX, down: true },
  low: { ...BOX, down: true, inline: true, high: 1.8, gap: 0.4, one: { radius: 0.38, rows: [1.24] }, two: { radius: 0.27, rows: [0.92, 1.42] } },
  band: { ...BAND, most: 10, high: 1.24, one: { radius: 0.4, rows: [0.62] }, two: { radius: 0.25, rows: [0.34, 0.92] } },
  broad: { ...BAND, most: 7, high: 1.96, one: { radius: 0.4, rows: [0.98] }, two: { radius: 0.36, rows: [0.54, 1.42] } },
};

/** Pixels per unit of zones: at most when fitted, and least and most when zoomed. */
const UNIT = { fit: 100, least: 8, most: 140 };

/** Return the layout in which the tokens of a crowded zone are largest. The layout changes only for a clear gain. */
export function useShape(svg, kind, state) {
  const [shape, setShape] = useState("across");
  const zones = useRef();
  zones.current = kind === "zones" ? state : null;
  useLayoutEffect(() => {
    const look = () => {
      const { clientWidth: wide, clientHeight: high } = svg.current;
      if (!zones.current || !wide || !high) return;
      const scale = (name) => {
        const [left, top, right, bottom] = zonesOf(zones.current, name).home;
        return SHAPES[name].two.radius * Math.min(UNIT.fit, wide / (right - left), high / (bottom - top));
      };
      setShape((was) => Object.keys(SHAPES).reduce((best, name) => (scale(name) > scale(best) * (best === was ? BETTER : 1) ? name : best), was));
    };
    const resized = new ResizeObserver(look);
    resized.observe(svg.current);
    look();
    return () => resized.disconnect();
  }, [kind]);
  return shape;
}

/** Return the positions of zones in a layout. */
export function zonesOf(state, name) {
  const shape = SHAPES[name];
  const places = Object.values(state.places);
  const aside = shape.beside ? Math.min(MOST, Math.max(LEAST, ...places.flatMap(widthsOf))) : 0;
  const [wide, high] = [Math.max(shape.wide + aside, shape.inline ? Math.max(...places.map(lineOf)) : 0), shape.high];
  const columns = columnsOf(places);
  const rows = Math.max(...columns.map((column) => column.length));
  const corner = new Map();
  columns.forEach((column, nth) => column.forEach((id, at) => {
    const across = at + (rows - column.length) / 2;
    const [x, y] = shape.down ? [across, nth] : [nth, across];
    corner.set(id, [x * (wide + shape.gap), y * (high + shape.gap)]);
  }));
  const middle = (id) => corner.has(id) ? [corner.get(id)[0] + wide / 2, corner.get(id)[1] + high / 2] : null;
  const inside = (x, y) => [...corner].find(([, [left, top]]) => x >= left && x <= left + wide && y >= top && y <= top + high)?.[0] ?? null;
  const ids = [...corner.keys()];
  const next = (place, x, y) => ids[(Math.max(0, ids.indexOf(place)) + x + y + ids.length) % ids.length];
  const [across, along] = shape.down ? [rows, columns.length] : [columns.length, rows];
  return { places, corner, shape: { ...shape, wide, aside }, middle, next, at: inside, unit: UNIT,
    home: [-0.2, -0.2, across * (wide + shape.gap) - shape.gap + 0.2, along * (high + shape.gap) - shape.gap + 0.2] };
}

const widthsOf = (place) => [0.5 + LETTER * placeSaid(place.id).length, 0.5 + SMALL * traitsSaid(place).length];

const lineOf = (place) => widthsOf(place).reduce((sum, one) => sum + one, -0.25);

const traitsSaid = (place) => traitsOf(place).join(", ");

export function Zones({ layout: { places, corner, shape, middle }, placed, shown, spot, grab }) {
  const ways = places.flatMap((one) => one.exits.filter((id) => corner.has(id)).map((exit) => [one.id, exit]));
  return html`${ways.map(([one, other]) => {
    const [[x1, y1], [x2, y2]] = [middle(one), middle(other)];
    return html`<line key=${`${one}>${other}`} class="way" x1=${x1} y1=${y1} x2=${x2} y2=${y2} />`;
  })}${places.map((one) => html`<${Zone} key=${one.id} one=${one} at=${corner.get(one.id)} shape=${shape} there=${placed.filter((who) => who.place === one.id)}
    shown=${shown} spot=${spot} grab=${grab} />`)}`;
}

/** Return the combatants at a place, with bound ones side by side, and where each bond begins and ends. */
function bound(there, relations) {
  const bonds = Object.values(relations).filter(({ kind }) => word("relations", kind).stands).map(({ members }) => new Set(members.map(({ who }) => who)));
  const groups = Map.groupBy(there, ({ id }) => bonds.findIndex((bond) => bond.has(id)));
  const ordered = [...groups].sort(([one], [other]) => (one < 0) - (other < 0) || one - other);
  let nth = 0;
  const spans = ordered.map(([bond, those]) => {
    const first = nth;
    nth += those.length;
    return [bond, first, nth];
  });
  return [ordered.flatMap(([, those]) => those), spans.filter(([bond, first, end]) => bond >= 0 && end - first > 1)];
}

function Zone({ one, at: [x, y], shape, there: all, shown, spot, grab }) {
  const [there, bonds] = bound([...all].sort((one, other) => isOut(one) - isOut(other)), shown.state.relations);
  const { wide, high, aside, beside, inline } = shape;
  const box = html`<rect class="zone" x=${x} y=${y} width=${wide} height=${high} rx="0.22" />`;
  const { radius: most, rows } = there.length > shape.most ? shape.two : shape.one;
  const row = Math.max(shape.row, Math.ceil(there.length / rows.length));
  const step = Math.min(0.93, (wide - aside - 0.5) / row);
  const radius = Math.min(most, step / 2);
  const place = (nth) => [x + aside + 0.25 + radius + (nth % row) * step, y + rows[Math.floor(nth / row)]];
  const first = beside ? high / 2 + (one.traits.length ? -0.1 : 0.15) : 0.52;
  const like = inline ? [x + widthsOf(one)[0], first] : [x + 0.25, first + 0.42];
  return html`${spot.ways.has(one.id) ? html`<${Spot} id=${one.id} spot=${spot}>${box}<//>` : box}
    <text class="label" x=${x + 0.25} y=${y + first} font-size="0.42">${capital(placeSaid(one.id))}</text>
    ${one.traits.length ? html`<text class="sub" x=${like[0]} y=${y + like[1]} font-size="0.34">${traitsSaid(one)}</text>` : null}
    ${bonds.map(([bond, from, end]) => html`<path key=${bond} class="bond" stroke-width=${radius * 2.7} d=${there.slice(from, end).map((_, nth) =>
      `${nth && (from + nth) % row ? "L" : "M"}${place(from + nth).join(" ")}h0`).join("")} />`)}
    <${Tokens} ...${shown} spots=${there.map((who, nth) => ({ one: who, at: place(nth), radius: isGone(shown.perils, who) ? radius * 0.66 : radius }))} grab=${grab} />`;
}

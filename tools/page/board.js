// The map as a drawing that one moves under one's fingers: squares, hexes, or zones with the ways between them.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Backdrop, beginHanging, hanging, HangingOver, HangingTools, isPictured } from "./backdrop.js";
import { goalOf } from "./choices.js";
import { cellOf, columnsOf, hexes, squares, toldApart } from "./ground.js";
import { Measured, measure, MeasureOver, measuring } from "./measure.js";
import { PanZoom } from "./panzoom.js";
import { Button, html, pressed } from "./parts.js";
import { initials, Outlines, Token, Tokens } from "./tokens.js";
import { capital, label, placeSaid, unitSaid, word } from "./words.js";

const MOST_PAIRS = 12;
const FURTHEST = 60;
const [WIDE, HIGH, GAP] = [4, 2.1, 0.6];

/** How much larger zones must become to be drawn the other way round. */
const BETTER = 1.15;
const PAN = { ArrowLeft: [-0.2, 0], ArrowRight: [0.2, 0], ArrowUp: [0, -0.2], ArrowDown: [0, 0.2] };

/** Return what a fight's map is drawn as; nothing where there is none. */
export function mapOf(state, map) {
  if (map === "zones") return Object.keys(state.places).length ? "zones" : null;
  return map && Object.values(state.combatants).some((one) => one.place) ? map : null;
}

/**
 * The map.
 *
 * always: whether it is shown although nobody is on it; choosing: what is being chosen, whose places and targets are
 * shown; tap(who) and menu(who): what a click and a right click on somebody do; mover(): tells who may be dragged, and
 * begins to choose where to; seat: whose server is asked how far places are apart, and where the game master puts a picture.
 */
export function Board({ state, map, always = false, choosing = null, tap = null, menu = null, mover = null, seat = null }) {
  const kind = mapOf(state, map) ?? (always ? map : null);
  const svg = useRef();
  const inner = useRef();
  const lens = useRef();
  const known = useRef({});
  const view = useRef(null);
  const [drag, setDrag] = useState(null);
  const down = useUpright(svg, kind, state);
  const layout = kind === "zones" ? zonesOf(state, down) : gridOf(state, kind, known.current, [...(choosing?.ways.value?.keys() ?? [])]);
  useLayoutEffect(() => {
    view.current = new PanZoom(svg.current, inner.current, { extent: layout.home, unit: layout.unit, over: lens.current, spare: layout.spare });
    view.current.fit();
    return () => view.current.close();
  }, [kind]);
  useEffect(() => {
    view.current.extent = layout.home;
    if (kind === "zones" && !view.current.moved) view.current.fit(); // nobody's step changes where zones lie
  }, [layout.home.join()]);
  const ways = choosing?.ways.value ?? new Map();
  const pointAt = (event) => {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(inner.current.getScreenCTM().inverse());
    return [x, y];
  };
  const placeAt = (event) => {
    const at = pointAt(event);
    return [layout.at(...at), at];
  };
  const centre = () => {
    const { left, top, width, height } = svg.current.getBoundingClientRect();
    return pointAt({ clientX: left + width / 2, clientY: top + height / 2 });
  };
  useEffect(() => () => {
    hanging.value = null;
    measuring.value = null;
  }, [kind]);
  const grab = mover && ((event, one) => {
    if (event.button || !mover(one.id)) return;
    event.stopPropagation();
    const start = [event.clientX, event.clientY];
    let moved = false;
    const move = (now) => {
      if (!moved && Math.hypot(now.clientX - start[0], now.clientY - start[1]) < 6) return;
      if (!moved) mover(one.id, true);
      moved = true;
      const [place, at] = placeAt(now);
      if (!choosing.doubtful.value) choosing.pointed.value = choosing.ways.value?.get(place)?.[0] ?? null;
      setDrag({ one, at });
    };
    const end = (now) => {
      for (const [type, act] of listeners) removeEventListener(type, act);
      setDrag(null);
      if (!moved) return;
      addEventListener("click", still, true);
      setTimeout(() => removeEventListener("click", still, true), 0);
      const [place] = placeAt(now);
      if (now.type === "pointerup" && choosing.ways.value?.has(place)) choosing.go(place);
      else choosing.pointed.value = null;
    };
    const listeners = [["pointermove", move], ["pointerup", end], ["pointercancel", end]];
    for (const [type, act] of listeners) addEventListener(type, act);
  });
  const placed = Object.values(state.combatants).filter((one) => one.place);
  const shown = { state, signs: initials(state), targets: choosing?.targets.value, tap, menu };
  const goal = choosing && (goalOf(choosing.fields.value.find((one) => one.names === "place")?.chosen) ?? choosing.pointed.value?.to);
  const spot = { ways, goal, go: (id) => choosing.go(id), point: (id) => {
    if (!choosing.doubtful.value) choosing.pointed.value = id && ways.get(id)?.[0];
  } };
  return html`<div class="map"><svg class=${`board ${kind}${isPictured() ? " pictured" : ""}`} ref=${svg} role="group" aria-label=${kind === "zones" ? "Map of zones" : "Map"} tabindex="0"
      onKeyDown=${(event) => keyed(event, view.current)}><${Outlines} /><g ref=${inner}><${Backdrop} />
      ${kind === "zones" ? html`<${Zones} layout=${layout} placed=${placed} shown=${shown} spot=${spot} grab=${grab} />`
        : html`<${Grid} layout=${layout} placed=${placed} shown=${shown} spot=${spot} grab=${grab} />`}
      <${Path} choosing=${choosing} layout=${layout} state=${state} />
      ${drag ? html`<g class="dragged"><${Token} ...${shown} tap=${null} menu=${null} targets=${null} one=${drag.one} at=${drag.at} radius=${0.4} /></g>` : null}${measuring.value ? html`<${Measured} middle=${layout.middle} />` : null}</g>
      ${hanging.value ? html`<${HangingOver} pointAt=${pointAt} middle=${centre} />` : null}
      ${seat && measuring.value ? html`<${MeasureOver} placeAt=${(event) => placeAt(event)[0]} next=${layout.next} first=${placed[0]?.place ?? layout.next(null, 0, 0)}
        apart=${(here, there) => seat.client.apart(seat.fight, here, there)} />` : null}</svg>
    ${seat && hanging.value ? html`<${HangingTools} client=${seat.client} fight=${seat.fight} extent=${layout.home} />` : null}
    <div class="lens" ref=${lens} role="group" aria-label="The map"><${Button} shows="plus" label="Nearer" onClick=${() => view.current.by(1)} />
      <${Button} shows="minus" label="Farther" onClick=${() => view.current.by(-1)} />
      <${Button} shows="fit" label="Show all of it" onClick=${() => view.current.fit()} />
      ${seat ? html`<${Button} shows="measure" label="Measure" aria-pressed=${String(Boolean(measuring.value))} onClick=${measure} />` : null}
      ${seat?.isGm && !seat.closed.value ? html`<${Button} shows="picture" label="A picture behind the map" aria-pressed=${String(Boolean(hanging.value))} onClick=${beginHanging} />` : null}</div>
    <${Legend} ground=${layout.ground ?? []} /></div>`;
}

/** A drag ends with a click, which is none. */
const still = (event) => event.stopPropagation();

function keyed(event, view) {
  if (event.target !== event.currentTarget) return;
  if (PAN[event.key]) view.pan(...PAN[event.key]);
  else if (["+", "="].includes(event.key)) view.by(1);
  else if (event.key === "-") view.by(-1);
  else if (event.key === "0") view.fit();
  else return;
  event.preventDefault();
}

/** Return how a grid lies: as far as anything is known to be in it. It never becomes smaller than it was: `known` keeps that. */
function gridOf(state, kind, known, reached) {
  const shape = kind === "hexes" ? hexes : squares;
  const ground = Object.values(state.places).filter((one) => one.traits.length && cellOf(one.id));
  const told = [...Object.values(state.places).map((one) => one.id), ...Object.values(state.combatants).map((one) => one.place)];
  known.home = around(shape, told, known.home);
  known.all = around(shape, reached, around(shape, told, known.all));
  const [left, top, right, bottom] = known.all;
  const [x1, y1, x2, y2] = known.home;
  return { shape, ground, cells: shape.around([left, top], [right, bottom]), home: [x1 - 0.6, y1 - 0.6, x2 + 0.6, y2 + 0.6],
    middle: (place) => cellOf(place) && shape.centre(cellOf(place)), next: (place, x, y) => {
      const [q, r] = cellOf(place ?? "0,0") ?? [0, 0];
      return `${q + x},${r + y}`;
    }, unit: { fit: 100, least: 8, most: 160 },
    at: (x, y) => shape.at(x, y).map((one) => one || 0).join(",") };
}

/** Return the edges of some places with a cell around them, together with edges that are known. */
function around(shape, places, edges = [Infinity, Infinity, -Infinity, -Infinity]) {
  const cells = places.map(cellOf).filter((one) => one && Math.max(...one.map(Math.abs)) <= FURTHEST);
  return cells.map(shape.centre).reduce(([left, top, right, bottom], [x, y]) => [Math.min(left, Math.floor(x) - 1), Math.min(top, Math.floor(y) - 1),
    Math.max(right, Math.ceil(x) + 1), Math.max(bottom, Math.ceil(y) + 1)], edges);
}

function Grid({ layout: { shape, ground, cells }, placed, shown, spot, grab }) {
  const there = Map.groupBy(placed.filter((one) => cellOf(one.place)), (one) => one.place);
  return html`<path class="grid" d=${cells.map(shape.outline).join("")} />
    <${Names} cells=${cells} shape=${shape} there=${there} />
    ${ground.map((one) => html`<path key=${one.id} class="ground" data-ground=${groundOf(one.traits)} d=${shape.outline(cellOf(one.id))}>
      <title>${one.id}: ${one.traits.map(traitSaid).join(", ")}</title></path>`)}
    ${[...spot.ways.keys()].filter(cellOf).map((id) => html`<${Spot} key=${id} id=${id} spot=${spot}><path d=${shape.outline(cellOf(id))} /><//>`)}
    ${[...there].map(([at, those]) => html`<${Tokens} key=${at} ...${shown} there=${those} at=${shape.centre(cellOf(at))} radius=${0.4} grab=${grab} />`)}`;
}

/** The free cells of the first row and column that are no negative numbers, so that a place that is told can be counted off. */
function Names({ cells, shape, there }) {
  const counted = cells.filter(([x, y]) => x >= 0 && y >= 0);
  const first = counted[0]?.[1];
  return counted.filter(([, y], nth) => y === first || y !== counted[nth - 1][1]).filter((cell) => !there.has(cell.join())).map((cell) => {
    const [x, y] = shape.centre(cell);
    return html`<text class="name" key=${cell.join()} x=${x} y=${y - 0.3} font-size="0.17" aria-hidden="true">${cell.join(",")}</text>`;
  });
}

/** A place that one can go to. */
function Spot({ id, spot, children }) {
  const act = (event) => {
    if (event.type === "keydown") event.currentTarget.closest(".board").focus({ preventScroll: true }); // the places go away
    spot.go(id);
  };
  const risky = spot.ways.get(id)?.[0].provokes?.length;
  return html`<g class=${`cell${risky ? " risky" : ""}${spot.goal === id ? " chosen" : ""}`} role="button" tabindex="0" aria-label=${`Go to ${placeSaid(id)}`} data-key=${`cell-${id}`} data-cell=${id}
    onClick=${act} onKeyDown=${pressed(act)} onPointerEnter=${() => spot.point(id)} onPointerLeave=${() => spot.point(null)}
    onFocus=${() => spot.point(id)} onBlur=${() => spot.point(null)}>${children}</g>`;
}

/** The way that one points at, and what it costs. */
function Path({ choosing, layout, state }) {
  const way = choosing?.pointed.value;
  const from = state.combatants[choosing?.actor.value]?.place;
  if (!way || !from) return null;
  const steps = Array.isArray(way.path) ? way.path : [way.path];
  const points = [...(steps[0] === from ? [] : [from]), ...steps].map(layout.middle).filter(Boolean);
  if (points.length < 2) return null;
  const [x, y] = points.at(-1);
  const text = way.cost ? `${way.cost} ${unitSaid()}`.trim() : String(points.length - 1);
  const wide = 0.2 + 0.17 * text.length;
  return html`<g class=${`way-there${way.provokes?.length ? " risky" : ""}`} aria-hidden="true"><path d=${`M${points.map((one) => one.join(" ")).join("L")}`} />
    <circle cx=${x} cy=${y} r="0.12" /><rect x=${x + 0.15} y=${y - 0.62} width=${wide} height="0.42" rx="0.12" />
    <text x=${x + 0.15 + wide / 2} y=${y - 0.3} font-size="0.3">${text}</text></g>`;
}

/** Return what a place is like; what holds for one of its sides only has that behind a colon. */
const traitSaid = (trait) => (trait.includes(":") ? `${label("traits", trait.split(":")[0])}, on one side` : label("traits", trait));

/** Return how a place with these traits is drawn: what keeps people out first. */
function groundOf(traits) {
  const found = traits.map((trait) => word("traits", trait.split(":")[0]).ground);
  return ["blocked", "cover", "haze", "difficult"].find((one) => found.includes(one)) ?? "";
}

function Legend({ ground }) {
  const traits = new Map(ground.flatMap((one) => one.traits).map((trait) => [traitSaid(trait), groundOf([trait])]));
  return traits.size ? html`<ul class="legend">${[...traits].map(([text, ground]) => html`<li key=${text}><span class="swatch" data-ground=${ground} />${text}</li>`)}</ul>` : null;
}

/** Whether zones are drawn larger one below the other than side by side; what is about as good as before stays. */
function useUpright(svg, kind, state) {
  const [down, setDown] = useState(false);
  const zones = useRef();
  zones.current = kind === "zones" ? state : null;
  useLayoutEffect(() => {
    const look = () => {
      const { clientWidth: wide, clientHeight: high } = svg.current;
      if (!zones.current || !wide || !high) return;
      const scale = (upright) => {
        const [left, top, right, bottom] = zonesOf(zones.current, upright).home;
        return Math.min(wide / (right - left), high / (bottom - top));
      };
      setDown((was) => (scale(!was) > BETTER * scale(was) ? !was : was));
    };
    const resized = new ResizeObserver(look);
    resized.observe(svg.current);
    look();
    return () => resized.disconnect();
  }, [kind]);
  return down;
}

/** Return where zones lie: side by side, or `down` one below the other. */
function zonesOf(state, down) {
  const places = Object.values(state.places);
  const columns = columnsOf(places);
  const rows = Math.max(...columns.map((column) => column.length));
  const corner = new Map();
  const [across, along] = [(rows - 1) / 2, columns.length];
  columns.forEach((column, nth) => column.forEach((id, at) => {
    const aside = at + across - (column.length - 1) / 2;
    corner.set(id, down ? [aside * (WIDE + GAP), nth * (HIGH + GAP)] : [nth * (WIDE + GAP), aside * (HIGH + GAP)]);
  }));
  const [wide, high] = down ? [rows, along] : [along, rows];
  const middle = (id) => corner.has(id) ? [corner.get(id)[0] + WIDE / 2, corner.get(id)[1] + HIGH / 2] : null;
  const inside = (x, y) => [...corner].find(([, [left, top]]) => x >= left && x <= left + WIDE && y >= top && y <= top + HIGH)?.[0] ?? null;
  const ids = [...corner.keys()];
  const next = (place, x, y) => ids[(Math.max(0, ids.indexOf(place)) + x + y + ids.length) % ids.length];
  return { places, corner, middle, next, at: inside, unit: { fit: 84, least: 8, most: 140 }, spare: 0.02,
    home: [-0.2, -0.2, wide * (WIDE + GAP) - GAP + 0.2, high * (HIGH + GAP) - GAP + 0.2] };
}

function Zones({ layout: { places, corner, middle }, placed, shown, spot, grab }) {
  const ways = places.flatMap((one) => one.exits.filter((id) => corner.has(id)).map((exit) => [one.id, exit]));
  return html`${ways.map(([one, other]) => {
    const [[x1, y1], [x2, y2]] = [middle(one), middle(other)];
    return html`<line key=${`${one}>${other}`} class="way" x1=${x1} y1=${y1} x2=${x2} y2=${y2} />`;
  })}${places.map((one) => html`<${Zone} key=${one.id} one=${one} at=${corner.get(one.id)} there=${placed.filter((who) => who.place === one.id)}
    shown=${shown} spot=${spot} grab=${grab} />`)}`;
}

function Zone({ one, at: [x, y], there, shown, spot, grab }) {
  const box = html`<rect class="zone" x=${x} y=${y} width=${WIDE} height=${HIGH} rx="0.22" />`;
  const rows = there.length > 4 ? 2 : 1;
  const row = rows > 1 ? Math.max(4, Math.ceil(there.length / 2)) : 4;
  const step = Math.min(0.85, (WIDE - 0.5) / row);
  const radius = rows > 1 ? Math.min(0.25, step / 2) : 0.36;
  const place = (nth) => [x + 0.25 + radius + (nth % row) * step, y + (rows > 1 ? 1.18 + Math.floor(nth / row) * 0.58 : 1.54)];
  return html`${spot.ways.has(one.id) ? html`<${Spot} id=${one.id} spot=${spot}>${box}<//>` : box}
    <text class="label" x=${x + 0.25} y=${y + 0.52} font-size="0.42">${capital(placeSaid(one.id))}</text>
    ${one.traits.length ? html`<text class="sub" x=${x + 0.25} y=${y + 0.94} font-size="0.34">${one.traits.map(traitSaid).join(", ")}</text>` : null}
    ${there.map((who, nth) => html`<${Token} key=${who.id} ...${shown} one=${who} at=${place(nth)} radius=${radius} grab=${grab} />`)}`;
}

/** How far apart everybody is, in a fight without a map. */
export function Distances({ state }) {
  const everybody = Object.values(state.combatants);
  if (!Object.keys(state.distances).length || everybody.length > MOST_PAIRS) return null;
  const apart = (one, other) => toldApart(state, one.id, other.id);
  const known = (one, others) => others.some((other) => apart(one, other) !== undefined);
  const rows = everybody.filter((one, nth) => known(one, everybody.slice(nth + 1)));
  const columns = everybody.filter((one, nth) => known(one, everybody.slice(0, nth)));
  const cell = (one, other) => everybody.indexOf(other) > everybody.indexOf(one) ? String(apart(one, other) ?? "–") : "";
  return html`<div class="apart-in scroll" tabindex="0" role="region" aria-label="Distances"><table class="apart"><caption>How far apart</caption>
    <thead><tr><td></td>${columns.map((one) => html`<th scope="col" key=${one.id}>${one.name}</th>`)}</tr></thead>
    <tbody>${rows.map((one) => html`<tr key=${one.id}><th scope="row">${one.name}</th>${columns.map((other) => html`<td key=${other.id}>${cell(one, other)}</td>`)}</tr>`)}</tbody></table></div>`;
}

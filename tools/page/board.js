// The map as a drawing with pan and zoom: squares, hexes, or zones with the ways between them.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Backdrop, beginHanging, hanging, HangingOver, HangingTools, isPictured } from "./backdrop.js";
import { goalOf } from "./choices.js";
import { cellOf, cellSaid, hexes, squares, toldApart } from "./ground.js";
import { Measured, measure, MeasureOver, measuring } from "./measure.js";
import { PanZoom } from "./panzoom.js";
import { Button, html } from "./parts.js";
import { isOut } from "./people.js";
import { LikelyThere, Path, Spot } from "./spots.js";
import { initials, Outlines, spotsIn, Token, Tokens } from "./tokens.js";
import { nameSaid, placeSaid, traitsOf, unitSaid, word } from "./words.js";
import { useShape, Zones, zonesOf } from "./zones.js";

const MOST_PAIRS = 12;
const FURTHEST = 60;
const PAN = { ArrowLeft: [-0.2, 0], ArrowRight: [0.2, 0], ArrowUp: [0, -0.2], ArrowDown: [0, 0.2] };

/** Return the kind of a fight's map; null if there is none. */
export function mapOf(state, map) {
  if (map === "zones") return Object.keys(state.places).length ? "zones" : null;
  return map && Object.values(state.combatants).some((one) => one.place) ? map : null;
}

/**
 * The map.
 *
 * always: whether to show it without combatants; choosing: the choice in progress, whose places and targets are
 * marked; up: the combatant that acts now; tap(who) and menu(who): handle a click and a right click on a combatant; mover(): says who may be dragged, and
 * starts the move; seat: the viewer's seat, for the ruler and the map background.
 */
export function Board({ state, map, always = false, choosing = null, tap = null, menu = null, mover = null, seat = null, up = "", bands = {}, perils = new Map() }) {
  const kind = mapOf(state, map) ?? (always ? map : null);
  const svg = useRef();
  const inner = useRef();
  const lens = useRef();
  const known = useRef({});
  const view = useRef(null);
  const [drag, setDrag] = useState(null);
  const shape = useShape(svg, kind, state);
  const layout = kind === "zones" ? zonesOf(state, shape) : gridOf(state, kind, known.current, [...(choosing?.ways.value?.keys() ?? [])]);
  useLayoutEffect(() => {
    view.current = new PanZoom(svg.current, inner.current, { extent: layout.home, unit: layout.unit, over: lens.current });
    view.current.fit();
    return () => view.current.close();
  }, [kind]);
  useEffect(() => {
    view.current.extent = layout.home;
    if (kind === "zones" && !view.current.moved) view.current.fit(); // a move never changes where zones lie
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
  const shown = { state, bands, signs: initials(state), targets: choosing?.targets.value, tap, menu, up, perils };
  const goal = choosing && (goalOf(choosing.fields.value.find((one) => one.names === "place")?.chosen) ?? choosing.pointed.value?.to);
  const spot = { ways, goal, go: (id) => choosing.go(id), point: (id) => {
    if (!choosing.doubtful.value) choosing.pointed.value = id && ways.get(id)?.[0];
  } };
  return html`<div class="map"><svg class=${`board ${kind}${isPictured() ? " pictured" : ""}`} ref=${svg} role="group" aria-label=${kind === "zones" ? "Map of zones" : "Map"} tabindex="0"
      onKeyDown=${(event) => handleKey(event, view.current)}><${Outlines} /><g ref=${inner}><${Backdrop} />
      ${kind === "zones" ? html`<${Zones} layout=${layout} placed=${placed} shown=${shown} spot=${spot} grab=${grab} />`
        : html`<${Grid} layout=${layout} placed=${placed} shown=${shown} spot=${spot} grab=${grab} />`}
      <${Path} choosing=${choosing} layout=${layout} state=${state} /><${LikelyThere} choosing=${choosing} layout=${layout} />
      ${drag ? html`<g class="dragged"><${Token} ...${shown} tap=${null} menu=${null} targets=${null} one=${drag.one} at=${drag.at} radius=${0.4} /></g>` : null}${measuring.value ? html`<${Measured} middle=${layout.middle} />` : null}</g>
      ${hanging.value ? html`<${HangingOver} pointAt=${pointAt} middle=${centre} />` : null}
      ${seat && measuring.value ? html`<${MeasureOver} placeAt=${(event) => placeAt(event)[0]} next=${layout.next} first=${placed[0]?.place ?? layout.next(null, 0, 0)}
        apart=${(here, there) => seat.client.apart(seat.fight, here, there)} />` : null}</svg>
    ${seat && hanging.value ? html`<${HangingTools} client=${seat.client} fight=${seat.fight} extent=${layout.home} />` : null}
    <div class="lens" ref=${lens} role="group" aria-label="Map controls"><${Button} shows="plus" label="Zoom in" onClick=${() => view.current.by(1)} />
      <${Button} shows="minus" label="Zoom out" onClick=${() => view.current.by(-1)} />
      <${Button} shows="fit" label="Fit the map" onClick=${() => view.current.fit()} />
      ${seat ? html`<${Button} shows="measure" label="Measure" aria-pressed=${String(Boolean(measuring.value))} onClick=${measure} />` : null}
      ${seat?.isGm && !seat.closed.value ? html`<${Button} shows="picture" label="Map background" aria-pressed=${String(Boolean(hanging.value))} onClick=${beginHanging} />` : null}</div>
    <${Legend} ground=${layout.ground ?? []} /></div>`;
}

/** Suppress the click that ends a drag. */
const still = (event) => event.stopPropagation();

function handleKey(event, view) {
  if (event.target !== event.currentTarget) return;
  if (PAN[event.key]) view.pan(...PAN[event.key]);
  else if (["+", "="].includes(event.key)) view.by(1);
  else if (event.key === "-") view.by(-1);
  else if (event.key === "0") view.fit();
  else return;
  event.preventDefault();
}

/** Return the layout of a grid around everything known in it. The grid never shrinks: `known` keeps its edges. */
function gridOf(state, kind, known, reached) {
  const shape = kind === "hexes" ? hexes : squares;
  const ground = Object.values(state.places).filter((one) => wordsOf(one).length && cellOf(one.id));
  const told = [...Object.values(state.places).map((one) => one.id), ...Object.values(state.combatants).map((one) => one.place)];
  known.home = around(shape, told, known.home);
  known.all = around(shape, reached, around(shape, told, known.all));
  const [left, top, right, bottom] = known.all;
  const [x1, y1, x2, y2] = known.home;
  return { shape, ground, cells: shape.around([left, top], [right, bottom]), named: shape.around([x1, y1], [x2, y2]), home: [x1 - 0.1, y1 - 0.1, x2 + 0.1, y2 + 0.1],
    middle: (place) => cellOf(place) && shape.centre(cellOf(place)), next: (place, x, y) => {
      const [q, r] = cellOf(place ?? "0,0") ?? [0, 0];
      return `${q + x},${r + y}`;
    }, unit: { fit: 100, least: 8, most: 160 },
    at: (x, y) => shape.at(x, y).map((one) => one || 0).join(",") };
}

/** Return the edges around some places and a margin of one cell, joined with known edges. */
function around(shape, places, edges = [Infinity, Infinity, -Infinity, -Infinity]) {
  const cells = places.map(cellOf).filter((one) => one && Math.max(...one.map(Math.abs)) <= FURTHEST);
  return cells.map(shape.centre).reduce(([left, top, right, bottom], [x, y]) => [Math.min(left, Math.floor(x) - 1), Math.min(top, Math.floor(y) - 1),
    Math.max(right, Math.ceil(x) + 1), Math.max(bottom, Math.ceil(y) + 1)], edges);
}

function Grid({ layout: { shape, ground, cells, named }, placed, shown, spot, grab }) {
  const there = Map.groupBy(placed.filter((one) => cellOf(one.place)), (one) => one.place);
  return html`<path class="grid" d=${cells.map(shape.outline).join("")} />
    <${Names} cells=${named} shape=${shape} />
    ${ground.map((one) => html`<path key=${one.id} class="ground" data-ground=${groundOf(wordsOf(one))} d=${shape.outline(cellOf(one.id))}>
      <title>${placeSaid(one.id)}: ${traitsOf(one).join(", ")}</title></path>`)}
    ${[...spot.ways.keys()].filter(cellOf).map((id) => html`<${Spot} key=${id} id=${id} spot=${spot}><path d=${shape.outline(cellOf(id))} /><//>`)}
    <${Tokens} ...${shown} spots=${[...there].flatMap(([at, those]) => spotsIn(those, shape.centre(cellOf(at))))} grab=${grab} />`;
}

/** Render the names of the first row and column. No combatant stands there, and only the lower half of the row is visible first. */
function Names({ cells, shape }) {
  const first = cells[0]?.[1];
  return cells.filter(([, y], nth) => y === first || y !== cells[nth - 1][1]).map((cell) => {
    const [x, y] = shape.centre(cell);
    return html`<text class="name" key=${cell.join()} x=${x} y=${y + 0.38} font-size="0.17" aria-hidden="true">${cellSaid(cell)}</text>`;
  });
}

/** Return the words for a place's traits, in the order of their labels. */
const wordsOf = ({ traits, side_traits }) => [...traits, ...side_traits.map(({ trait }) => trait)];

/** Return the ground of a place with some traits; blocking ground has precedence. */
function groundOf(traits) {
  const found = traits.map((trait) => word("traits", trait).ground);
  return ["blocked", "cover", "haze", "difficult"].find((one) => found.includes(one)) ?? "";
}

function Legend({ ground }) {
  const traits = new Map(ground.flatMap((one) => traitsOf(one).map((text, nth) => [text, groundOf([wordsOf(one)[nth]])])));
  return traits.size ? html`<ul class="legend">${[...traits].map(([text, ground]) => html`<li key=${text}><span class="swatch" data-ground=${ground} />${text}</li>`)}</ul>` : null;
}

/** Return a combatant's distances to others, the nearest first: `5: Toke, Brand · 40: Raider A`. */
function distancesOf(state, one, everybody) {
  const told = everybody.filter((other) => other !== one && toldApart(state, one.id, other.id) !== undefined);
  const groups = Map.groupBy(told, (other) => toldApart(state, one.id, other.id));
  return [...groups].sort(([near], [far]) => near - far).map(([far, those]) => `${far}: ${those.map(({ name }) => nameSaid(name)).join(", ")}`).join(" · ");
}

/** Render the distances of the combatants that are not out, in a fight without a map. */
export function Distances({ state }) {
  const everybody = Object.values(state.combatants).filter((one) => !isOut(one));
  if (!Object.keys(state.distances).length) return null;
  if (everybody.length > MOST_PAIRS) {
    return html`<div class="apart-in scroll" tabindex="0" role="region" aria-label="Distances"><table class="apart"><caption>${`Distances${unitSaid() && `, in ${unitSaid()}`}`}</caption>
      <tbody>${everybody.map((one) => html`<tr key=${one.id}><th scope="row">${one.name}</th><td>${distancesOf(state, one, everybody)}</td></tr>`)}</tbody></table></div>`;
  }
  const apart = (one, other) => toldApart(state, one.id, other.id);
  const known = (one, others) => others.some((other) => apart(one, other) !== undefined);
  const rows = everybody.filter((one, nth) => known(one, everybody.slice(nth + 1)));
  const columns = everybody.filter((one, nth) => known(one, everybody.slice(0, nth)));
  const cell = (one, other) => everybody.indexOf(other) > everybody.indexOf(one) ? String(apart(one, other) ?? "–") : "";
  return html`<div class="apart-in scroll" tabindex="0" role="region" aria-label="Distances"><table class="apart"><caption>${`Distances${unitSaid() && `, in ${unitSaid()}`}`}</caption>
    <thead><tr><td></td>${columns.map((one) => html`<th scope="col" key=${one.id}>${one.name}</th>`)}</tr></thead>
    <tbody>${rows.map((one) => html`<tr key=${one.id}><th scope="row">${one.name}</th>${columns.map((other) => html`<td key=${other.id}>${cell(one, other)}</td>`)}</tr>`)}</tbody></table></div>`;
}

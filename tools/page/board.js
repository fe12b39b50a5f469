// The map as a drawing: squares, hexes, or zones with the ways between them.

import { h, pressed, s } from "./dom.js";
import { cellOf, columnsOf, hexes, squares } from "./ground.js";
import { hueOf } from "./people.js";
import { capital, label, placeSaid, word } from "./words.js";

const LARGEST = 4000;
const MOST_PAIRS = 12;
const LARGE_ENOUGH = 0.48;

/**
 * Return the drawing, or nothing where there is no map.
 *
 * targets, cells: what can be chosen; choose and go: what a click on a combatant or a place does.
 */
export function board(state, map, options = {}) {
  const placed = Object.values(state.combatants).filter((one) => one.place);
  if (map === "zones" && Object.keys(state.places).length) return zones(state, placed, options);
  if (!map || map === "zones" || !placed.length) return distances(state);
  return grid(state, placed, map === "hexes" ? hexes : squares, options);
}

/** Draw a map anew and leave it scrolled as it was; but whoever is up is in sight, and at first whoever is in the middle. */
export function keepInSight(stage, draw) {
  const before = stage.querySelector(".drawn")?.scrollLeft;
  draw();
  const map = stage.querySelector(".drawn");
  if (!map) return;
  map.scrollLeft = before ?? 0;
  const frame = map.getBoundingClientRect();
  const middles = [...map.querySelectorAll(".token.up")].map(middleOf);
  if (middles.some((one) => one > frame.left && one < frame.right) || (before !== undefined && !middles.length)) return;
  const all = [...map.querySelectorAll(".token")].map(middleOf).sort((one, other) => one - other);
  const wanted = middles[0] ?? all[all.length >> 1];
  if (wanted !== undefined) map.scrollLeft += wanted - frame.left - frame.width / 2;
}

function middleOf(token) {
  const { left, right } = token.getBoundingClientRect();
  return (left + right) / 2;
}

function grid(state, placed, shape, { targets, cells, choose, go }) {
  const ground = Object.values(state.places).filter((one) => one.traits.length && cellOf(one.id));
  const marked = [...ground.map((one) => one.id), ...placed.map((one) => one.place), ...(cells ?? [])]
    .map(cellOf).filter(Boolean);
  const centres = marked.map(shape.centre);
  const least = [0, 1].map((axis) => Math.floor(Math.min(...centres.map((one) => one[axis]))) - 1);
  const most = [0, 1].map((axis) => Math.ceil(Math.max(...centres.map((one) => one[axis]))) + 1);
  const [wide, high] = [most[0] - least[0] + 1.2, most[1] - least[1] + 1.2];
  if (wide * high > LARGEST) return null;
  const drawing = s("svg", { class: "board", viewBox: `${least[0] - 0.6} ${least[1] - 0.6} ${wide} ${high}`, role: "group",
    "aria-label": "Map" });
  drawing.style.setProperty("--cells", String(wide));
  drawing.style.setProperty("--rows", String(high));
  const around = shape.around(least, most);
  drawing.append(s("path", { class: "grid", d: around.map(shape.outline).join("") }), ...names(around, shape));
  for (const one of ground) {
    drawing.append(s("path", { class: "ground", data: { ground: groundOf(one.traits) }, d: shape.outline(cellOf(one.id)) },
      s("title", {}, `${one.id}: ${one.traits.map(traitSaid).join(", ")}`)));
  }
  for (const cell of cells ?? []) {
    if (cellOf(cell)) drawing.append(place(cell, s("path", { d: shape.outline(cellOf(cell)) }), go));
  }
  for (const [at, there] of grouped(placed)) {
    const cell = cellOf(at);
    if (cell) tokens(state, there, shape.centre(cell), 0.38, targets, choose).forEach((one) => drawing.append(one));
  }
  return h("div", { class: "map" }, h("div", { class: "drawn" }, drawing), legend(ground));
}

/** Name the cells of the first row, and the first of each other one, so that a place that is told can be counted off. */
function names(around, shape) {
  return around.filter(([, y], nth) => y === around[0][1] || y !== around[nth - 1][1]).map((cell) => {
    const [x, y] = shape.centre(cell);
    return s("text", { class: "name", x, y: y + 0.09, "font-size": 0.26, "aria-hidden": "true" }, cell.join(","));
  });
}

function grouped(placed) {
  const found = new Map();
  for (const one of placed) found.set(one.place, [...(found.get(one.place) ?? []), one]);
  return found;
}

function place(id, shown, go) {
  const act = () => go(id);
  return s("g", { class: "cell", role: "button", tabindex: 0, "aria-label": `Go to ${placeSaid(id)}`, data: { key: `cell-${id}`, cell: id },
    onclick: act, onkeydown: pressed(act) }, shown);
}

/** Return the tokens of those who share a place, side by side where they are several. */
function tokens(state, there, [x, y], radius, targets, choose) {
  const size = there.length > 1 ? radius * 0.66 : radius;
  return there.map((one, at) => {
    const angle = (2 * Math.PI * at) / there.length;
    const off = there.length > 1 ? 0.25 : 0;
    return token(state, one, [x + off * Math.cos(angle), y + off * Math.sin(angle)], size, targets, choose);
  });
}

function token(state, one, [x, y], radius, targets, choose) {
  const target = targets?.has(one.id);
  const up = state.acting.includes(one.id) && !state.ended;
  const sign = initials(state).get(one.id);
  const act = () => choose(one.id);
  const reached = target ? { role: "button", tabindex: 0, "aria-label": `Choose ${one.name}`, onclick: act,
    onkeydown: pressed(act) } : { role: "img", "aria-label": `${one.name} at ${placeSaid(one.place)}` };
  return s("g", { class: `token${up ? " up" : ""}${target ? " target" : ""}`, data: { hue: hueOf(state, one.side), who: one.id,
    key: `token-${one.id}` }, ...reached },
    s("title", {}, one.name),
    s("circle", { cx: x, cy: y, r: radius }), target ? s("circle", { class: "hit", cx: x, cy: y, r: Math.max(radius, LARGE_ENOUGH) }) : "",
    s("text", { x, y: y + radius * 0.33, "font-size": radius * (sign.length > 1 ? 0.86 : 1.02), "aria-hidden": "true" }, sign));
}

/** Return a short sign for each combatant, no two alike. */
function initials(state) {
  const signs = new Map();
  const taken = new Set();
  for (const one of Object.values(state.combatants)) {
    const words = one.name.split(/\s+/).filter(Boolean);
    const last = words.at(-1) ?? "";
    const wishes = [words.length > 1 && last.length === 1 ? `${words[0][0]}${last}` : words[0]?.[0] ?? "?",
      (words[0] ?? "?").slice(0, 2), words.map((word) => word[0]).join("").slice(0, 2)].map((one) => capital(one));
    let sign = wishes.find((wish) => !taken.has(wish));
    for (let n = 2; !sign; n += 1) if (!taken.has(`${wishes[0][0]}${n}`)) sign = `${wishes[0][0]}${n}`;
    taken.add(sign);
    signs.set(one.id, sign);
  }
  return signs;
}

/** Return what a place is like; what holds for one of its sides only has that behind a colon. */
const traitSaid = (trait) => (trait.includes(":") ? `${label("traits", trait.split(":")[0])}, on one side` : label("traits", trait));

/** Return how a place with these traits is drawn: what keeps people out first. */
function groundOf(traits) {
  const found = traits.map((trait) => word("traits", trait.split(":")[0]).ground);
  return ["blocked", "cover", "haze", "difficult"].find((one) => found.includes(one)) ?? "";
}

function legend(ground) {
  const traits = new Map(ground.flatMap((one) => one.traits).map((trait) => [traitSaid(trait), groundOf([trait])]));
  return traits.size ? h("ul", { class: "legend" }, [...traits].map(([text, ground]) =>
    h("li", {}, h("span", { class: "swatch", data: { ground } }), text))) : null;
}

function zones(state, placed, { targets, cells, choose, go }) {
  const places = Object.values(state.places);
  const columns = columnsOf(places);
  const [wide, high, gapX, gapY] = [4, 2.1, 0.6, 0.6];
  const rows = Math.max(...columns.map((column) => column.length));
  const at = new Map();
  columns.forEach((column, x) => column.forEach((id, y) =>
    at.set(id, [x * (wide + gapX), (y + (rows - column.length) / 2) * (high + gapY)])));
  const [width, height] = [columns.length * (wide + gapX) - gapX, rows * (high + gapY) - gapY];
  const drawing = s("svg", { class: "board zones", viewBox: `-0.2 -0.2 ${width + 0.4} ${height + 0.4}`, role: "group",
    "aria-label": "Map of zones" });
  drawing.style.setProperty("--cells", String(width * 1.05));
  drawing.style.setProperty("--rows", String(height * 1.05));
  for (const one of places) {
    for (const exit of one.exits.filter((id) => at.has(id))) drawing.append(way(at.get(one.id), at.get(exit), wide, high));
  }
  for (const one of places) drawing.append(...zone(one, at.get(one.id)));
  return h("div", { class: "map" }, h("div", { class: "drawn" }, drawing));

  function zone(one, [x, y]) {
    const box = s("rect", { class: "zone", x, y, width: wide, height: high, rx: 0.22 });
    const there = placed.filter((who) => who.place === one.id);
    const rows = there.length > 4 ? 2 : 1;
    const row = rows > 1 ? Math.max(6, Math.ceil(there.length / 2)) : 4;
    const step = Math.min(0.85, (wide - 0.5) / row);
    const radius = rows > 1 ? Math.min(0.27, step / 2) : 0.38;
    const spot = (nth) => [x + 0.25 + radius + (nth % row) * step, y + (rows > 1 ? 1.3 + Math.floor(nth / row) * 0.54 : 1.54)];
    return [
      cells?.has(one.id) ? place(one.id, box, go) : box,
      s("text", { class: "label", x: x + 0.25, y: y + 0.52, "font-size": 0.46 }, capital(placeSaid(one.id))),
      one.traits.length ? s("text", { class: "sub", x: x + 0.25, y: y + 0.96, "font-size": 0.38 }, one.traits.map(traitSaid).join(", ")) : "",
      ...there.map((who, nth) => token(state, who, spot(nth), radius, targets, choose)),
    ];
  }
}

function way([x1, y1], [x2, y2], wide, high) {
  return s("line", { class: "way", x1: x1 + wide / 2, y1: y1 + high / 2, x2: x2 + wide / 2, y2: y2 + high / 2 });
}

/** Return a table of how far apart everybody is, in a fight without a map. */
function distances(state) {
  const everybody = Object.values(state.combatants);
  if (!Object.keys(state.distances).length || everybody.length > MOST_PAIRS) return null;
  const apart = (one, other) => state.distances[[one.id, other.id].sort().join("|")];
  const known = (one, others) => others.some((other) => apart(one, other) !== undefined);
  const rows = everybody.filter((one, nth) => known(one, everybody.slice(nth + 1)));
  const columns = everybody.filter((one, nth) => known(one, everybody.slice(0, nth)));
  const cell = (one, other) => everybody.indexOf(other) > everybody.indexOf(one) ? String(apart(one, other) ?? "–") : "";
  return h("div", { class: "map scroll", tabindex: 0, role: "region", "aria-label": "Distances" }, h("table", { class: "apart" },
    h("caption", {}, "How far apart"),
    h("thead", {}, h("tr", {}, h("td", {}), columns.map((one) => h("th", { scope: "col" }, one.name)))),
    h("tbody", {}, rows.map((one) => h("tr", {}, h("th", { scope: "row" }, one.name),
      columns.map((other) => h("td", {}, cell(one, other))))))));
}

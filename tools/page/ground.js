// The geometry of cells and zones, in units of one cell.

/** The name of a cell: its id in files and logs, or its printed form. */
const CELL = /^\s*([W+-]?)(\d+)\s*,\s*([N+-]?)(\d+)\s*$/i;
const ROOT = Math.sqrt(3);

/** The direction of each arrow key. */
export const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Return the recorded distance of two combatants; undefined if it is not known. */
export const toldApart = (state, one, other) => {
  const [first, second] = [one, other].sort();
  return state.distances[first]?.[second];
};

/** Return a cell's two numbers, or nothing for a zone. */
export function cellOf(place) {
  const found = CELL.exec(place);
  return found ? [numberOf(found[1], found[2]), numberOf(found[3], found[4])] : null;
}

const numberOf = (sign, digits) => (sign && sign !== "+" ? -digits : Number(digits)) || 0;

/** Return the printed form of a cell: a W for columns left of 0, an N for rows above 0. */
export const cellSaid = ([x, y]) => `${x < 0 ? `W${-x}` : x},${y < 0 ? `N${-y}` : y}`;

/** Squares: the centre of a cell is its own two numbers. */
export const squares = {
  centre: ([x, y]) => [x, y],
  at: (x, y) => [Math.round(x), Math.round(y)],
  outline: ([x, y]) => `M${x - 0.5} ${y - 0.5}h1v1h-1z`,
  around: ([left, top], [right, bottom]) => {
    const cells = [];
    for (let y = top; y <= bottom; y += 1) for (let x = left; x <= right; x += 1) cells.push([x, y]);
    return cells;
  },
};

/** Hexes with a corner up, in axial coordinates; neighbouring centres are one unit apart. */
export const hexes = {
  centre: ([q, r]) => [q + r / 2, (r * ROOT) / 2],
  at: (x, y) => {
    const r = (2 * y) / ROOT;
    const q = x - r / 2;
    const [rq, rr, rs] = [q, r, -q - r].map(Math.round);
    const [dq, dr, ds] = [Math.abs(rq - q), Math.abs(rr - r), Math.abs(rs + q + r)];
    if (dq > dr && dq > ds) return [-rr - rs, rr];
    return dr > ds ? [rq, -rq - rs] : [rq, rr];
  },
  outline: (cell) => {
    const [x, y] = hexes.centre(cell);
    const side = 1 / ROOT;
    return `M${[0, 1, 2, 3, 4, 5].map((at) => {
      const angle = (Math.PI / 180) * (60 * at - 90);
      return `${(x + side * Math.cos(angle)).toFixed(3)} ${(y + side * Math.sin(angle)).toFixed(3)}`;
    }).join("L")}z`;
  },
  around: ([left, top], [right, bottom]) => {
    const cells = [];
    for (let r = Math.round((top * 2) / ROOT); r <= Math.round((bottom * 2) / ROOT); r += 1) {
      for (let q = Math.ceil(left - r / 2); q <= Math.floor(right - r / 2); q += 1) cells.push([q, r]);
    }
    return cells;
  },
};

/** Lay zones out in columns, by their distance from the first one. */
export function columnsOf(places) {
  const left = new Set(places.map((one) => one.id));
  const ways = new Map(places.map((one) => [one.id, new Set(one.exits)]));
  for (const one of places) for (const exit of one.exits) ways.get(exit)?.add(one.id);
  const columns = [];
  let next = [];
  while (left.size) {
    if (!next.length) next = [[...left][0]];
    for (const id of next) left.delete(id);
    columns.push(next);
    next = [...new Set(next.flatMap((id) => [...ways.get(id)]))].filter((id) => left.has(id));
  }
  return columns;
}

// The likeliest targets of a combatant: the last target first, then the nearest foe that can still act.

import { cellOf, hexes, squares, toldApart } from "./ground.js";
import { isHelpless, isOut } from "./people.js";

/** How many lines back the last target is looked up. */
const AS_FAR = 400;

/** Return a combatant's foes, the likeliest target first. lines: the known log; map: the kind of map. */
export function foesOf(state, who, lines, map) {
  const me = state.combatants[who];
  if (!me) return [];
  const all = Object.values(state.combatants).filter((one) => one.side !== me.side && !isOut(one));
  const able = all.filter((one) => !isHelpless(one));
  const foes = (able.length ? able : all).map((one) => one.id);
  const last = aimedAt(lines, who, foes);
  return foes.sort((one, other) => (other === last) - (one === last) || apart(state, map, who, one) - apart(state, map, who, other));
}

/** Return the foe that a combatant targeted last. */
function aimedAt(lines, who, foes) {
  for (let nth = lines.length - 1; nth >= Math.max(0, lines.length - AS_FAR); nth -= 1) {
    const { event } = lines[nth];
    const aimed = event?.type === "Declared" && event.actor === who && Object.values(event.params).find((one) => foes.includes(one));
    if (aimed) return aimed;
  }
  return null;
}

/** Return the distance of two combatants: as recorded, else on the map. Another zone counts as 1. */
function apart(state, map, one, other) {
  const told = toldApart(state, one, other);
  if (told !== undefined) return told;
  const places = [one, other].map((who) => state.combatants[who].place);
  const cells = places.map(cellOf);
  if (map === "zones" || !cells.every(Boolean)) return Number(places[0] !== places[1]);
  const [[x1, y1], [x2, y2]] = cells.map((map === "hexes" ? hexes : squares).centre);
  return Math.hypot(x1 - x2, y1 - y2);
}

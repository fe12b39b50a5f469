// Whom somebody is likely to act on next: of those who can still act whoever they aimed at last, then whoever is nearest.

import { cellOf, hexes, squares, toldApart } from "./ground.js";
import { isHelpless, isOut } from "./people.js";

/** How far back it is looked up whom somebody aimed at. */
const AS_FAR = 400;

/** Return the foes of somebody whom they are likely to act on, the likeliest first. lines: of the log, as far as they are known; map: what kind it is. */
export function foesOf(state, who, lines, map) {
  const me = state.combatants[who];
  if (!me) return [];
  const all = Object.values(state.combatants).filter((one) => one.side !== me.side && !isOut(one));
  const able = all.filter((one) => !isHelpless(one));
  const foes = (able.length ? able : all).map((one) => one.id);
  const last = aimedAt(lines, who, foes);
  return foes.sort((one, other) => (other === last) - (one === last) || apart(state, map, who, one) - apart(state, map, who, other));
}

/** Return which of some people somebody aimed at last. */
function aimedAt(lines, who, foes) {
  for (let nth = lines.length - 1; nth >= Math.max(0, lines.length - AS_FAR); nth -= 1) {
    const { event } = lines[nth];
    const aimed = event?.type === "Declared" && event.actor === who && Object.values(event.params).find((one) => foes.includes(one));
    if (aimed) return aimed;
  }
  return null;
}

/** Return how far apart two are: as it is told, or else as the map is drawn; zones are all alike but one's own. */
function apart(state, map, one, other) {
  const told = toldApart(state, one, other);
  if (told !== undefined) return told;
  const places = [one, other].map((who) => state.combatants[who].place);
  const cells = places.map(cellOf);
  if (map === "zones" || !cells.every(Boolean)) return Number(places[0] !== places[1]);
  const [[x1, y1], [x2, y2]] = cells.map((map === "hexes" ? hexes : squares).centre);
  return Math.hypot(x1 - x2, y1 - y2);
}

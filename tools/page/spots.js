// Destinations on a map, and the route to one.

import { html, pressed } from "./parts.js";
import { placeSaid, unitSaid } from "./words.js";

/** Render a place that the actor can move to. */
export function Spot({ id, spot, children }) {
  const act = (event) => {
    if (event.type === "keydown") event.currentTarget.closest(".board").focus({ preventScroll: true }); // the destinations disappear
    spot.go(id);
  };
  const risky = spot.ways.get(id)?.[0].provokes?.length;
  return html`<g class=${`cell${risky ? " risky" : ""}${spot.goal === id ? " chosen" : ""}`} role="button" tabindex="0" aria-label=${`Move to ${placeSaid(id)}`} data-key=${`cell-${id}`} data-cell=${id}
    onClick=${act} onKeyDown=${pressed(act)} onPointerEnter=${() => spot.point(id)} onPointerLeave=${() => spot.point(null)}
    onFocus=${() => spot.point(id)} onBlur=${() => spot.point(null)}>${children}</g>`;
}

/** Render the route under the pointer, with its cost. */
export function Path({ choosing, layout, state }) {
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

/** Render the destination of the suggested action, while no other action is being chosen: a frame, or a ring. */
export function LikelyThere({ choosing, layout }) {
  const likely = choosing?.likely && !choosing.kind.value && !choosing.ways.value?.size ? choosing.likely.value : null; // the editor has no suggestion
  const to = likely?.prospect?.to;
  const [at, corner] = [layout.middle(to), layout.corner?.get(to)];
  if (corner) return html`<rect class="likely-there" x=${corner[0]} y=${corner[1]} width=${layout.shape.wide} height=${layout.shape.high} rx="0.22" aria-hidden="true" />`;
  return at ? html`<circle class="likely-there" cx=${at[0]} cy=${at[1]} r="0.42" aria-hidden="true" />` : null;
}

// The ruler: the distance between two places, computed by the server in the fight's unit.

import { signal } from "@preact/signals";
import { ARROWS } from "./ground.js";
import { placeSaid } from "./words.js";
import { announce, html } from "./parts.js";

/** The measured places, and the server's answer `says`; nothing while the ruler is off. */
export const measuring = signal(null);

/** Turn the ruler on or off. */
export const measure = () => { measuring.value = measuring.value ? null : { from: null, to: null, says: "" }; };

/** Render the ruler's layer over the map. placeAt(event): the place under the pointer; next(place, x, y): its neighbour. */
export function MeasureOver({ placeAt, next, first, apart }) {
  const { from, to } = measuring.value;
  const towards = (place) => place && place !== measuring.value.to && ask({ ...measuring.value, to: place }, apart);
  const take = (place) => {
    if (!place) return;
    if (measuring.value.from && !measuring.value.fixed) ask({ ...measuring.value, to: place, fixed: true }, apart);
    else ask({ from: place, to: null, fixed: false, says: "" }, apart);
  };
  const down = (event) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    take(placeAt(event));
  };
  const move = (event) => measuring.value.from && !measuring.value.fixed && towards(placeAt(event));
  const up = (event) => {
    const place = placeAt(event);
    if (place && measuring.value.from && place !== measuring.value.from && !measuring.value.fixed) take(place);
  };
  const key = (event) => {
    const at = to ?? from ?? first;
    if (ARROWS[event.key]) {
      const place = next(at, ...ARROWS[event.key]);
      if (from && !measuring.value.fixed) towards(place);
      else measuring.value = { from: null, to: place, says: "", fixed: false };
      announce(placeSaid(place));
    } else if (event.key === "Enter" || event.key === " ") take(at);
    else if (event.key === "Escape") measure();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return html`<rect class="over measures" data-drag="" width="100%" height="100%" tabindex="0" role="img" aria-label="Measure: the arrow keys choose a place, Enter sets it, Escape ends"
    onPointerDown=${down} onPointerMove=${move} onPointerUp=${up} onKeyDown=${key} ref=${(one) => one && !one.contains(document.activeElement) && !one.dataset.met && focusOnce(one)} />`;
}

/** Focus the layer once. */
function focusOnce(one) {
  one.dataset.met = "";
  one.focus({ preventScroll: true });
}

async function ask(wanted, apart) {
  measuring.value = wanted;
  if (!wanted.from || !wanted.to) return;
  const { says } = await apart(wanted.from, wanted.to).catch((problem) => ({ says: problem.detail ?? problem.message }));
  if (measuring.value?.from !== wanted.from || measuring.value?.to !== wanted.to) return;
  measuring.value = { ...measuring.value, says };
  if (wanted.fixed) announce(`${placeSaid(wanted.from)} to ${placeSaid(wanted.to)}: ${says}`);
}

/** Render the line between the places, with the distance. */
export function Measured({ middle }) {
  const { from, to, says } = measuring.value;
  const [a, b] = [from && middle(from), to && middle(to)];
  const wide = 0.3 + 0.17 * says.length;
  return html`<g class="measured" aria-hidden="true">${a && b ? html`<path d=${`M${a.join(" ")}L${b.join(" ")}`} />` : null}
    ${[a, b].filter(Boolean).map(([x, y], nth) => html`<circle key=${nth} cx=${x} cy=${y} r="0.14" />`)}
    ${a && b && says ? html`<rect x=${b[0] + 0.2} y=${b[1] - 0.66} width=${wide} height="0.46" rx="0.12" /><text x=${b[0] + 0.2 + wide / 2} y=${b[1] - 0.32} font-size="0.3">${says}</text>` : null}</g>`;
}

// The controls of a replay: play, step, scrub.

import { Button, html } from "./parts.js";
import { Chance, Curve } from "./luck.js";

const UNITS = { event: "event", command: "command", turn: "turn", round: "round" };

/** Render the buttons and the scrubber, below the curve of luck if it is known. */
export function Transport({ luck, position, stops, go, state, all, unit, by, playing, toggle, stepBy, count, round }) {
  const at = Math.max(0, stops.findLastIndex((stop) => stop <= position));
  return html`<section class="panel transport" aria-label="Playback"><div class="controls">
    <${Button} shows="first" label="Go to the start" onClick=${() => go(all[0])} />
    <${Button} shows="back" label="Step back" onClick=${() => stepBy(-1)} />
    <${Button} shows=${playing ? "pause" : "play"} label=${playing ? "Pause" : "Play"} class="play" onClick=${toggle} />
    <${Button} shows="forward" label="Step forward" onClick=${() => stepBy(1)} />
    <${Button} shows="last" label="Go to the end" onClick=${() => go(all.at(-1))} />
    <label class="unit"><span>by</span><select aria-label="Step by" value=${unit} onChange=${({ target }) => by(target.value)}>
      ${Object.entries(UNITS).map(([value, text]) => html`<option key=${value} value=${value}>${text}</option>`)}</select></label>
    <div class="slide"><${Curve} luck=${luck} position=${position} stops=${stops} go=${go} state=${state} />
      <input type="range" min="0" step="1" max=${stops.length - 1} value=${at} class="scrubber" aria-label="Position in the fight"
        aria-valuetext=${`Position ${position}, round ${round}`} onInput=${({ target }) => go(stops[Number(target.value)])} /></div>
    <output class="where"><b>${position}</b>${` of ${count}`}</output><${Chance} luck=${luck} position=${position} /></div></section>`;
}

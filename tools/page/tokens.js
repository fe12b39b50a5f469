// Combatants on a map: a shape in the colour of the side, a sign, and a ring that shows the remaining health.

import { html, once, pressed, useHeldOrRight } from "./parts.js";
import { markOf, PerilMark } from "./perils.js";
import { portraitOf } from "./pictures.js";
import { hueOf, isGone, isHelpless, isOut, levelOf, outlineOf, shareOf, vitalOf } from "./people.js";
import { capital, placeSaid, word } from "./words.js";

/** The scale of a large combatant's token. */
const LARGE = 1.25;

/** The radius of a token in a cell, and of one that is out beside others that are not; the room between two of those. */
const [USUAL, SMALL, APART] = [0.4, 0.13, 0.28];

/** Return where the tokens of one cell are: side by side; beside others, those that are out are small and at the edge. */
export function spotsIn(there, [x, y]) {
  const [out, able] = [there.filter(isOut), there.filter((one) => !isOut(one))];
  if (!out.length || !able.length) return around(there, [x, y], USUAL, 0.25);
  const step = Math.min(APART, (2 * APART) / Math.max(1, out.length - 1));
  return [...around(able, [x, y - 0.1], USUAL * 0.82, 0.21),
    ...out.map((one, nth) => ({ one, at: [x + (nth - (out.length - 1) / 2) * step, y + 0.36], radius: SMALL }))];
}

/** Return one token in the middle, or several around it. */
function around(those, [x, y], radius, off) {
  if (those.length === 1) return [{ one: those[0], at: [x, y], radius }];
  return those.map((one, nth) => {
    const angle = (2 * Math.PI * nth) / those.length;
    return { one, at: [x + off * Math.cos(angle), y + off * Math.sin(angle)], radius: radius * 0.66 };
  });
}

/** Render the tokens of a map. Those that are out lie below all others, helpless ones above them, and the one that acts on top. */
export function Tokens({ spots, ...shown }) {
  const layer = ({ one }) => (isGone(shown.perils, one) ? 0 : isHelpless(one) ? 1 : one.id === shown.up ? 3 : 2);
  return [...spots].sort((one, other) => layer(one) - layer(other)).map((spot) => html`<${Token} key=${spot.one.id} ...${spot} ...${shown} />`);
}

/** Render a token. up: the combatant that acts now, the only one with a second ring; tap, menu and grab handle a click, a right click and a drag. */
export function Token({ state, bands, one, at: [x, y], radius: usual, signs, targets, tap, menu, grab, up: actor, perils }) {
  const radius = usual * (one.traits.some((trait) => word("traits", trait).size === "large") ? LARGE : 1);
  const target = targets?.has(one.id);
  const up = one.id === actor;
  const hidden = state.concealed.includes(one.id);
  const sign = signs.get(one.id);
  const picture = portraitOf(one.id);
  const hue = hueOf(state, one.side);
  const band = bands[one.id] ?? {};
  const share = shareOf(one, band);
  const fares = band[vitalOf(one, band)];
  const name = one.name.includes(sign) ? one.name : `${one.name} ${sign}`;
  const peril = markOf(perils, one.id);
  const at = `${name} at ${placeSaid(one.place)}${peril ? `, ${peril.label}` : ""}`;
  const act = () => tap(one.id);
  const held = useHeldOrRight(menu && (() => menu(one.id)));
  const reached = tap ? { role: "button", tabindex: 0, "aria-label": target ? `Choose ${name}` : at, onClick: act,
    onKeyDown: pressed(act), ...held } : { role: "img", "aria-label": at };
  const classes = ["token", up && "up", target && "target", hidden && "concealed", isGone(perils, one) ? "out" : (isHelpless(one) || isOut(one)) && "down"];
  return html`<g class=${classes.filter(Boolean).join(" ")} data-hue=${hue} data-who=${one.id} data-key=${`token-${one.id}`} data-drag=${grab ? "" : null}
      onPointerDown=${grab ? (event) => grab(event, one) : null} ...${reached}>
    <title>${one.name}${fares ? `, ${fares}` : ""}${peril ? `, ${peril.label}` : ""}${hidden ? ", hidden from the other players" : ""}</title>
    ${up ? html`<circle class="beacon" cx=${x} cy=${y} r=${radius * 1.24} />` : null}
    <circle class="ring" cx=${x} cy=${y} r=${radius * 1.06} />
    <path class="body" transform=${`translate(${x} ${y})`} d=${outlineOf(hue, radius * 0.86)} />
    ${share === null ? null : html`<path class=${`fares ${levelOf(share)}`} d=${arc(x, y, radius * 1.06, share)} />`}
    ${picture ? html`<g transform=${`translate(${x} ${y}) scale(${radius})`}><image class="portrait" href=${picture} x="-1" y="-1" width="2" height="2" preserveAspectRatio="xMidYMid slice" clip-path=${`url(#face-${hue})`} />
      <circle class="sign" cx="0.62" cy="0.62" r="0.4" /></g>` : null}
    <text x=${picture ? x + radius * 0.62 : x} y=${y + radius * (picture ? 0.75 : 0.3)} font-size=${radius * (SIGN_SIZES[sign.length] ?? 0.5) * (picture ? 0.48 : 1)} aria-hidden="true">${sign}</text>
    ${peril ? html`<${PerilMark} peril=${peril} x=${x - radius * 0.72} y=${y - radius * 0.72} size=${Math.max(radius * 0.42, 0.14)} />` : null}
    ${hidden ? html`<${Hidden} x=${x + radius * 0.72} y=${y - radius * 0.72} size=${radius * 0.42} />` : null}</g>`;
}

/** Render the clip paths of portraits. */
export const Outlines = () => html`<defs>${[1, 2, 3, 4, 5, 6].map((hue) => html`<clipPath key=${hue} id=${`face-${hue}`}><path d=${outlineOf(hue, 0.86)} /></clipPath>`)}</defs>`;

/** Render a struck-through eye, the mark of a hidden combatant. */
function Hidden({ x, y, size }) {
  return html`<g class="unknown" transform=${`translate(${x} ${y}) scale(${size})`} aria-hidden="true"><circle r="1" />
    <path d="M-.7 0Q0-.8.7 0Q0 .8-.7 0M-.6.6L.6-.6" /></g>`;
}

function arc(x, y, radius, share) {
  if (share >= 1) return `M${x} ${y - radius}a${radius} ${radius} 0 1 1 -0.001 0`;
  if (share <= 0) return "";
  const angle = 2 * Math.PI * share - Math.PI / 2;
  return `M${x} ${y - radius}A${radius} ${radius} 0 ${share > 0.5 ? 1 : 0} 1 ${x + radius * Math.cos(angle)} ${y + radius * Math.sin(angle)}`;
}

/** The last word of a numbered name: a letter, or a number. */
const COUNTED = /^(?:\p{L}|\d{1,2})$/u;

/** The font size of a sign by its number of letters, in radii of its token. */
const SIGN_SIZES = [0.95, 0.95, 0.78, 0.58];

/** Return a short sign for each combatant, no two alike. */
export const initials = once((state) => {
  const signs = new Map();
  const taken = new Set();
  for (const one of Object.values(state.combatants)) {
    const words = one.name.split(/\s+/).filter(Boolean);
    const last = words.at(-1) ?? "";
    const wishes = [words.length > 1 && COUNTED.test(last) ? `${words[0][0]}${last}` : words[0]?.[0] ?? "?",
      (words[0] ?? "?").slice(0, 2), words.map((word) => word[0]).join("").slice(0, 2)].map((one) => capital(one));
    let sign = wishes.find((wish) => !taken.has(wish));
    for (let n = 2; !sign; n += 1) if (!taken.has(`${wishes[0][0]}${n}`)) sign = `${wishes[0][0]}${n}`;
    taken.add(sign);
    signs.set(one.id, sign);
  }
  return signs;
});

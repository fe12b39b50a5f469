// The map background: drawn, and placed by the game master with a finger, a mouse, keys or numbers.

import { signal } from "@preact/signals";
import { useRef, useState } from "preact/hooks";
import { ARROWS } from "./ground.js";
import { Button, html, Labelled, useTrying } from "./parts.js";
import { backgroundOf, pictureAt, scene, set, uploadMap } from "./pictures.js";
import { unitOfPlaces } from "./words.js";

/** The position of the background while the game master places it; nothing otherwise. */
export const hanging = signal(null);

/** The accepted media types of uploads. */
export const KINDS = "image/png,image/jpeg,image/webp";

const [STEP, FAR] = [0.05, 1];
const [GROWS, GROWS_FAR] = [1.01, 1.1];
const WHEEL = 0.0015;
const [SMALLEST, LARGEST] = [0.01, 1000];

/** Render the background, in units of the map. */
export function Backdrop() {
  const lies = hanging.value ?? backgroundOf(scene.value);
  if (!lies?.picture) return null;
  return html`<image class="backdrop" href=${pictureAt(lies.picture)} transform=${`translate(${lies.x} ${lies.y}) scale(${lies.scale / 100})`} />`;
}

/** Whether the map has a background. */
export const isPictured = () => Boolean((hanging.value ?? backgroundOf(scene.value))?.picture);

/** Start placing the background. */
export function beginHanging() {
  hanging.value = backgroundOf(scene.value) ?? { picture: "", scale: 1, x: 0, y: 0 };
}

const change = (by) => { hanging.value = { ...hanging.value, ...by }; };
const shift = (x, y) => change({ x: hanging.value.x + x, y: hanging.value.y + y });

/** Resize the background around a point of the map. */
function grow(factor, [x, y]) {
  const { scale, x: left, y: top } = hanging.value;
  const wanted = Math.min(LARGEST, Math.max(SMALLEST, scale * factor));
  const by = wanted / scale;
  change({ scale: wanted, x: x - (x - left) * by, y: y - (y - top) * by });
}

/** Render the layer that moves the background by fingers. pointAt(event): the point of the map. */
export function HangingOver({ pointAt, middle }) {
  const fingers = useRef(new Map());
  const held = () => [...fingers.current.values()];
  const down = (event) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    fingers.current.set(event.pointerId, pointAt(event));
  };
  const move = (event) => {
    if (!fingers.current.has(event.pointerId)) return;
    const before = held();
    const now = pointAt(event);
    const [x, y] = fingers.current.get(event.pointerId);
    fingers.current.set(event.pointerId, now);
    const share = 1 / before.length;
    shift((now[0] - x) * share, (now[1] - y) * share);
    if (before.length === 2) grow(apart(held()) / (apart(before) || 1), between(held()));
  };
  const up = (event) => fingers.current.delete(event.pointerId);
  const wheel = (event) => {
    event.preventDefault();
    grow(Math.exp(-event.deltaY * WHEEL), pointAt(event));
  };
  return html`<rect class="over" data-drag="" width="100%" height="100%" tabindex="0" role="img" aria-label="Map background: the arrow keys move it, plus and minus resize it"
    onPointerDown=${down} onPointerMove=${move} onPointerUp=${up} onPointerCancel=${up} onWheel=${wheel} onKeyDown=${(event) => handleKey(event, middle())} />`;
}

function handleKey(event, middle) {
  const far = event.shiftKey;
  if (ARROWS[event.key]) shift(...ARROWS[event.key].map((one) => one * (far ? FAR : STEP)));
  else if (["+", "=", "*"].includes(event.key)) grow(far ? GROWS_FAR : GROWS, middle);
  else if (["-", "_"].includes(event.key)) grow(1 / (far ? GROWS_FAR : GROWS), middle);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

const apart = ([[x1, y1], [x2, y2]]) => Math.hypot(x1 - x2, y1 - y2);
const between = ([[x1, y1], [x2, y2]]) => [(x1 + x2) / 2, (y1 + y2) / 2];

/** Render the tools for placing the background. extent: [left, top, right, bottom] that a new picture covers. */
export function HangingTools({ client, fight, extent }) {
  const [wrong, trying] = useTrying();
  const [busy, setBusy] = useState(false);
  const lies = hanging.value;
  const done = () => { hanging.value = null; };
  const busily = (work) => trying(async () => {
    setBusy(true);
    await work().finally(() => setBusy(false));
  });
  const choose = ({ target }) => target.files[0] && busily(async () => {
    const { name, width, height } = await uploadMap(client, fight, target.files[0]);
    const [left, top, right, bottom] = extent;
    const covers = 100 * Math.max((right - left) / width, (bottom - top) / height);
    change(lies.picture ? { picture: name } : { picture: name, scale: covers, x: left, y: top });
  })();
  const save = busily(async () => {
    await set(client, fight, { background: { picture: lies.picture, scale: lies.scale, x: rounded(lies.x), y: rounded(lies.y) } });
    done();
  });
  const takeAway = busily(async () => {
    await set(client, fight, { background: null });
    done();
  });
  const number = (id, says, value, take, more = {}) => html`<${Labelled} says=${says} of=${id}><input id=${id} type="number" step="any" value=${String(value)} ...${more}
    onChange=${({ target }) => Number.isFinite(target.valueAsNumber) && take(target.valueAsNumber)} /><//>`;
  return html`<section class="hanging" aria-label="Map background">
    <div class="row"><label class=${`button${lies.picture ? "" : " main"}`} for="map-picture">${lies.picture ? "Another picture …" : "Choose a picture …"}</label>
      <input type="file" id="map-picture" accept=${KINDS} onChange=${choose} />
      ${lies.picture ? html`<${Button} says="Save" class="main" aria-disabled=${String(busy)} onClick=${busy ? null : save} />` : null}
      ${scene.value.background ? html`<${Button} says="Remove" onClick=${takeAway} />` : null}
      <${Button} says="Cancel" class="quiet" onClick=${done} /></div>
    ${lies.picture ? html`<div class="row numbers-of">${number("map-pixels", `Pixels per ${unitOfPlaces()}`, rounded(100 / lies.scale), (pixels) => pixels > 0 && change({ scale: 100 / pixels }), { min: 1 })}
      ${number("map-x", "From the left", rounded(lies.x), (x) => change({ x }))}${number("map-y", "From the top", rounded(lies.y), (y) => change({ y }))}</div>
      <p class="dim">Drag to move. Pinch or scroll to resize. Keys: arrows, + and −, with Shift for larger steps.</p>` : html`<p class="dim">PNG, JPEG or WebP, up to 8 MiB.</p>`}
    <p class="warning" role="alert">${wrong}</p></section>`;
}

const rounded = (number) => Math.round(number * 1000) / 1000;

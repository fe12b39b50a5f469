// The picture behind the map: drawn, and put in its place by the game master, with a finger, a mouse, keys or numbers.

import { signal } from "@preact/signals";
import { useRef, useState } from "preact/hooks";
import { ARROWS } from "./ground.js";
import { Button, html, Labelled, useTrying } from "./parts.js";
import { backgroundOf, pictureAt, scene, set, uploadMap } from "./pictures.js";
import { unitOfPlaces } from "./words.js";

/** How the picture lies while it is put in its place; nothing otherwise. */
export const hanging = signal(null);

/** What may be uploaded. */
export const KINDS = "image/png,image/jpeg,image/webp";

const [STEP, FAR] = [0.05, 1];
const [GROWS, GROWS_FAR] = [1.01, 1.1];
const WHEEL = 0.0015;
const [SMALLEST, LARGEST] = [0.01, 1000];

/** The picture, in units of the map. */
export function Backdrop() {
  const lies = hanging.value ?? backgroundOf(scene.value);
  if (!lies?.picture) return null;
  return html`<image class="backdrop" href=${pictureAt(lies.picture)} transform=${`translate(${lies.x} ${lies.y}) scale(${lies.scale / 100})`} />`;
}

/** Whether there is a picture behind the map. */
export const isPictured = () => Boolean((hanging.value ?? backgroundOf(scene.value))?.picture);

/** Begin to put the picture in its place. */
export function beginHanging() {
  hanging.value = backgroundOf(scene.value) ?? { picture: "", scale: 1, x: 0, y: 0 };
}

const change = (by) => { hanging.value = { ...hanging.value, ...by }; };
const shift = (x, y) => change({ x: hanging.value.x + x, y: hanging.value.y + y });

/** Make it larger or smaller around a point of the map. */
function grow(factor, [x, y]) {
  const { scale, x: left, y: top } = hanging.value;
  const wanted = Math.min(LARGEST, Math.max(SMALLEST, scale * factor));
  const by = wanted / scale;
  change({ scale: wanted, x: x - (x - left) * by, y: y - (y - top) * by });
}

/** What lies over the map meanwhile and takes its place under fingers. pointAt(event): where that is on the map. */
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
  return html`<rect class="over" data-drag="" width="100%" height="100%" tabindex="0" role="img" aria-label="The picture: arrows move it, plus and minus make it larger and smaller"
    onPointerDown=${down} onPointerMove=${move} onPointerUp=${up} onPointerCancel=${up} onWheel=${wheel} onKeyDown=${(event) => keyed(event, middle())} />`;
}

function keyed(event, middle) {
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

/** What the game master has at hand meanwhile. extent: what is to be covered at first: left, top, right, bottom. */
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
  return html`<section class="hanging" aria-label="The picture behind the map">
    <div class="row"><label class=${`button${lies.picture ? "" : " main"}`} for="map-picture">${lies.picture ? "Another picture …" : "Choose a picture …"}</label>
      <input type="file" id="map-picture" accept=${KINDS} onChange=${choose} />
      ${lies.picture ? html`<${Button} says="Keep it so" class="main" aria-disabled=${String(busy)} onClick=${busy ? null : save} />` : null}
      ${scene.value.background ? html`<${Button} says="Take it away" onClick=${takeAway} />` : null}
      <${Button} says="Never mind" class="quiet" onClick=${done} /></div>
    ${lies.picture ? html`<div class="row numbers-of">${number("map-pixels", `Pixels a ${unitOfPlaces()}`, rounded(100 / lies.scale), (pixels) => pixels > 0 && change({ scale: 100 / pixels }), { min: 1 })}
      ${number("map-x", "From the left", rounded(lies.x), (x) => change({ x }))}${number("map-y", "From the top", rounded(lies.y), (y) => change({ y }))}</div>
      <p class="dim">Drag it, pinch it or turn the wheel; by keys: arrows, + and −, with Shift by more.</p>` : html`<p class="dim">PNG, JPEG or WebP, up to 8 MiB.</p>`}
    <p class="warning" role="alert">${wrong}</p></section>`;
}

const rounded = (number) => Math.round(number * 1000) / 1000;

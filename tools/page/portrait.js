// The game master's choice of a portrait: a new picture, one of the fight's portraits, or none.

import { KINDS } from "./backdrop.js";
import { Button, html, useTrying } from "./parts.js";
import { pictureAt, scene, set, uploadFace } from "./pictures.js";

/** Render the choice of a combatant's portrait. */
export function Portrait({ seat, who, name }) {
  const [wrong, trying] = useTrying();
  const { portraits } = scene.value;
  const give = trying(async (find) => {
    const { [who]: _, ...others } = scene.value.portraits;
    const picture = await find();
    await set(seat.client, seat.fight, { portraits: picture ? { ...others, [who]: picture } : others });
  });
  const there = [...new Set(Object.values(portraits))];
  return html`<section class="portraits" aria-label=${`The portrait of ${name}`}>
    <div class="row">${there.map((picture, nth) => html`<button type="button" key=${picture} class="pick-face" aria-pressed=${String(portraits[who] === picture)} aria-label=${`Portrait ${nth + 1}`}
        onClick=${() => give(() => picture)}><img class="face" src=${pictureAt(picture)} alt="" /></button>`)}
      <label class="button" for="face-file">${there.length ? "Another portrait …" : "Add a portrait …"}</label>
      <input type="file" id="face-file" accept=${KINDS} onChange=${({ target }) => target.files[0] && give(async () => (await uploadFace(seat.client, seat.fight, target.files[0])).name)} />
      ${portraits[who] ? html`<${Button} says="No portrait" class="quiet" onClick=${() => give(() => null)} />` : null}</div>
    <p class="warning" role="alert">${wrong}</p></section>`;
}

// The pictures of a fight: what lies behind its map, and the faces of those in it, as far as whoever looks on may see them.

import { signal } from "@preact/signals";

const NONE = { version: "", portraits: {} };

/** How large a portrait becomes at most, in pixels on a side. */
const FACE = 384;

/** What was set for the fight that is shown. */
export const scene = signal(NONE);
let address = String;

/** Ask for the pictures of a fight, and show them; those of one that is shown stay until the new ones are there. */
export async function hang(client, fight) {
  address = (name) => client.picture(name);
  try {
    scene.value = { ...NONE, ...await client.scene(fight) };
  } catch {
    // A fight can be played without pictures; the next change asks for them again.
  }
}

/** Show what lies behind the map of an encounter, if anything does. */
export function hangBehind(client, background) {
  address = (name) => client.picture(name);
  scene.value = { ...NONE, background };
}

/** Show none any more. */
export const takeDown = () => { scene.value = NONE; };

/** Return where a picture is. */
export const pictureAt = (name) => address(name);

/** Return where the portrait of somebody is; nothing of whoever has none. */
export function portraitOf(who) {
  const name = scene.value.portraits[who];
  return name ? address(name) : null;
}

/** Return the picture behind the map, with how it lies; nothing where there is none. */
export const backgroundOf = ({ background }) => (background ? { scale: 1, x: 0, y: 0, ...background } : null);

/** Set some of it, keep the rest, and forget pictures that are shown nowhere any more. @throws {Problem} */
export async function set(client, fight, change) {
  const { version, background = null, portraits } = scene.value;
  try {
    scene.value = { ...NONE, ...await client.setScene(fight, { version, background, portraits, ...change }) };
  } catch (problem) {
    await hang(client, fight);
    throw problem;
  }
  const shown = new Set([scene.value.background?.picture, ...Object.values(scene.value.portraits)]);
  for (const name of scene.value.pictures ?? []) if (!shown.has(name)) await client.removePicture(fight, name);
}

/** Upload a picture for the map, and return its name and size. @throws {Problem} */
export async function uploadMap(client, fight, file) {
  const kept = await client.upload(fight, file);
  await hang(client, fight);  // to have it there is another version of all of it
  return kept;
}

/** Upload a portrait, made as small as it is shown. @throws {Problem} */
export const uploadFace = async (client, fight, file) => uploadMap(client, fight, await shrunk(file));

/** Return a picture's middle as a square of at most so many pixels; the file itself where that cannot be drawn. */
async function shrunk(file) {
  try {
    const whole = await createImageBitmap(file);
    const side = Math.min(whole.width, whole.height);
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = Math.min(side, FACE);
    canvas.getContext("2d").drawImage(whole, (whole.width - side) / 2, Math.max(0, (whole.height - side) / 4), side, side, 0, 0, canvas.width, canvas.height);
    return await new Promise((done) => canvas.toBlob(done, "image/webp", 0.9)) ?? file;
  } catch {
    return file;
  }
}

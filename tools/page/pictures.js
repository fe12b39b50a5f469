// The pictures of a fight: the map background and the portraits, as far as the viewer may see them.

import { signal } from "@preact/signals";

const NONE = { version: "", portraits: {} };

/** The largest side of a portrait, in pixels. */
const FACE = 384;

/** The pictures of the shown fight. */
export const scene = signal(NONE);
let address = String;

/** Fetch and show the pictures of a fight. The old ones stay until the new ones arrive. */
export async function hang(client, fight) {
  address = (name) => client.picture(name);
  try {
    scene.value = { ...NONE, ...await client.scene(fight) };
  } catch {
    // A fight can be played without pictures; the next change asks for them again.
  }
}

/** Show the map background of an encounter, if it has one. */
export function hangBehind(client, background) {
  address = (name) => client.picture(name);
  scene.value = { ...NONE, background };
}

/** Remove all pictures. */
export const takeDown = () => { scene.value = NONE; };

/** Return the address of a picture. */
export const pictureAt = (name) => address(name);

/** Return the address of a combatant's portrait; null if it has none. */
export function portraitOf(who) {
  const name = scene.value.portraits[who];
  return name ? address(name) : null;
}

/** Return the map background with its position; null if there is none. */
export const backgroundOf = ({ background }) => (background ? { scale: 1, x: 0, y: 0, ...background } : null);

/** Change some pictures, keep the others, and delete unused ones. @throws {Problem} */
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
  await hang(client, fight);  // the upload raised the scene's version
  return kept;
}

/** Upload a portrait, shrunk to its largest shown size. @throws {Problem} */
export const uploadFace = async (client, fight, file) => uploadMap(client, fight, await shrinkPicture(file));

/** Return the middle of a picture as a shrunk square; the file itself if it cannot be drawn. */
async function shrinkPicture(file) {
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

/** The exact text of values inside JSON, which JSON.parse loses. Hashes cover the written text. */

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},:]/gs;

/**
 * Yield where each entry of an object or array begins, where its colon is, and where it ends.
 *
 * @param {string} text Valid JSON.
 * @returns {Generator<{from: number, colon: number, to: number}>}
 */
function* entries(text) {
  let depth = 0;
  let from = 0;
  let colon = -1;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === "{" || token === "[") {
      depth += 1;
      if (depth === 1) from = index + 1;
    } else if (token === "}" || token === "]") {
      depth -= 1;
      if (depth === 0 && text.slice(from, index).trim()) yield { from, colon, to: index };
    } else if (depth === 1 && token === ",") {
      yield { from, colon, to: index };
      from = index + 1;
      colon = -1;
    } else if (depth === 1 && token === ":") {
      colon = index;
    }
  }
}

/**
 * Return the key and the text of each member of a JSON object; a key may come twice.
 *
 * @param {string} text A valid JSON object.
 * @returns {[string, string][]}
 */
export function pairs(text) {
  return [...entries(text)].map(({ from, colon, to }) => [JSON.parse(text.slice(from, colon)), text.slice(colon + 1, to).trim()]);
}

/** Return the text of each member of a JSON object, by its key. @param {string} text A valid JSON object. */
export const members = (text) => new Map(pairs(text));

/** Return the text of each element of a JSON array. @param {string} text A valid JSON array. @returns {string[]} */
export function elements(text) {
  return [...entries(text)].map(({ from, to }) => text.slice(from, to).trim());
}

// Isolates around right-to-left words, so that numbers and marks beside them keep their order; see `tools/text/isolates.py`.

const LETTERS = "\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}";
const ON_LETTERS = `${LETTERS}\\u0300-\\u036f\\u200c\\u200d`;
const QUOTED = `(?<=“)[^“”${LETTERS}]*[${LETTERS}][^“”]*(?=”)`;
const WORDS = `[${LETTERS}][${ON_LETTERS}]*(?:[ '’\\-][${LETTERS}][${ON_LETTERS}]*)*`;
const TURNS = new RegExp(`${QUOTED}|${WORDS}`, "gu");

/** Isolate quoted texts that hold right-to-left letters, and right-to-left words elsewhere. */
export const isolate = (text) => text.replace(TURNS, "\u2068$&\u2069");

/** Return an element's children with isolated texts; other children stay unchanged. */
export const isolateIn = (child) => (typeof child === "string" ? isolate(child) : Array.isArray(child) ? child.map(isolateIn) : child);

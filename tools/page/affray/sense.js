/** Checks of an event by itself: impossible dice, unreadable parameters. */

import { Unreadable } from "./forms.js";
import { members } from "./scan.js";
import { DICE_SCHEMES, MOST_DICE, MOST_SIDES, ON_CELLS } from "./shapes.js";

/** @typedef {import("./reading.js").Line} Line */
/** @typedef {import("./history.js").History} History */

/** The pattern of a cell's id. */
const CELL = /^-?[0-9]{1,9},-?[0-9]{1,9}$/;

const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/gs;
const NUMBER = /-?\d[\d.eE+-]*/g;

/** The most digits that the engine reads. */
const MOST_DIGITS = 4300;

/** @param {number} sides */
const ofSides = (sides) => (sides >= 1 && sides <= MOST_SIDES ? "" : `there is no die of ${sides} sides`);

/** @param {{sides: number, faces: number[], fates: string[]}} dice */
function ofFaces({ sides, faces, fates }) {
  if (fates.length && fates.length !== faces.length) return `${faces.length} dice have ${fates.length} fates`;
  const off = faces.find((face) => face < 1 || face > sides);
  return ofSides(sides) || (off === undefined ? "" : `a die of ${sides} sides shows no ${off}`);
}

/** @param {{sides: number, count: number}} dice */
const ofDice = ({ sides, count }) => ofSides(sides) || (count >= 0 && count <= MOST_DICE ? "" : `nobody throws ${count} dice`);

/** @param {any} _ @param {Line} line */
function ofParams(_, line) {
  const numbers = (members(line.text).get("params") ?? "").replace(STRING, "").match(NUMBER) ?? [];
  const tooLong = numbers.some((one) => (/[.eE]/.test(one) ? !Number.isFinite(Number(one)) : one.length > MOST_DIGITS));
  return tooLong ? "its parameters hold a number that is too long" : "";
}

/** @param {string} place @param {History} history */
function ofPlace(place, history) {
  const isOff = place && ON_CELLS.has(history.system) && !CELL.test(place);
  return isOff ? `${place.slice(0, 20)} is no place on this map` : "";
}

/**
 * The checks by event type; each returns an error message, or an empty text.
 *
 * @type {Record<string, (event: any, line: Line, history: History) => string>}
 */
const FAULTS = {
  Asked: ({ of, options }) => (of.length && options.length ? "" : "nobody is asked, or nothing can be answered"),
  Attempted: ofParams,
  Declared: ofParams,
  DiceAwaited: ({ dice }) => dice.map(ofDice).find(Boolean) ?? "",
  FightOpened: ({ format, dice_scheme: scheme }) =>
    DICE_SCHEMES[format - 1] === scheme ? "" : `format ${format} has no dice scheme ${scheme}`,
  Joined: ({ place }, _, history) => ofPlace(place, history),
  Moved: ({ after }, _, history) => ofPlace(after, history),
  Rolled: ({ dice }) => dice.map(ofFaces).find(Boolean) ?? "",
  Ruled: ofParams,
  Stacked: ofParams,
};

/**
 * Refuse an event that is impossible by itself.
 *
 * @param {History} history The history that it follows.
 * @param {Line} line
 * @throws {Unreadable}
 */
export function mustMakeSense(history, line) {
  const { event, position } = line;
  const fault = event && Object.hasOwn(FAULTS, event.type) && FAULTS[event.type](event, line, history);
  if (fault) throw new Unreadable(`${event.type}: ${fault}`, position);
}

/** Steps through a recorded fight by event, command, turn or round. */

import { phaseOf } from "./fold.js";
import { STARTS } from "./shapes.js";

/** @typedef {import("./history.js").History} History */
/** @typedef {"event" | "command" | "turn" | "round"} Step */

const BEGINS = { turn: "TurnBegan", round: "RoundBegan" };

/**
 * Return the positions at which a step can stop, always including the last.
 *
 * A command ends where the next one begins, also one of those that an amendment decided again; a turn or a round is
 * reached once it has begun.
 *
 * @param {History} history
 * @param {Step} by
 * @param {number[]} [line] The positions to step through; the effective ones, if not given.
 * @returns {number[]}
 */
export function marks(history, by, line = history.path) {
  const last = line.length - 1;
  return line.filter((position, nth) => {
    if (by === "event" || nth === last) return true;
    if (by === "command") return endsACommand(history, position);
    return history.at(position).event?.type === BEGINS[by];
  });
}

/** Tell whether an event is the last one of a command. @param {History} history @param {number} position */
function endsACommand(history, position) {
  const next = history.at(position + 1)?.event?.type;
  return !history.at(position).more || (next !== undefined && STARTS.has(next));
}

/**
 * Return the position of the next or previous step; the position itself if there is none.
 *
 * @param {number[]} stops In order, such as `marks` gives.
 * @param {number} position
 * @param {1 | -1} [direction]
 * @returns {number}
 */
export function step(stops, position, direction = 1) {
  const there = direction > 0 ? stops.find((stop) => stop > position) : stops.findLast((stop) => stop < position);
  return there ?? position;
}

/** Return the round and turn of a position. @param {History} history @param {number} position */
export function moment(history, position) {
  const state = history.stateAt(position);
  return { round: state.round, up: state.up, acting: state.acting, phase: phaseOf(state) };
}

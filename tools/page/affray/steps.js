/** Going through a recorded fight: event by event, command by command, turn by turn, round by round. */

import { phaseOf } from "./fold.js";
import { STARTS } from "./shapes.js";

/** @typedef {import("./history.js").History} History */
/** @typedef {"event" | "command" | "turn" | "round"} Step */

const BEGINS = { turn: "TurnBegan", round: "RoundBegan" };

/**
 * Return the positions one can stop at, the last one always among them.
 *
 * A command ends where the next one begins, also one of those that an amendment decided again; a turn or a round is
 * reached once it has begun.
 *
 * @param {History} history
 * @param {Step} by
 * @param {number[]} [line] Which positions count; those that count now, if not given.
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
 * Return where the next step leads, or the one before; where there is none, the position itself.
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

/** Return when in the fight a position is. @param {History} history @param {number} position */
export function moment(history, position) {
  const state = history.stateAt(position);
  return { round: state.round, up: state.up, acting: state.acting, phase: phaseOf(state) };
}

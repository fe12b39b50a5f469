/** Checks of events about the record: whether one can follow the record so far. */

import { Unreadable } from "./forms.js";
import { ABOUT_THE_RECORD } from "./shapes.js";

/** @typedef {import("./history.js").History} History */
/** @typedef {import("./reading.js").Line} Line */

/** Bytes in hexadecimal digits, as the engine reads them: blanks may stand between them. */
const HEX = /^(?:[ \t\n\v\f\r]*[0-9a-fA-F]{2})*[ \t\n\v\f\r]*$/;

/**
 * The conditions by event type, each with its error message.
 *
 * @type {Record<string, (event: any, position: number, history: History) => [boolean, string][]>}
 */
const CHECKS = {
  FightOpened: (_, position) => [[position === 1, "the fight was opened at position 1"]],
  Rewound: leaves,
  UndoRequested: leaves,
  Amended: (event, position, history) => [
    ...leaves(event, position, history),
    ...lookedBack(event, position),
    [event.dropped.every((/** @type {number} */ one) => isBefore(one, position)), "it drops what is not there"],
  ],
  Restored: ({ lane, left }, position, history) => [
    [wasTakenBack(lane, position, history), `position ${lane} was never taken back`],
    [left === headOf(history), `it leaves position ${left}, and the head is ${headOf(history)}`],
  ],
  Previewed: lookedBack,
  Forked: lookedBack,
  UndoDeclined: ({ request }, position) => [[isBefore(request, position), `there is no request at position ${request}`]],
  Closed: ({ seed }) => [[HEX.test(seed), "its seed is no hexadecimal number"]],
};

/** @param {History} history */
const headOf = (history) => history.path.at(-1) ?? 0;

/** @param {number} one @param {number} position */
const isBefore = (one, position) => one >= 1 && one < position;

/** @param {number} lane @param {number} position @param {History} history */
function wasTakenBack(lane, position, history) {
  return isBefore(lane, position) && !ABOUT_THE_RECORD.has(history.at(lane).event?.type ?? "") && !history.isEffective(lane);
}

/** @param {any} event @param {number} _ @param {History} history @returns {[boolean, string][]} */
function leaves({ to, lane }, _, history) {
  return [
    [to > 0 && history.isEffective(to), `position ${to} does not count, so nothing can go on from there`],
    [lane === headOf(history), `it leaves position ${lane}, and the head is ${headOf(history)}`],
  ];
}

/** @param {any} event @param {number} position @returns {[boolean, string][]} */
function lookedBack(event, position) {
  return [[isBefore(event.position, position), `there is no position ${event.position} before it`]];
}

/**
 * Refuse an event that cannot follow a history: it refers to a missing event, or the record ended before it.
 *
 * @param {History} history A whole one, in which nothing is hidden.
 * @param {Line} line The next one.
 * @throws {Unreadable}
 */
export function mustBePossible(history, { position, event }) {
  if (!event) return;
  const ended = `the record ended at position ${history.closed}`;
  const checks = Object.hasOwn(CHECKS, event.type) ? CHECKS[event.type](event, position, history) : [];
  for (const [holds, fault] of [.../** @type {[boolean, string][]} */ ([[!history.closed, ended]]), ...checks]) {
    if (!holds) throw new Unreadable(`${event.type}: ${fault}`, position);
  }
}

// What goes without saying: a question is answered as somebody said they always do; the turn ends where somebody said so
// with what they did; and at the game master's table, where whoever is next can only begin their turn, it begins.

import { answered } from "./waiting.js";
import { word } from "./words.js";

/** What takes something back or brings it again. Nothing is done by itself behind it, nor while an undo is asked for. */
const BACK = new Set(["Rewound", "Restored", "Amended"]);

/** Return what ends the turn, of some kinds of action. */
export const endOf = (kinds) => kinds.find((one) => !one.refused && !one.fields?.length && word("actions", one.kind).ends);

/** Do what goes without saying, once everything that was asked is answered. */
export function goOn(seat) {
  const { choosing } = seat;
  const { waits } = seat.legal.value;
  if (!seat.current.value || seat.closed.value) return;
  const back = Boolean(seat.request) || BACK.has(seat.history.recorded.at(-1).event?.type);
  const said = back ? null : answered(waits, seat.own, seat.state.value);
  if (said) seat.send(said, true);
  if (waits.length) return;
  const ending = choosing.ending;
  const acting = seat.state.value.acting;
  if (ending && (back || !acting.includes(ending))) choosing.ending = null;
  else if (ending && choosing.actor.value === ending && endOf(choosing.kinds.value)) declare(seat, ending, endOf(choosing.kinds.value));
  else if (seat.isGm && !back) begin(seat);
}

/** Do the only thing there is to do, if nobody decides anything by it, and nothing is told of it. */
function begin(seat) {
  const { actors = [] } = seat.legal.value;
  const may = seat.choosing.kinds.value.filter((one) => !one.refused);
  if (actors.length !== 1) return;
  if (may.length === 1 && !may[0].fields?.length && word("actions", may[0].kind).told === false) declare(seat, actors[0].who, may[0]);
}

function declare(seat, actor, { kind }) {
  seat.choosing.ending = null;
  seat.send({ type: "Declared", actor, kind, params: {} }, true);
}

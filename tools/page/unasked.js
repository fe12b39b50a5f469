// Automatic steps: a question with an automatic answer is answered; a window of an ignored turn goes by; the turn ends
// after "and end the turn"; and at the game master's table the next turn begins if no other action is possible.

import { findAutomaticAnswer, passesFor } from "./waiting.js";
import { word } from "./words.js";

/** The events of undo, redo and correction. No automatic step follows them, or runs while an undo request is pending. */
const BACK = new Set(["Rewound", "Restored", "Amended"]);

/** Return the action that ends the turn, if it is possible without choices. */
export const findTurnEnd = (kinds) => kinds.find((one) => !one.refused && !one.fields?.length && word("actions", one.kind).ends);

/** Take the automatic steps. */
export function takeAutomaticSteps(seat) {
  const { choosing } = seat;
  const { waits } = seat.legal.value;
  if (!seat.current.value || seat.closed.value) return;
  const back = Boolean(seat.request) || BACK.has(seat.history.recorded.at(-1).event?.type);
  const said = back ? null : findAutomaticAnswer(seat.habits.value, waits, seat.own, seat.state.value);
  if (said) seat.send(said, true);
  else if (!back && seat.ignored === turnOf(seat)) pass(seat);
  if (waits.length) return;
  const ending = choosing.ending;
  const acting = seat.state.value.acting;
  if (ending && (back || !acting.includes(ending))) choosing.ending = null;
  else if (ending && choosing.actor.value === ending && findTurnEnd(choosing.kinds.value)) declare(seat, ending, findTurnEnd(choosing.kinds.value));
  else if (seat.isGm && !back) begin(seat);
}

/** Return the position at which the current turn began. */
const turnOf = (seat) => seat.history.recorded.findLast(({ event }) => event?.type === "TurnBegan")?.position ?? 0;

/** Let this window go by, and each further one of this turn. */
export function ignoreWindows(seat) {
  seat.ignored = turnOf(seat);
  pass(seat);
}

/** Pass in a window, if one is open for this viewer. */
function pass(seat) {
  const passes = passesFor(seat.legal.value.waits, seat.isGm);
  if (passes.length === 1) seat.send(passes[0], true);
  else seat.sendAll(passes);
}

/** Declare the only possible action if it involves no decision and the story does not mention it. */
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

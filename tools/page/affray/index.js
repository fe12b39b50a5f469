/** Affray's client: reads, folds and verifies logs, and follows and drives fights on a server. Needs nothing else. */

export { digest, encode, readState } from "./canonical.js";
export { chained, ChainBroken, payloadDigest, verifyChain, verifyLog } from "./chain.js";
export { Client, newId } from "./client.js";
export { feed } from "./feed.js";
export { EMPTY, evolve, fold, HANDLERS, isQuiet, phaseOf } from "./fold.js";
export { Following } from "./following.js";
export { History } from "./history.js";
export { Problem, Unreachable } from "./problem.js";
export { FORMAT, readLine, readLog, Unreadable } from "./reading.js";
export { sha256 } from "./sha256.js";
export { ABOUT_THE_RECORD, EVENTS, STARTS } from "./shapes.js";
export { Unknown } from "./states.js";
export { marks, moment, step } from "./steps.js";

// Tells which events the client folds.

import { HANDLERS } from "../../tools/page/affray/index.js";

console.log(JSON.stringify(Object.keys(HANDLERS).sort()));

// Words for ids, numbers and actions: the same ones the command line uses.

const TITLES = new Set(
  ("abbot baron boss captain chief commander count duke guard innkeeper king knight leader master mayor prince " +
    "princess queen ringleader sergeant sheriff warden witch wizard").split(" "),
);

const VERBS = {
  begin: "begin the fight", begin_turn: "take the turn", bolt: "run away in fear", break_free: "break free of", break_grapple: "let go",
  called_shot: "aim at", calm: "calm the nerves of", control_mount: "control the mount", delay: "delay the turn", douse: "put out the fire on",
  end_turn: "end the turn", enter_melee: "go into melee with", fire: "fire at", forfeit: "give up the fight",
  free_attack: "make a free attack on", improvise: "improvise against", surprise_check: "test for surprise",
  grapple: "grapple with", knock_prone: "try to knock down", leave_melee: "leave the melee",
  light_match: "light the match", maneuver: "try something against", mount_attack: "let the mount strike",
  prone: "drop to the ground", ready: "ready an action", recover_ammo: "look for missiles",
  reinsert: "take the delayed turn", roll_initiative: "roll for initiative", shoot: "shoot at", skill: "use",
  spend_inspiration: "spend inspiration", spell: "cast", stand: "stand up", struggle: "struggle to get free",
  stunt: "try a stunt on", swap: "change to", take_pack_item: "take out of the pack", tick_minute: "let a minute pass",
  withdraw: "withdraw fighting",
};
const WHOLE = new Set(["begin", "delay", "end_turn", "forfeit", "reinsert"]);
const THROUGH = new Set(["cast", "skill", "spell", "use"]);
const SILENT = new Set(["difficult", "ep", "grapple", "path"]);
/** Parameters whose value says what it is without their name. */
const ALONE = new Set(["aim", "attacker", "cause", "condition", "effect", "item", "outcome", "piece", "purpose", "text", "what",
  "who", "why"]);
const SEVERAL = Symbol("several");
const PARTS = {
  skill: (value) => ` ${value}`, target: (value) => ` ${value}`, patient: (value) => ` ${value}`,
  weapon: (value) => ` ${value}`, item: (value) => ` ${value}`, to: (value) => ` to ${value}`,
  metres: (value) => ` ${value} m`, feet: (value) => ` ${value} feet`, off: (value) => ` and ${value}`,
  mode: (value) => ` (${value})`, ability: (value) => ` by ${value}`,
  pay: (value) => ` (paid with ${value})`, what: (value) => `: ${value}`,
};
const ABBREVIATIONS = {
  arm_out: "without the use of an arm", brink: "at the brink", deaths_door: "at death’s door",
  denied_main: "denied the Main Action", denied_move: "denied the Move Action", hand_out: "without the use of a hand",
  hp: "HP", ep: "EP", leg_out: "without the use of a leg",
};

/** Return what people call everybody and everything in a fight, from its events. */
export function namesOf(events) {
  const names = { gm: "the game master" };
  for (const event of events) learn(names, event);
  return names;
}

/** Add the names an event brings. */
export function learn(names, event) {
  if (event.type === "Joined") names[event.who] = personName(event.name);
  else if (event.type === "ItemAdded") names[event.item] = event.name;
  else if (event.type === "RelationSet" && event.kind === "group") group(names, event.relation);
}

/** Return the names of whatever a state holds. */
export function namesIn(state) {
  const names = { gm: "the game master" };
  for (const [id, item] of Object.entries(state.items ?? {})) names[id] = item.name;
  for (const [id, one] of Object.entries(state.relations ?? {})) if (one.kind === "group") group(names, id);
  for (const [id, one] of Object.entries(state.combatants ?? {})) names[id] = personName(one.name);
  return names;
}

/** Name a group; verbs behind one that ends like a plural are in the plural. */
function group(names, id) {
  names[id] = `the ${id}`;
  if (id.endsWith("s")) (names[SEVERAL] ??= new Set()).add(id);
}

function personName(name) {
  return TITLES.has(name.toLowerCase()) ? `the ${name}` : name;
}

export const called = (names, id) => (Object.hasOwn(names, id) ? names[id] : id);
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
export const plain = (number) => (number < 0 ? `−${-number}` : String(number));
export const signed = (number) => (number < 0 ? `−${-number}` : `+${number}`);
export const change = (before, after) => `${before} → ${after}`;
export const said = (name) => ABBREVIATIONS[name] ?? String(name).replaceAll("_", " ");
/** Return a place for people: cells are numbers, zones are named. */
export const placeSaid = (place) => (/^-?\d/.test(place) ? place : said(place).replaceAll("-", " "));
export const owns = (name) => (name.endsWith("s") && name.startsWith("the ") ? `${name}’` : `${name}’s`);
export const topic = (about) => about.split(":")[0];

export function series(parts, last = "and") {
  const all = [...parts];
  if (!all.length) return "nobody";
  const end = all.pop();
  return all.length ? `${all.join(", ")} ${last} ${end}` : end;
}

export function purposeSaid(name) {
  const word = topic(name);
  return ABBREVIATIONS[word] && word !== "hp" && word !== "ep" ? ABBREVIATIONS[word] : `for ${said(word)}`;
}

/** Return a verb as it follows somebody, such as `attacks the Captain`; several do it in the plural. */
export function does(names, id, text) {
  return names[SEVERAL]?.has(id) ? text : thirdPerson(text);
}

export function thirdPerson(text) {
  const [first, ...rest] = text.split(" ");
  const mark = /[,:]$/.test(first) ? first.at(-1) : "";
  let verb = mark ? first.slice(0, -1) : first;
  if (/[^aeou]y$/.test(verb)) verb = `${verb.slice(0, -1)}ies`;
  else verb += /(s|sh|ch|x|z|o)$/.test(verb) ? "es" : "s";
  return [verb + mark, ...rest].join(" ");
}

export function counted(counter, before, after) {
  const moved = change(before, after);
  return stateOfThing(counter, before, after) || (["count", "left"].includes(counter) ? moved : `${said(counter)} ${moved}`);
}

/** Return how a thing is now, such as `is no longer loaded`; nothing where its counter is a number. */
export function stateOfThing(counter, before, after) {
  const how = { lit: "is lit", needs_professional: "needs a professional" }[counter]
    ?? (/(ed|en)$/.test(counter) ? `is ${said(counter)}` : "");
  if (!how || before + after !== 1) return "";
  return after ? how : how.startsWith("is ") ? how.replace("is ", "is no longer ") : `no longer ${how}`;
}

const LYING = new Set(["dropped", "readied", "thrown", "worn"]);
export const lying = (where) => LYING.has(where);

/** Return where a thing is, as it follows its name: `in belt`, `thrown`, `at 1,0`. */
export function stowed(where) {
  if (!where || lying(where)) return where || "away";
  return `${/^[-\d]/.test(where) ? "at" : "in"} ${where}`;
}

export const borne = (condition, count) => (count === 1 ? said(condition) : `${said(condition)} ${count}`);

/** Return what is done in the infinitive, such as `attack the Captain`. */
export function phrase(kind, params, names, actor = "") {
  const values = { ...params };
  if (values.path?.length && !values.to) values.to = values.path.at(-1);
  const through = THROUGH.has(kind);
  if (through && values.target) values.target = `on ${called(names, values.target)}`;
  else if (kind !== "swap" && values.weapon) values.weapon = `with ${valueSaid(values.weapon, names, actor)}`;
  const order = through ? ["skill", "spell", "item", ...Object.keys(PARTS).filter((name) => name !== "skill" && name !== "item")]
    : Object.keys(PARTS);
  let text = VERBS[kind] ?? said(kind);
  if (!values.target && !values.patient) text = text.replace(/ (of|on|against)$/, "");
  for (const name of WHOLE.has(kind) ? [] : order) {
    if (!values[name] || values[name] === true) continue;
    text += (PARTS[name] ?? ((value) => ` ${value}`))(valueSaid(values[name], names, actor));
    delete values[name];
  }
  const rest = Object.entries(values).filter(([name]) => !SILENT.has(name));
  return rest.length ? `${text}: ${rest.map(([name, value]) =>
    namedSaid(name, value, names, actor)).join(", ")}` : text;
}

/** Return a parameter with its name, where it does not say enough without; what is yes or no as its name alone. */
export function namedSaid(name, value, names, actor = "") {
  const [about, whom] = name.split(":");
  const title = whom ? `${said(about)} of ${called(names, whom)}` : Object.hasOwn(names, name) ? names[name] : said(name);
  if (typeof value === "boolean") return value ? title : `not ${title}`;
  const shown = valueSaid(value, names, actor);
  return ALONE.has(name) || (value !== null && typeof value === "object" && !Array.isArray(value)) ? shown : `${title} ${shown}`;
}

const unsaid = (value) => value === null || value === "" || value === 0 || value === false
  || (typeof value === "object" && !Object.keys(value).length);

/** Return a parameter's value for people. */
export function valueSaid(value, names, actor = "") {
  if (Array.isArray(value)) return series(value.map((one) => valueSaid(one, names, actor)));
  if (typeof value === "number") return plain(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (value !== null && typeof value === "object") {
    return Object.entries(value).filter(([, one]) => !unsaid(one)).map(([name, one]) =>
      namedSaid(name, one, names, actor)).join(", ");
  }
  return names[`${actor}.${value}`] ?? (Object.hasOwn(names, value) ? names[value] : said(value));
}

/** Return who does what, or (not `sure`) means to. */
export function actionSaid(actor, what, manner, names, sure = true) {
  const who = called(names, actor);
  if (manner === "readied") {
    const answers = `${does(names, actor, "answer")} and ${does(names, actor, what)}`;
    return `${who} ${sure ? answers : does(names, actor, `mean to answer and ${what}`)}`;
  }
  const how = !manner || manner === "standard" || what.split(" ").includes(said(manner)) ? "" : ` (${said(manner)})`;
  return `${who}${how} ${does(names, actor, sure ? what : `mean to ${what}`)}`;
}

/** Return what is added up, such as `10 +2 accuracy`; what adds nothing is left out. */
export function terms(modifiers, first = "") {
  const parts = first ? [first] : [];
  for (const one of modifiers ?? []) {
    if (!one.value) continue;
    const label = /^\d/.test(one.label) ? `(${one.label})` : said(one.label);
    parts.push(`${parts.length ? signed(one.value) : plain(one.value)} ${label}`);
  }
  return parts.join(" ");
}

/** Return what a roll showed and came to: `10 +2 accuracy = 12 against 13`. */
export function diceSaid(roll) {
  const reading = roll.reading ?? "sum";
  const several = reading === "sum" ? "+" : ", ";
  const named = new Set(roll.dice.map((one) => one.kind ?? "die")).size > 1;
  let shown = roll.dice.map((one) => facesSaid(one, several, named)).join(named ? ", " : several);
  const alone = ["sum", "highest", "lowest"].includes(reading) && shown === String(roll.total);
  if (reading !== "sum" && !alone) shown = `${reading} of ${shown || "no dice"}`;
  if (roll.pool?.length) shown += ` (${terms(roll.pool)})`;
  if (roll.source === "entered") shown += " (entered)";
  let text = terms(roll.modifiers, shown);
  if (!alone || text !== shown) text += ` = ${plain(roll.total)}`;
  return roll.against === undefined || roll.against === null ? text : `${text} against ${roll.against}`;
}

function facesSaid(group, several, named) {
  const shown = group.faces.map((face, at) => {
    const fate = group.fates?.[at] ?? "kept";
    return fate === "kept" ? String(face) : `${face} (${fate})`;
  });
  return named ? `${said(group.kind ?? "die")} ${shown.join(" ")}` : shown.join(several);
}

export const diceWanted = (dice) => series(dice.map((one) => `${one.count}d${one.sides}`));

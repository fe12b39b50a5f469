// The action bar of the active combatant: the usual actions, the rest behind "More", and the end of the turn apart. A
// chosen action shows its fields, with the possible values and the reasons against the others.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { groupByReason, describeAction, leads, pickOf, describeChoice, possible, wanted } from "./choices.js";
import { Clause } from "./clause.js";
import { isMine } from "./headline.js";
import { Button, html } from "./parts.js";
import { hueOf, isUp } from "./people.js";
import { portraitOf } from "./pictures.js";
import { OneTurn } from "./playing.js";
import { findTurnEnd } from "./unasked.js";
import { called, capital, label, placeSaid, series, word } from "./words.js";

/** How many actions the bar shows, and how many of the first ones it shows even if they are impossible. */
const SHOWN = 5;
const ALWAYS = 3;

/** The message for a viewer who can do nothing now. */
export const NOTHING = "Waiting for your turn.";

/** A field with more values than this is a drop-down list. */
const LISTED = 24;

/** More reasons than this are folded away. */
const FEW = 4;

/** If only actions of these groups are left, ending the turn is suggested. */
const BESIDE = new Set(["gear", "turn", ""]);

const HEADINGS = { fight: "Fight", gear: "Gear", turn: "Turn" };

const groupOf = ({ kind }) => word("actions", kind).group || "";
const headingOf = (group) => HEADINGS[group] ?? capital(group || "other");

/** Render the action bar. */
export function Bar({ seat }) {
  const { choosing } = seat;
  const [more, setMore] = useState(false);
  const names = seat.names.value;
  const actors = [...choosing.actors.value.keys()];
  const kinds = choosing.kinds.value;
  const actor = choosing.actor.value;
  if (!actors.length) return null;
  const may = kinds.filter((one) => !one.refused);
  const deeds = kinds.filter((one) => groupOf(one) !== "turn");
  const aside = seat.me.role === "player" && !isMine(seat) && !seat.state.value.ended;
  const first = new Set(deeds.slice(0, !seat.state.value.ended && may.some((one) => groupOf(one) !== "turn") ? ALWAYS : 0));
  const usual = aside ? [] : deeds.filter((one) => first.has(one) || !one.refused).filter((one, nth) => first.has(one) || nth < SHOWN);
  const apart = aside ? [] : may.filter((one) => groupOf(one) === "turn").slice(0, usual.length ? 2 : SHOWN);
  const rest = kinds.filter((one) => !usual.includes(one) && !apart.includes(one));
  const chosen = choosing.kind.value;
  const bar = rest.includes(chosen) ? [...usual, chosen] : usual; // so that its form is in sight
  const open = more && !chosen;
  const unfold = () => {
    if (chosen) choosing.drop();
    setMore(!open);
  };
  const asked = new Set(seat.legal.value.waits.flatMap(({ kind, intent }) => (kind === "pass" ? [intent.who] : [])));
  const up = (who) => (asked.size ? asked.has(who) : isUp(seat.state.value, who)); // the others may only act out of turn
  const likely = chosen || choosing.doubtful.value ? null : choosing.likely.value;
  const spent = !likely && may.every((one) => BESIDE.has(groupOf(one)));
  const only = !choosing.answers && !seat.state.value.ended && may.length === 1 && (actors.length === 1 || !word("actions", may[0].kind).each) && may[0];
  return html`<div class=${`actions${chosen ? " chosen-of" : ""}`}>
    ${actors.length > 1 ? html`<${Actors} choosing=${choosing} actors=${[...actors].sort((one, other) => up(other) - up(one))} names=${names} up=${up} />` : null}
    <div class="kinds" role="group" aria-label=${`Actions of ${called(names, actor)}`}>
      ${likely ? html`<${Likely} seat=${seat} one=${likely} />` : null}
      ${aside ? html`<p class="dim">${NOTHING}</p>` : null}<div class="bar">${portraitOf(actor) ? html`<img class="face acting" src=${portraitOf(actor)} alt="" data-hue=${hueOf(seat.state.value, seat.state.value.combatants[actor].side)} />` : null}${bar.map((one) => html`<${Kind} key=${one.key} seat=${seat} one=${one} main=${one === only && one !== chosen} />`)}
        ${rest.length ? html`<${Button} key="more" says="More" class="more-kinds" aria-expanded=${String(open)} onClick=${unfold} />` : null}</div>
      <div class="bar apart">${apart.map((one) => html`<${Kind} key=${one.key} seat=${seat} one=${one} main=${one === only || (spent && one === findTurnEnd(apart))} />`)}
        <${Together} seat=${seat} kinds=${may} actors=${actors} /><${OneTurn} seat=${seat} /></div>
      ${open ? html`<${Rest} seat=${seat} rest=${rest} />` : null}
    </div>
    ${choosing.doubtful.value ? html`<${Doubtful} choosing=${choosing} way=${choosing.doubtful.value} names=${names} />` : null}
    ${chosen ? html`<${Details} seat=${seat} kind=${chosen} names=${names} />` : null}</div>`;
}

/** Render the choice of the acting combatant in one line, which scrolls to the chosen one. */
function Actors({ choosing, actors, names, up }) {
  const line = useRef();
  const actor = choosing.actor.value;
  useLayoutEffect(() => {
    const chosen = line.current.querySelector("[aria-pressed=true]");
    if (chosen) line.current.scrollLeft = chosen.offsetLeft - line.current.offsetLeft - (line.current.clientWidth - chosen.offsetWidth) / 2;
  }, [actor, actors.join()]);
  const turn = (event) => { line.current.scrollLeft += event.deltaY; };
  return html`<div class="actors" role="group" aria-label="Acting combatant" ref=${line} onWheel=${turn}>${actors.map((who) => html`
    <${Button} key=${who} says=${capital(called(names, who))} class=${up(who) || !actors.some(up) ? null : "quiet"} aria-pressed=${String(who === actor)} data-key=${`actor-${who}`}
      onClick=${() => choosing.act(who)} />`)}</div>`;
}

/** Render the suggested action: one tap declares it. */
function Likely({ seat, one }) {
  const { chance, risk, costs = [] } = one.prospect ?? {};
  const small = [typeof chance === "number" ? `${Math.round(100 * chance)} %` : "", risk ? `risk ${Math.round(100 * risk)} %` : "",
    ...costs.filter(({ pool }) => word("pools", pool).role !== "budget").map(({ pool, amount }) => `−${amount} ${label("pools", pool)}`)].filter(Boolean);
  const does = (ends) => seat.choosing.doTo(one, one.who, { ends });
  return html`<div class="likely"><${Button} says=${one.whole.says} class="main" data-likely=${one.kind} data-key="likely" title=${one.promises || null}
      onClick=${() => does(false)}>${small.length ? html`<small>${small.join(", ")}</small>` : null}<//>
    ${findTurnEnd(seat.choosing.kinds.value) ? html`<${Button} says="and end the turn" label=${`${one.whole.says}, and end the turn`} data-likely-ends=${one.kind} data-key="likely-ends"
      onClick=${() => does(true)} />` : null}</div>`;
}

/** Render one button for an action that every acting combatant makes, such as an initiative roll. */
function Together({ seat, kinds, actors }) {
  const each = kinds.length === 1 && word("actions", kinds[0].kind).each ? kinds[0] : null;
  if (!each || actors.length < 2) return null;
  const all = () => seat.sendAll(actors.map((actor) => ({ type: "Declared", actor, kind: each.kind, params: {} })));
  return html`<${Button} says=${`${describeAction(each)}: all`} class="main" data-key="together" onClick=${all} />`;
}

/** Render the actions that are not on the bar, by group, and the impossible ones by reason. */
function Rest({ seat, rest }) {
  const groups = Map.groupBy(rest.filter((one) => !one.refused), groupOf);
  return html`<div class="further">
    ${[...groups].map(([group, those]) => html`<div role="group" aria-label=${headingOf(group)} key=${group}>
      <h3>${headingOf(group)}</h3><div class="bar">${those.map((one) => html`<${Kind} key=${one.key} seat=${seat} one=${one} />`)}</div></div>`)}
    <${Reasons} seat=${seat} refused=${seat.choosing.kinds.value.filter((one) => one.refused)} text=${describeAction} summary="Not possible now" />
  </div>`;
}

/** Render the button of an action. An impossible action shows its reason when pressed. */
function Kind({ seat, one, main = false }) {
  const { choosing } = seat;
  if (one.refused) {
    return html`<${Button} says=${describeAction(one)} class="kind" aria-disabled="true" data-not=${one.kind} title=${one.refused.message}
      onClick=${() => seat.refuse({ message: one.refused.message, rule: one.refused.rule })} />`;
  }
  return html`<${Button} says=${describeAction(one)} title=${one.says} class=${`kind${one.key === choosing.key.value ? " chosen" : ""}${main ? " main" : ""}`}
    aria-expanded=${one.fields?.length ? String(one.key === choosing.key.value) : null} data-key=${`kind-${one.key}`} data-kind=${one.kind}
    onClick=${() => choosing.choose(one)} onPointerEnter=${() => choosing.begins(one).catch(() => null)} />`;
}

/** Render the confirmation of a move that provokes an attack. */
function Doubtful({ choosing, way, names }) {
  const who = series(way.provokes.map((one) => called(names, one.who)));
  return html`<div class="details-of doubtful" role="alert"><p>This move provokes <b>${who}</b>.</p>
    <div class="row"><${Button} says=${`Move to ${placeSaid(way.to)} anyway`} class="main declare" onClick=${() => choosing.go(way.to, true)} />
      <${Button} says="Cancel" class="quiet" onClick=${() => choosing.drop()} /></div></div>`;
}

/** Render the fields of the chosen action, and the button that declares it. */
function Details({ seat, kind, names }) {
  const { choosing } = seat;
  const fields = choosing.fields.value;
  const whole = choosing.whole.value;
  if (!fields.length && choosing.busy.value) return html`<p class="dim details-of">Loading …</p>`;
  const next = wanted(fields);
  const says = whole ? whole.says : next ? `Choose ${nameOf(next).toLowerCase()}` : "…";
  return html`<div class=${`details-of${fields.length === 1 && whereTo(fields[0]) ? " where-to" : ""}`}>
    ${choosing.refused.value ? html`<${Reasons} seat=${seat} refused=${[{ refused: choosing.refused.value }]} text=${() => ""} />` : null}
    ${fields.map((field) => html`<${Field} key=${field.field} seat=${seat} field=${field} names=${names} />`)}
    <div class="row">${choosing.promises.value ? html`<p class="promises">${choosing.promises.value}</p>` : null}<${Button} says=${says} class="main declare" disabled=${!whole} data-key="declare" onClick=${() => choosing.declare()} />
      <${Button} says="Cancel" class="quiet" data-key="never-mind" onClick=${() => choosing.drop()} /></div></div>`;
}

function Field({ seat, field, names }) {
  const { choosing } = seat;
  const text = ({ value }) => describeChoice(field, value, names, choosing.actor.value);
  const may = possible(field);
  const not = field.choices.filter((one) => one.refused);
  const chosen = pickOf(field.chosen);
  return html`<fieldset class="field"><legend>${fieldSaid(field)}</legend>
    ${may.length > (whereTo(field) ? FEW : LISTED) ? html`<select aria-label=${fieldSaid(field)} data-field=${field.field}
        onChange=${({ target }) => choosing.pick(field, JSON.parse(target.value))}>
        <option value="" disabled selected=${field.chosen === undefined}>Choose …</option>
        ${may.map((one) => html`<option key=${pickOf(one.value)} value=${pickOf(one.value)} selected=${chosen === pickOf(one.value)}>${text(one)}</option>`)}</select>`
      : html`<div class="values">${may.map((one) => html`<${Button} key=${pickOf(one.value)} says=${text(one)}
        aria-pressed=${String(chosen === pickOf(one.value))} data-key=${`pick-${field.field}-${pickOf(one.value)}`} data-field=${field.field}
        onClick=${() => choosing.pick(field, one.value)} />`)}</div>`}
    ${field.open ? html`<${Free} choosing=${choosing} field=${field} />` : null}
    <${Reasons} seat=${seat} refused=${not} text=${text} folded /></fieldset>`;
}

/** Render an input for free text, or for any number. */
function Free({ choosing, field }) {
  const number = !field.names;
  const take = (event) => {
    event.preventDefault();
    const given = new FormData(event.target).get("given");
    choosing.pick(field, number ? Number(given) : given);
  };
  return html`<form class="row" onSubmit=${take}><input name="given" type=${number ? "number" : "text"} aria-label=${fieldSaid(field)}
    maxlength=${number ? null : 200} required autocomplete="off" defaultValue=${String(field.chosen ?? "")} />
    <button type="submit">Set</button></form>`;
}

/** Render the impossible choices by reason; many reasons are folded into a count. */
function Reasons({ seat, refused, text, summary = "", folded = false }) {
  if (!refused.length) return null;
  const reasons = groupByReason(refused);
  const list = html`<ul class="not">${reasons.map(({ refused: { message, rule }, those }) => {
    const what = those.map(text).filter(Boolean).join(", ");
    return html`<li key=${rule + message}>${what ? html`<b>${what}</b>: ` : null}${message}${rule ? html` <${Clause} seat=${seat} rule=${rule} />` : null}</li>`;
  })}</ul>`;
  return !summary && !folded && reasons.length <= FEW ? list
    : html`<details class="why-not" data-key=${summary ? "not-now" : "not"}><summary>${summary || `Not possible: ${refused.length}`}</summary>${list}</details>`;
}

const whereTo = ({ field, names }) => names === "place" && leads([field]);
const nameOf = (field) => (whereTo(field) ? "Destination" : capital(label("fields", field.field)));
const fieldSaid = (field) => (whereTo(field) ? "Destination (or tap the map)" : nameOf(field));

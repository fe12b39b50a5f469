// A small sheet beside a combatant: the active combatant's actions against it. One tap declares a complete action.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { describeTargetedAction, describeAction, pickOf, describeChoice } from "./choices.js";
import { Button, html } from "./parts.js";
import { Details, Face, isUp, tellingPools } from "./people.js";
import { PerilLines } from "./perils.js";
import { findTurnEnd } from "./unasked.js";
import { called, capital, word } from "./words.js";

/** How many impossible actions are shown, and how many variants of an action. */
const FEW = 3;

/** Render the sheet; menu opens the game master's rulings on the combatant, and character its numbers and gear. */
export function Foe({ seat, who, onClose, menu = null, character = null }) {
  const { choosing } = seat;
  const names = seat.names.value;
  const state = seat.state.value;
  const actor = choosing.actor.value;
  const kinds = choosing.kinds.value;
  const [found, setFound] = useState(null);
  useEffect(() => {
    let current = true;
    setFound(null);
    choosing.against(who).then((all) => Promise.all(all.map((one) => choosing.waysTo(one, who, FEW)))).then((all) => current && setFound(all), () => current && setFound([]));
    return () => { current = false; };
  }, [who, kinds]);
  const sheet = useRef();
  useLayoutEffect(() => beside(sheet.current, who), [who, found]);
  useEffect(() => {
    if (found) sheet.current.querySelector("ul button, header button").focus({ preventScroll: true });
  }, [found]);
  useEffect(() => () => {
    if (document.activeElement === document.body || sheet.current?.contains(document.activeElement)) standsFor(who)?.focus({ preventScroll: true });
  }, [who]);
  const may = (found ?? []).filter((one) => !one.refused);
  const not = (found ?? []).filter((one) => one.refused && word("actions", one.kind).group).slice(0, FEW); // an action without a group is never declared by a player
  const act = (one, how) => {
    onClose();
    choosing.doTo(one, who, how);
  };
  return html`<aside class="foe" ref=${sheet} aria-label=${`Actions against ${called(names, who)}`} onKeyDown=${(event) => event.key === "Escape" && onClose()}>
    <header><${Face} state=${state} who=${who} /><h2>${capital(called(names, who))}</h2><${Button} shows="close" label="Close" class="quiet" onClick=${onClose} /></header>
    <${Details} state=${state} one=${state.combatants[who]} pools=${tellingPools(Object.values(state.combatants))} band=${seat.bands.value[who]} />
    ${who !== actor && choosing.actors.value.has(who) && isUp(state, who) ? html`<${Button} says=${`Act as ${capital(called(names, who))}`} data-key="act-as" onClick=${() => { onClose(); choosing.act(who); }} />` : null}
    <${PerilLines} seat=${seat} who=${who} />
    ${actor && seat.plays ? html`<p class="dim">${capital(called(names, actor))} can:</p>` : null}
    ${!seat.plays ? null : found === null ? html`<p class="dim">Loading …</p>` : may.length ? html`<ul>${may.map((one, nth) => html`<${Deed} key=${one.key} one=${one} nth=${nth} names=${names} actor=${actor} act=${act}
      ends=${one.whole && findTurnEnd(kinds)} />`)}</ul>`
      : html`<p class="dim">No action is possible now.</p>`}
    ${not.length ? html`<ul class="not">${not.map((one) => html`<li key=${one.key}><b>${describeAction(one)}</b>: ${one.refused.message}</li>`)}</ul>` : null}
    ${character ? html`<${Button} says="Sheet" class="quiet" onClick=${() => { onClose(); character([who]); }} />` : null}
    ${menu ? html`<${Button} says="Make a ruling …" class="quiet" onClick=${() => { onClose(); menu(who); }} />` : null}</aside>`;
}

/** Render an action. If one choice is left, each of its values has a button. */
function Deed({ one, nth, names, actor, act, ends }) {
  const more = html`<${Button} says="…" label=${`${describeAction(one)}, with options`} onClick=${() => act(one, { ask: true })} />`;
  if (one.ways) {
    return html`<li class="choose"><span>${describeAction(one)}</span>${one.ways.map(({ field, value, promises }, way) => html`<div class="row" key=${pickOf(value)}><${Button} class=${nth || way ? "" : "main"}
      data-do=${one.kind} says=${describeChoice(field, value, names, actor)} onClick=${() => act(one, { picks: { [field.field]: value } })} />${way ? null : more}
      ${promises ? html`<p class="promises">${promises}</p>` : null}</div>`)}</li>`;
  }
  return html`<li><${Button} class=${nth ? "" : "main"} data-do=${one.kind} title=${one.says} says=${describeTargetedAction(one, names, actor)} onClick=${() => act(one, { ask: !one.whole })} />${more}
    ${ends ? html`<${Button} says="and end the turn" label=${`${describeTargetedAction(one, names, actor)}, and end the turn`} class="quiet ends" data-do-ends=${one.kind} onClick=${() => act(one, { ends: true })} />` : null}
    ${one.promises ? html`<p class="promises">${one.promises}</p>` : null}</li>`;
}

const GAP = 10;

/** Return a combatant's token, or the name if there is no map. */
const standsFor = (who) => [".token", ".person .name"].map((one) => one.replace(/^\.\w+/, `$&[data-who="${CSS.escape(who)}"]`))
  .map((one) => document.querySelector(one)).find((one) => one?.checkVisibility());

/** Put a sheet beside a combatant's token, inside the map. Without room or a token it stays in place. */
function beside(sheet, who) {
  const frame = document.querySelector(".stage")?.getBoundingClientRect();
  const token = document.querySelector(`.token[data-who="${CSS.escape(who)}"]`)?.getBoundingClientRect();
  if (!frame || !token || frame.width < 2.2 * sheet.offsetWidth) return;
  const right = token.right + GAP + sheet.offsetWidth < frame.right;
  const x = right ? token.right + GAP : token.left - GAP - sheet.offsetWidth;
  const y = Math.min(Math.max(token.top - 40, frame.top + GAP), frame.bottom - sheet.offsetHeight - GAP);
  Object.assign(sheet.style, { position: "fixed", margin: "0", left: `${Math.max(frame.left + GAP, x)}px`, top: `${y}px` });
}

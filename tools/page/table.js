// The table: a fight in progress and the viewer's actions, with the map in the middle.

import { useEffect, useRef, useState } from "preact/hooks";
import { alertOf, Alerts } from "./alerts.js";
import { Amend } from "./amend.js";
import { Bar, NOTHING } from "./bar.js";
import { Board, Distances, mapOf } from "./board.js";
import { Character, OwnSheets } from "./character.js";
import { Clause } from "./clause.js";
import { UndoRequest } from "./consent.js";
import { Foe } from "./foe.js";
import { Headline, headlineOf, isMine } from "./headline.js";
import { Hint, learn } from "./hints.js";
import { Coming, Here } from "./invite.js";
import { announce, Button, html, Icon, Kept, toast } from "./parts.js";
import { People } from "./order.js";
import { findActor, isOut, Pending } from "./people.js";
import { listOwnDangers, Perils, perilsBy } from "./perils.js";
import { Autoplaying, Playing, playOn } from "./playing.js";
import { Receipt } from "./receipt.js";
import { ClosedSaid, Downloads, RecordSheet } from "./record.js";
import { OnlyThoseWhoKnow } from "./readers.js";
import { Over } from "./over.js";
import { Result } from "./result.js";
import { Hand, JOIN, Ruling } from "./rulings.js";
import { lostSaid } from "./start.js";
import { Story } from "./story.js";
import { textOf } from "./storylines.js";
import { ignoreWindows, takeAutomaticSteps } from "./unasked.js";
import { Habits, StandingPasses, Stirring, TableStops, Waiting } from "./waiting.js";

/** How many story entries a screen reader reads out at once. */
const NEWS = 4;

const ROLES = { gm: "game master", player: "player", spectator: "spectator" };
const TABS = { over: "Over", map: "Map", people: "People", story: "Story", more: "More" };

/** Render a viewer's table. host: the host's client, if this window has it. */
export function Table({ seat, host = null }) {
  const [tab, setTab] = useState(null);
  const [foe, setFoe] = useState(null);
  useHearing(seat);
  const ended = Boolean(seat.state.value?.ended);
  useEffect(() => { if (ended) setTab("over"); }, [ended]);
  useEffect(() => setFoe(null), [seat.position.value]);
  const state = seat.state.value;
  if (!seat.ready.value) return html`<div class="view table loading" role="status"><p>Loading the table …</p></div>`;
  document.body.dataset.position = String(seat.position.value);
  document.body.dataset.legal = String(seat.legal.value.head);
  const { choosing } = seat;
  const lost = Boolean(seat.lost.value);
  const map = mapOf(state, seat.about.map);
  const sheets = sheetsOf(seat);
  const isActing = (who) => who === choosing.actor.value;
  const look = (who) => {
    learn("foe");
    setFoe((now) => (now === who ? null : who));
  };
  const tap = seat.plays ? (who) => {
    if (choosing.targets.value?.has(who)) choosing.target(who);
    else if (map && isActing(who) && choosing.walk()) setFoe(null);
    else if (map && isActing(who)) choosing.walk(false);
    else if (isOut(state.combatants[who]) && choosing.ways.value?.has(state.combatants[who].place)) choosing.go(state.combatants[who].place);
    else look(who);
  } : lost ? null : look;
  const mover = (who, begin = false) => {
    if (!isActing(who) || !seat.current.value || !(choosing.ways.value || choosing.walks.value.length)) return false;
    if (begin && !choosing.ways.value) choosing.walk(true);
    return true;
  };
  const menu = seat.isGm ? (who) => { seat.sheet.value = sheets.hand(who); } : null;
  const up = findActor(state, choosing.actor.value, seat.history.recorded);
  const perils = perilsBy(seat.perils.value);
  const shared = { state, up, perils, bands: seat.bands.value, yours: seat.me.role === "player" ? seat.own : [],
    targets: seat.current.value ? choosing.targets.value : null, tap, menu };
  const Sheet = seat.sheet.value;
  const tabs = Object.entries(TABS).filter(([name]) => ({ over: state.ended, map: Boolean(map) })[name] ?? true);
  const shown = tabs.some(([name]) => name === tab) ? tab : tabs[0][0];
  return html`<div class=${`view table${map ? "" : " no-map"}${seat.plays ? "" : " watching"}`} data-tab=${shown}>
    <${Headline} seat=${seat}>${lost ? null : html`<${OwnSheets} seat=${seat} open=${sheets.character} /><${Here} seat=${seat} open=${sheets.coming} />`}<${Taking} seat=${seat} /><${Autoplaying} seat=${seat} /><//>
    <section class="panel ranks" aria-label="Combatants"><${Kept} by=${[state, up, seat.perils.value, shared.bands, shared.targets, lost]} draw=${() => html`
      <${People} ...${shared} tap=${tap && ((who) => (choosing.targets.value?.has(who) ? tap(who) : look(who)))} ordered=${state.slots.length > 0} dense=${Boolean(map)} />`} />${map ? null : html`<${Distances} state=${state} />`}</section>
    ${map ? html`<section class="stage" aria-label="Map and combatants"><${Kept} by=${[state, up, seat.perils.value, shared.bands, seat.current.value, lost]} draw=${() => html`<${Board} state=${state} map=${seat.about.map} choosing=${seat.current.value && !lost ? choosing : null}
      up=${up} bands=${shared.bands} perils=${perils} tap=${tap} menu=${menu} mover=${seat.plays ? mover : null} seat=${lost ? null : seat} />`} /></section>` : null}
    ${shown === "over" ? html`<${Over} seat=${seat} host=${lost ? null : host} look=${() => setTab(map ? "map" : "people")} />` : null}
    ${foe && state.combatants[foe] ? html`<${Foe} seat=${seat} who=${foe} menu=${menu} character=${seat.isGm || seat.own.includes(foe) ? sheets.character : null} onClose=${() => setFoe(null)} />` : null}
    <div class="dock"><div class="latest"><${Perils} seat=${seat} look=${look} /><div class="shown"><${Result} seat=${seat} receipt=${sheets.receipt} /></div></div>
      ${lost ? html`<${Lost} seat=${seat} host=${host} />` : html`<${Now} seat=${seat} hint=${foe || shown === "over" ? null : html`<${Hint} seat=${seat} map=${map} />`} over=${state.ended && shown !== "over" ? () => setTab("over") : null} />`}</div>
    <div class="beside"><section class="panel telling" aria-labelledby="story-title"><header><h2 id="story-title">The story</h2>
      ${seat.isGm ? html`<span class="dim">tap a line's number to correct it</span>` : null}</header>
      <${Story} entries=${seat.story.entries.value} receipt=${sheets.receipt} choose=${seat.isGm ? sheets.correct : null} own=${seat.carried.value} /></section>
    <${More} seat=${seat} sheets=${sheets} /></div>
    <nav class="tabs" aria-label="Parts of the table">${tabs.map(([name, says]) => html`<button type="button" key=${name} aria-pressed=${String(shown === name)}
      onClick=${() => setTab(name)}><${Icon} name=${name === "over" ? "check" : name} /><span>${says}</span></button>`)}</nav>
    ${Sheet ? html`<${Sheet} onClose=${() => { seat.sheet.value = null; }} />` : null}</div>`;
}

/** Announce new entries and the headline, and alert the player whose turn it is. */
function useHearing(seat) {
  const before = useRef({ mine: false, said: "" });
  useEffect(() => {
    seat.onNews = (news) => {
      const headline = headlineOf(seat);
      const mine = isMine(seat);
      const text = [...news.map(textOf).slice(-NEWS), headline].join(". ");
      if (text !== before.current.said) announce(text);
      const forMe = mine && seat.me.role === "player";
      const dying = listOwnDangers(seat);
      const newly = dying.find((says) => !before.current.dying?.includes(says));
      document.title = `${forMe ? "● " : ""}${headline} – ${seat.about.name || seat.fight}`;
      if (forMe && (!before.current.mine || before.current.headline !== headline)) alertOf(headline);
      else if (newly) alertOf(newly);
      before.current = { mine, headline, said: text, dying };
      playOn(seat);
      takeAutomaticSteps(seat);
    };
  }, [seat]);
}

/** Return the functions that open the table's sheets, by name. */
function sheetsOf(seat) {
  const show = (draw, done = "") => {
    learn(done);
    seat.sheet.value = draw;
  };
  const submit = (intent) => seat.submit(intent, true);
  const rule = async (first = {}) => {
    try {
      const forms = await seat.rulings();
      const { Joining } = first.kind === JOIN ? await import("./host/joining.js") : {};
      show(Joining ? ({ onClose }) => html`<${Joining} seat=${seat} form=${forms.find((one) => one.kind === JOIN)} onClose=${onClose} />`
        : ({ onClose }) => html`<${Ruling} forms=${forms} state=${seat.state.value} first=${first} send=${submit} join=${() => rule({ kind: JOIN })} onClose=${onClose} />`);
    } catch (problem) {
      seat.refuse(problem);
    }
  };
  const receipt = (position) => show(({ onClose }) => html`<${Receipt} lines=${seat.history.recorded} position=${position} names=${seat.names.value}
    explain=${(at) => seat.client.explain(seat.fight, at)} onClose=${onClose} />`, "receipt");
  const character = (those) => show(({ onClose }) => html`<${Character} seat=${seat} those=${those} receipt=${receipt} onClose=${onClose} />`);
  return {
    rule,
    character,
    hand: (who) => ({ onClose }) => html`<${Hand} seat=${seat} who=${who} rule=${rule} character=${character} onClose=${onClose} />`,
    receipt,
    alerts: () => show(Alerts, "bell"),
    coming: () => show(({ onClose }) => html`<${Coming} seat=${seat} onClose=${onClose} />`, "invite"),
    record: () => show(({ onClose }) => html`<${RecordSheet} client=${seat.client} fight=${seat.fight} at=${seat.position.value} over=${seat.state.value.ended}
      send=${seat.closed.value ? null : submit} onClose=${onClose} />`),
    correct: (entry) => {
      const history = seat.history;
      const line = history.recorded[entry.input - 1];
      if (!line?.event || !history.isEffective(line.position)) {
        toast("Only a command that still counts can be corrected.");
        return;
      }
      const before = history.stateAt(history.parent(line.position) || 1);
      show(({ onClose }) => html`<${Amend} line=${line} names=${seat.names.value} before=${before} options=${optionsOf(history, line.event.question)}
        preview=${(intent) => seat.client.preview(seat.fight, intent)} send=${submit} onClose=${onClose} />`);
    },
  };
}

/** Return the options of a recorded question. */
function optionsOf(history, question) {
  return history.recorded.find(({ event }) => event?.type === "Asked" && event.question === question)?.event.options;
}

/** Render the refusal, the pending questions and the actions. */
function Now({ seat, over, hint }) {
  const { choosing } = seat;
  const state = seat.state.value;
  const names = seat.names.value;
  const legal = seat.legal.value;
  const send = (intent) => seat.send(intent);
  const list = useRef();
  const chose = list.current?.contains(document.activeElement);
  useEffect(() => {
    if (chose && !list.current.contains(document.activeElement) && !seat.sheet.value) (list.current.querySelector(".kind.chosen") ?? list.current).focus({ preventScroll: true });
  });
  const busy = seat.underWay.value || choosing.busy.value;
  const idle = !legal.waits.length && !choosing.actors.value.size;
  const said = seat.me.role === "spectator" ? "You are a spectator." : state.ended ? "The fight is over." : NOTHING;
  return html`<section class="panel now" aria-label="Actions">
    <${Refusal} seat=${seat} /><${Unsent} seat=${seat} /><${UndoRequest} seat=${seat} />
    <div class="now-list" tabindex="-1" ref=${list} aria-busy=${String(busy)}>
      ${seat.closed.value ? html`<${ClosedSaid} history=${seat.history} fight=${seat.fight} />
        ${seat.isGm ? html`<${Downloads} client=${seat.client} fight=${seat.fight} names=${["log.jsonl"]} />` : null}`
        : html`<${Waiting} waits=${legal.waits} state=${state} names=${names} own=${seat.own} habits=${seat.habits} send=${send} all=${(intents) => seat.sendAll(intents)} meant=${legal.meant} lines=${seat.history.recorded} entries=${seat.story.entries.value} passing=${!choosing.likely.value} ignore=${() => ignoreWindows(seat)} />
          <${Pending} state=${state} names=${names} />
          ${seat.plays ? html`<${Bar} seat=${seat} />` : null}
          ${idle && !over ? html`<p class="dim idle">${said}</p>` : null}`}
      ${over ? html`<div class="row"><${Button} says="How it ended" onClick=${over} /></div>` : null}</div>
    ${legal.waits.length || choosing.kind.value ? null : hint}</section>`;
}

/** Render why this seat can do nothing more, and what its viewer can do. */
function Lost({ seat, host }) {
  const kind = seat.lost.value === 404 ? "removed" : host?.token === seat.client.token ? "host" : seat.me.role;
  return html`<section class="panel now" aria-label="Actions"><div class="refusal lost" role="alert">
    <p><${Icon} name="warning" /><span>${lostSaid(kind)}</span></p></div></section>`;
}

/** Render the note that a command waits for the connection. */
function Unsent({ seat }) {
  return html`<div class="refusal unsent" role="status">${seat.unsent.value
    ? html`<p><${Icon} name="warning" /><span>Your command has not been sent yet. It is sent as soon as the server is back.</span></p>` : null}</div>`;
}

function Refusal({ seat }) {
  const refusal = seat.refusal.value;
  return html`<div class="refusal" role="alert">${refusal ? html`<p><${Icon} name="warning" /><span>${refusal.message}${refusal.rule
    ? html` <${Clause} seat=${seat} rule=${refusal.rule} />` : null}</span>
    <${Button} shows="close" label="Dismiss" class="quiet" onClick=${() => { seat.refusal.value = null; }} /></p>
    ${refusal.text ? html`<blockquote><b>${refusal.text.title}. </b>${refusal.text.says}</blockquote>` : null}` : null}</div>`;
}

/** Render Undo and Redo. An impossible one is greyed, but keeps the focus. */
function Taking({ seat }) {
  if (!seat.plays || seat.closed.value) return null;
  const deed = (type, may, shows) => html`<${Button} label=${type} shows=${shows} class="quiet" aria-disabled=${String(!may)} onClick=${() => may && seat.send({ type }, true)} />`;
  return html`<div class="taking" role="group" aria-label="Undo and redo">${deed("Undo", seat.undoable, "undo")}${seat.isGm ? deed("Redo", seat.redoable, "redo") : null}</div>`;
}

/** Render the rarely used controls: rulings, the record, typed commands, engine play. */
function More({ seat, sheets }) {
  const { me, isGm, plays } = seat;
  const state = seat.state.value;
  const open = !seat.closed.value;
  const who = ROLES[me.role];
  return html`<section class="panel more-of" aria-label="More">
    <div class="row tools" role="group" aria-label="The record">
      ${isGm && open ? html`<${Button} says="Rule …" onClick=${() => sheets.rule()} /><${Button} says="Add combatants …" onClick=${() => sheets.rule({ kind: JOIN })} />` : null}
      ${isGm ? html`<${Button} says="Record …" onClick=${() => sheets.record()} />` : null}
      ${seat.lost.value ? null : html`<${Here} seat=${seat} open=${sheets.coming} />`}
      ${plays && open ? html`<${Button} shows="bell" label="Turn alerts" class="quiet" onClick=${() => sheets.alerts()} />` : null}
      <span class="tag me">${["", "gm", who].includes(me.name) ? who : `${me.name}, ${who}`}</span></div>
    ${isGm && open ? html`<${Saying} seat=${seat} state=${state} /><${Playing} seat=${seat} />
      <${TableStops} state=${state} send=${(intent) => seat.send(intent)} />` : null}
    ${me.role === "player" && plays && open ? html`<${StandingPasses} state=${state} names=${seat.names.value} own=${seat.own} send=${(intent) => seat.send(intent)} />` : null}
    ${plays && open && !state.ended ? html`<${Habits} habits=${seat.habits} names=${seat.names.value} />` : null}
    ${plays && open ? html`<${Stirring} lines=${seat.history.recorded} send=${(intent) => seat.send(intent)} />` : null}</section>`;
}

function Saying({ seat, state }) {
  const say = async (event) => {
    event.preventDefault();
    const form = event.target;
    const words = new FormData(form).get("words");
    if (words && await seat.send({ type: "Said", words, reason: "" }, true)) form.reset();
  };
  return html`<details class="saying"><summary>Type a command</summary><form class="row" onSubmit=${say}>
    <label class="unseen" for="words">Command, as on the command line</label>
    <input type="text" id="words" name="words" placeholder="combatant action target" autocomplete="off" spellcheck="false" maxlength="500" />
    <button type="submit" aria-disabled=${String(seat.underWay.value)}>Send</button></form><${OnlyThoseWhoKnow} state=${state} /></details>`;
}

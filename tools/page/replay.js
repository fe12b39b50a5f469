// The replay view: a recorded fight, from a file or a server, played, stepped and scrubbed.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { digest, History, marks, step } from "./affray/index.js";
import { Board, Distances, mapOf } from "./board.js";
import { Luck, useLuck } from "./luck.js";
import { announce, Button, html } from "./parts.js";
import { People } from "./order.js";
import { findActor, Pending } from "./people.js";
import { Proofs } from "./proofs.js";
import { Receipt } from "./receipt.js";
import { Story } from "./story.js";
import { sentenceOf, StoryLines } from "./storylines.js";
import { Timeline } from "./timeline.js";
import { Transport } from "./transport.js";

const PACE = 700;
const GUESS = "Parts of this fight are hidden from you. What is shown between two known moments is an estimate.";

/** Read the bytes of a log file into a history. */
export const historyOf = (log) => History.read(log);

/**
 * Render the replay of a history, with its story and headlines from the server.
 *
 * from: the first shown position, if it is not the one at which all combatants stand; explain, audit and foreseen ask the server, if there is one; record draws the sheet of the record.
 */
export function Replay({ history, story, headlines, map, title, explain = null, audit = null, record = null, foreseen = null, name = "FIGHT", from = 0 }) {
  const lines = useMemo(() => {
    const told = new StoryLines();
    told.take(history, story);
    return told;
  }, [history]);
  const stops = useMemo(() => ({}), [history]);
  const stopsBy = (unit) => (stops[unit] ??= marks(history, unit));
  const all = stopsBy("event");
  const [unit, setUnit] = useState("command");
  const [position, setPosition] = useState(() => all.find((stop) => stop >= (from || history.commandOf(1).at(-1).position)) ?? all.at(-1));
  const [playing, setPlaying] = useState(false);
  const [undone, setUndone] = useState(true);
  const [sheet, setSheet] = useState(null);
  const now = useRef();
  now.current = { position, unit, sheet };
  const go = (to) => to && setPosition(to);
  const stepBy = (direction, by = now.current.unit) => {
    const next = step(stopsBy(by), now.current.position, direction);
    if (next === now.current.position) return false;
    go(next);
    return true;
  };
  const toggle = () => {
    if (!playing && position >= all.at(-1)) go(all[0]);
    setPlaying(!playing);
  };
  useEffect(() => {
    if (!playing) return undefined;
    const timer = setInterval(() => stepBy(1) || setPlaying(false), PACE);
    return () => clearInterval(timer);
  }, [playing]);
  useKeys({ all, go, stepBy, toggle, stop: () => setPlaying(false), open: () => Boolean(now.current.sheet) });

  const state = history.stateAt(position);
  const names = lines.names.value;
  const { event, says } = history.at(position);
  const entry = unit !== "event" && lines.entries.value.findLast((one) => one.position <= position);
  const sentence = entry ? sentenceOf(entry) : says || "Hidden from you";
  const up = findActor(state, "", history.recorded.slice(0, position));
  const found = useDigest(state, position);
  useEffect(() => {
    if (!playing) announce(sentence);
  }, [position]);
  const effective = history.isEffective(position) || position === all.at(-1);
  const luck = useLuck(history, foreseen);
  const receipt = (at) => {
    setPlaying(false);
    setSheet({ receipt: at });
  };
  const onClose = () => setSheet(null);
  const lanes = history.lanes().length;
  const shared = { luck, position, stops: stopsBy(unit), go, state: history.state };
  return html`<div class="view replay">
    <section class="panel scene" aria-label="The fight now">
      <div class="status" data-position=${found?.position} data-digest=${found?.digest}>
        <div class="heading"><h1>${state.fight || "A fight"}</h1><p class="facts"><span>${title}</span>
          <span>${state.round ? `Round ${state.round}` : "Before the first round"}</span></p></div>
        ${effective ? null : html`<p class="warning">This was undone and does not count.</p>`}
        ${history.partial ? html`<p class="guess">${GUESS}</p>` : null}
        <p class="standing">${headlines.findLast((one) => one.position <= position)?.says ?? ""}</p>
        <p class="event"><span class="dim">${position} </span>${sentence}
          ${["Rolled", "Damaged"].includes(event?.type) ? html`<${Button} says="Receipt" class="quiet" onClick=${() => receipt(position)} />` : null}</p></div>
      <div class="scene-of">${mapOf(state, map) ? html`<div class="stage"><${Board} state=${state} map=${map} up=${up} /></div>` : html`<${Distances} state=${state} />`}
        <${Pending} state=${state} names=${names} /><${People} state=${state} up=${up} /></div></section>
    <section class="panel telling" aria-labelledby="story-title"><header><h2 id="story-title">The story</h2>
      ${lanes ? html`<label class="check" for="undone"><input type="checkbox" id="undone" checked=${undone} onChange=${({ target }) => setUndone(target.checked)} />${`Undone (${lanes})`}</label>` : null}</header>
      <${Story} entries=${lanes && !undone ? lines.entries.value.filter((one) => !one.undone) : lines.entries.value} receipt=${receipt} choose=${(one) => go(one.to)} at=${position} hideUndone=${!undone} /></section>
    <${Timeline} history=${history} position=${position} go=${go} />
    <${Luck} ...${shared} foreseen=${foreseen} />
    <${Proofs} history=${history} audit=${audit} name=${name} go=${go} share=${record ? () => {
      setPlaying(false);
      setSheet({ record: history.commandOf(position).at(-1).position });
    } : null} />
    <${Transport} ...${shared} all=${all} unit=${unit} by=${setUnit} playing=${playing} toggle=${toggle} stepBy=${stepBy} count=${history.recorded.length} round=${state.round} />
    ${sheet?.receipt ? html`<${Receipt} lines=${history.recorded} position=${sheet.receipt} names=${names} explain=${explain} onClose=${onClose} />` : null}
    ${sheet?.record ? record({ at: sheet.record, onClose }) : null}</div>`;
}

/** Return the digest of a state once it is known, with its position. */
function useDigest(state, position) {
  const [found, setFound] = useState(null);
  useEffect(() => {
    let current = true;
    (async () => {
      const one = await digest(state);
      if (current) setFound({ position, digest: one });
    })();
    return () => { current = false; };
  }, [position]);
  return found;
}

/** Control a replay by the keyboard. */
function useKeys(steering) {
  const latest = useRef();
  latest.current = steering;
  useEffect(() => {
    const handleKey = (event) => {
      const { all, go, stepBy, toggle, stop, open } = latest.current;
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || open()) return;
      if (event.target.closest?.("select, textarea, .board, input:not([type=range]):not([type=checkbox])")) return;
      const pressed = event.target.closest?.("button, a, summary, [role=button]");
      const moves = { ArrowRight: () => stepBy(1), ArrowLeft: () => stepBy(-1), ArrowDown: () => stepBy(1, "turn"),
        ArrowUp: () => stepBy(-1, "turn"), PageDown: () => stepBy(1, "round"), PageUp: () => stepBy(-1, "round"),
        Home: () => go(all[0]), End: () => go(all.at(-1)), ".": () => stepBy(1, "event"),
        ",": () => stepBy(-1, "event"), " ": pressed ? null : () => toggle() };
      if (!moves[event.key]) return;
      event.preventDefault();
      if (event.key !== " ") stop();
      moves[event.key]();
    };
    document.addEventListener("keydown", handleKey);
    return () => document.removeEventListener("keydown", handleKey);
  }, []);
}

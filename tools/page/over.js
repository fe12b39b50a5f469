// The view of a finished fight: the cost, the luck, the report, and for the host the next fight.

import { useEffect, useMemo, useState } from "preact/hooks";
import { marks } from "./affray/index.js";
import { Clause } from "./clause.js";
import { Curve, foreseenBy, Luck, useLuck } from "./luck.js";
import { fightAt, nameOf, openFight, underFreeName } from "./opening.js";
import { Button, html, Labelled, useTrying } from "./parts.js";
import { hueOf, Shape, sidesOf } from "./people.js";
import { Downloads } from "./record.js";
import { capital } from "./words.js";

const FILES = ["export.html", "export.md", "log.jsonl"];

/**
 * Render the end of a fight.
 *
 * host: the host's client, if this window has it; look(): shows the map again.
 */
export function Over({ seat, host, look }) {
  const { client, fight } = seat;
  const [cost, setCost] = useState(null);
  const state = seat.state.value;
  useEffect(() => {
    let there = true;
    client.cost(fight).then((told) => there && setCost(told), (problem) => seat.refuse(problem));
    return () => { there = false; };
  }, [seat.position.value]);
  const replay = `${fightAt(fight)}&view=replay`;
  const ended = seat.history.recorded.findLast((one) => one.event?.type === "FightEnded"); // the headline may name a pending question
  return html`<section class="panel over" aria-label="How it ended"><header><div><p class="eyebrow">${state.fight || fight}${state.round ? `, ${state.round} ${state.round === 1 ? "round" : "rounds"}` : ""}</p>
      <h2>${ended?.says ?? seat.headline.value}</h2></div><div class="row"><a class="button" href=${replay}>Watch it again</a><${Button} says="Back to the table" onClick=${look} /></div></header>
    <section aria-labelledby="cost-title"><h3 id="cost-title">What it cost</h3>${cost ? html`<${OfSides} lines=${cost.lines} seat=${seat} />`
      : html`<p class="dim" role="status">Counting …</p>`}</section>
    ${host ? html`<${Onwards} key=${fight} seat=${seat} host=${host} />` : null}
    ${cost?.whole ? html`<${Decisive} key=${seat.history.head} seat=${seat} go=${(at) => { location.hash = `${replay}&at=${at}`; }} />
      <section aria-labelledby="report-title"><h3 id="report-title">Downloads</h3><${Downloads} client=${client} fight=${fight} names=${FILES} /></section>` : null}</section>`;
}

/** Render the cost of each side: the viewer's own first, the others folded. */
function OfSides({ lines, seat }) {
  const state = seat.state.value;
  const sideOf = (who) => state.combatants[who]?.side ?? "";
  const [first, ...others] = [...new Set([...seat.own.map(sideOf), ...sidesOf(state)])];
  const of = (side) => lines.filter((one) => sideOf(one.who) === side);
  return html`<${CostLines} lines=${of(first)} seat=${seat} none="No lasting cost." />
    ${others.filter((side) => of(side).length).map((side) => html`<details key=${side} class="of-side"><summary>${capital(side)}</summary><${CostLines} lines=${of(side)} seat=${seat} /></details>`)}`;
}

/** Render the cost lines by combatant, each with its clauses. */
export function CostLines({ lines, seat, none = "" }) {
  if (!lines.length) return html`<p class="dim">${none}</p>`;
  const { combatants } = seat.state.value;
  const told = (one, nth) => html`<span key=${nth}>${one.kind === "recovers" ? html`<b class="good">Recovers: </b>` : null}${one.text}${
    (one.rules ?? []).map((rule) => html` <${Clause} key=${rule} seat=${seat} rule=${rule} />`)}</span>`;
  return html`<ul class="costs">${[...Map.groupBy(lines, (one) => one.who)].map(([who, theirs]) => html`<li key=${who}>
    ${combatants[who] ? html`<${Shape} hue=${hueOf(seat.state.value, combatants[who].side)} />` : null}<div>${theirs.map(told)}</div></li>`)}</ul>`;
}

/** Render the luck panel with its curve. */
function Decisive({ seat, go }) {
  const foreseen = foreseenBy(seat.client, seat.fight, seat.me.role);
  const luck = useLuck(seat.history, foreseen);
  const state = seat.state.value;
  const stops = useMemo(() => marks(seat.history, "command"), [seat.history]);
  return html`<${Luck} luck=${luck} foreseen=${foreseen} state=${state} go=${go}><div class="controls">
    <${Curve} luck=${luck} position=${stops.at(-1)} stops=${stops} go=${go} state=${state} /></div><//>`;
}

/** Render the host's next steps: apply the cost to the party, and start the next encounter. */
function Onwards({ seat, host }) {
  const { fight, about } = seat;
  const [known, setKnown] = useState(null);
  const [told, setTold] = useState(null);
  const [wrong, trying] = useTrying();
  const opening = seat.history.recorded[0].hash;
  const ended = seat.history.recorded.findLast((one) => one.event?.type === "FightEnded")?.position ?? 0;
  const taken = (one) => one.hash === opening && !(one.at < ended);
  const look = async (chosen = null) => {
    const [origin, parties, encounters] = await Promise.all(
      [`/fights/${encodeURIComponent(fight)}/origin`, "/parties", "/encounters"].map((path) => host.json(path)));
    const ours = (one) => one.system === about.system;
    const name = chosen ?? origin.party;
    const party = parties.saved.some((one) => one.name === name) ? await host.json(`/parties/${encodeURIComponent(name)}`) : null;
    setKnown({ origin, party, bears: Boolean(party?.content.taken?.some(taken)), parties: parties.saved.filter(ours), encounters: encounters.saved.filter(ours) });
    return party;
  };
  const doing = (act) => trying((event) => {
    event?.preventDefault();
    return act(event && new FormData(event.target));
  });
  const take = async (party) => {
    const { lines } = await host.post(`/parties/${encodeURIComponent(party.name)}/after`, { fight, version: party.version });
    setTold(lines.filter((one) => one.kind !== "cost"));
    await look(party.name);
  };
  const make = doing(async (data) => {
    const title = data.get("title").trim();
    const made = await underFreeName(nameOf(title, "party"), (name) => host.post("/parties", { name, title, fight, side: data.get("side") }));
    await take(await look(made.name));
  });
  const next = doing(async (data) => {
    const saved = data.get("encounter");
    const { title } = known.encounters.find((one) => one.name === saved);
    const { id } = await openFight(host, title || saved, { saved, ...(known.party && { party: known.party.name }) });
    location.hash = fightAt(id);
  });
  useEffect(() => { doing(() => look())(); }, []);
  if (!known) return html`<p class="warning" role="alert">${wrong}</p>`;
  const { origin, party, bears, parties, encounters } = known;
  return html`<section class="onwards" aria-labelledby="onwards-title"><h3 id="onwards-title">What next?</h3>
    ${party && bears ? html`<p>The cost is applied to <b>${party.title}</b>.</p>` : null}
    ${party && !bears ? html`<div class="row"><${Button} class="main" says=${`Apply the cost to ${party.title}`} onClick=${() => doing(() => take(party))()} />
      <span class="dim">Wounds and other lasting effects carry over to the next fight.</span></div>` : null}
    ${told ? html`<${CostLines} lines=${told} seat=${seat} />` : null}
    ${!party && parties.length ? html`<form class="row" onSubmit=${doing(async (data) => { await look(data.get("party")); })}><label for="which-party">Which party fought?</label>
      <select id="which-party" name="party">${parties.map((one) => html`<option key=${one.name} value=${one.name}>${one.title}</option>`)}</select><button type="submit">Choose</button></form>` : null}
    ${!party && origin.known ? html`<form class="fields" onSubmit=${make}><${Labelled} says="Save a side as a party for the next fight" of="keep-side"><select id="keep-side" name="side">
        ${origin.sides.map((one) => html`<option key=${one} value=${one}>${capital(one)}</option>`)}</select><//>
      <${Labelled} says="Name" of="keep-title"><input type="text" id="keep-title" name="title" required maxlength="60" autocomplete="off" defaultValue=${capital(origin.sides[0])} /><//>
      <button type="submit" class="main">Save</button></form>` : null}
    ${encounters.length ? html`<form class="fields" onSubmit=${next}><${Labelled} says=${party ? `The next encounter, with ${party.title}` : "The next encounter"} of="next-encounter">
        <select id="next-encounter" name="encounter">${encounters.map((one) => html`<option key=${one.name} value=${one.name}>${one.title || one.name}</option>`)}</select><//>
      <button type="submit" class=${party && bears ? "main" : ""}>Start</button></form>` : null}
    <div class="row">${party ? html`<a class="button" href=${`#party=${encodeURIComponent(party.name)}`}>${`Manage ${party.title}`}</a>` : null}
      <a class="button quiet" href="#home">${encounters.length ? "Home" : "Home: create the next encounter"}</a></div><p class="warning" role="alert">${wrong}</p></section>`;
}

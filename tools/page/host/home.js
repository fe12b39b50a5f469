// The host's home: fights, saved encounters and parties, and example fights.

import { useEffect, useState } from "preact/hooks";
import { fightAt, openFight, unread } from "../opening.js";
import { Button, html, Icon, Labelled, toast } from "../parts.js";
import { SitDown, Watch, Wrong } from "../start.js";
import { when } from "../times.js";
import { capital, problemSaid, said } from "../words.js";

/** How many example fights are shown first. */
const FEW = 6;

/** Render home. client: the host's; openFile(file): replays a log, or edits an encounter; expired(): reports an invalid token. */
export function Home({ client, openFile, expired, wrong = "" }) {
  const [here, setHere] = useState(null);
  const [failed, setFailed] = useState("");
  const [busy, setBusy] = useState("");
  const look = () => everythingAt(client).then(setHere, (problem) => (problem.status === 401 ? expired() : setFailed(problemSaid(problem))));
  useEffect(() => {
    look();
    addEventListener("focus", look);
    return () => removeEventListener("focus", look);
  }, []);
  const doing = (what, act) => async () => {
    setBusy(what);
    setFailed("");
    try {
      await act();
    } catch (problem) {
      setFailed(problemSaid(problem));
    }
    setBusy("");
  };
  const begun = async (title, from) => {
    const { id } = await openFight(client, title, from);
    location.hash = fightAt(id);
  };
  const shared = { client, doing, busy, begun, look };
  if (!here) return failed ? html`<div class="view home"><${Wrong} says=${failed} /></div>` : html`<p class="loading" role="status">Loading …</p>`;
  const empty = !here.fights.length && !here.encounters.length;
  return html`<div class="view home"><header class="home-head"><h1>${empty ? "Welcome" : "Home"}</h1><div class="row">
      <a class="button main" href="#encounter="><${Icon} name="plus" />New encounter</a>
      <label class="button" for="encounter-file"><${Icon} name="open" />Load a file …</label>
      <input type="file" id="encounter-file" accept=".toml,application/toml,.jsonl,.ndjson,.json,.txt" onChange=${({ target }) => target.files[0] && openFile(target.files[0])} /></div></header>
    <${Wrong} says=${failed || wrong} />
    ${empty ? html`<${First} one=${here.shipped[0]} ...${shared} />` : null}
    <${Fights} fights=${here.fights} more=${here.more} />
    <${Encounters} encounters=${here.encounters} systems=${here.systems} parties=${here.parties} ...${shared} />
    <${Parties} parties=${here.parties} systems=${here.systems} />
    <${ToTry} encounters=${here.shipped} ...${shared} />
    <div class="home-foot"><${Watch} openFile=${openFile} /><${SitDown} /></div></div>`;
}

async function everythingAt(client) {
  const [home, encounters, parties, shipped, systems] = await Promise.all(
    ["/home", "/encounters", "/parties", "/shipped", "/systems"].map((path) => client.json(path)));
  return { fights: home.fights, more: home.more, encounters: encounters.saved, parties: parties.saved, shipped: shipped.encounters,
    systems: new Map(systems.systems.map((one) => [one.name, one.title])) };
}

/** Render the offer of a first fight, which starts with one click. */
function First({ one, doing, busy, begun, client }) {
  if (!one) return null;
  return html`<section class="panel first"><div><p class="eyebrow">Your first fight</p><h2>${one.title}</h2><p>${one.says}</p>
      <p class="dim">${capital(sidesSaid(one.sides))}. You run both sides. Every command can be undone, and the engine can play a side for you.</p></div>
    <${Button} class="main" says=${busy === "first" ? "Setting up …" : "Play it now"} shows="play" disabled=${Boolean(busy)}
      onClick=${doing("first", () => play(client, one, begun))} /></section>`;
}

const play = async (client, { system, name, title }, begun) => {
  const { content } = unread(await client.json(`/shipped/${encodeURIComponent(system)}/${encodeURIComponent(name)}`));
  await begun(title, { encounter: content });
};

function Fights({ fights, more }) {
  return html`<section class="kept" aria-labelledby="fights-of"><h2 id="fights-of">Fights</h2>
    ${fights.length ? null : html`<p class="nothing">No fights yet. Start one from an encounter below. You can continue it at any time.</p>`}
    <ul class="rows">${fights.map((one) => html`<${FightRow} key=${one.id} one=${one} />`)}</ul>
    ${more.length ? html`<details><summary>${more.length} more</summary><ul class="rows">${more.map((id) => html`<li key=${id}><a href=${fightAt(id)}>${id}</a></li>`)}</ul></details>` : null}</section>`;
}

function FightRow({ one }) {
  const players = one.people.filter(({ role }) => role === "player").map(({ name }) => name);
  const over = one.ended || one.closed;
  const facts = [one.title, one.round ? `round ${one.round}` : over ? null : "not started", players.length ? `for ${[...new Set(players)].join(", ")}` : null, when(one.changed)];
  return html`<li class="kept-row" data-fight=${one.id}><div class="what"><h3>${one.name || one.id}
      ${over ? html`<span class="tag">over</span>` : one.here ? html`<span class="tag turn">${one.here} at the table</span>` : null}</h3>
      <p class="about">${facts.filter(Boolean).map((fact) => html`<span key=${fact}>${fact}</span>`)}</p>
      ${one.wrong ? html`<p class="warning">${capital(one.wrong)}</p>` : over || !one.headline ? null : html`<p class="headline">${capital(one.headline)}</p>`}</div>
    ${one.wrong ? null : html`<div class="deeds"><a class=${`button ${over ? "" : "main"}`} href=${fightAt(one.id)}>${over ? "View" : one.round ? "Continue" : "Join"}</a>
      <a class="button quiet" href=${`${fightAt(one.id)}&view=replay`}>Replay</a></div>`}</li>`;
}

function Encounters({ encounters, systems, doing, busy, begun, client, look }) {
  return html`<section class="kept" aria-labelledby="encounters-of"><h2 id="encounters-of">Encounters</h2>
    ${encounters.length ? null : html`<p class="nothing">An encounter lists the combatants, their sides and where they start. Create one, or load a file.</p>`}
    <ul class="cards">${encounters.map((one) => html`<${EncounterCard} key=${one.name} ...${{ one, systems, doing, busy, begun, client, look }} />`)}</ul></section>`;
}

function EncounterCard({ one, systems, doing, busy, begun, client, look }) {
  const at = `/encounters/${encodeURIComponent(one.name)}`;
  const title = one.title || one.name;
  const remove = async () => {
    await client.ask(`${at}?version=${encodeURIComponent(one.version)}`, { method: "DELETE" });
    await look();
    toast(`${title} is deleted.`);
  };
  return html`<li class="panel kept-card" data-encounter=${one.name}><div><h3><a href=${`#encounter=${encodeURIComponent(one.name)}`}>${title}</a></h3>
      <p class="about">${[systems.get(one.system) ?? one.system, when(one.changed)].map((fact) => html`<span key=${fact}>${fact}</span>`)}</p>
      <p class="dim">${sidesSaid(one.sides) || "No combatants yet"}</p></div>
    <div class="deeds"><${Button} class="main" says="Start fight" shows="play" label=${`Start fight: ${title}`} disabled=${Boolean(busy)} onClick=${doing(`fight ${one.name}`, () => begun(title, { saved: one.name }))} />
      <a class="button" href=${`#encounter=${encodeURIComponent(one.name)}`}>Edit</a>
      <${Remove} title=${title} remove=${doing(`remove ${one.name}`, remove)} /></div></li>`;
}

/** Render the delete button, which asks once more in its place. */
function Remove({ title, remove }) {
  const [asked, setAsked] = useState(false);
  return asked ? html`<${Button} class="danger" says="Delete it?" onBlur=${() => setAsked(false)} onClick=${remove} />`
    : html`<${Button} class="quiet" shows="bin" label=${`Delete ${title}`} onClick=${() => setAsked(true)} />`;
}

function Parties({ parties, systems }) {
  return html`<section class="kept" aria-labelledby="parties-of"><header><h2 id="parties-of">Parties</h2><a class="button" href="#party="><${Icon} name="plus" />New party</a></header>
    ${parties.length ? null : html`<p class="nothing">A party carries wounds and spent resources from fight to fight. Create it from one side of an encounter, or save it after a fight.</p>`}
    <ul class="rows">${parties.map((one) => html`<li class="kept-row" key=${one.name} data-party=${one.name}><div class="what"><h3>${one.title || one.name}</h3>
      <p class="about">${[systems.get(one.system) ?? one.system, when(one.changed)].map((fact) => html`<span key=${fact}>${fact}</span>`)}</p></div>
      <div class="deeds"><a class="button" href=${`#party=${encodeURIComponent(one.name)}`}>Manage</a></div></li>`)}</ul></section>`;
}

/** Render the example fights by system, to play or to copy. */
function ToTry({ encounters, doing, busy, begun, client }) {
  const [rules, setRules] = useState("");
  const all = [...new Set(encounters.map((one) => one.rules))].sort();
  const [whole, setWhole] = useState(false);
  const those = encounters.filter((one) => !rules || one.rules === rules);
  const shown = whole ? those : those.slice(0, FEW);
  return html`<section class="kept" aria-labelledby="to-try"><header class="row"><h2 id="to-try">Example fights</h2>
      <${Labelled} says="Rules" of="try-rules"><select id="try-rules" onChange=${({ target }) => setRules(target.value)}><option value="">All</option>
        ${all.map((one) => html`<option key=${one} value=${one}>${one}</option>`)}</select><//></header>
    <ul class="cards">${shown.map((one) => html`<li class="panel kept-card" key=${`${one.system}/${one.name}`} data-shipped=${`${one.system}/${one.name}`}>
      <div><h3>${one.title}</h3><p class="about"><span>${one.rules}</span><span>${sidesSaid(one.sides)}</span></p><p class="dim">${one.says}</p></div>
      <div class="deeds"><${Button} says="Play" shows="play" label=${`Play ${one.title}`} disabled=${Boolean(busy)} onClick=${doing(`${one.system}/${one.name}`, () => play(client, one, begun))} />
        <a class="button quiet" href=${`#encounter=&from=${encodeURIComponent(`${one.system}/${one.name}`)}`} aria-label=${`Edit a copy: ${one.title}`}>Edit a copy</a></div></li>`)}</ul>
    ${shown.length < those.length ? html`<div><${Button} class="quiet" says=${`Show all ${those.length}`} onClick=${() => setWhole(true)} /></div>` : null}</section>`;
}

/** Return the sides as text: `heroes (2) against bandits (4)`. */
const sidesSaid = (sides) => Object.entries(sides ?? {}).map(([side, many]) => `${said(side)} (${many})`).join(" against ");

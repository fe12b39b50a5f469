// A party that is kept: how everybody is, what its fights cost, and the next one. The server says what can be corrected.

import { useEffect, useState } from "preact/hooks";
import { Clause } from "../clause.js";
import { fightAt, nameOf, openFight, underFreeName } from "../opening.js";
import { Button, html, Icon, Labelled, useTrying } from "../parts.js";
import { levelOf } from "../people.js";
import { saved } from "../record.js";
import { Roster } from "./roster.js";
import { Wrong } from "../start.js";
import { when } from "../times.js";
import { capital, problemSaid } from "../words.js";

/** A party. client: the host's; name: the one it is kept under; without one it is made. */
export function Party({ client, name }) {
  const [known, setKnown] = useState(null);
  const [lines, setLines] = useState([]);
  const [changing, setChanging] = useState(false);
  const [wrong, doing] = useTrying();
  const at = `/parties/${encodeURIComponent(name)}`;
  const look = async (party = null) => {
    const [whole, told, encounters] = await Promise.all([party ?? client.json(at), client.json(`${at}/members`), client.json("/encounters")]);
    setKnown({ whole, told, encounters: encounters.saved.filter((one) => one.system === whole.system) });
    document.title = `${told.title} – Affray`;
    return whole;
  };
  /** Change the party; says what became of it. */
  const change = doing(async (what, body) => {
    const { party, lines: told } = await client.post(`${at}/${what}`, { ...body, version: known.whole.version });
    setLines(told);
    return look(party);
  });
  const correct = (member, values) => change("set", { member, values });
  const remove = doing(async () => {
    await client.ask(`${at}?version=${encodeURIComponent(known.whole.version)}`, { method: "DELETE" });
    location.hash = "#home";
  });
  useEffect(() => { doing(look)(); }, [name]);
  if (!known && wrong) return html`<div class="view home"><${Wrong} says=${wrong} /></div>`;
  if (!known) return html`<p class="loading" role="status">Loading the party …</p>`;
  const { whole, told, encounters } = known;
  if (changing) {
    return html`<${Roster} client=${client} party=${whole} done=${() => {
      setChanging(false);
      setLines([]);
      doing(() => look())();
    }} />`;
  }
  return html`<div class="view home party"><header class="home-head"><div><h1>${told.title || name}</h1><p class="facts"><span>${told.system}</span>
      <span>${told.members.length} ${told.members.length === 1 ? "member" : "members"}</span></p></div>
      <div class="row">${told.rests.map((one) => html`<${Button} key=${one.name} says=${`Rest: ${one.says.toLowerCase()}`} onClick=${() => change("rest", { kind: one.name })} />`)}
        ${told.back ? html`<${Button} shows="undo" says="Take back" label=${`Take back: ${told.back}`} onClick=${() => change("undo", {})} />` : null}<${Button} says="Who belongs to it" onClick=${() => setChanging(true)} />
        <a class="button quiet" href="#home">Home</a></div></header>
    <${Wrong} says=${wrong} />
    ${lines.length ? html`<div role="status"><ul class="became">${lines.map((one, nth) => html`<li key=${nth}>${one.kind === "recovers" ? html`<b class="good">Recovers: </b>` : null}${one.text}
      ${(one.rules ?? []).map((rule) => html` <${Clause} key=${rule} system=${whole.system} rule=${rule} />`)}</li>`)}</ul></div>` : null}
    <ul class="cards">${told.members.map((one) => html`<${Member} key=${one.id} one=${one} conditions=${told.conditions} correct=${(values) => correct(one.id, values)} />`)}</ul>
    <${Next} client=${client} party=${whole} sides=${[...new Set(told.members.map((one) => one.side))]} encounters=${encounters} doing=${doing} />
    <${Fought} fights=${told.fights} />
    <${AsFile} client=${client} at=${at} whole=${whole} name=${name} look=${look} remove=${remove} /></div>`;
}

/** How somebody is; on demand with everything that can be corrected. */
function Member({ one, conditions, correct }) {
  const [open, setOpen] = useState(false);
  const things = one.things.filter((thing) => thing.told);
  return html`<li class="panel member" data-member=${one.id}><header><h2>${one.name}</h2>${one.out ? html`<span class="tag">out</span>` : null}
      <${Button} says=${open ? "Leave it" : "Correct"} class="quiet" aria-expanded=${String(open)} label=${open ? "Leave it" : `Correct ${one.name}`} onClick=${() => setOpen(!open)} /></header>
    ${open ? html`<${Correcting} one=${one} conditions=${conditions} act=${async (values) => (!Object.keys(values).length || await correct(values)) && setOpen(false)} />` : html`
      <div class="pools-of">${one.pools.map((pool) => html`<${Pool} key=${pool.field} who=${one.name} pool=${pool} />`)}</div>
      ${one.conditions.length ? html`<ul class="chips" aria-label=${`Conditions of ${one.name}`}>${one.conditions.map(({ field, says, now }) => html`
        <li class="chip" key=${field}>${now > 1 ? `${says} ${now}` : says}</li>`)}</ul>` : null}
      <ul class="worn">${things.map((thing, nth) => html`<li key=${nth}>${`${thing.name}: ${thing.told}`}</li>`)}</ul>`}</li>`;
}

function Pool({ who, pool: { says, now, most, rises } }) {
  const share = most ? (rises ? 1 - now / most : now / most) : 1;
  return html`<div class="vital">${most ? html`<div class=${`meter ${levelOf(share)}`} role="meter" aria-label=${`${who}, ${says}`} aria-valuemin="0" aria-valuemax=${most} aria-valuenow=${now}
      aria-valuetext=${`${now} of ${most}`}><span class="filled" style=${{ width: `${Math.max(0, Math.min(100, (100 * now) / most))}%` }} /></div>` : null}
    <span class="number">${now}<small>${most ? `/${most}` : ""} ${says}</small></span></div>`;
}

/** A form of everything that lasts about somebody; act(values) sets what was changed. */
function Correcting({ one, conditions, act }) {
  const all = [...one.pools, ...one.conditions, ...one.things.flatMap((thing) => (thing.fields ?? []).map((field) => ({ ...field, of: thing.name })))];
  const fields = all.filter((field) => !field.flag);
  const marked = all.filter((field) => field.flag);
  const lost = one.things.filter((thing) => thing.lost);
  const more = conditions.filter((other) => one.conditions.every(({ field }) => field !== other.name));
  const submit = (event) => {
    event.preventDefault();
    const data = new FormData(event.target);
    const numbers = fields.map(({ field, now }) => [field, Number(data.get(field)), now]);
    const flags = lost.map((thing) => [thing.lost, data.has(thing.lost), Boolean(thing.gone)]);
    const marks = marked.map(({ field, now }) => [field, Number(data.has(field)), now]);
    const changes = [...numbers, ...marks, ...flags].filter(([, value, now]) => value !== now).map(([field, value]) => [field, value]);
    if (data.get("more")) changes.push([data.get("more"), 1]);
    act(Object.fromEntries(changes));
  };
  const id = (field) => `set-${one.id}-${field}`;
  return html`<form class="correcting" onSubmit=${submit}><div class="fields">${fields.map(({ field, says, now, most, of }) => html`
      <${Labelled} key=${field} says=${of ? `${of}, ${says}` : capital(says)} of=${id(field)}><input type="number" id=${id(field)} name=${field} required min="0" max=${most} step="1" inputmode="numeric" defaultValue=${String(now)} /><//>`)}
      ${more.length ? html`<${Labelled} says="Something else to bear" of=${id("more")}><select id=${id("more")} name="more"><option value="">–</option>
        ${more.map(({ name, says }) => html`<option key=${name} value=${name}>${says}</option>`)}</select><//>` : null}</div>
    ${marked.length ? html`<div class="people-of" role="group" aria-label="What is so">${marked.map(({ field, says, now, of }) => html`<label class="check" key=${field}>
      <input type="checkbox" name=${field} defaultChecked=${now > 0} />${of}: ${says}</label>`)}</div>` : null}
    ${lost.length ? html`<div class="field"><span>Lost</span><div class="people-of" role="group" aria-label="Lost">${lost.map((thing) => html`<label class="check" key=${thing.lost}>
      <input type="checkbox" name=${thing.lost} defaultChecked=${Boolean(thing.gone)} />${thing.name}</label>`)}</div></div>` : null}
    <div class="row"><button type="submit" class="main">Set</button></div></form>`;
}

/** The next fight: an encounter that is kept, and whose places the party takes there. */
function Next({ client, party, sides, encounters, doing }) {
  const [chosen, setChosen] = useState(encounters[0]?.name ?? "");
  if (!encounters.length) return html`<section class="kept"><h2>The next fight</h2><p class="nothing">A party joins any encounter of its rules, in the places of one side. None is kept yet: <a href="#encounter=">make one</a>.</p></section>`;
  const one = encounters.find(({ name }) => name === chosen) ?? encounters[0];
  const there = Object.keys(one.sides ?? {});
  const usual = there.find((side) => sides.includes(side)) ?? there[0];
  const begin = doing(async (event) => {
    event.preventDefault();
    const side = new FormData(event.target).get("side") ?? "";
    const { id } = await openFight(client, one.title || one.name, { saved: one.name, party: party.name, side });
    location.hash = fightAt(id);
  });
  return html`<section class="kept" aria-labelledby="next-title"><h2 id="next-title">The next fight</h2><form class="panel fields" onSubmit=${begin}>
    <${Labelled} says="Encounter" of="next-of"><select id="next-of" value=${one.name} onChange=${({ target }) => setChosen(target.value)}>${encounters.map((other) => html`
      <option key=${other.name} value=${other.name}>${other.title || other.name}</option>`)}</select><//>
    ${there.length > 1 ? html`<${Labelled} says="In the places of" of="next-side"><select id="next-side" key=${one.name} name="side">${there.map((side) => html`
      <option key=${side} value=${side} selected=${side === usual}>${capital(side)}</option>`)}</select><//>` : null}
    <button type="submit" class="main"><${Icon} name="play" /><span>Begin it</span></button></form></section>`;
}

/** What its fights cost, the latest first. */
function Fought({ fights }) {
  return html`<section class="kept" aria-labelledby="fought-title"><h2 id="fought-title">What its fights cost</h2>
    ${fights.length ? html`<ul class="rows">${fights.map(({ fight, when: time, cost = [] }, nth) => html`<li class="kept-row" key=${nth}><div class="what"><h3>${fight}</h3>
      ${time ? html`<p class="about"><span>${when(time)}</span></p>` : null}<p>${cost.join(". ") || "Nothing that lasts"}</p></div></li>`)}</ul>`
    : html`<p class="nothing">None yet. When a fight is over, its table offers that the party bears what it cost.</p>`}</section>`;
}

/** The party as its file: to be kept elsewhere, and for whatever no form can say. */
function AsFile({ client, at, whole, name, look, remove }) {
  const [wrong, setWrong] = useState("");
  const [sure, setSure] = useState(false);
  const save = async (event) => {
    event.preventDefault();
    setWrong("");
    try {
      await client.json(at, { method: "PUT", body: { toml: new FormData(event.target).get("toml"), version: whole.version } });
      await look();
    } catch (problem) {
      setWrong([problem.field, problemSaid(problem)].filter(Boolean).join(": "));
    }
  };
  const download = async () => saved(await (await client.ask(`${at}/toml`, { headers: { Accept: "*/*" } })).blob(), `${name}.toml`);
  return html`<details class="deed as-file"><summary>As a file</summary><form onSubmit=${save}>
    <p class="dim">The file of <code>affray party</code>: a <code>[[combatant]]</code> for each member, as in an encounter.</p>
    <label class="unseen" for="party-toml">The party as TOML</label>
    <textarea id="party-toml" name="toml" rows="16" spellcheck="false" key=${whole.version} defaultValue=${whole.toml} /><p class="warning" role="alert">${wrong}</p>
    <div class="row"><button type="submit" class="main">Save</button><${Button} says="Download" onClick=${download} />
      <${Button} says=${sure ? "Delete it for good" : "Delete the party"} class=${sure ? "danger" : "quiet"} onClick=${() => (sure ? remove() : setSure(true))} onBlur=${() => setSure(false)} /></div></form></details>`;
}

/** How a party is made: of one side of an encounter that is kept, or of the people that come with a rule system. */
export function NewParty({ client }) {
  const [sources, setSources] = useState(null);
  const [chosen, setChosen] = useState("");
  const [wrong, trying] = useTrying();
  useEffect(() => {
    trying(async () => {
      const [kept, shipped] = await Promise.all([client.json("/encounters"), client.json("/shipped")]);
      setSources([
        ...kept.saved.map((one) => ({ key: `kept/${one.name}`, path: `/encounters/${encodeURIComponent(one.name)}`, title: one.title || one.name, sides: one.sides ?? {} })),
        ...shipped.encounters.map((one) => ({ key: `${one.system}/${one.name}`, path: `/shipped/${encodeURIComponent(one.system)}/${encodeURIComponent(one.name)}`,
          title: `${one.title} (${one.rules})`, sides: one.sides }))]);
    })();
  }, []);
  if (!sources) return html`<div class="view home"><${Wrong} says=${wrong} /></div>`;
  const source = sources.find((one) => one.key === chosen) ?? sources[0];
  const make = trying(async (event) => {
    event.preventDefault();
    const data = new FormData(event.target);
    const title = data.get("title").trim();
    const { toml } = await client.json(source.path);
    const { name } = await underFreeName(nameOf(title, "party"), (free) => client.post("/parties", { name: free, title, toml, side: data.get("side") }));
    location.hash = `#party=${encodeURIComponent(name)}`;
  });
  return html`<div class="view home party"><header class="home-head"><h1>A new party</h1></header><${Wrong} says=${wrong} />
    <form class="panel making" onSubmit=${make}><p class="dim">A party is made of those on one side of an encounter. From then on it bears what its fights cost, and joins any other.</p>
      <div class="fields"><${Labelled} says="What it is called" of="party-title"><input type="text" id="party-title" name="title" required maxlength="60" autocomplete="off" /><//>
      <${Labelled} says="Of the people in" of="party-of"><select id="party-of" value=${source?.key} onChange=${({ target }) => setChosen(target.value)}>${sources.map((one) => html`
        <option key=${one.key} value=${one.key}>${one.title}</option>`)}</select><//>
      <${Labelled} says="On the side" of="party-side"><select id="party-side" name="side" key=${source?.key}>${Object.entries(source?.sides ?? {}).map(([side, many]) => html`
        <option key=${side} value=${side}>${`${capital(side)} (${many})`}</option>`)}</select><//></div>
      <div class="row"><button type="submit" class="main">Make it</button><a class="button quiet" href="#encounter=">Make an encounter first, and keep a side of it</a></div></form></div>`;
}

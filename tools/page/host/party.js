// The view of a party: its members, its past fights and the next one. The server lists what can be corrected.

import { useEffect, useState } from "preact/hooks";
import { Clause } from "../clause.js";
import { fightAt, nameOf, openFight, underFreeName } from "../opening.js";
import { Button, html, Icon, Labelled, useTrying } from "../parts.js";
import { levelOf } from "../people.js";
import { saveFile } from "../record.js";
import { Roster } from "./roster.js";
import { Wrong } from "../start.js";
import { when } from "../times.js";
import { capital, problemSaid } from "../words.js";

/** Render a party. client: the host's; name: its saved name. */
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
  /** Change the party, and show the consequences. */
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
        ${told.back ? html`<${Button} shows="undo" says="Undo" label=${`Undo: ${told.back}`} onClick=${() => change("undo", {})} />` : null}<${Button} says="Members" onClick=${() => setChanging(true)} />
        <a class="button quiet" href="#home">Home</a></div></header>
    <${Wrong} says=${wrong} />
    ${lines.length ? html`<div role="status"><ul class="became">${lines.map((one, nth) => html`<li key=${nth}>${one.kind === "recovers" ? html`<b class="good">Recovers: </b>` : null}${one.text}
      ${(one.rules ?? []).map((rule) => html` <${Clause} key=${rule} system=${whole.system} rule=${rule} />`)}</li>`)}</ul></div>` : null}
    <ul class="cards">${told.members.map((one) => html`<${Member} key=${one.id} one=${one} conditions=${told.conditions} correct=${(values) => correct(one.id, values)} />`)}</ul>
    <${Next} client=${client} party=${whole} sides=${[...new Set(told.members.map((one) => one.side))]} encounters=${encounters} doing=${doing} />
    <${Fought} fights=${told.fights} />
    <${AsFile} client=${client} at=${at} whole=${whole} name=${name} look=${look} remove=${remove} /></div>`;
}

/** Render a member's state, and on demand the form that corrects it. */
function Member({ one, conditions, correct }) {
  const [open, setOpen] = useState(false);
  const things = one.things.filter((thing) => thing.told);
  return html`<li class="panel member" data-member=${one.id}><header><h2>${one.name}</h2>${one.out ? html`<span class="tag">out</span>` : null}
      <${Button} says=${open ? "Cancel" : "Correct"} class="quiet" aria-expanded=${String(open)} label=${open ? "Cancel" : `Correct ${one.name}`} onClick=${() => setOpen(!open)} /></header>
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

/** Render a form of a member's lasting values; act(values) saves the changed ones. */
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
      ${more.length ? html`<${Labelled} says="Add a condition" of=${id("more")}><select id=${id("more")} name="more"><option value="">–</option>
        ${more.map(({ name, says }) => html`<option key=${name} value=${name}>${says}</option>`)}</select><//>` : null}</div>
    ${marked.length ? html`<div class="people-of" role="group" aria-label="Marks">${marked.map(({ field, says, now, of }) => html`<label class="check" key=${field}>
      <input type="checkbox" name=${field} defaultChecked=${now > 0} />${of}: ${says}</label>`)}</div>` : null}
    ${lost.length ? html`<div class="field"><span>Lost</span><div class="people-of" role="group" aria-label="Lost">${lost.map((thing) => html`<label class="check" key=${thing.lost}>
      <input type="checkbox" name=${thing.lost} defaultChecked=${Boolean(thing.gone)} />${thing.name}</label>`)}</div></div>` : null}
    <div class="row"><button type="submit" class="main">Set</button></div></form>`;
}

/** Render the form for the next fight: a saved encounter, and the side that the party replaces. */
function Next({ client, party, sides, encounters, doing }) {
  const [chosen, setChosen] = useState(encounters[0]?.name ?? "");
  if (!encounters.length) return html`<section class="kept"><h2>Next fight</h2><p class="nothing">A party can replace one side of any encounter with the same rules. There is no such encounter yet: <a href="#encounter=">create one</a>.</p></section>`;
  const one = encounters.find(({ name }) => name === chosen) ?? encounters[0];
  const there = Object.keys(one.sides ?? {});
  const usual = there.find((side) => sides.includes(side)) ?? there[0];
  const begin = doing(async (event) => {
    event.preventDefault();
    const side = new FormData(event.target).get("side") ?? "";
    const { id } = await openFight(client, one.title || one.name, { saved: one.name, party: party.name, side });
    location.hash = fightAt(id);
  });
  return html`<section class="kept" aria-labelledby="next-title"><h2 id="next-title">Next fight</h2><form class="panel fields" onSubmit=${begin}>
    <${Labelled} says="Encounter" of="next-of"><select id="next-of" value=${one.name} onChange=${({ target }) => setChosen(target.value)}>${encounters.map((other) => html`
      <option key=${other.name} value=${other.name}>${other.title || other.name}</option>`)}</select><//>
    ${there.length > 1 ? html`<${Labelled} says="In place of" of="next-side"><select id="next-side" key=${one.name} name="side">${there.map((side) => html`
      <option key=${side} value=${side} selected=${side === usual}>${capital(side)}</option>`)}</select><//>` : null}
    <button type="submit" class="main"><${Icon} name="play" /><span>Start</span></button></form></section>`;
}

/** Render the past fights with their cost, the latest first. */
function Fought({ fights }) {
  return html`<section class="kept" aria-labelledby="fought-title"><h2 id="fought-title">Past fights</h2>
    ${fights.length ? html`<ul class="rows">${fights.map(({ fight, when: time, cost = [] }, nth) => html`<li class="kept-row" key=${nth}><div class="what"><h3>${fight}</h3>
      ${time ? html`<p class="about"><span>${when(time)}</span></p>` : null}<p>${cost.join(". ") || "No lasting cost"}</p></div></li>`)}</ul>`
    : html`<p class="nothing">None yet. When a fight ends, its table lets you apply the cost to the party.</p>`}</section>`;
}

/** Render the party as a file, to download or to edit. */
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
  const download = async () => saveFile(await (await client.ask(`${at}/toml`, { headers: { Accept: "*/*" } })).blob(), `${name}.toml`);
  return html`<details class="deed as-file"><summary>As a file</summary><form onSubmit=${save}>
    <p class="dim">The file of <code>affray party</code>: a <code>[[combatant]]</code> for each member, as in an encounter.</p>
    <label class="unseen" for="party-toml">The party as TOML</label>
    <textarea id="party-toml" name="toml" rows="16" spellcheck="false" key=${whole.version} defaultValue=${whole.toml} /><p class="warning" role="alert">${wrong}</p>
    <div class="row"><button type="submit" class="main">Save</button><${Button} says="Download" onClick=${download} />
      <${Button} says=${sure ? "Delete it for good" : "Delete the party"} class=${sure ? "danger" : "quiet"} onClick=${() => (sure ? remove() : setSure(true))} onBlur=${() => setSure(false)} /></div></form></details>`;
}

/** Render the form for a new party from one side of a saved or shipped encounter. */
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
  return html`<div class="view home party"><header class="home-head"><h1>New party</h1></header><${Wrong} says=${wrong} />
    <form class="panel making" onSubmit=${make}><p class="dim">Create a party from one side of an encounter. It then carries wounds and spent resources from fight to fight.</p>
      <div class="fields"><${Labelled} says="Name" of="party-title"><input type="text" id="party-title" name="title" required maxlength="60" autocomplete="off" /><//>
      <${Labelled} says="Encounter" of="party-of"><select id="party-of" value=${source?.key} onChange=${({ target }) => setChosen(target.value)}>${sources.map((one) => html`
        <option key=${one.key} value=${one.key}>${one.title}</option>`)}</select><//>
      <${Labelled} says="Side" of="party-side"><select id="party-side" name="side" key=${source?.key}>${Object.entries(source?.sides ?? {}).map(([side, many]) => html`
        <option key=${side} value=${side}>${`${capital(side)} (${many})`}</option>`)}</select><//></div>
      <div class="row"><button type="submit" class="main">Create</button><a class="button quiet" href="#encounter=">Create an encounter first</a></div></form></div>`;
}

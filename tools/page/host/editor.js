// The encounter editor: rules, combatants, places and errors; save, copy, download, start.

import { useEffect, useState } from "preact/hooks";
import { Difficulty } from "./difficulty.js";
import { Draft, unsaved } from "./draft.js";
import { Field } from "./forming.js";
import { fightAt, nameOf, openFight, underFreeName, UNREAD, unread } from "../opening.js";
import { Button, html, Icon, Labelled, Sheet, toast, useTrying } from "../parts.js";
import { hangBehind, takeDown } from "../pictures.js";
import { Picker } from "./picker.js";
import { placeFor, Stage } from "./placing.js";
import { saveFile } from "../record.js";
import { Card, FaultList, freeName, theirOwn } from "./sheet.js";
import { Wrong } from "../start.js";
import { capital, problemSaid, said, speak } from "../words.js";

/** How many errors are shown unfolded. */
const FEW = 5;
const MAPS = { squares: "on squares", hexes: "on hexes", zones: "in zones" };

/**
 * Render the editor of the encounter that the address names, or of a new one.
 *
 * from: `SYSTEM/NAME` of the shipped encounter to copy; file: `{ name, text }` of a loaded file.
 */
export function Editor({ client, name = "", from = "", file = null }) {
  const [draft, setDraft] = useState(null);
  const [systems, setSystems] = useState([]);
  const [wrong, setWrong] = useState("");
  const left = from || file ? null : unsaved(name);
  const begin = async (kept, restored = false) => {
    try {
      const made = await draftOf(client, kept);
      made.dirty.value = made.restored.value = restored;
      hangBehind(client, kept.background);
      setDraft(made);
    } catch (problem) {
      setWrong(problemSaid(problem));
    }
  };
  useEffect(() => takeDown, []);
  useEffect(() => {
    (async () => {
      const known = (await client.json("/systems")).systems;
      setSystems(known);
      if (name && left) await begin({ ...left, ...await client.json(`/encounters/${encodeURIComponent(name)}`).then(({ background }) => ({ background }), () => ({})) }, true);
      else if (file) await begin(await client.post("/check", { toml: file.text }));
      else if (from) await begin(unread(await client.json(`/shipped/${from.split("/").map(encodeURIComponent).join("/")}`)));
      else if (name) await begin(await client.json(`/encounters/${encodeURIComponent(name)}`));
    })().catch((problem) => setWrong(problemSaid(problem)));
  }, []);
  if (wrong) return html`<div class="view editor"><${Wrong} says=${file ? `${file.name}: ${wrong}` : wrong} /><p><a href="#home">Home</a></p></div>`;
  if (draft) return html`<${Making} draft=${draft} system=${systems.find((one) => one.name === draft.rules.system)} />`;
  if (name || from || file) return html`<p class="loading" role="status">Fetching the encounter …</p>`;
  return html`<${Choosing} systems=${systems} left=${left} goOn=${() => begin(left, true)} choose=${(system) => begin({ content: { system, ...UNREAD, combatant: [] } })} example=${async (system) => begin(await client.json(`/systems/${system}/template`))} />`;
}

/** Return a draft of an encounter. */
const draftOf = async (client, kept) => new Draft(client, await rulesOf(client, kept.content.system), kept);

/** Fetch the schema and the tables of a rule system, and set its vocabulary. */
export async function rulesOf(client, system) {
  const about = (what) => client.json(`/systems/${encodeURIComponent(system)}/${what}`);
  const [schema, { tables }, words, { systems }] = await Promise.all([about("schema"), about("tables"), about("vocabulary"), client.json("/systems")]);
  speak(words, systems.find((one) => one.name === system)?.map);
  return { system, schema, tables };
}

/** Render the choice of rules. */
function Choosing({ systems, left, goOn, choose, example }) {
  return html`<div class="view editor"><header><h1>New encounter</h1><p class="dim">Choose the rules.</p></header>
    ${left ? html`<div class="guess row"><span>You have an unsaved draft: ${left.content.name || "a new encounter"}.</span><${Button} says="Continue" onClick=${goOn} /></div>` : null}
    <ul class="cards">${systems.map((one) => html`<li class="panel kept-card" key=${one.name} data-system=${one.name}><div><h3>${one.title}</h3><p class="dim">${capital(MAPS[one.map] ?? "without a map")}</p></div>
      <div class="deeds"><${Button} class="main" says="Start empty" label=${`Start empty, ${one.title}`} onClick=${() => choose(one.name)} />
        ${one.template ? html`<${Button} says="From an example" label=${`From an example, ${one.title}`} onClick=${() => example(one.name)} />` : null}</div></li>`)}</ul></div>`;
}

function Making({ draft, system }) {
  const content = draft.content.value;
  const title = content.name ?? "";
  useEffect(() => { document.title = `${title || "New encounter"} – Affray`; }, [title]);
  useEffect(() => {
    const save = (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.key !== "s") return;
      event.preventDefault();
      draft.save();
    };
    addEventListener("keydown", save);
    return () => removeEventListener("keydown", save);
  }, []);
  return html`<div class="view editor"><${Head} draft=${draft} system=${system} title=${title} />
    ${draft.restored.value && draft.name.value ? html`<${Brought} draft=${draft} />` : null}
    <${Refused} draft=${draft} /><${Faulty} draft=${draft} />
    <div class="editor-body"><${Sides} draft=${draft} map=${system?.map} />
      <div class="editor-aside"><${Difficulty} draft=${draft} sides=${sidesIn(draft)} room=${(side) => (system?.map ? placeFor(draft, system.map, side) : "")} />${system?.map ? html`<${Stage} draft=${draft} map=${system.map} />` : null}<${Parts} draft=${draft} /></div></div></div>`;
}

function Brought({ draft }) {
  const discard = () => {
    draft.forget();
    location.reload();
  };
  return html`<div class="guess row" role="status"><span>Your unsaved changes are restored.</span><${Button} class="quiet" says="Discard" onClick=${discard} /></div>`;
}

function Head({ draft, system, title }) {
  const [begins, setBegins] = useState(false);
  const kept = draft.name.value;
  const faults = draft.faults.value.length;
  const save = async () => {
    if (!await draft.save()) return;
    history.replaceState(null, "", `#encounter=${encodeURIComponent(draft.name.value)}`);
    toast("Saved.");
  };
  const checked = draft.checked.value;
  const begun = isBegun(draft);
  const lone = !faults && isOneSided(draft);
  const state = begun || lone ? "Add a combatant to each side" : draft.known.value ? faults ? `Errors: ${faults}` : "Ready to fight" : "Checking …";
  return html`<header class="editor-head"><a class="back" href="#home"><${Icon} name="back" />Home</a>
    <div class="titled"><label class="unseen" for="encounter-name">Name of the encounter</label>
      <input type="text" id="encounter-name" class="name-of" value=${title} placeholder="Name the encounter" maxlength="200" autocomplete="off" onInput=${({ target }) => draft.change(["name"], target.value || undefined)} />
      <p class="facts"><span>${system?.title}</span><span>${draft.dirty.value ? "not saved" : kept ? "saved" : "not saved yet"}</span>
        <span class=${`state ${begun || lone ? "" : faults ? "warning" : "good"}`} role="status" data-checked=${checked}>${state}</span></p></div>
    <div class="row"><${Button} class="quiet" shows="undo" label="Undo the last change" disabled=${!draft.past.value.length} onClick=${() => draft.undo()} />
      <${Button} says="Save" onClick=${save} disabled=${!draft.dirty.value && Boolean(kept)} />
      <${Button} class="main" shows="play" says="Start fight" disabled=${!checked || faults > 0 || lone} title=${begun || lone ? "Add a combatant to each side first" : faults ? "Fix the errors first" : null} onClick=${() => setBegins(true)} />
      <${More} draft=${draft} /></div>
    ${begins ? html`<${Begin} draft=${draft} title=${title} onClose=${() => setBegins(false)} />` : null}</header>`;
}

/** Render the menu: download, copy, save a party, delete. */
function More({ draft }) {
  const { client } = draft;
  const doing = (act) => async ({ target }) => {
    target.closest("details").open = false;
    try {
      await act();
    } catch (problem) {
      draft.refuse(problem);
    }
  };
  const download = doing(async () => {
    saveFile(new Blob([await draft.text()], { type: "application/toml" }), `${draft.named()}.toml`);
  });
  const copy = doing(async () => {
    const name = `${draft.named()}-copy`;
    const { name: as } = await underFreeName(name, (to) => client.json(`/encounters/${encodeURIComponent(to)}`, { method: "PUT", body: { content: draft.content.value, was: draft.was.value, version: "", copy_of: draft.name.value } }));
    draft.forget();
    location.hash = `#encounter=${encodeURIComponent(as)}`;
    toast(`This is the copy, saved as ${as}.`);
  });
  const party = (side) => doing(async () => {
    const { name } = await underFreeName(nameOf(side, "party"), (as) => client.post("/parties", { name: as, title: side.slice(0, 60), side, content: draft.content.value }));
    location.hash = `#party=${encodeURIComponent(name)}`;
  });
  const remove = doing(async () => {
    await client.ask(`/encounters/${encodeURIComponent(draft.name.value)}?version=${encodeURIComponent(draft.version.value)}`, { method: "DELETE" });
    draft.forget();
    location.hash = "#home";
  });
  return html`<details class="menu"><summary class="button" aria-label="More"><${Icon} name="more" /></summary><div class="menu-of">
    <${Button} class="quiet" says="Download the file" onClick=${download} /><${Button} class="quiet" says="Save a copy" onClick=${copy} />
    ${draft.sides.value.map((side) => html`<${Button} key=${side} class="quiet" says=${`Save ${said(side)} as a party`} onClick=${party(side)} />`)}
    ${draft.name.value ? html`<${Button} class="quiet" says="Delete" onClick=${remove} />` : null}</div></details>`;
}

/** Render the form that starts the fight: the party, and who rolls the dice. */
function Begin({ draft, title, onClose }) {
  const [parties, setParties] = useState([]);
  const [wrong, trying] = useTrying();
  useEffect(() => {
    draft.client.json("/parties").then(({ saved }) => setParties(saved.filter((one) => one.system === draft.rules.system)), () => {});
  }, []);
  const begin = trying(async (event) => {
    event.preventDefault();
    const data = new FormData(event.target);
    const party = data.get("party");
    const { id } = await openFight(draft.client, title || "fight", { encounter: draft.content.value, dice: data.get("dice"), ...(party ? { party } : {}) });
    location.hash = fightAt(id);
  });
  return html`<${Sheet} onClose=${onClose}><form onSubmit=${begin}><h2>Start the fight: ${title || "this encounter"}</h2>
    <p class="dim">You open the table as the game master and invite the players there. The encounter does not change.</p>
    ${parties.length ? html`<${Labelled} says="Party" of="begin-party"><select id="begin-party" name="party"><option value="">The combatants of this encounter</option>
      ${parties.map((one) => html`<option key=${one.name} value=${one.name}>${one.title || one.name}, in place of its side</option>`)}</select><//>` : null}
    <${Labelled} says="Dice" of="begin-dice"><select id="begin-dice" name="dice"><option value="engine">Rolled by the engine, verifiable</option>
      ${draft.sides.value.map((side) => html`<option key=${side} value=${`entered:${side}`}>Entered for ${said(side)}, rolled by the engine for the rest</option>`)}
      <option value="entered">Rolled at the table and entered</option></select><//>
    <p class="warning" role="alert">${wrong}</p>
    <footer><button type="button" class="quiet" onClick=${onClose}>Cancel</button><button type="submit" class="main">Open the table</button></footer></form><//>`;
}

function Refused({ draft }) {
  const refusal = draft.refusal.value;
  if (!refusal) return html`<div class="refusal" role="alert" />`;
  return html`<div class="refusal" role="alert"><p><${Icon} name="warning" />${refusal.says}</p>${refusal.superseded ? html`<div class="row">
    <${Button} says="Overwrite with mine" onClick=${() => draft.save({ over: true })} />
    <${Button} says="Load theirs" onClick=${() => { draft.forget(); location.reload(); }} /></div>` : null}</div>`;
}

/** Whether the only error is that there are no combatants yet. */
function isBegun(draft) {
  const empty = Array.isArray(draft.content.value.combatant) && !draft.entries.value.length;
  return empty && draft.faults.value.every((one) => one.field === "combatant");
}

/** Whether one side has no combatant, and none is to come. */
const isOneSided = (draft) => draft.sides.value.length < 2 && !draft.content.value.more_to_come;

/** Render all errors, each as a link to its field. */
function Faulty({ draft }) {
  const faults = draft.faults.value;
  if (!faults.length || isBegun(draft)) return null;
  return html`<details class="faults" open=${faults.length <= FEW}><summary>Errors to fix before the fight: ${faults.length}</summary>
    <${FaultList} draft=${draft} /></details>`;
}

/** Render the sides with their combatants. */
function Sides({ draft, map }) {
  const sides = sidesIn(draft);
  const entries = draft.entries.value;
  const rest = entries.flatMap((one, nth) => (sides.includes(one.side) ? [] : [nth]));
  const hue = (one) => (sides.indexOf(one) % 6) + 1;
  return html`<div class="sides-of">${sides.map((one) => html`<${Side} key=${one} draft=${draft} map=${map} side=${one} fixed=${Boolean(draft.entry.properties.side.enum)} hue=${hue(one)}
      those=${entries.flatMap((entry, nth) => (entry.side === one ? [nth] : []))} />`)}
    ${rest.length ? html`<section class="panel side-of"><h2>Without a side</h2><ul>${rest.map((nth) => html`<${Card} key=${nth} draft=${draft} nth=${nth} hue=${6} />`)}</ul></section>` : null}</div>`;
}

/** Return the sides in order: the used ones, then usual ones up to two, or all that the rules define. */
function sidesIn({ sides: { value: used }, entry }) {
  const [usual, known] = [entry["x-sides"], entry.properties.side.enum ?? []];
  const others = usual.filter((one) => !used.includes(one));
  const all = [...used, ...(known.length ? others : others.slice(0, Math.max(0, 2 - used.length)))];
  return all.every((one) => usual.includes(one)) ? usual : all;
}

function Side({ draft, side, those, map, fixed, hue }) {
  const [adds, setAdds] = useState(false);
  const room = map ? (one) => placeFor(draft, map, one) : null;
  const add = (block) => {
    const entries = draft.entries.value;
    const name = freeName(block ? capital(draft.called(draft.blocks, block)) : "Combatant", entries);
    const at = room ? room(side) : "";
    const content = { ...draft.content.value, combatant: [...entries, { name, side, ...(block ? { block } : {}), ...(at ? { at } : {}) }] };
    draft.become(at ? draft.mapped(content) : content);
  };
  const rename = ({ target }) => {
    const to = target.value.trim();
    if (to && to !== side) draft.change(["combatant"], draft.entries.value.map((one) => (one.side === side ? { ...one, side: to } : one)));
    else target.value = side;
  };
  const count = those.reduce((sum, nth) => sum + (Number(draft.entries.value[nth].count) || 1), 0);
  return html`<section class="panel side-of" data-side=${side} data-hue=${hue}><header><h2>${fixed ? capital(said(side)) : !those.length ? side
      : html`<input type="text" aria-label="Name of this side" value=${side} maxlength="60" onChange=${rename} />`}<span class="tag">${count}</span></h2>
      <${Button} shows="plus" says="Add" label=${`Add to ${said(side)}`} onClick=${() => setAdds(true)} /></header>
    ${those.length ? null : html`<p class="nothing">No combatants yet. Add one from the rules' stat blocks, or make your own.</p>`}
    <ul>${those.map((nth) => html`<${Card} key=${nth} draft=${draft} nth=${nth} hue=${hue} room=${room} />`)}</ul>
    ${adds ? html`<${Picker} draft=${draft} table=${draft.blocks} title=${`Add to ${said(side)}`} pick=${add} several besides=${theirOwn(draft, add)} onClose=${() => setAdds(false)} />` : null}</section>`;
}

/** Render the other parts of the file: places, distances, options, own entries. */
function Parts({ draft }) {
  const { properties, "x-sections": sections } = draft.rules.schema;
  const field = (name, bare) => (properties[name] ? html`<${Field} key=${name} draft=${draft} path=${[name]} node=${properties[name]} usual=${properties[name].default} bare=${bare} />` : null);
  const isSaid = (section) => section.fields.some((name) => draft.content.value[name] !== undefined);
  return html`<div class="parts-of">${sections.map((section) => html`<details class="panel" key=${section.title} open=${!section.more && (isSaid(section) || section.fields.includes(draft.zonesIn))}>
    <summary><h2>${section.title}</h2>${isSaid(section) ? html`<span class="tag">changed</span>` : null}</summary>${section.fields.map((name) => field(name, section.fields.length < 2))}</details>`)}</div>`;
}

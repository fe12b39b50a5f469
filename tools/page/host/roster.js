// The members of a party, with the same sheets as in an encounter.

import { useEffect, useState } from "preact/hooks";
import { Draft } from "./draft.js";
import { rulesOf } from "./editor.js";
import { Button, html, Icon, toast } from "../parts.js";
import { Picker } from "./picker.js";
import { Card, FaultList, freeName, theirOwn } from "./sheet.js";
import { Wrong } from "../start.js";
import { capital } from "../words.js";

/** The fields that belong to one fight only. */
const OF_A_FIGHT = ["at", "count"];

/** A draft of a party: an encounter of one side, with the consequences of past fights set apart. */
class Members extends Draft {
  constructor(client, rules, { content: { taken, past, ...content }, toml, name, version }) {
    super(client, rules, { content, name, version, toml });
    this.left = { ...(taken && { taken }), ...(past && { past }) };
    this.entry = { ...this.entry, properties: Object.fromEntries(Object.entries(this.entry.properties).filter(([field]) => !OF_A_FIGHT.includes(field))) };
  }

  /** Store nothing in this window, since the cost of fights changes a party, too. */
  remember() {}

  async save() {
    const content = { ...this.content.value, ...this.left };
    try {
      await this.client.json(`/parties/${encodeURIComponent(this.name.value)}`, { method: "PUT", body: { content, was: this.was.value, version: this.version.value } });
      return true;
    } catch (problem) {
      this.refuse(problem);
      return false;
    }
  }
}

/** Render the sheets of a party. party: the saved one; done(): returns to the party's view. */
export function Roster({ client, party, done }) {
  const [draft, setDraft] = useState(null);
  useEffect(() => {
    rulesOf(client, party.system).then((rules) => setDraft(new Members(client, rules, party)), (problem) => toast(problem.detail || problem.message, "bad"));
  }, [party.version]);
  return draft ? html`<${Sheets} draft=${draft} done=${done} />` : html`<p class="loading" role="status">Fetching the sheets …</p>`;
}

function Sheets({ draft, done }) {
  const [adds, setAdds] = useState(false);
  const entries = draft.entries.value;
  const faults = draft.faults.value;
  const side = draft.sides.value[0];
  const add = (block) => {
    const name = freeName(block ? capital(draft.called(draft.blocks, block)) : "Combatant", entries);
    draft.change(["combatant"], [...draft.entries.value, { name, side, ...(block ? { block } : {}) }]);
  };
  const save = async () => {
    if (await draft.save()) done();
  };
  const { refusal } = draft;
  return html`<div class="view editor roster"><header class="editor-head"><button type="button" class="quiet back" onClick=${done}><${Icon} name="back" /><span>Back</span></button>
      <div class="titled"><h1>${`Members of ${draft.content.value.name ?? draft.name.value}`}</h1><p class="facts"><span>${draft.dirty.value ? "not saved" : "saved"}</span>
        <span class=${faults.length ? "warning" : "good"} role="status">${draft.checked.value ? (faults.length ? `Errors: ${faults.length}` : "No errors") : "Checking …"}</span></p></div>
      <div class="row"><${Button} class="quiet" shows="undo" label="Undo the last change" disabled=${!draft.past.value.length} onClick=${() => draft.undo()} />
        <${Button} shows="plus" says="Add" onClick=${() => setAdds(true)} />
        <${Button} class="main" says="Save" disabled=${!draft.dirty.value || !draft.checked.value || faults.length > 0} onClick=${save} /></div></header>
    <${Wrong} says=${refusal.value?.says} />
    ${faults.length ? html`<div class="faults"><${FaultList} draft=${draft} /></div>` : null}
    <section class="panel side-of" data-hue="1"><ul>${entries.map((_, nth) => html`<${Card} key=${nth} draft=${draft} nth=${nth} hue=${1} />`)}</ul></section>
    ${adds ? html`<${Picker} draft=${draft} table=${draft.blocks} title="Add a member" pick=${add} several besides=${theirOwn(draft, add)} onClose=${() => setAdds(false)} />` : null}</div>`;
}

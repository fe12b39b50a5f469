// Who belongs to a party, and what each of them is like when whole: the same sheets as in an encounter.

import { useEffect, useState } from "preact/hooks";
import { Draft } from "./draft.js";
import { rulesOf } from "./editor.js";
import { Button, html, Icon, toast } from "../parts.js";
import { Picker } from "./picker.js";
import { Card, FaultList, freeName, theirOwn } from "./sheet.js";
import { Wrong } from "../start.js";
import { capital } from "../words.js";

/** What an entry says of one fight alone. */
const OF_A_FIGHT = ["at", "count"];

/** A party that is being changed: an encounter of one side, beside what its fights left. */
class Members extends Draft {
  constructor(client, rules, { content: { taken, past, ...content }, toml, name, version }) {
    super(client, rules, { content, name, version, toml });
    this.left = { ...(taken && { taken }), ...(past && { past }) };
    this.entry = { ...this.entry, properties: Object.fromEntries(Object.entries(this.entry.properties).filter(([field]) => !OF_A_FIGHT.includes(field))) };
  }

  /** It is not kept in this window: a party is changed by what its fights cost as well. */
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

/** The sheets of a party. party: as it is kept; done(): shows how everybody is again. */
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
  return html`<div class="view editor roster"><header class="editor-head"><button type="button" class="quiet back" onClick=${done}><${Icon} name="back" /><span>Leave it</span></button>
      <div class="titled"><h1>${`Who belongs to ${draft.content.value.name ?? draft.name.value}`}</h1><p class="facts"><span>${draft.dirty.value ? "not saved" : "saved"}</span>
        <span class=${faults.length ? "warning" : "good"} role="status">${draft.checked.value ? (faults.length ? `${faults.length} to put right` : "Ready to fight") : "Checking …"}</span></p></div>
      <div class="row"><${Button} class="quiet" shows="undo" label="Take back the last change" disabled=${!draft.past.value.length} onClick=${() => draft.undo()} />
        <${Button} shows="plus" says="Add" onClick=${() => setAdds(true)} />
        <${Button} class="main" says="Save" disabled=${!draft.dirty.value || !draft.checked.value || faults.length > 0} onClick=${save} /></div></header>
    <${Wrong} says=${refusal.value?.says} />
    ${faults.length ? html`<div class="faults"><${FaultList} draft=${draft} /></div>` : null}
    <section class="panel side-of" data-hue="1"><ul>${entries.map((_, nth) => html`<${Card} key=${nth} draft=${draft} nth=${nth} hue=${1} />`)}</ul></section>
    ${adds ? html`<${Picker} draft=${draft} table=${draft.blocks} title="Who joins?" pick=${add} several besides=${theirOwn(draft, add)} onClose=${() => setAdds(false)} />` : null}</div>`;
}

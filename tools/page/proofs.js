// Proofs of a record: the hash chain, an audit, and the seed of a closed record.

import { useEffect, useState } from "preact/hooks";
import { verifyChain } from "./affray/index.js";
import { Button, html, Icon, toast } from "./parts.js";
import { ClosedSaid } from "./record.js";

/** By how many milliseconds the clocks of a server and a device may differ without a warning. */
const TOLERANCE = 5 * 60_000;

/** The class of each verdict of an audit. */
const JUDGED = { clean: "good", incomplete: "open", found: "warning" };

/** Render the proofs of a history; audit() asks a server, share() opens the sheet of the record. */
export function Proofs({ history, audit, name, go, share }) {
  const [findings, setFindings] = useState(null);
  const judge = async () => {
    setFindings({ busy: true });
    try {
      setFindings(await audit());
    } catch (problem) {
      setFindings(null);
      toast(problem.detail ?? problem.message, "bad");
    }
  };
  return html`<section class="panel proofs" aria-labelledby="record-title"><h2 id="record-title">The record</h2>
    <${Chain} history=${history} /><${TornEnd} history=${history} /><${Ahead} history=${history} /><${ClosedSaid} history=${history} fight=${name} />
    ${audit || share ? html`<div class="row">${audit ? html`<${Button} says="Audit this fight" onClick=${judge} />` : null}
      ${share ? html`<${Button} says="Share it, or start a what-if …" onClick=${share} />` : null}</div>` : null}
    <div class="findings">${findings?.busy ? html`<p class="dim">Auditing …</p>` : findings ? html`<${Findings} found=${findings} go=${go} />` : null}</div></section>`;
}

function Chain({ history }) {
  const [proof, setProof] = useState(null);
  useEffect(() => {
    const verify = async () => verifyChain(history.recorded);
    verify().then((head) => setProof({ whole: true, head }), (broken) => setProof({ whole: false, broken }));
  }, [history]);
  if (!proof) return html`<p class="proof" role="status">Verifying the chain …</p>`;
  if (proof.whole) {
    return html`<p class="proof" role="status" data-proof="whole"><${Icon} name="check" /><span>Chain verified to <code title=${proof.head}>${proof.head.slice(0, 12)}</code>. An audit also checks the format of each line, the dice and the rules.</span></p>`;
  }
  const { broken } = proof;
  return html`<p class="proof" role="status" data-proof="broken"><${Icon} name="warning" /><span>${broken.position
    ? `Chain broken at position ${broken.position}.` : `Chain not verified: ${broken.message}`}</span></p>`;
}

function TornEnd({ history: { torn, head } }) {
  return torn ? html`<p class="proof" role="status" data-proof="torn"><${Icon} name="warning" /><span>${
    `The log ends within a command. What stands behind position ${head} is left out.`}</span></p>` : null;
}

function Ahead({ history }) {
  const time = history.recorded.at(-1)?.time;
  if (!(Date.parse(time) > Date.now() + TOLERANCE)) return null;
  return html`<p class="proof" role="status" data-proof="ahead"><${Icon} name="warning" /><span>${`The recorded time, ${time}, lies ahead of this device's clock. Whatever is recorded until then bears that time.`}</span></p>`;
}

function Findings({ found: { verdict, summary, report, says }, go }) {
  const missing = report?.missing ?? [];
  return html`<p class=${JUDGED[verdict]}>${summary}</p>
    ${missing.length ? html`<h3>Not checked</h3><ul class="rows">${missing.map(({ layer, what, remedy }, nth) => html`<li key=${nth}>${`${layer}: ${what}; needed: ${remedy}`}</li>`)}</ul>` : null}
    <ol class="rows">${(report?.findings ?? []).map((one, nth) => html`<li key=${nth}><${Button} says=${String(one.position)} class="at" onClick=${() => go(one.position)} /> ${says[nth]}</li>`)}</ol>`;
}

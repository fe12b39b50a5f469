// The address that links begin with: this page's own, the network's, or the public one that the host sets.

import { useState } from "preact/hooks";
import { announce, Button, html, Labelled, useTrying } from "./parts.js";

const ALONE = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** Tell whether an address works on this computer alone. */
const isAlone = (address) => ALONE.has(new URL(address).hostname);

/** List the addresses that links may begin with, the best first. held: the answer of `grants`. */
export function addressesOf({ reach = [], public: set = "" }) {
  const own = isAlone(location.origin) ? [] : [location.origin];
  const all = [...new Set([set, ...own, ...reach].filter(Boolean))];
  return all.length ? all : [location.origin];
}

/** Render the choice of the address, a note if it works on this computer alone, and for the host the public address. */
export function Address({ client, held, place, choose, changed }) {
  const all = addressesOf(held);
  return html`${all.length > 1 ? html`<${Labelled} says="Server address" of="reach"><select id="reach" value=${place} onChange=${({ target }) => choose(target.value)}>
      ${all.map((one) => html`<option key=${one} value=${one}>${one}</option>`)}</select><//>` : null}
    ${isAlone(place) ? html`<p class="guess">These links work on this computer alone. For players in your network, start the server
      with <code>affray serve --share</code>. ${held.is_host ? "For players elsewhere, enter a public address." : "The host can also set a public address."}</p>` : null}
    ${held.is_host ? html`<${PublicAddress} client=${client} set=${held.public ?? ""} changed=${changed} />` : null}`;
}

/** Render the form for the public address; the server checks whether it leads there. */
function PublicAddress({ client, set, changed }) {
  const [told, setTold] = useState("");
  const [busy, setBusy] = useState(false);
  const [wrong, trying] = useTrying();
  const save = trying(async (url) => {
    setBusy(true);
    setTold("");
    try {
      const { checks } = await client.json("/addresses", { method: "PUT", body: { url } });
      const says = url ? checks[0].says : "Links begin with this server's own address again.";
      setTold(says);
      announce(says);
      await changed();
    } finally {
      setBusy(false);
    }
  });
  const submit = (event) => {
    event.preventDefault();
    save(new FormData(event.target).get("url").trim());
  };
  return html`<details class="deed"><summary>Public address${set ? html` <span class="dim">${set}</span>` : null}</summary><form onSubmit=${submit}>
    <p class="dim">For players elsewhere: enter the address of your tunnel or proxy. New links begin with it. Earlier links stay valid.</p>
    <${Labelled} says="Address" of="public-address"><input type="url" id="public-address" name="url" key=${set} defaultValue=${set} required
      placeholder="https://table.example" maxlength="1000" autocomplete="off" /><//>
    <div class="row"><button type="submit" class="main" disabled=${busy}>${busy ? "Checking …" : set ? "Save and check" : "Use this address"}</button>
      ${set ? html`<${Button} says="Remove" class="quiet" disabled=${busy} onClick=${() => save("")} />` : null}</div>
    <p role="status">${told}</p><p class="warning" role="alert">${wrong}</p></form></details>`;
}

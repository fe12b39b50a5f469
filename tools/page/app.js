// The page: which view is shown follows from the address behind the hash.
//
//   #fight=bridge&token=…   the table; the token is kept for this window and taken out of the address
//   #fight=bridge&view=replay (&at=30: from there on)
//   #replay=URL             a log file of the same origin
//   #token=…                the host's token, kept in the same way; it gives access to:
//   #home (or nothing)      the fights, encounters and parties of the server
//   #encounter=NAME         a saved encounter; without a name a new one, `&from=SYSTEM/NAME` a copy of a shipped one
//   #party=NAME             a saved party; without a name a new one
//   (nothing, no token)     the start view: open a log, or enter the link of a fight

import { Client } from "./affray/index.js";
import { effect } from "@preact/signals";
import { render } from "preact";
import { foreseenBy } from "./luck.js";
import { html, toast } from "./parts.js";
import { fightAt } from "./opening.js";
import { hang, takeDown } from "./pictures.js";
import { RecordSheet } from "./record.js";
import { historyOf, Replay } from "./replay.js";
import { lostSaid, Start } from "./start.js";
import { connection, Seat } from "./store.js";
import { Table } from "./table.js";
import { setUpTheme } from "./theme.js";
import { speak } from "./words.js";

const view = document.getElementById("view");
const views = document.getElementById("views");
const BASE = new URL(".", document.baseURI).href.replace(/\/$/, "");
const HOST = "affray-host";
/** The value of `from` for an encounter that was loaded from a file. */
const FILE = "file";
let loaded = null;
let leave = () => {};
/** The key of the view that was requested last. A view that is ready later than a newer request is dropped. */
let wanted;

/** The views by the first key of the address. Each prepares its view from the parameters and returns a function that shows it. */
const PLACES = {
  fight: (asked) => enter(asked.get("fight"), asked),
  replay: (asked) => prepareReplay(asked.get("replay")),
  party: (asked) => prepareParty(asked.get("party")),
  encounter: (asked) => make(asked.get("encounter"), asked.get("from") ?? ""),
};

/** Show the view that the address names. */
async function route() {
  leave();
  leave = () => {};
  takeDown();
  connection.value = "";
  const asked = new URLSearchParams(location.hash.slice(1));
  const place = Object.keys(PLACES).find((word) => asked.has(word));
  if (!asked.has("fight")) remember(HOST, asked);
  try {
    await showWhenReady(() => place ? PLACES[place](asked) : prepareStart());
  } catch (problem) {
    if (problem.status === 401) await expired(asked.get("fight"));
    else await showWhenReady(() => prepareStart(problem.detail || problem.message));
  }
}

/** Prepare a view, and show it unless another view was requested meanwhile. */
async function showWhenReady(ready) {
  const mine = {};
  wanted = mine;
  try {
    const shown = await ready();
    if (wanted === mine) shown();
  } catch (problem) {
    if (wanted === mine) throw problem;
  }
}

/** Forget the refused token: the fight's own, or else the host's. Then show what to do. */
async function expired(fight = "") {
  const own = Boolean(fight && sessionStorage.getItem(keyOf(fight)));
  sessionStorage.removeItem(own ? keyOf(fight) : HOST);
  await showWhenReady(() => prepareStart(lostSaid(own ? "player" : "host")));
}

/** Return the host's client; nothing if this window has no host token. */
function host() {
  const token = sessionStorage.getItem(HOST);
  return token && new Client({ base: BASE, token });
}

async function enter(fight, asked) {
  const token = tokenOf(fight, asked);
  if (!token) throw new Error(`The link to ${fight} is not complete: its token is missing.`);
  const client = new Client({ base: BASE, token });
  show(html`<p class="loading" role="status">Joining the table …</p>`);
  const [about, words] = await Promise.all([client.fight(fight), client.vocabulary(fight)]);
  return () => {
    speak(words, about.map);
    const replays = asked.get("view") === "replay";
    tabs(fight, replays);
    document.title = `${about.name || fight} – Affray`;
    if (replays) watch(client, fight, about, Number(asked.get("at")) || 0);
    else sit(client, fight, about);
  };
}

function sit(client, fight, about) {
  const seat = new Seat(client, fight, about);
  show(html`<${Table} seat=${seat} host=${host()} key=${fight} />`);
  seat.follow();
  leave = () => seat.close();
}

/** Prepare the view of a saved party, or the form for a new one. */
async function prepareParty(name) {
  const client = host();
  if (!client) throw new Error("Only the host can edit parties. Open the host's link.");
  const { NewParty, Party } = await import("./host/party.js");
  return () => showAlone("New party", name ? html`<${Party} key=${name} client=${client} name=${name} />` : html`<${NewParty} client=${client} />`);
}

/** Prepare the editor for a saved encounter, a copy of a shipped one, or a loaded file. */
async function make(name, from) {
  const client = host();
  if (!client) throw new Error("Only the host can edit encounters. Open the host's link.");
  const file = from === FILE ? loaded : null;
  const { Editor } = await import("./host/editor.js");
  return () => showAlone("New encounter", html`<${Editor} key=${`${name}/${from}`} client=${client} name=${name} from=${from === FILE ? "" : from} file=${file} />`);
}

function watch(client, fight, about, from) {
  hang(client, fight);
  const stop = new AbortController();
  leave = () => stop.abort();
  const gm = about.you?.role === "gm";
  const following = client.follow(fight, { whole: true, signal: stop.signal, ready: async (seen) => {
    const [told, { headlines }] = await Promise.all([client.story(fight), client.headlines(fight)]);
    if (stop.signal.aborted) return;
    following.close();
    show(html`<${Replay} key=${fight} history=${seen.history} story=${told.entries} headlines=${headlines} map=${about.map ?? null} title=${about.title} name=${fight} from=${from}
      explain=${(at) => client.explain(fight, at)} audit=${gm ? () => client.audit(fight) : null} foreseen=${foreseenBy(client, fight, about.you?.role)}
      record=${gm ? ({ at, onClose }) => html`<${RecordSheet} client=${client} fight=${fight} at=${at} onClose=${onClose} />` : null} />`);
  }, failed: (problem) => toast(problem.detail ?? problem.message, "bad") });
}

/** Replace the current view. */
function show(what) {
  render(null, view);
  view.replaceChildren();
  render(what, view);
}

/** Show a view that belongs to no fight of the server, with a title. */
function showAlone(title, what) {
  views.hidden = true;
  document.title = title ? `${title} – Affray` : "Affray";
  show(what);
}

/** Return the key under which this window stores a fight's token. */
const keyOf = (fight) => `affray-token:${fight}`;

/** Return the fight's token from the address or from this window's storage. The host's token serves for any fight. */
function tokenOf(fight, asked) {
  const key = keyOf(fight);
  remember(key, asked);
  return sessionStorage.getItem(key) ?? sessionStorage.getItem(HOST);
}

/** Store the token of an address for this window, and remove it from the address. */
function remember(key, asked) {
  const given = asked.get("token");
  if (!given) return;
  sessionStorage.setItem(key, given);
  asked.delete("token");
  history.replaceState(null, "", `#${asked}`);
}

async function prepareReplay(said) {
  const address = new URL(said, document.baseURI);
  if (address.origin !== location.origin) throw new Error("This page replays only logs of its own server. Save the log and drop it here instead.");
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`There is no log at ${address.pathname} (${answer.status}).`);
  return prepareLog(new Uint8Array(await answer.arrayBuffer()), said.split("/").at(-1));
}

/** Prepare the replay of a log file. @param {Uint8Array} log */
async function prepareLog(log, name) {
  let read;
  try {
    read = historyOf(log);
  } catch (problem) {
    throw new Error(`${name} cannot be read as a log: ${problem.message}`);
  }
  const told = await new Client({ base: BASE }).told(new TextDecoder().decode(log));
  told.says.forEach((says, at) => {
    read.recorded[at].says = says;
  });
  return () => {
    leave();
    speak(told.vocabulary, told.map);
    showAlone(name, html`<${Replay} key=${name} history=${read} story=${told.entries} headlines=${told.headlines} map=${told.map} title=${told.title} />`);
    view.focus({ preventScroll: true });
  };
}

async function openFile(file) {
  try {
    if (file.name.endsWith(".toml") && host()) {
      loaded = { name: file.name, text: await file.text() };
      const there = `#encounter=&from=${FILE}`;
      if (location.hash === there) await route();
      else location.hash = there;
      return;
    }
    await showWhenReady(async () => prepareLog(new Uint8Array(await file.arrayBuffer()), file.name));
  } catch (problem) {
    toast(problem.message, "bad");
  }
}

/** Prepare home for the host, or the start view; `wrong` says why the requested view could not be shown. */
async function prepareStart(wrong = "") {
  const client = host();
  const { Home } = client ? await import("./host/home.js") : {};
  return () => showAlone("", client ? html`<${Home} client=${client} openFile=${openFile} wrong=${wrong} expired=${() => expired()} />`
    : html`<${Start} openFile=${openFile} wrong=${wrong} />`);
}

function tabs(fight, replays) {
  const here = fightAt(fight);
  const link = (text, address, current) => html`<a href=${address} aria-current=${current ? "page" : null}>${text}</a>`;
  render(html`${link("Table", here, !replays)}${link("Replay", `${here}&view=replay`, replays)}`, views);
  views.hidden = false;
}

/** How the connection is: nothing is said while it is well. */
effect(() => {
  document.getElementById("link-state").textContent = connection.value;
});

document.addEventListener("dragover", (event) => {
  event.preventDefault();
  document.body.classList.add("dropping");
});
document.addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) document.body.classList.remove("dropping");
});
document.addEventListener("drop", (event) => {
  event.preventDefault();
  document.body.classList.remove("dropping");
  const [file] = event.dataTransfer.files;
  if (file) openFile(file);
});
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  view.focus();
});
addEventListener("hashchange", route);
setUpTheme(document.getElementById("theme"));
route();

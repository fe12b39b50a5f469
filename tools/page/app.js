// The page: which view is shown follows from the address behind the hash.
//
//   #fight=bridge&token=…   the table; the token is kept for this window and taken out of the address
//   #fight=bridge&view=replay
//   #replay=URL             a log file of the same origin
//   (nothing)               open a log, or enter the link of a fight

import { Client } from "./affray/index.js";
import { effect } from "@preact/signals";
import { render } from "preact";
import { html, toast } from "./parts.js";
import { RecordSheet } from "./record.js";
import { historyOf, Replay } from "./replay.js";
import { Start } from "./start.js";
import { connection, Seat } from "./store.js";
import { Table } from "./table.js";
import { themed } from "./theme.js";
import { speak } from "./words.js";

const view = document.getElementById("view");
const views = document.getElementById("views");
const BASE = new URL(".", document.baseURI).href.replace(/\/$/, "");
let leave = () => {};

/** Show what the address asks for. */
async function route() {
  leave();
  leave = () => {};
  connection.value = "";
  const asked = new URLSearchParams(location.hash.slice(1));
  const fight = asked.get("fight");
  try {
    if (fight) await enter(fight, asked);
    else if (asked.get("replay")) await fetched(asked.get("replay"));
    else begin();
  } catch (problem) {
    begin(problem.status === 401 ? "This link is no longer valid; ask for a new one." : problem.detail || problem.message);
  }
}

async function enter(fight, asked) {
  const token = tokenOf(fight, asked);
  if (!token) throw new Error(`The link to ${fight} is not complete: its token is missing.`);
  const client = new Client({ base: BASE, token });
  show(html`<p class="loading" role="status">Coming to the table …</p>`);
  const [about, words] = await Promise.all([client.fight(fight), client.vocabulary(fight)]);
  speak(words);
  const replays = asked.get("view") === "replay";
  tabs(fight, replays);
  document.title = `${about.name || fight} – Affray`;
  if (replays) watch(client, fight, about);
  else sit(client, fight, about);
}

function sit(client, fight, about) {
  const seat = new Seat(client, fight, about);
  show(html`<${Table} seat=${seat} key=${fight} />`);
  seat.follow();
  leave = () => seat.close();
}

function watch(client, fight, about) {
  const stop = new AbortController();
  leave = () => stop.abort();
  const gm = about.you?.role === "gm";
  const following = client.follow(fight, { whole: true, signal: stop.signal, ready: async (seen) => {
    const [told, { headlines }] = await Promise.all([client.story(fight), client.headlines(fight)]);
    following.close();
    show(html`<${Replay} key=${fight} history=${seen.history} story=${told.entries} headlines=${headlines} map=${about.map ?? null} title=${about.title} name=${fight}
      explain=${(at) => client.explain(fight, at)} audit=${gm ? () => client.audit(fight) : null} foreseen=${foreseenBy(client, fight, about.you?.role)}
      record=${gm ? ({ at, onClose }) => html`<${RecordSheet} client=${client} fight=${fight} at=${at} onClose=${onClose} />` : null} />`);
  }, failed: (problem) => toast(problem.detail ?? problem.message, "bad") });
}

/** Show a view, and nothing of the one before. */
function show(what) {
  render(null, view);
  view.replaceChildren();
  render(what, view);
}

/** Return how odds and luck of a fight are asked for; who only looks on may hear what others asked. */
function foreseenBy(client, fight, role) {
  const asks = role !== "spectator";
  return { all: () => client.forecasts(fight), look: (id) => client.forecast(fight, id),
    begin: asks ? (wish) => client.foresee(fight, wish) : null, drop: asks ? (id) => client.dropForecast(fight, id) : null };
}

/** Return the fight's token: from the address, which then forgets it, or from this window's memory. */
function tokenOf(fight, asked) {
  const key = `affray-token:${fight}`;
  const given = asked.get("token");
  if (!given) return sessionStorage.getItem(key);
  sessionStorage.setItem(key, given);
  asked.delete("token");
  history.replaceState(null, "", `#${asked}`);
  return given;
}

async function fetched(said) {
  const address = new URL(said, document.baseURI);
  if (address.origin !== location.origin) throw new Error("A replay is only read from where this page came from; save it and drop it here instead.");
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`There is no log at ${address.pathname} (${answer.status}).`);
  await openLog(await answer.text(), said.split("/").at(-1));
}

async function openLog(text, name) {
  let read;
  try {
    read = historyOf(text);
  } catch (problem) {
    throw new Error(`${name} cannot be read as a log: ${problem.message}`);
  }
  leave();
  views.hidden = true;
  document.title = `${name} – Affray`;
  const told = await new Client({ base: BASE }).told(text);
  told.says.forEach((says, at) => {
    read.recorded[at].says = says;
  });
  speak(told.vocabulary);
  show(html`<${Replay} key=${name} history=${read} story=${told.entries} headlines=${told.headlines} map=${told.map} title=${told.title} />`);
  view.focus({ preventScroll: true });
}

async function openFile(file) {
  try {
    await openLog(await file.text(), file.name);
  } catch (problem) {
    toast(problem.message, "bad");
  }
}

/** Show the beginning; `wrong` says why it is not what was asked for. */
function begin(wrong = "") {
  views.hidden = true;
  document.title = "Affray";
  show(html`<${Start} openFile=${openFile} wrong=${wrong} />`);
}

function tabs(fight, replays) {
  const here = `#fight=${encodeURIComponent(fight)}`;
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
themed(document.getElementById("theme"));
route();

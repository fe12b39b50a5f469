// The page: which view is shown follows from the address behind the hash.
//
//   #fight=bridge&token=…   the table; the token is kept for this window and taken out of the address
//   #fight=bridge&view=replay
//   #replay=URL             a log file of the same origin
//   (nothing)               open a log, or enter the link of a fight

import { Client } from "./affray/index.js";
import { fill, h, toast } from "./dom.js";
import { openRecord } from "./record.js";
import { historyOf, replay } from "./replay.js";
import { start } from "./start.js";
import { table } from "./table.js";
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
  linkState("");
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
  const [about, words] = await Promise.all([client.fight(fight), client.vocabulary(fight)]);
  speak(words);
  const replays = asked.get("view") === "replay";
  tabs(fight, replays);
  document.title = `${about.name || fight} – Affray`;
  if (!replays) {
    leave = await table(view, client, fight, about, { linkState });
    return;
  }
  const stop = new AbortController();
  leave = () => stop.abort();
  const following = client.follow(fight, { whole: true, signal: stop.signal, ready: async (seen) => {
    const told = await client.story(fight);
    const gm = about.you?.role === "gm";
    const close = replay(view, seen.history, { story: told.entries, map: about.map ?? null, title: about.title, name: fight, explain: (at) => client.explain(fight, at),
      audit: gm ? () => client.audit(fight) : null,
      foreseen: foreseenBy(client, fight, about.you?.role),
      record: gm ? (dialog, at) => openRecord(dialog, { client, fight, at }) : null });
    following.close();
    leave = close;
  }, failed: (problem) => toast(problem.detail ?? problem.message, "bad") });
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
  leave = replay(view, read, { story: told.entries, map: told.map, title: told.title });
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
  start(view, { openFile, wrong });
}

function tabs(fight, replays) {
  const link = (text, address, current) => h("a", { href: address, "aria-current": current ? "page" : null }, text);
  const here = `#fight=${encodeURIComponent(fight)}`;
  fill(views, link("Table", here, !replays), link("Replay", `${here}&view=replay`, replays));
  views.hidden = false;
}

/** Say how the connection is: nothing while it is well. */
function linkState(text) {
  document.getElementById("link-state").textContent = text;
}

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

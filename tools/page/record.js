// What the game master does with the record as a whole: share it, begin a what-if, take back with fresh dice, close it.

import { button, fill, h, labelled, openSheet } from "./dom.js";
import { everybody } from "./readers.js";
import { capital } from "./words.js";

const FILES = { "export.html": "Report as a web page", "export.md": "Report as Markdown", "rolls.csv": "Rolls as a table",
  "events.csv": "Events as a table", "log.jsonl": "The log itself" };

/**
 * Open the sheet.
 *
 * at: the position a what-if begins at; send(intent), where the fight can be gone on with, carries out a command; over:
 * whether the fight has ended.
 */
export function openRecord(dialog, { client, fight, at, over = false, send = null }) {
  openSheet(dialog, h("article", { class: "record" },
    h("header", {}, h("p", { class: "dim" }, fight), h("h2", {}, "The record")),
    h("section", { "aria-label": "To share and to keep" }, h("h3", {}, "To share and to keep"), downloads(client, fight)),
    whatIf(client, fight, at), send ? [takingBack(dialog, send), closing(dialog, send, over)] : null,
    h("footer", {}, button({ says: "Done", class: "quiet", onclick: () => dialog.close() }))));
}

/** Return buttons that save a fight's files. */
export function downloads(client, fight, names = Object.keys(FILES)) {
  const wrong = h("p", { class: "warning", role: "alert" });
  const save = async (name) => {
    fill(wrong);
    try {
      saved(await client.export(fight, name), name.startsWith("export.") ? name.replace("export", fight)
        : name === "log.jsonl" ? `${fight}.jsonl` : `${fight}.${name}`);
    } catch (problem) {
      fill(wrong, capital(problem.detail || problem.message));
    }
  };
  return h("div", { class: "files" }, h("div", { class: "row" }, names.map((name) =>
    button({ says: FILES[name], data: { key: `save-${name}`, file: name }, onclick: () => save(name) }))), wrong);
}

function saved(blob, name) {
  const address = URL.createObjectURL(blob);
  const link = h("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Return a deed that opens on demand; act() carries it out, and what is refused is said below its fields. */
function deed(title, says, fields, buttons, act) {
  const wrong = h("p", { class: "warning", role: "alert" });
  return h("details", { class: "deed", name: "deed" }, h("summary", {}, title), h("form", { onsubmit: async (event) => {
    event.preventDefault();
    fill(wrong);
    try {
      await act();
    } catch (problem) {
      fill(wrong, capital(problem.detail || problem.message));
    }
  } }, h("p", { class: "dim" }, says), fields, wrong, h("div", { class: "row" }, buttons)));
}

const reasonField = (id) => h("input", { type: "text", id, maxlength: 200, autocomplete: "off" });
const doIt = (says) => h("button", { type: "submit", class: "main" }, says);

function whatIf(client, fight, at) {
  const name = h("input", { type: "text", id: "fork-name", required: true, maxlength: 100, autocomplete: "off", spellcheck: "false",
    pattern: "[A-Za-z0-9][A-Za-z0-9_\\-]*", title: "Letters, digits, - and _", value: `${fight}-what-if` });
  const where = h("input", { type: "number", id: "fork-at", required: true, min: 1, step: 1, inputmode: "numeric", value: String(at) });
  const reason = reasonField("fork-reason");
  const begun = h("div", { class: "begun", role: "status" });
  return deed("Begin a what-if", "A fight of its own that begins as a copy of this one. This one is not touched.",
    [h("div", { class: "fields" }, labelled("Its name", name), labelled("From position", where), labelled("Reason, for the record", reason), everybody()), begun],
    doIt("Begin the what-if"), async () => {
      fill(begun);
      const { id, links } = await client.fork(fight, { id: name.value, at: Number(where.value), reason: reason.value });
      const link = (who, address) => h("li", {}, h("a", { href: address, target: "_blank", rel: "noopener" }, who));
      fill(begun, h("p", {}, h("b", {}, id), " has begun. Who enters by which link:"), h("ul", { class: "row" },
        link("Game master", links.gm), Object.entries(links.players).map(([who, address]) => link(who, address)),
        link("Spectators", links.spectator)));
    });
}

function takingBack(dialog, send) {
  const commands = h("input", { type: "number", id: "back-commands", required: true, min: 1, step: 1, inputmode: "numeric", value: "1" });
  const reason = reasonField("back-reason");
  return deed("Take back with fresh dice", "What is declared again meets other dice than before; an ordinary Undo keeps them.",
    h("div", { class: "fields" }, labelled("How many commands", commands), labelled("Reason, for the record", reason), everybody()),
    doIt("Take back"), async () => {
      await send({ type: "Undo", commands: Number(commands.value), fresh: true, reason: reason.value });
      dialog.close();
    });
}

function closing(dialog, send, over) {
  const unfinished = h("input", { type: "checkbox", id: "close-unfinished", required: true });
  const reason = reasonField("close-reason");
  const shut = deed("Close the record", "Close it for good? The seed of its dice is revealed, so that anybody can check every one of them; "
    + "after that nothing can be added and nothing taken back.",
  [over ? null : h("label", { class: "check", for: "close-unfinished" }, unfinished, "The fight is not over; close it unfinished"),
    labelled("Reason, for the record", reason), everybody()],
  [doIt("Close it for good"), button({ says: "Leave it open", class: "quiet", onclick: () => shut.removeAttribute("open") })],
  async () => {
    await send({ type: "Close", unfinished: !over, reason: reason.value });
    dialog.close();
  });
  return shut;
}

/** Return what is said of a closed record, and how anybody can verify it; nothing while it is open. */
export function closedSaid(history, fight) {
  if (!history.closed) return null;
  const { seed, reason } = history.at(history.closed).event;
  return h("section", { class: "closed", "aria-label": "The record is closed" },
    h("p", {}, h("b", {}, "This fight is closed."), " Nothing can follow, and nothing can be taken back.", reason ? ` ${capital(reason)}.` : ""),
    seed ? h("p", {}, "The seed of its dice: ", h("code", { class: "seed" }, seed)) : null,
    h("p", { class: "dim" }, "Anybody can verify it: save the log, and let ", h("code", {}, `affray audit ${fight}.jsonl`),
      " decide and throw everything again. How to check a single roll by hand, without Affray, is told in docs/verify.md."));
}

// Where one begins: open a recorded fight, or enter the link one was given.

import { fill, h, icon } from "./dom.js";

/** Show the beginning. */
export function start(root, { openFile, wrong = "" }) {
  const file = h("input", { type: "file", id: "log-file", accept: ".jsonl,application/jsonl,application/x-ndjson",
    onchange: () => file.files[0] && openFile(file.files[0]) });
  const link = h("input", { type: "url", id: "fight-link", placeholder: "http://…/#fight=bridge&token=…", required: true,
    autocomplete: "off" });
  fill(root, h("div", { class: "view start" }, h("div", { class: "refusal", role: "alert" }, wrong ? h("p", {}, icon("warning"), wrong) : null),
    h("header", { class: "hero" }, icon("mark"), h("h1", {}, "A fight, and how it came about"),
      h("p", {}, "Every declaration, every die and every consequence is in the log. Look at a recorded one here, or sit down at a table.")),
    h("section", { class: "panel drop" }, h("h2", {}, "Watch a recorded fight"),
      h("p", {}, "Drop a log file anywhere on this page, or choose one. The server of this page tells it; nothing of it is kept."),
      h("label", { class: "button main", for: "log-file" }, "Choose a log …"), file),
    h("section", { class: "panel" }, h("h2", {}, "Sit down at a table"),
      h("p", {}, "Open the link you were given, or paste it here."),
      h("form", { class: "row", onsubmit: (event) => {
        event.preventDefault();
        const hash = new URL(link.value, document.baseURI).hash;
        if (hash.includes("fight=")) location.hash = hash;
        else {
          link.setCustomValidity("This is no link to a fight: it has no #fight= in it.");
          link.reportValidity();
          link.addEventListener("input", () => link.setCustomValidity(""), { once: true });
        }
      } }, h("label", { class: "unseen", for: "fight-link" }, "Link to a fight"), link,
      h("button", { type: "submit", class: "main" }, "Sit down"))),
    h("section", { class: "panel keys" }, h("h2", {}, "Keys in a replay"),
      h("dl", {}, [["← →", "a step back, a step on"], ["↑ ↓", "a turn"], ["Page ↑ ↓", "a round"], [", .", "a single event"],
        ["Home End", "the beginning, the end"], ["Space", "play, pause"]].map(([key, text]) =>
        h("div", {}, h("dt", {}, h("kbd", {}, key)), h("dd", {}, text)))))));
}

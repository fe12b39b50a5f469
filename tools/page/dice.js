// Entering real dice: a box for each die, and what is wrong with a number is said below the dice it is among.

import { button, fill, h } from "./dom.js";
import { called, capital, diceWanted, label, purposeSaid } from "./words.js";

/** Return a card that asks for the dice of a roll; send(intent) enters them. */
export function enterDice(wanted, names, send) {
  const whose = called(names, wanted.purpose.split(":")[1] || wanted.by);
  const title = `${capital(whose)}: throw ${diceWanted(wanted.dice)} ${purposeSaid(wanted.purpose)}`;
  const groups = wanted.dice.map((one, nth) => group(one, `${wanted.roll}-${nth}`));
  return h("section", { class: "card faces", "aria-label": title, data: { roll: wanted.roll } }, h("h3", {}, title),
    h("form", { novalidate: true, oninput: (event) => spread(event.target), onsubmit: (event) => {
      event.preventDefault();
      const wrong = groups.map((one) => one.check()).find(Boolean);
      if (wrong) wrong.focus();
      else send({ type: "DiceEntered", roll: wanted.roll, faces: groups.flatMap((one) => one.read()) });
    } }, groups.map((one) => one.view), button({ type: "submit", says: "Enter", class: "main", data: { key: "enter-dice" } })));
}

/** Return the boxes of some equal dice; check() says what is wrong and returns the first box that is. */
function group({ count, sides, kind = "die" }, key) {
  const what = ["die", `d${sides}`].includes(kind) ? `${count}d${sides}` : `${label("dice", kind)}, ${count}d${sides}`;
  const id = `wrong-${key}`;
  const wrong = h("p", { class: "wrong", role: "alert", id });
  const boxes = Array.from({ length: count }, (_, nth) => h("input", { type: "text", inputmode: "numeric", autocomplete: "off",
    "aria-label": count > 1 ? `Die ${nth + 1} of ${count}, ${what}` : `What the d${sides} shows`, "aria-describedby": id,
    data: { key: `face-${key}-${nth}`, keep: "", sides, face: nth } }));
  const numbers = () => boxes.flatMap((box) => written(box.value));
  return {
    read: () => numbers().map(Number),
    check() {
      const found = boxes.map((box) => faultOf(box, sides));
      boxes.forEach((box, nth) => box.setAttribute("aria-invalid", String(Boolean(found[nth]))));
      const named = found.find((text) => text && text !== MISSING);
      const missing = found.filter((text) => text === MISSING).length;
      const there = numbers().length;
      fill(wrong, named ?? (missing ? `${capital(amount(count))} wanted, ${there || "no"} ${there === 1 ? "number is" : "numbers are"} here.` : ""));
      return boxes[found.findIndex(Boolean)];
    },
    view: h("fieldset", { class: "field dice-of" }, h("legend", {}, capital(what)), h("div", { class: "row" }, boxes), wrong),
  };

  function faultOf(box) {
    const all = written(box.value);
    if (!all.length) return MISSING;
    if (all.length > 1) return `${capital(amount(count))} wanted, ${numbers().length} numbers are here.`;
    const face = Number(all[0]);
    return /^\d+$/.test(all[0]) && face >= 1 && face <= sides ? "" : `A d${sides} cannot show ${all[0]}; it shows 1 to ${sides}.`;
  }
}

const MISSING = "missing";
const amount = (count) => (count === 1 ? "one die is" : `${count} dice are`);
const written = (text) => text.split(/[\s,;+]+/).filter(Boolean);

/** Put numbers that were written or pasted into one box into the boxes behind it; those without a box stay. */
function spread(box) {
  const numbers = written(box.value);
  if (numbers.length < 2 || /[\s,;+]$/.test(box.value)) return;
  const all = [...box.form.querySelectorAll("input")];
  const there = all.slice(all.indexOf(box));
  there.slice(0, numbers.length).forEach((one, nth) => {
    one.value = nth === there.length - 1 ? numbers.slice(nth).join(" ") : numbers[nth];
  });
  there[Math.min(numbers.length, there.length) - 1].focus();
}

// Forms for entered dice: a box for each die, and error messages below each group of dice.

import { useRef, useState } from "preact/hooks";
import { Button, html } from "./parts.js";
import { called, capital, diceWanted, label, purposeSaid } from "./words.js";

/** Render a card that asks for the dice of a roll; send(intent) enters them. */
export function EnterDice({ wanted, names, send }) {
  const whose = called(names, wanted.purpose.split(":")[1] || wanted.by);
  const title = `${capital(whose)}: roll ${diceWanted(wanted.dice)} ${purposeSaid(wanted.purpose)}`;
  const form = useRef();
  const [faults, setFaults] = useState([]);
  const boxesOf = (nth) => [...form.current.querySelectorAll(`[data-group="${nth}"] input`)];
  const enter = (event) => {
    event.preventDefault();
    const found = wanted.dice.map((one, nth) => faultsOf(boxesOf(nth), one));
    setFaults(found);
    const wrong = found.map(({ boxes }, nth) => boxesOf(nth)[boxes.findIndex(Boolean)]).find(Boolean);
    if (wrong) wrong.focus();
    else send({ type: "DiceEntered", roll: wanted.roll, faces: wanted.dice.flatMap((_, nth) => numbersIn(boxesOf(nth)).map(Number)) });
  };
  return html`<section class="card faces" aria-label=${title} data-roll=${wanted.roll}><h2>${title}</h2>
    <form novalidate ref=${form} onInput=${(event) => spreadNumbers(event.target)} onSubmit=${enter}>
      ${wanted.dice.map((one, nth) => html`<${Group} key=${`${wanted.roll}-${nth}`} group=${one} nth=${nth} roll=${wanted.roll} fault=${faults[nth]} />`)}
      <${Button} type="submit" says="Enter" class="main" data-key="enter-dice" /></form></section>`;
}

function Group({ group: { count, sides, kind = "die" }, nth, roll, fault }) {
  const what = ["die", `d${sides}`].includes(kind) ? `${count}d${sides}` : `${label("dice", kind)}, ${count}d${sides}`;
  const id = `wrong-${roll}-${nth}`;
  return html`<fieldset class="field dice-of" data-group=${nth}><legend>${capital(what)}</legend><div class="row">
    ${Array.from({ length: count }, (_, at) => html`<input key=${at} type="text" inputmode="numeric" autocomplete="off" data-sides=${sides} data-face=${at}
      aria-label=${count > 1 ? `Die ${at + 1} of ${count}, ${what}` : `Result of the d${sides}`} aria-describedby=${id}
      aria-invalid=${fault ? String(Boolean(fault.boxes[at])) : null} />`)}</div>
    <p class="wrong" role="alert" id=${id}>${fault?.says ?? ""}</p></fieldset>`;
}

/** Return the error of each box of a group of equal dice, and one sentence for the group. */
function faultsOf(all, { count, sides }) {
  const boxes = all.map((box) => faultOf(box, sides, count, all));
  const named = boxes.find((text) => text && text !== MISSING);
  const there = numbersIn(all).length;
  return { boxes, says: named ?? (boxes.includes(MISSING) ? countWrong(count, there) : "") };
}

function faultOf(box, sides, count, all) {
  const found = written(box.value);
  if (!found.length) return MISSING;
  if (found.length > 1) return countWrong(count, numbersIn(all).length);
  const face = Number(found[0]);
  return /^\d+$/.test(found[0]) && face >= 1 && face <= sides ? "" : `A d${sides} cannot roll ${found[0]}. Enter 1 to ${sides}.`;
}

const MISSING = "missing";
/** Return a message that asks for as many numbers as there are dice. */
const countWrong = (count, entered) => `Enter ${count} ${count === 1 ? "number" : "numbers"}. You entered ${entered || "none"}.`;
const written = (text) => text.split(/[\s,;+]+/).filter(Boolean);
const numbersIn = (boxes) => boxes.flatMap((box) => written(box.value));

/** Spread several numbers typed or pasted into one box over the next boxes; the last box keeps the surplus. */
function spreadNumbers(box) {
  const numbers = written(box.value);
  if (numbers.length < 2 || /[\s,;+]$/.test(box.value)) return;
  const all = [...box.form.querySelectorAll("input")];
  const there = all.slice(all.indexOf(box));
  there.slice(0, numbers.length).forEach((one, nth) => {
    one.value = nth === there.length - 1 ? numbers.slice(nth).join(" ") : numbers[nth];
  });
  there[Math.min(numbers.length, there.length) - 1].focus();
}

// What every view is made of: templates, icons, buttons, sheets, and what is said to people who do not see the page.
// Data only ever becomes a text node or an attribute's value: a name is never markup.

import htm from "htm";
import { h, Fragment } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { isolate, isolateIn } from "./isolates.js";
import { problemSaid } from "./words.js";

/** What is typed into, whose text goes to the server as it is. */
const TYPED = "textarea";

/** Build an element or a component; every text that an element shows is isolated, whatever it was made of. */
const built = (type, props, ...children) =>
  h(type, props, ...(type === Fragment || (typeof type === "string" && type !== TYPED) ? children.map(isolateIn) : children));

export const html = htm.bind(built);

const ICONS = new URL("icons.svg", import.meta.url).href;

/** Return a function of a state that works out its answer once for each. */
export function once(work) {
  const known = new WeakMap();
  return (state) => {
    if (!known.has(state)) known.set(state, work(state));
    return known.get(state);
  };
}

/** What is drawn anew only when one of the values that it is drawn `by` is another one. */
export const Kept = ({ by, draw }) => useMemo(draw, by);

/** Put the icons into the page: one that would have to be fetched is not there while the server is away. */
async function bringIcons() {
  const text = await (await fetch(ICONS)).text();
  const icons = document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
  for (const one of icons.querySelectorAll("symbol")) one.id = `icon-${one.id}`;
  icons.setAttribute("class", "unseen");
  icons.setAttribute("aria-hidden", "true");
  document.body.append(icons);
}
bringIcons().catch(() => {}); // whatever has an icon has a name, too

/** The icon of that name from icons.svg. */
export function Icon({ name }) {
  return html`<svg class="icon" aria-hidden="true" viewBox="0 0 24 24"><use href=${`#icon-${name}`} /></svg>`;
}

/** A button with an icon, a text, or both; `label` is what it is called where it shows no text. */
export function Button({ says = "", shows = "", label = "", children, ...properties }) {
  return html`<button type="button" aria-label=${label || null} title=${properties.title ?? (label || null)} ...${properties}>
    ${shows ? html`<${Icon} name=${shows} />` : null}${says ? html`<span>${says}</span>` : null}${children}</button>`;
}

/** What breaks over lines as text does, which a button cannot, and is pressed like one. */
export function Pressable({ act, children, ...properties }) {
  return html`<span role="button" tabindex="0" ...${properties} onClick=${act} onKeyDown=${pressed(act)}>${children}</span>`;
}

/** A listener that takes Enter and Space for a click. */
export const pressed = (act) => (event) => {
  if (event.key !== "Enter" && event.key !== " ") return;
  event.preventDefault();
  event.stopPropagation();
  act(event);
};

const LONG_MS = 500;
const STILL = 10;
const SAME_MS = 1000;

/**
 * Listeners that take a right click, and a finger that stays where it is, for the same: not every phone makes one of the
 * other. Where a finger opened something, its end is no click. None if there is nothing to do.
 */
export function useHeldOrRight(act) {
  const { current: press } = useRef({ opened: -SAME_MS });
  if (!act) return {};
  const stop = () => clearTimeout(press.timer);
  const open = () => {
    press.opened = performance.now();
    act();
  };
  const start = ({ touches }) => {
    stop();
    if (touches.length !== 1) return;
    press.from = [touches[0].clientX, touches[0].clientY];
    press.timer = setTimeout(open, LONG_MS);
  };
  const move = ({ touches: [{ clientX, clientY }] }) => {
    if (Math.hypot(clientX - press.from[0], clientY - press.from[1]) > STILL) stop();
  };
  const end = (event) => {
    stop();
    if (performance.now() - press.opened < SAME_MS) event.preventDefault();
  };
  const right = (event) => {
    event.preventDefault();
    stop();
    if (performance.now() - press.opened > SAME_MS) open();
  };
  return { onContextMenu: right, onTouchStart: start, onTouchMove: move, onTouchEnd: end, onTouchCancel: stop };
}

/** A control, which has an id, below its label. */
export function Labelled({ says, of, children }) {
  return html`<div class="field"><label for=${of}>${says}</label>${children}</div>`;
}

/** A sheet over the page, open as long as it is there; it is called what its heading says. */
export function Sheet({ onClose, children, kind = "" }) {
  const dialog = useRef();
  useEffect(() => {
    const before = document.activeElement;
    const sheet = dialog.current;
    sheet.showModal();
    return () => {  // who has gone on to something else in the meantime stays there
      const now = document.activeElement;
      if (before?.isConnected && (now === document.body || sheet.contains(now))) before.focus({ preventScroll: true });
    };
  }, []);
  useEffect(() => dialog.current.setAttribute("aria-label", dialog.current.querySelector("h2")?.textContent ?? ""));
  return html`<dialog class=${`sheet ${kind}`} ref=${dialog} onClose=${onClose}
    onClick=${(event) => event.target === dialog.current && dialog.current.close()}>${children}</dialog>`;
}

/**
 * Return what could not be done, as a sentence, and a wrapper that does something and says so.
 *
 * What is wrapped answers as it does, or with nothing if it could not be done.
 */
export function useTrying() {
  const [wrong, setWrong] = useState("");
  const trying = (act) => async (...given) => {
    setWrong("");
    try {
      return await act(...given);
    } catch (problem) {
      setWrong(problemSaid(problem));
      return null;
    }
  };
  return [wrong, trying];
}

/** Say something to people who do not see the page. */
export function announce(text) {
  document.getElementById("spoken").textContent = text;
}

/** Show a message for a while at the bottom of the page. */
export function toast(text, kind = "") {
  const shown = document.createElement("p");
  shown.className = `toast ${kind}`;
  shown.textContent = isolate(text);
  document.getElementById("toasts").append(shown);
  setTimeout(() => shown.remove(), 6000);
}

export { Fragment };

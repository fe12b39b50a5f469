// The common parts of all views: templates, icons, buttons, sheets, and announcements for screen readers.
// Data only ever becomes a text node or an attribute's value: a name is never markup.

import htm from "htm";
import { h, Fragment } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { isolate, isolateIn } from "./isolates.js";
import { problemSaid } from "./words.js";

/** The element whose text goes to the server unchanged. */
const TYPED = "textarea";

/** Build an element or a component; right-to-left text in an element is isolated. */
const built = (type, props, ...children) =>
  h(type, props, ...(type === Fragment || (typeof type === "string" && type !== TYPED) ? children.map(isolateIn) : children));

export const html = htm.bind(built);

const ICONS = new URL("icons.svg", import.meta.url).href;

/** Return a function that caches its result for each state. */
export function once(work) {
  const known = new WeakMap();
  return (state) => {
    if (!known.has(state)) known.set(state, work(state));
    return known.get(state);
  };
}

/** Render again only when one of the values in `by` changes. */
export const Kept = ({ by, draw }) => useMemo(draw, by);

/** Put the icons into the page, so that they are there while the server is away. */
async function bringIcons() {
  const text = await (await fetch(ICONS)).text();
  const icons = document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
  for (const one of icons.querySelectorAll("symbol")) one.id = `icon-${one.id}`;
  icons.setAttribute("class", "unseen");
  icons.setAttribute("aria-hidden", "true");
  document.body.append(icons);
}
bringIcons().catch(() => {}); // every icon has a name as text, too

/** Render an icon of icons.svg by its name. */
export function Icon({ name }) {
  return html`<svg class="icon" aria-hidden="true" viewBox="0 0 24 24"><use href=${`#icon-${name}`} /></svg>`;
}

/** Render a button with an icon, a text, or both; `label` names a button without text. */
export function Button({ says = "", shows = "", label = "", children, ...properties }) {
  return html`<button type="button" aria-label=${label || null} title=${properties.title ?? (label || null)} ...${properties}>
    ${shows ? html`<${Icon} name=${shows} />` : null}${says ? html`<span>${says}</span>` : null}${children}</button>`;
}

/** Render text that works as a button, and wraps over lines as a button cannot. */
export function Pressable({ act, children, ...properties }) {
  return html`<span role="button" tabindex="0" ...${properties} onClick=${act} onKeyDown=${pressed(act)}>${children}</span>`;
}

/** Return a key listener that treats Enter and Space as a click. */
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
 * Return listeners for a right click and a long press, since some phones do not turn a long press into a right click.
 * The end of a long press is not a click. Without `act` there are no listeners.
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

/** Render a label above a control; `of` is the control's id. */
export function Labelled({ says, of, children }) {
  return html`<div class="field"><label for=${of}>${says}</label>${children}</div>`;
}

/** Render a modal sheet, open while it is mounted; its heading is its accessible name. */
export function Sheet({ onClose, children, kind = "" }) {
  const dialog = useRef();
  useEffect(() => {
    const before = document.activeElement;
    const sheet = dialog.current;
    sheet.showModal();
    return () => {  // focus that has moved elsewhere meanwhile stays there
      const now = document.activeElement;
      if (before?.isConnected && (now === document.body || sheet.contains(now))) before.focus({ preventScroll: true });
    };
  }, []);
  useEffect(() => dialog.current.setAttribute("aria-label", dialog.current.querySelector("h2")?.textContent ?? ""));
  return html`<dialog class=${`sheet ${kind}`} ref=${dialog} onClose=${onClose}
    onClick=${(event) => event.target === dialog.current && dialog.current.close()}>${children}</dialog>`;
}

/**
 * Return an error message, and a wrapper that runs a function and sets that message if the function fails.
 *
 * The wrapped function returns its own result, or null if it failed.
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

/** Announce a text to screen readers. */
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

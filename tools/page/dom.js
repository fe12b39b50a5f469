// Builds elements. Data only ever becomes a text node or an attribute's value: a name is never markup.

const SVG = "http://www.w3.org/2000/svg";

/** Return an element. Functions among the properties are listeners, `true` is a bare attribute, null and false none. */
export function h(tag, properties = {}, ...children) {
  return filled(document.createElement(tag), properties, children);
}

/** Return an element of a drawing. */
export function s(tag, properties = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), properties, children);
}

/** Replace what an element holds, and leave it alone where nothing would change that anybody could see. */
export function fill(element, ...children) {
  element.replaceChildren(...flat(children));
  return element;
}

/**
 * Replace what an element holds; what has the same `data-key` as before keeps the focus, stays open, and, with
 * `data-keep`, what was written into it.
 */
export function refill(element, ...children) {
  const held = element.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  const kept = [...element.querySelectorAll("[data-keep], details[data-key][open]")];
  fill(element, ...children);
  for (const before of kept) {
    const now = byKey(element, before.dataset.key);
    if (now && before.open) now.open = true;
    else if (now) now.value = before.value;
  }
  if (held !== undefined) byKey(element, held)?.focus({ preventScroll: true });
  return element;
}

/** Open a sheet over the page; it is called what its heading says. */
export function openSheet(dialog, content) {
  fill(dialog, content);
  dialog.setAttribute("aria-label", dialog.querySelector("h2").textContent);
  dialog.showModal();
}

/** Return the element below `root` with this `data-key`. */
function byKey(root, key) {
  return [...root.querySelectorAll("[data-key]")].find((one) => one.dataset.key === key);
}

/** Return the icon of that name from icons.svg. */
export function icon(name) {
  return s("svg", { class: "icon", "aria-hidden": "true", viewBox: "0 0 24 24" },
    s("use", { href: new URL(`icons.svg#${name}`, import.meta.url).href }));
}

/** Return a button with an icon, a text, or both. */
export function button({ says = "", shows = "", label = "", ...properties }) {
  return h("button", { type: "button", "aria-label": label || null, title: label || null, ...properties },
    shows ? icon(shows) : null, says ? h("span", {}, says) : null);
}

/** Return what breaks over lines as text does, which a button cannot, and is pressed like one. */
export function pressable(properties, act, ...children) {
  return h("span", { role: "button", tabindex: 0, ...properties, onclick: act, onkeydown: pressed(act) }, ...children);
}

/** Return a listener that takes Enter and Space for a click. */
export const pressed = (act) => (event) => {
  if (event.key !== "Enter" && event.key !== " ") return;
  event.preventDefault();
  event.stopPropagation();
  act();
};

/** Return a control, which has an id, below its label. */
export function labelled(text, control) {
  return h("div", { class: "field" }, h("label", { for: control.id }, text), control);
}

/** Say something to people who do not see the page. */
export function announce(text) {
  document.getElementById("spoken").textContent = text;
}

/** Show a message for a while at the bottom of the page. */
export function toast(text, kind = "") {
  const shown = h("p", { class: `toast ${kind}` }, text);
  document.getElementById("toasts").append(shown);
  setTimeout(() => shown.remove(), 6000);
}

function filled(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.replace(/^on/, ""), value);
    else if (name === "data") Object.assign(element.dataset, value);
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...flat(children));
  return element;
}

function flat(children) {
  return children.flat(Infinity).filter((one) => one !== null && one !== undefined && one !== false);
}

// The story on the page: selectable entries, numbers that open their receipt, undone entries struck through.

import { Component } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Button, html, Pressable } from "./parts.js";

/** How many of the newest entries are drawn first, and how many more when the viewer scrolls up. */
const DRAWN = 100;

const DEPTHS = ["round", "turn", "act"];

/**
 * Render a story. It stays at its end while it grows, unless the viewer scrolls up. Then a button leads to the newest
 * entry, and so does a command of the viewer.
 *
 * own: the position after the last command of the viewer; receipt(position): opens a receipt; choose(entry): handles a click on an entry; at: the shown position, if any. Its
 * entry is kept in sight, and later ones are dimmed.
 */
export function Story({ entries, receipt, choose = null, at = null, hideUndone = false, own = 0 }) {
  const list = useRef();
  const [behind, setBehind] = useState(false);
  const pinned = useRef(true);
  const last = useRef(0);
  const follow = () => {
    if (list.current && pinned.current && at === null) list.current.scrollTop = list.current.scrollHeight;
  };
  const pin = (on) => {
    pinned.current = on;
    setBehind(!on);
    follow();
  };
  useLayoutEffect(follow, [entries]);
  useEffect(() => pin(true), [own]);
  useEffect(() => {
    const watching = new ResizeObserver(follow);
    watching.observe(list.current);
    return () => watching.disconnect();
  }, []);
  useLayoutEffect(() => {
    const shown = at === null ? null : list.current.querySelector("[aria-current]");
    if (shown) intoView(list.current, shown);
  }, [at]);
  const [drawn, setDrawn] = useState(DRAWN);
  const before = at === null ? Math.max(0, entries.length - drawn) : 0;
  const height = useRef(0);
  useLayoutEffect(() => {
    if (height.current) list.current.scrollTop += list.current.scrollHeight - height.current;
    height.current = 0;
  }, [drawn]);
  // Browsers deliver a scroll that ended just before the list was removed, when its ref is empty already.
  const scrolled = ({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
    if (before && scrollTop < clientHeight) {
      height.current = scrollHeight;
      setDrawn(drawn + DRAWN);
    }
    if (scrollHeight - scrollTop - clientHeight < 40) pin(true);
    else if (scrollTop < last.current) pin(false);
    last.current = scrollTop;
  };
  const current = at === null ? -1 : entries.findLastIndex((entry) => entry.position <= at);
  return html`<ol class=${`story${hideUndone ? " hide-undone" : ""}`} role="list" aria-label="The story" tabindex="0" ref=${list} onScroll=${scrolled}>
    ${entries.slice(before).map((entry, nth) => html`<${Entry} key=${entry.position} entry=${entry} receipt=${receipt} choose=${choose}
      current=${nth === current} later=${at !== null && nth > current} />`)}</ol>
    ${behind && at === null ? html`<${Button} says="Newest" class="newest" label="Jump to the newest entry" onClick=${() => pin(true)} />` : null}`;
}

/** An entry of the story, which renders again only when it changes. */
class Entry extends Component {
  shouldComponentUpdate({ entry, current, later }) {
    return entry !== this.props.entry || current !== this.props.current || later !== this.props.later;
  }

  render({ entry, receipt, choose, current, later }) {
    const parts = entry.parts.map((part, nth) => part.position
      ? html`<${Pressable} key=${nth} class="roll" aria-haspopup="dialog" data-position=${part.position} title="Why this number?"
          act=${() => receipt(part.position)}>${part.text}<//>` : part.text);
    const notes = entry.notes?.length ? html`<span class="notes">${` ${entry.notes.join(" · ")}`}</span>` : null;
    const classes = ["entry", DEPTHS[entry.depth], entry.begins && "begins", entry.record && "record", entry.undone && "undone", later && "later"];
    return html`<li class=${classes.filter(Boolean).join(" ")} data-position=${entry.position} aria-current=${current ? "step" : null}>
      ${choose ? html`<button type="button" class="at" aria-label=${`Position ${entry.position}`} onClick=${() => choose(entry)}>${entry.position}</button>`
        : html`<span class="at">${entry.position}</span>`}
      ${entry.undone ? html`<del>${parts}${notes}</del>` : html`<span class="text">${parts}${notes}</span>`}</li>`;
  }
}

/** Scroll a list to an element. `scrollIntoView` would scroll the page, too. */
function intoView(list, element) {
  const [top, bottom] = [element.offsetTop - list.offsetTop, element.offsetTop - list.offsetTop + element.offsetHeight];
  if (top < list.scrollTop + 40 || bottom > list.scrollTop + list.clientHeight - 40) list.scrollTop = top - list.clientHeight / 3;
}

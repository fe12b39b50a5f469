// A small sheet beside somebody: what whoever is up can do to them; one tap does it where the rest goes without saying.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { foreseen } from "./bar.js";
import { kindSaid } from "./choosing.js";
import { Button, html } from "./parts.js";
import { called, capital } from "./words.js";

/** The sheet; menu opens the game master's hand. */
export function Foe({ seat, who, onClose, menu = null }) {
  const { choosing } = seat;
  const names = seat.names.value;
  const actor = choosing.actor.value;
  const kinds = choosing.kinds.value;
  const [found, setFound] = useState(null);
  useEffect(() => {
    let current = true;
    setFound(null);
    choosing.against(who).then((all) => current && setFound(all), () => current && setFound([]));
    return () => { current = false; };
  }, [who, kinds]);
  const sheet = useRef();
  useLayoutEffect(() => beside(sheet.current, who), [who, found]);
  const first = kinds.find((one) => one.refused && one.fields?.length);
  const may = (found ?? []).filter((one) => !one.refused);
  const not = [...(kinds[0] === first && first ? [{ kind: first, refused: first.refused }] : []), ...(found ?? []).filter((one) => one.refused)];
  const act = (one, ask) => {
    onClose();
    choosing.doTo(one.kind, one.field.field, who, { ask });
  };
  return html`<aside class="foe" ref=${sheet} aria-label=${`What can be done to ${called(names, who)}`} onKeyDown=${(event) => event.key === "Escape" && onClose()}>
    <header><h3>${capital(called(names, who))}</h3><${Button} shows="close" label="Close" class="quiet" onClick=${onClose} /></header>
    ${actor ? html`<p class="dim">${capital(called(names, actor))} can:</p>` : null}
    ${found === null ? html`<p class="dim">One moment …</p>` : may.length ? html`<ul>${may.map((one) => html`<li key=${one.kind.key}>
        <${Button} says=${kindSaid(one.kind)} class="main" data-do=${one.kind.kind} onClick=${() => act(one, false)}>${foreseen(valueOf(one, who))}<//>
        <${Button} says="…" label=${`${kindSaid(one.kind)}, with choices`} onClick=${() => act(one, true)} /></li>`)}</ul>`
      : html`<p class="dim">Nothing just now.</p>`}
    ${not.length ? html`<ul class="not">${not.map((one) => html`<li key=${one.kind.key}><b>${kindSaid(one.kind)}</b>: ${one.refused.message}</li>`)}</ul>` : null}
    ${menu ? html`<${Button} says="Rule on them …" class="quiet" onClick=${() => { onClose(); menu(who); }} />` : null}</aside>`;
}

const valueOf = ({ field }, who) => field.choices.find(({ value }) => value === who);

const GAP = 10;

/** Put a sheet beside somebody's token, inside the map; where there is no room, or no token, it stays where it is. */
function beside(sheet, who) {
  const frame = document.querySelector(".stage")?.getBoundingClientRect();
  const token = document.querySelector(`.token[data-who="${CSS.escape(who)}"]`)?.getBoundingClientRect();
  if (!frame || !token || frame.width < 2.2 * sheet.offsetWidth) return;
  const right = token.right + GAP + sheet.offsetWidth < frame.right;
  const x = right ? token.right + GAP : token.left - GAP - sheet.offsetWidth;
  const y = Math.min(Math.max(token.top - 40, frame.top + GAP), frame.bottom - sheet.offsetHeight - GAP);
  Object.assign(sheet.style, { position: "fixed", margin: "0", left: `${Math.max(frame.left + GAP, x)}px`, top: `${y}px` });
}

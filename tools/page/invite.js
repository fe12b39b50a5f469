// The sheet of viewers, and for the game master the links: to copy, to scan, to revoke and to renew.

import { useEffect, useState } from "preact/hooks";
import { Address, addressesOf } from "./address.js";
import { announce, Button, html, Icon, Labelled, Sheet, useTrying } from "./parts.js";
import { called, capital, series } from "./words.js";

const ROLES = { gm: "game master", player: "player", spectator: "spectator" };

/** Render the button with the number of connected viewers; it opens the sheet. */
export function Here({ seat, open }) {
  const { people, spectators } = seat.present.value;
  const count = people.filter((one) => one.role !== "spectator").length + spectators;
  const says = seat.isGm ? "Players and links" : "Who is here";
  return html`<${Button} shows="people" says=${count ? String(count) : ""} label=${`${says}: ${count} here`} title=${says} class="quiet here" onClick=${open} />`;
}

/** Render the sheet of connected viewers; for the game master with the links. */
export function Coming({ seat, onClose }) {
  const { people, spectators } = seat.present.value;
  const names = seat.names.value;
  return html`<${Sheet} onClose=${onClose} kind="coming"><article><header><h2>${seat.isGm ? "Players" : "Who is here"}</h2></header>
    ${seat.isGm ? html`<${Invitations} seat=${seat} />` : html`<ul class="seats">
      ${people.map((one) => html`<li class="seat" key=${one.role + one.name}><${Who} one=${one} names=${names} here=${one} you=${one.you} /></li>`)}
      ${spectators ? html`<li class="seat dim">${spectators === 1 ? "1 spectator" : `${spectators} spectators`}</li>` : null}</ul>`}
    <footer><form method="dialog"><button class="main">Done</button></form></footer></article><//>`;
}

/** Render the seats with their links, and the form for a new link. */
function Invitations({ seat }) {
  const { client, fight } = seat;
  const [seats, setSeats] = useState(null);
  const [held, setHeld] = useState({});
  const [chosen, setChosen] = useState(null);
  const [wrong, trying] = useTrying();
  const look = trying(async () => {
    const found = await client.grants(fight);
    setHeld(found);
    setSeats(seatsOf(found));
  });
  useEffect(() => { look(); }, [seat.present.value]);
  const give = trying(async ({ role, name, owns = [] }) => {
    const { link } = await client.grant(fight, { role, name, owns });
    seat.given.value = { ...seat.given.value, [keyOf({ role, name, owns })]: link };
    seat.gone.value = seat.gone.value.filter((one) => keyOf(one) !== keyOf({ role, name, owns }));
    announce(`A link for ${name}`);
    await look();
  });
  const takeBack = trying(async (one) => {
    for (const id of one.ids) await client.takeBack(fight, id);
    const { [one.key]: _, ...others } = seat.given.value;
    seat.given.value = others;
    seat.gone.value = [...seat.gone.value, { ...one, ids: [] }];
    announce(`The link of ${one.name} is revoked`);
    await look();
  });
  if (!seats) return html`<p class="dim" role="status">Loading …</p><p class="warning" role="alert">${wrong}</p>`;
  const addresses = addressesOf(held);
  const place = addresses.includes(chosen) ? chosen : addresses[0];
  const gone = seat.gone.value;
  const played = new Set(seats.flatMap((one) => one.owns));
  const free = Object.values(seat.state.value.combatants).filter((one) => !played.has(one.id));
  return html`<p class="dim">Send each player their link, or let them scan its code. The link opens the table at once.</p>
    <${Address} client=${client} held=${held} place=${place} choose=${setChosen} changed=${() => { setChosen(null); return look(); }} />
    <ul class="seats">${[...seats.filter(({ key }) => !gone.some((one) => one.key === key)), ...gone].map((one) => html`<${Invited} key=${one.key} one=${one} seat=${seat} place=${place} give=${give} takeBack=${takeBack} />`)}</ul>
    <p class="warning" role="alert">${wrong}</p>
    <${LetIn} free=${free} give=${give} spectators=${seats.some((one) => one.role === "spectator")} />`;
}

function Invited({ one, seat, place, give, takeBack }) {
  const [sure, setSure] = useState(false);
  const here = seat.present.value.people.find((other) => keyOf(other) === one.key);
  const made = seat.given.value[one.key];
  const link = made && `${place}/${new URL(made).hash}`;
  const ask = () => {
    setSure(Boolean(here && !sure));
    if (!here || sure) takeBack(one);
  };
  return html`<li class="seat" data-seat=${one.name}><${Who} one=${one} names=${seat.names.value} here=${here} you=${one.you} out=${!one.ids.length} />
    <div class="row">${sure ? html`<span class="open">${one.name} is online. Revoke the link?</span><${Button} says="Cancel" class="quiet" onClick=${() => setSure(false)} />` : null}
      ${link || sure ? null : html`<${Button} says="Link" label=${`A link for ${one.name}`} onClick=${() => give(one)} />`}
      ${one.you || !one.ids.length ? null : html`<${Button} says="Revoke" label=${`Revoke the link of ${one.name}`} class=${sure ? "main" : "quiet"} onClick=${ask} />`}</div>
    ${link ? html`<${Given} client=${seat.client} link=${link} name=${one.name} />` : null}</li>`;
}

/** Render a viewer's name, combatants and connection. */
function Who({ one, names, here, you, out = false }) {
  const plays = one.owns?.length ? `plays ${series(one.owns.map((who) => called(names, who)))}` : ROLES[one.role];
  return html`<div class="whose"><span class=${`dot${here ? " is-here" : ""}`} aria-hidden="true" />
    <span><b>${one.name === "gm" ? "Game master" : capital(one.name)}</b>${you ? html` <span class="tag">you</span>` : null}
      <span class="dim"> ${[one.name.toLowerCase() === plays.slice(6).toLowerCase() || one.name === one.role ? "" : plays, out ? "no link" : here ? "online" : "offline"].filter(Boolean).join(" · ")}</span></span></div>`;
}

/** Render a link, to copy and as a QR code. This page shows it while it is open; the server stores no token. */
export function Given({ client, link, name }) {
  const [said, setSaid] = useState("Copy");
  const copy = async (event) => {
    const input = event.currentTarget.parentElement.querySelector("input");
    input.select();
    try {
      if (navigator.clipboard) await navigator.clipboard.writeText(link);
      else document.execCommand("copy"); // plain HTTP has no clipboard API
      setSaid("Copied");
    } catch {
      setSaid("Copy it by hand");
    }
  };
  return html`<div class="given"><${Code} client=${client} link=${link} name=${name} />
    <div class="row"><input type="text" readonly value=${link} aria-label=${`The link of ${name}`} onFocus=${({ target }) => target.select()} />
      <${Button} says=${said} class="main" onClick=${copy} /></div></div>`;
}

/** Render a link as a QR code. */
function Code({ client, link, name }) {
  const [drawn, setDrawn] = useState(null);
  useEffect(() => {
    let there = true;
    (async () => {
      const text = await (await client.code(link)).text();
      const picture = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
      const marks = picture.querySelector("path[stroke]");
      if (there) setDrawn({ box: picture.getAttribute("viewBox"), d: marks.getAttribute("d"), transform: marks.parentElement.getAttribute("transform") });
    })().catch(() => {}); // the link can still be copied
    return () => { there = false; };
  }, [link]);
  if (!drawn) return null;
  return html`<svg class="code" viewBox=${drawn.box} role="img" aria-label=${`The link of ${name} as a QR code`}>
    <path d=${drawn.d} stroke="#000" transform=${drawn.transform} /></svg>`;
}

/** Render the form for a new link: a player, a spectator, or another game master. */
function LetIn({ free, give, spectators }) {
  const [role, setRole] = useState("player");
  const submit = async (event) => {
    event.preventDefault();
    const form = event.target;
    const data = new FormData(form);
    await give({ role, name: data.get("name"), owns: role === "player" ? data.getAll("owns") : [] });
    form.reset();
  };
  return html`${spectators ? null : html`<div class="row"><${Button} says="A link for spectators" onClick=${() => give({ role: "spectator", name: "spectator" })} /></div>`}
    <details class="deed"><summary>Invite another person</summary><form onSubmit=${submit}><div class="fields">
      <${Labelled} says="Name" of="let-in-name"><input type="text" id="let-in-name" name="name" required maxlength="60" autocomplete="off" /><//>
      <${Labelled} says="As" of="let-in-role"><select id="let-in-role" value=${role} onChange=${({ target }) => setRole(target.value)}>
        <option value="player">Player</option><option value="spectator">Spectator</option><option value="gm">Game master</option></select><//></div>
      ${role !== "player" ? null : free.length ? html`<div class="field"><span>Combatants without a player</span><div class="people-of" role="group" aria-label="Plays">
        ${free.map((one) => html`<label class="check" key=${one.id}><input type="checkbox" name="owns" value=${one.id} />${one.name}</label>`)}</div></div>`
        : html`<p class="dim">Every combatant has a player already.</p>`}
      <div class="row"><button type="submit" class="main"><${Icon} name="plus" /><span>Make a link</span></button></div></form></details>`;
}

const keyOf = ({ role, name, owns = [] }) => JSON.stringify([role, name, owns]);

/** Group links by seat: several links of one person are one seat. */
function seatsOf({ grants }) {
  const seats = new Map();
  for (const { id, role, name, owns = [], you = false } of grants) {
    const key = keyOf({ role, name, owns });
    const one = seats.get(key) ?? { key, role, name, owns, ids: [], you: false };
    one.ids.push(id);
    one.you ||= you;
    seats.set(key, one);
  }
  const rank = { player: 0, gm: 1, spectator: 2 };
  return [...seats.values()].sort((one, other) => rank[one.role] - rank[other.role]);
}

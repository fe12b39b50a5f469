"""Aiming: who can shoot at whom, with what, and what makes it harder (WYR-050, 053, 054, 058, G04)."""

from __future__ import annotations

from affray.engine.core.changes import marked
from affray.engine.core.effects import Rule
from affray.engine.core.state import Item
from affray.engine.core.table import Table
from affray.engine.errors import Refused
from affray.events import Dice, Id, Modifier

from . import melee
from .gear import armed, destroyed, die, loaded, ready
from .play import sees
from .sheet import an_enemy


def apart(table: Table, actor: Id) -> None:
    """Refuse a shot to somebody engaged in melee, unless it was ruled possible (WYR-053)."""
    if melee.engaged(table, actor) and not table.mark(actor, "allowed/contact"):
        raise Refused("engaged_in_melee", "WYR-053", f"{actor} is engaged in melee", source=actor)


def contact(table: Table, actor: Id) -> Rule[None]:
    """Use up the ruling that one can shoot although one is engaged (WYR-053)."""
    if table.mark(actor, "allowed/contact"):
        yield marked(actor, "allowed/contact", None)


def spent(table: Table, who: Id) -> list[Item]:
    """Return somebody's ammunition if there was some and all of it is used up (WYR-G04)."""
    if not table.config.ammo_die:
        return []
    stock = [one for one in table.items_of(who) if one.kind == "ammunition"]
    return stock if all(map(destroyed, stock)) else []


def fit_to_shoot(table: Table, actor: Id, weapon: Id, off: Id = "") -> None:
    """Refuse in the page's order: engaged, out of ammunition, not loaded, no weapon that shoots (WYR-050, 053, 058)."""
    apart(table, actor)
    out = spent(table, actor)
    if out:
        raise Refused("no_ammunition", "WYR-G04", f"{actor} has used up the {out[0].name}", source=out[0].id)
    item = table.draft.items.get(weapon or off) if weapon or off else next(iter(ready(table, actor, shot=True)), None)
    if item is not None and item.owner == actor and not loaded(table, item):
        raise Refused("not_loaded", "WYR-058", f"the {item.name} must be reloaded first", source=item.id)
    armed(table, actor, tuple([one for one in (weapon, off) if one]), shot=True, rule="WYR-050")
    if weapon and off:
        raise Refused("wrong_weapon", "WYR-050", "one weapon is shot at a time", source=off)


def a_mark(table: Table, actor: Id, target: Id) -> None:
    """Refuse a target that is no enemy, or out of sight (WYR-050)."""
    an_enemy(table, actor, target, "WYR-050")
    if not sees(table, actor, target):
        raise Refused("no_line_of_sight", "WYR-050", f"{actor} cannot see {target}", source=f"{actor}>{target}")


def hindrances(table: Table, who: Id, target: Id) -> tuple[Modifier, ...]:
    """List what makes a shot harder: a melee at the target (WYR-054), cover in between (WYR-050)."""
    found = []
    if melee.engaged(table, target) and not melee.together(table, who, target):
        found.append(Modifier(value=-1, label="hindrance: into a melee", source=target, rule="WYR-054"))
    if table.draft.views and table.draft.views.get(f"{who}>{target}", "clear") != "clear":
        found.append(Modifier(value=-1, label="hindrance: cover", source=f"{who}>{target}", rule="WYR-050"))
    return tuple(found)


def ammunition(table: Table, who: Id) -> tuple[Dice, ...]:
    """Return the die of the ammunition, if one is set up and the configuration lets it join (WYR-G04)."""
    if not table.config.ammo_die:
        return ()
    stock = [one for one in table.items_of(who) if one.kind == "ammunition" and one.die]
    return (die(table, stock[0], kind="ammunition"),) if stock else ()

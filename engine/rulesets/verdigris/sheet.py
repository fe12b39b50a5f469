"""Questions to a sheet: ability, enemies, riders and mounts, melees."""

from collections.abc import Mapping
from typing import Literal, TypeVar

from affray.engine.core.effects import Rule
from affray.engine.core.groups.board import Saddle
from affray.engine.core.state import Relation
from affray.engine.errors import Refused
from affray.engine.kit.distances import stated_view
from affray.engine.kit.fight_end import list_foes_among, list_sides_of
from affray.engine.kit.relations import find_relation, is_sealed, list_relations
from affray.engine.kit.riding import mount_of, rider_of
from affray.engine.kit.sheets import make_absence_check, stat
from affray.events import AnySource, Clause, Feature, Field, Id, Modifier

from . import marks
from .config import Table

PARTY = "party"
ENEMIES = "enemies"

GONE = frozenset({"slain", "dead"})
"""Conditions of a combatant who is out of play for good: no turn, no target."""

NOT_ABLE = GONE | {"deaths_door", "unconscious", "unable"}
"""Conditions of a combatant who no longer decides a fight."""

HELPLESS = NOT_ABLE | {"paralysed"}
"""Conditions of a combatant who can neither act nor dodge."""

OUT_OF_MELEE = GONE | {"deaths_door"}
"""Conditions of a combatant who lies in a melee without taking part in it."""

BACKGROUND = "background"
"""The kind of feature that names a background."""

TENACIOUS = "tenacious"
"""The kind of feature that names an attribute spared by pushing (table 5.7)."""

SADDLE = Saddle("mount", ("rider", "mount"), "VER-060")
"""The relation between rider and mount."""

NOBODY: Mapping[Id, int] = {}

Strike = Literal["", "rider", "mount"]


def make_talent_modifier(who: Id, talent: str, value: int) -> Modifier:
    """Return the modifier that a talent adds to a roll or to damage (table 5.7)."""
    return Modifier(value=value, label=talent.replace("-", " "), source=f"{who}.{talent}", rule="VER-T29")


def is_mount(table: Table, who: Id) -> bool:
    """Tell whether a combatant can be ridden."""
    return "mount" in table[who].traits


is_in_play = make_absence_check(GONE)
"""Tell whether a combatant is neither slain nor dead."""

is_active = make_absence_check(NOT_ABLE)
"""Tell whether a combatant is neither slain, at Death's Door, unconscious nor ruled out of the fight."""

_can_act = make_absence_check(HELPLESS)
_can_act_but_for_deaths_door = make_absence_check(HELPLESS - {"deaths_door"})


def is_able(table: Table, who: Id) -> bool:
    """Tell whether a combatant can move and act at all."""
    return _can_act(table, who) or (table.config.deaths_door_may_act and _can_act_but_for_deaths_door(table, who))


def is_participant(table: Table, who: Id) -> bool:
    """Tell whether a member of a melee is a participant of it (VER-T21)."""
    combatant = table.draft.combatants.get(who)
    return combatant is not None and OUT_OF_MELEE.isdisjoint(combatant.conditions)


def is_enemy(table: Table, one: Id, other: Id) -> bool:
    """Tell whether two combatants are on different sides."""
    return table[one].side != table[other].side


def other_side(side: str) -> str:
    """Return the opposing side."""
    return ENEMIES if side == PARTY else PARTY


def count_condition(table: Table, who: Id, condition: str) -> int:
    """Return how high a combatant's condition counts, over all its sources."""
    held = table[who].conditions.get(condition)
    return sum(held.values()) if held else 0


def list_able(table: Table) -> tuple[Id, ...]:
    """List the able combatants in joining order, without mounts.

    Ask it through ``table.derive``.
    """
    people = table.draft.combatants.values()
    return tuple([one.id for one in people if "mount" not in one.traits and NOT_ABLE.isdisjoint(one.conditions)])


def list_standing_sides(table: Table) -> tuple[str, ...]:
    """Return the sides of the known able combatants. Ask it through ``table.derive``."""
    return list_sides_of(table, table.list_known(table.derive(list_able)))


def able_foes(table: Table) -> frozenset[tuple[Id, Id]]:
    """Return every pair of known able enemies."""
    return list_foes_among(table, table.derive(list_able))


def can_see(table: Table, viewer: Id, target: Id) -> bool:
    """Tell whether nothing blocks the viewer's sight of a target."""
    return stated_view(table, viewer, target) != "blocked"


def least_stress(table: Table, who: Id) -> int:
    """Return the least stress after calming down: 0, or the game master's minimum."""
    return min(stat(table, who, "stress_min"), table.pool(who, "stress"))


def can_ride(table: Table, who: Id) -> bool:
    """Tell whether a combatant is not a mount, and its side has one."""
    people = table.draft.combatants
    return not is_mount(table, who) and any(is_mount(table, one) and not is_enemy(table, who, one) for one in people)


def is_trained(table: Table, mount: Id) -> bool:
    """Tell whether a mount is trained for battle."""
    return "battle-trained" in table[mount].traits


def melee_of(table: Table, who: Id) -> Relation | None:
    """Return the melee that a combatant is in."""
    return find_relation(table, "melee", who)


def is_shown(table: Table, melee: Relation) -> bool:
    """Tell whether viewers know of a melee: it would be one without concealed members."""
    return not is_sealed(table, melee)


def shown_melee(table: Table, who: Id) -> Relation | None:
    """Return a combatant's melee.

    A known one is in none that rests on concealed members.
    """
    melee = melee_of(table, who)
    return None if melee is None or (table.is_known(who) and not is_shown(table, melee)) else melee


def shared_melee(table: Table, one: Id, other: Id) -> Relation | None:
    """Return the melee that two combatants share, if they do."""
    melees = list_relations(table, "melee")
    melee = melees.get(one)
    return melee if melee is not None and melee is melees.get(other) else None


def list_participants(table: Table, melee: Relation) -> tuple[Id, ...]:
    """Return the known participants of a melee, friend and foe, in joining order, mounts included."""
    return tuple([who for who in list_known_members(table, melee) if is_participant(table, who)])


def list_known_members(table: Table, melee: Relation) -> tuple[Id, ...]:
    """Return the known members of a melee, in joining order."""
    return table.list_known([one.who for one in melee.members])


def list_opponents(table: Table, who: Id) -> tuple[Id, ...]:
    """Return the known enemies in a combatant's melee, in joining order."""
    melee = melee_of(table, who)
    side = table[who].side
    if melee is None:
        return ()
    return tuple(one for one in list_participants(table, melee) if table[one].side != side)


def count_fighters(table: Table) -> dict[tuple[Id, str], int]:
    """Count the known fighters per melee and side. Ask it through ``table.derive`` (VER-037, VER-069).

    Mounts, the slain and those at Death's Door do not count (VER-037, VER-069). Unusual bodies may count more than
    once, or not at all, by the conditions ``bodies`` and ``uncounted`` (VER-035).
    """
    found: dict[tuple[Id, str], int] = {}
    for relation in table.draft.relations.values():
        if relation.kind != "melee":
            continue
        for who in list_participants(table, relation):
            one = table[who]
            if "mount" not in one.traits and not one.has("uncounted"):
                key = (relation.id, one.side)
                found[key] = found.get(key, 0) + 1 + count_condition(table, one.id, "bodies")
    return found


def clauses_by_melee(table: Table) -> dict[Id, tuple[Clause, ...]]:
    """Return per melee the clauses that count its fighters.

    Ask it through ``table.derive``.
    """
    found: dict[Id, tuple[Clause, ...]] = {}
    for relation in table.draft.relations.values():
        if relation.kind == "melee":
            members = list_known_members(table, relation)
            some_are_down = len(list_participants(table, relation)) < len(members)
            some_are_mounts = bool([one for one in members if is_mount(table, one)])
            clauses = ("VER-037", "VER-T21") if some_are_down else ("VER-037",) if some_are_mounts else ()
            found[relation.id] = ("VER-035", *clauses, "VER-069") if some_are_mounts else ("VER-035", *clauses)
    return found


def clauses_counting(table: Table, melee: Id) -> tuple[Clause, ...]:
    """Return the clauses that count the fighters of a melee."""
    return table.derive(clauses_by_melee).get(melee, ())


def list_readied(table: Table) -> tuple[Id, ...]:
    """Return the combatants with a readied attack. Ask it through ``table.derive``."""
    return tuple(one.id for one in table.draft.combatants.values() if one.has("readied"))


def must_name_rider_or_mount(table: Table, target: Id, strike: str) -> None:
    """Refuse a target that leaves open whether rider or mount is struck (VER-067)."""
    ridden = mount_of(table, target) if target in table.draft.combatants else ""
    if ridden and not strike:
        raise refusal_by("VER-067", f"{table.name_of(target)} is mounted: say whether rider or mount is struck", ridden)
    if strike == "mount" and not ridden and not is_mount(table, target):
        raise table.refuse(target, "has no mount", "VER-067")


def strike_field(table: Table, target: Id) -> tuple[Field, ...]:
    """Return the answer's field for rider or mount, if the target is mounted."""
    return (Field(name="strike", kind="id", among=("rider", "mount")),) if mount_of(table, target) else ()


def strike_choices(table: Table, target: Id) -> tuple[Strike, ...]:
    """Return the values of ``strike`` against a target."""
    return ("rider", "mount") if mount_of(table, target) else ("",)


def find_struck(table: Table, target: Id, strike: str) -> Id:
    """Return the combatant who is struck: the target, or its mount, or its rider."""
    if strike == "mount" and not is_mount(table, target):
        return mount_of(table, target) or target
    if strike == "rider" and is_mount(table, target):
        return rider_of(table, target) or target
    return target


def find_own_strike(table: Table, struck: Id) -> Strike:
    """Return the word by which a rider or a mount names itself as the target."""
    return "mount" if is_mount(table, struck) else "rider"


T = TypeVar("T")


def refusal_by(code: Clause, reason: str, source: AnySource = "", *, example: str = "") -> Refused:
    """Return a refusal by a clause."""
    return Refused(code, code, reason, source, example=example)


def no_change(message: str, source: AnySource = "") -> Refused:
    """Return the refusal of a ruling that would change nothing."""
    return Refused("no_change", "", message, source=source)


def must_be_allowed(code: Clause, table: Table, who: Id, message: str, source: AnySource = "") -> None:
    """Refuse by a clause, unless the game master allowed it."""
    if not marks.ALLOWED.is_on(table, who, code):
        raise refusal_by(code, message, source or who)


def try_rule(rule: Rule[T]) -> Rule[T | None]:
    """Run a rule; return ``None`` if it is refused because its ground is gone."""
    try:
        return (yield from rule)
    except Refused:
        return None


def must_be_able(table: Table, actor: Id) -> None:
    """Refuse a combatant who cannot act: at Death's Door, or by another condition."""
    if is_able(table, actor):
        return
    one = table[actor]
    if one.has("deaths_door"):
        must_be_allowed("VER-094", table, actor, f"{table.name_of(actor)} is at Death's Door", f"{actor}.deaths_door")
    elif one.has("slain") or one.has("dead"):
        raise table.refuse(actor, "is out of play", "VER-T32")
    else:
        raise table.refuse(actor, "cannot act", "VER-T30")


def background_of(table: Table, who: Id) -> str:
    """Return the background on a combatant's sheet; empty if there is none."""
    traits = table[who].traits
    return next((one.of for one in traits if isinstance(one, Feature) and one.kind == BACKGROUND), "")


def must_have_background(table: Table, who: Id, fits: bool) -> None:
    """Refuse a background die to a combatant without a background."""
    if fits and not background_of(table, who):
        raise table.refuse(who, "has no background that could fit", "VER-S01")

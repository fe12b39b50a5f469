"""Relative positions: reach, flanking, overrunning, cover, sight, grapples."""

from collections.abc import Iterable, Iterator
from itertools import pairwise

from affray.engine.core.changes import set_condition
from affray.engine.core.effects import Rule
from affray.engine.core.state import Relation
from affray.engine.kit.distances import stated_view
from affray.engine.kit.hexes import SIDES, hex_direction, hex_distance, hex_line, hex_neighbours
from affray.engine.kit.relations import end_relation, set_relation
from affray.engine.kit.sheets import stat
from affray.engine.kit.sides import are_enemies
from affray.engine.rulesets.hexblade.config import Table
from affray.engine.rulesets.hexblade.movement.board import is_adjacent
from affray.engine.rulesets.hexblade.sheet import is_active, is_fit, refusal
from affray.engine.rulesets.hexblade.tables import terrains
from affray.engine.rulesets.hexblade.turns.order import is_waived
from affray.events import AnySource, Clause, Id, Member, Modifier, Source


def must_be_on_map(table: Table, target: Id, rule: Clause) -> None:
    """Refuse a target that is no longer on the map."""
    one = table.draft.combatants.get(target)
    if one is None or not one.place or "slain" in one.conditions:
        raise table.refuse(target, "is not on the map", rule)


def can_reach(table: Table, actor: Id, target: Id) -> bool:
    """Return whether a target is adjacent, or within the reach that a ruling gave."""
    far = hex_distance(table[actor].place, table[target].place)
    return far is not None and 1 <= far <= max(1, stat(table, actor, "reach"))


def is_in_reach(table: Table, actor: Id, target: Id, rule: Clause) -> bool:
    """Return whether a target is in reach, by position or by a waiver of the clause."""
    return can_reach(table, actor, target) or is_waived(table, actor, rule)


def cite_reach_waiver(table: Table, actor: Id, target: Id, rule: Clause) -> tuple[Clause, ...]:
    """Return the clause to waive for a blow at a target out of reach."""
    return () if can_reach(table, actor, target) else (rule,)


def must_be_in_reach(table: Table, actor: Id, target: Id, rule: Clause) -> None:
    """Refuse a target that is not on the map, or not within reach (HEX-016)."""
    must_be_on_map(table, target, rule)
    if not is_in_reach(table, actor, target, rule):
        far = hex_distance(table[actor].place, table[target].place)
        hexes = "off the map" if far is None else f"{far} hexes away"
        raise table.refuse(target, f"is {hexes}, not adjacent to {table.name_of(actor)}", rule)


OVERRUN = 4
"""The number of neighbouring hexes with enemies that overrun a combatant (HEX-075)."""

HALF = SIDES // 2


def find_opposite_hex(victim: Id, attacker: Id) -> Id:
    """Return the hex on a victim's other side from an attacker, or nothing."""
    at = hex_direction(victim, attacker)
    return "" if at is None else hex_neighbours(victim)[(at + HALF) % SIDES]


def find_enemies_around(table: Table, who: Id) -> tuple[bool, ...]:
    """Return for each direction whether a known fit enemy is there; empty without any (HEX-T24)."""
    draft = table.draft
    people, occupants = draft.combatants, draft.occupants
    side, ring, any_enemy = people[who].side, [], False
    for hex in hex_neighbours(people[who].place):
        enemy = False
        for one in occupants.get(hex, ()):
            other = people[one]
            if other.side != side and is_fit(other) and table.is_known(one) and are_enemies(table, one, who):
                enemy = any_enemy = True
        ring.append(enemy)
    return tuple(ring) if any_enemy else ()


def is_flanked(ring: tuple[bool, ...]) -> bool:
    """Return whether enemies stand in two opposite neighbouring hexes (HEX-072)."""
    return bool(ring) and ((ring[0] and ring[3]) or (ring[1] and ring[4]) or (ring[2] and ring[5]))


def is_overrun(ring: tuple[bool, ...]) -> bool:
    """Return whether enemies stand in four or more neighbouring hexes (HEX-075)."""
    return sum(ring) >= OVERRUN


def update_positions(table: Table, people: Iterable[Id]) -> Rule[None]:
    """Match the states ``flanked`` and ``overrun`` of combatants to the map (HEX-074, HEX-T25)."""
    for who in people:
        one = table.draft.combatants[who]
        ring = find_enemies_around(table, who)
        flanked, overrun = is_flanked(ring), is_overrun(ring)
        if ("flanked" in one.conditions) != flanked:
            yield set_condition(table, who, "flanked", int(flanked), "HEX-074", "HEX-072", "HEX-T24", "HEX-T25")
        if ("overrun" in one.conditions) != overrun:
            yield set_condition(table, who, "overrun", int(overrun), "HEX-075", "HEX-T24", "HEX-T25")


def update_around(table: Table, *places: Id) -> Rule[None]:
    """Update the positions in and around hexes where a combatant came, went or fell."""
    occupants = table.draft.occupants
    near = dict.fromkeys(hex for place in places if place for hex in (place, *hex_neighbours(place)))
    yield from update_positions(table, [who for hex in near if hex in occupants for who in occupants[hex]])


Levels = tuple[Modifier, ...]


def list_position_levels(table: Table, who: Id, victim: Id) -> Levels:
    """Return the levels that a victim's position gives to an attack roll (HEX-076).

    One of a pair of opposite enemies has a level against the flanked. Every attacker has one against the overrun.
    """
    borne = table[victim].conditions
    if not borne:
        return ()
    levels: Levels = ()
    if "flanked" in borne and is_flanking(table, who, victim):
        levels = (Modifier(value=1, label="flanking", source=f"{victim}.flanked", rule="HEX-073"),)
    if "overrun" in borne:
        levels = (*levels, Modifier(value=1, label="overrun", source=f"{victim}.overrun", rule="HEX-076"))
    return levels


def is_flanking(table: Table, who: Id, victim: Id) -> bool:
    """Return whether a combatant is one of two opposite known enemies of a victim (HEX-073)."""
    if not are_enemies(table, who, victim):
        return False
    behind = find_opposite_hex(table[victim].place, table[who].place)
    return any(is_active(table, one) and are_enemies(table, one, victim) for one in table.list_known(table.at(behind)))


COVER_LEVELS: dict[str, tuple[int, Clause]] = {"soft": (1, "HEX-079"), "hard": (2, "HEX-080")}
"""The levels that each kind of cover gives to an evade roll, and its clause (HEX-079, HEX-080)."""

COVERING: dict[str, str] = {key: one.cover for key, one in terrains().items() if one.cover != "none"}
"""The kinds of ground that cover combatants in or behind them."""

WALL = "full"


def can_see(table: Table, viewer: Id, target: Id) -> bool:
    """Return whether the line between two combatants is free of walls.

    A ruling on the pair takes precedence over the map.
    """
    ruled = stated_view(table, viewer, target)
    if ruled:
        return ruled != "blocked"
    if not table.draft.places:
        return True
    between = hex_line(table[viewer].place, table[target].place)[1:-1]
    return not any(COVERING.get(trait) == WALL for hex in between for trait in _list_traits(table, hex))


def cite_sight_waiver(table: Table, actor: Id, target: Id, rule: Clause) -> tuple[Clause, ...]:
    """Return the clause to waive for a shot at a target out of sight."""
    return () if can_see(table, actor, target) else (rule,)


def must_be_in_sight(table: Table, actor: Id, target: Id, rule: Clause) -> None:
    """Refuse a target behind a wall."""
    if not can_see(table, actor, target) and not is_waived(table, actor, rule):
        raise table.refuse(
            actor, f"has no line of sight to {table.name_of(target)}", rule, source=Source(of=actor, to=target)
        )


def _list_traits(table: Table, hex: Id) -> tuple[str, ...]:
    place = table.draft.places.get(hex)
    return place.traits if place else ()


def _covers_side(table: Table, hex: Id, at: int, cover: str) -> bool:
    place = table.draft.places.get(hex)
    return place is not None and any(one.side == at and one.trait == cover for one in place.side_traits)


def list_covers(table: Table, attacker: Id, target: Id) -> tuple[tuple[str, AnySource], ...]:
    """Return every cover of a target against an attacker, with its source (HEX-078)."""
    ruled = stated_view(table, attacker, target)
    if ruled:
        return ((ruled, Source(of=attacker, to=target)),) if ruled in COVER_LEVELS else ()
    about = tuple((kind, f"{target}.{kind}_cover") for kind in COVER_LEVELS if f"{kind}_cover" in table[target].traits)
    return (*about, *_list_covers_on_line(table, attacker, target)) if table.draft.places else about


def _list_covers_on_line(table: Table, attacker: Id, target: Id) -> Iterator[tuple[str, AnySource]]:
    """Yield the cover of each crossed side and each entered hex, the target's included."""
    for here, there in pairwise(hex_line(table[attacker].place, table[target].place)):
        at = hex_neighbours(here).index(there)
        back = (at + HALF) % SIDES
        for kind in COVER_LEVELS:
            if _covers_side(table, here, at, kind) or _covers_side(table, there, back, kind):
                yield kind, Source(of=here, to=there)
        for trait in _list_traits(table, there):
            if COVERING.get(trait) in COVER_LEVELS:
                yield COVERING[trait], there


def list_cover_levels(table: Table, attacker: Id, target: Id) -> tuple[Levels, tuple[Clause, ...]]:
    """Return the levels of cover for an evade roll, and further clauses (HEX-079, HEX-080, HEX-082).

    The best cover counts, unless they add up by configuration. Cover helps against an adjacent attacker too, unless
    the configuration denies it and no ruling on the pair gives it.
    """
    found = list_covers(table, attacker, target)
    if not found:
        return (), ()
    near = (hex_distance(table[attacker].place, table[target].place) or 0) <= 1
    if near and not stated_view(table, attacker, target) and not table.config.cover_against_adjacent:
        return (), ("HEX-079",)
    several = ("HEX-078", "HEX-082") if len(found) > 1 else ("HEX-078",)
    if not table.config.cover_stack:
        found = (max(found, key=lambda one: COVER_LEVELS[one[0]]),)
    given = [(kind, source, *COVER_LEVELS[kind]) for kind, source in found]
    levels = [Modifier(value=by, label=f"{kind} cover", source=source, rule=rule) for kind, source, by, rule in given]
    return tuple(levels), several


GRAPPLE = "grapple"

GRAPPLED = "grappled"


def list_grips(table: Table, who: Id) -> tuple[Relation, ...]:
    """Return every grapple of a combatant, the oldest first."""
    return tuple(
        relation
        for relation in table.draft.relations.values()
        if relation.kind == GRAPPLE and any(member.who == who for member in relation.members)
    )


def find_other_member(relation: Relation, who: Id) -> Id:
    """Return the other combatant of a grapple."""
    return next((member.who for member in relation.members if member.who != who), "")


def find_grip_between(table: Table, one: Id, another: Id) -> Relation | None:
    """Return the grapple that binds two combatants, or nothing."""
    return next((relation for relation in list_grips(table, one) if find_other_member(relation, one) == another), None)


def hold(table: Table, one: Id, another: Id, *rules: Clause) -> Rule[None]:
    """Bind two combatants to each other: neither can spend movement (HEX-059)."""
    relation = f"{GRAPPLE}:{one}:{another}"
    members = (Member(who=one, role="holder"), Member(who=another, role="held"))
    yield set_relation(relation, GRAPPLE, *members, rules=rules)
    for who in (one, another):
        yield set_condition(table, who, GRAPPLED, 1, *rules, "HEX-G02", source=relation)


def release_broken_grips(table: Table) -> Rule[None]:
    """End every grapple of a combatant that can no longer hold, or that a ruling freed."""
    for relation in tuple(table.draft.relations.values()):
        if relation.kind == GRAPPLE and not _is_holding(table, relation):
            yield from end_relation(table, relation, "HEX-G02")


def release_distant_grips(table: Table, who: Id) -> Rule[None]:
    """End the grapples of a moved combatant with all who are no longer adjacent."""
    for relation in list_grips(table, who):
        holder = find_other_member(relation, who)
        if holder not in table.draft.combatants or not is_adjacent(table[who].place, table[holder].place):
            yield from end_relation(table, relation, "HEX-G02", "HEX-T22")


def _is_holding(table: Table, relation: Relation) -> bool:
    """Return whether both members of a grapple are present, able and grappled by it."""
    people = table.draft.combatants
    return len(relation.members) == 2 and all(
        is_active(table, member.who) and relation.id in people[member.who].conditions.get(GRAPPLED, {})
        for member in relation.members
    )


def must_be_free_to_move(table: Table, who: Id) -> None:
    """Refuse to spend movement while grappled (HEX-G02)."""
    if table[who].has(GRAPPLED):
        raise refusal("HEX-G02", f"{table.name_of(who)} is grappled and cannot spend movement", f"{who}.{GRAPPLED}")

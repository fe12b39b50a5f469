"""A combatant's outfit in hands, belt and pack (VER-098, VER-102, VER-S31, table 5.6)."""

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from affray.engine.core.ids import id_of
from affray.engine.errors import Unusable
from affray.engine.kit.encounters import add_item, find_row, make_unknown_name
from affray.engine.kit.relations import find_free_id
from affray.engine.rulesets.verdigris.gear.things import FIRED, SHOOTS
from affray.engine.rulesets.verdigris.tables import Weapon, inventory, protection
from affray.events import Feature, Id, ItemAdded

from .file import Armed, Shielded, Spec, Thing


def list_kit(
    who: Id, spec: Spec, field: str, stats: Mapping[str, int], arsenal: Mapping[str, Weapon]
) -> Iterator[ItemAdded]:
    """Yield all items that a combatant carries.

    The first weapon is in hand, then the shield if a hand is left. Ammunition, other weapons and items are on the belt,
    or in the pack once the belt is full.

    Raises:
        Unusable: something does not exist, or there is no room for it.
    """
    size = inventory().room
    room = {"hand": size.hands, "belt": size.belt, "pack": size.pack_beyond_strength + stats["strength"]}
    armed = [arm if isinstance(arm, Armed) else Armed(weapon=arm) for arm in spec.weapons or ()]
    items = [*_weapons(who, armed, field, arsenal), *_shield(who, spec, field)]
    items += _ammunition(who, spec, field, armed, arsenal)
    armor = list(_armor(who, spec, field))
    bare = build_weapon(who, "unarmed", arsenal["unarmed"], Armed(weapon="unarmed"), hands=0)
    taken = {one.item for one in (*items, *armor, bare)}
    items += [build_thing(who, thing, taken) for thing in spec.items]
    for item in sorted(items, key=lambda one: one.kind != "ammunition"):
        where = _place_item(item, room, f"{field}.weapons" if item.kind == "weapon" else field)
        counters = {name: value for name, value in item.counters.items() if name != "later"}
        yield replace(item, where=where, counters=counters, rules=("VER-102", *item.rules))
    yield from armor
    yield bare


def _place_item(item: ItemAdded, room: dict[str, int], field: str) -> str:
    """Return the place of an item, and take its room; a named place must fit (VER-102)."""
    needs = {"hand": item.stats["hands"], "belt": item.stats["slots"], "pack": item.stats["slots"]}
    places = (item.where,) if item.where else _list_usual_places(item)
    for where in places:
        if needs[where] <= room[where]:
            room[where] -= needs[where]
            return where
    raise Unusable(f"there is no room for the {item.name}: {' or '.join(places)}", field)


def _list_usual_places(item: ItemAdded) -> tuple[str, ...]:
    if item.kind == "shield":
        return ("hand", "pack")
    return ("belt", "pack") if "later" in item.counters or item.kind != "weapon" else ("hand", "belt", "pack")


def _weapons(who: Id, armed: list[Armed], field: str, arsenal: Mapping[str, Weapon]) -> Iterator[ItemAdded]:
    known = [key for key in arsenal if key != "unarmed"]
    seen: dict[str, int] = {}
    for nth, arm in enumerate(armed):
        if arm.weapon not in known:
            raise make_unknown_name("weapon", arm.weapon, known, f"{field}.weapons[{nth}]")
        seen[arm.weapon] = seen.get(arm.weapon, 0) + 1
        again = f"-{seen[arm.weapon]}" if seen[arm.weapon] > 1 else ""
        yield build_weapon(who, f"{arm.weapon}{again}", arsenal[arm.weapon], arm, later=nth > 0)


def build_weapon(
    who: Id, key: str, line: Weapon, arm: Armed, *, hands: int | None = None, later: bool = False
) -> ItemAdded:
    """Return a weapon as an item, with the bonus of its better grip (VER-098, VER-S31)."""
    made = inventory().make[arm.make]["bonus"]
    worse = made < 0 and line.bonus <= 1
    harm = -1 if worse else 0
    shift = 0 if worse else made
    two = line.bonus_two_handed
    grip_bonus = max(0, two - line.bonus) if two is not None else 0
    both_hands = "two_handed" in line.qualities and "flexible" not in line.qualities
    stats = {
        "damage": max(0, line.damage + harm),
        "bonus": max(0, line.bonus + grip_bonus + shift),
        "max": line.max if line.max is not None else line.damage + 6,
        "hands": (2 if both_hands else 1) if hands is None else hands,
        "slots": inventory().size.two_handed if "two_handed" in line.qualities else inventory().size.weapon,
        "cost": line.cost,
        "pushes": int(line.pushes),
    }
    if grip_bonus:
        stats["grip_bonus"] = grip_bonus
    if line.fired:
        stats["fired"] = 1
    if line.damage_two_handed is not None:
        stats["damage_two_handed"] = max(0, line.damage_two_handed + harm)
    counters = {"bonus": stats["bonus"]}
    if "reloading" in line.qualities:
        counters["loaded"] = int(arm.loaded)
    if line.group == "blackpowder":
        counters["lit"] = int(arm.lit)
    if later:
        counters["later"] = 1
    traits = (line.group, *line.qualities)
    features = (Feature(kind=SHOOTS, of=line.ammunition),) if line.ammunition else ()
    name = line.name if arm.make == "plain" else f"{arm.make} {line.name}"
    rules = ("VER-098",) if arm.make == "plain" else ("VER-098", "VER-S31")
    return add_item(
        who,
        key,
        name,
        "weapon",
        arm.where,
        stats=stats,
        traits=traits,
        features=features,
        counters=counters,
        rules=rules,
    )


def _shield(who: Id, spec: Spec, field: str) -> Iterator[ItemAdded]:
    if not spec.shield:
        return
    given = spec.shield if isinstance(spec.shield, Shielded) else Shielded(shield=spec.shield)
    yield build_shield(who, given.shield, given.where, f"{field}.shield")


def build_shield(who: Id, key: str, where: str, field: str) -> ItemAdded:
    """Return a shield as an item."""
    line = find_row("shield", key, protection().shield, field)
    stats = {"rating": line.rating, "hands": line.hands, "slots": inventory().size.shield, "cost": line.cost}
    return add_item(who, key, line.name, "shield", where, stats=stats, counters={"rating": line.rating})


def _armor(who: Id, spec: Spec, field: str) -> Iterator[ItemAdded]:
    if not spec.armor:
        return
    yield build_armor(who, spec.armor, "worn", f"{field}.armor")


def build_armor(who: Id, key: str, where: str, field: str) -> ItemAdded:
    """Return a suit of armour as an item."""
    line = find_row("armour", key, protection().armor, field)
    slots = max(inventory().size.armor_at_least, line.impeding)
    stats = {"rating": line.rating, "impeding": line.impeding, "slots": slots, "cost": line.cost}
    counters = {"rating": line.rating}
    return add_item(who, key, line.name, "armor", where, stats=stats, traits=(line.weight,), counters=counters)


def _ammunition(
    who: Id, spec: Spec, field: str, armed: list[Armed], arsenal: Mapping[str, Weapon]
) -> Iterator[ItemAdded]:
    """Yield the given ammunition, else one purchase for each fired weapon."""
    table = inventory()
    given = spec.ammunition
    if given is None:
        kinds = [arsenal[arm.weapon].ammunition for arm in armed if arsenal[arm.weapon].group in FIRED]
        given = {kind: table.ammunition[kind].count for kind in kinds if kind}
    for kind, many in given.items():
        yield build_ammunition(who, kind, many, f"{field}.ammunition")


def build_ammunition(who: Id, kind: str, many: int, field: str) -> ItemAdded:
    """Return an amount of ammunition as an item."""
    table = inventory()
    line = find_row("ammunition", kind, table.ammunition, field)
    slots = -(-many // table.bundle["ammunition"]) * table.size.ammunition
    stats = {"slots": slots, "hands": 1, "cost": line.cost}
    return add_item(who, kind, line.name, "ammunition", stats=stats, traits=(kind,), counters={"count": many})


def build_thing(who: Id, thing: Thing, taken: set[Id]) -> ItemAdded:
    """Return a thing as an item, under an id that is new to its owner; note the id."""
    size = inventory().size
    usual = {"potion": size.potion, "book": size.book, "rations": size.rations}.get(thing.kind, 1)
    slots = usual if thing.slots is None else thing.slots
    item = find_free_id(f"{who}.{id_of(thing.name)}", taken)
    taken.add(item)
    key = item.removeprefix(f"{who}.")
    return add_item(who, key, thing.name, thing.kind, thing.where, stats={"slots": slots, "hands": 1})

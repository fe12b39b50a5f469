"""Who shares a roll for initiative from the start (WWN-003, WWN-005)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from affray.engine.core.changes import marked
from affray.engine.core.ids import id_of
from affray.engine.errors import Unusable
from affray.engine.kit.relations import bonded
from affray.events import Event, Id, Member

from .config import Config
from .encounter_file import Spec
from .sheets import block_of, traits_of


class Entry(NamedTuple):
    """An entry of an encounter file, where it stands, and the ids and names of its combatants."""

    spec: Spec
    field: str
    members: tuple[tuple[Id, str], ...]


class Foe(NamedTuple):
    """A foe who rolls with others."""

    who: Id
    side: str
    quick: int


def groups(entries: list[Entry], config: Config, people: Mapping[Id, str]) -> Iterator[Event]:
    """Yield the groups of foes, as entries and configuration have them, and which of them are quick.

    Raises:
        Unusable: somebody is put into a group who rolls alone, or with another side.
    """
    found: dict[str, list[Foe]] = {}
    for entry in entries:
        key = _key(entry, config)
        for who, _ in entry.members:
            if key is not None:
                foe = Foe(who, entry.spec.side, _quick(entry.spec, config))
                found.setdefault(key or who, []).append(foe)
    for key, foes in found.items():
        if len({foe.side for foe in foes}) > 1:
            raise Unusable(f"the group {key} has combatants of two sides", "combatant")
        unit = foes[0].who
        if len(foes) > 1:
            unit = free_name(id_of(key) or "group", people)
            yield bonded(unit, "group", *(Member(who=foe.who) for foe in foes), rules=("WWN-003", "WWN-T28"))
        least = min(foe.quick for foe in foes)
        if least:
            yield marked(unit, "quick", least, "WWN-005", "WWN-T27")


def _key(entry: Entry, config: Config) -> str | None:
    """Return the name of the group an entry's combatants are in: empty for each alone, nothing for who is no foe."""
    spec = entry.spec
    rolls_alone = spec.pc or "mount" in traits_of(spec, block_of(spec, entry.field), entry.field)
    if rolls_alone:
        if spec.group or spec.quick:
            wrong = "group" if spec.group else "quick"
            raise Unusable("only foes roll in groups: neither PCs nor mounts", f"{entry.field}.{wrong}")
        return None
    if spec.group:
        return spec.group
    return {"per_side": spec.side, "per_entry": f"{spec.name}s", "single": ""}[config.foe_groups]


def _quick(spec: Spec, config: Config) -> int:
    return config.quick_bonus if spec.quick is True else int(spec.quick)


def free_name(name: Id, taken: Collection[Id]) -> Id:
    """Return a name for a group that nobody in the fight has."""
    return f"{name}-group" if name in taken else name

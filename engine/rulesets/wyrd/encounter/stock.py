"""The gear that newcomers can have: of the rules, of the encounter file, and of the combatants."""

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from affray.engine.rulesets.wyrd.config import Table
from affray.engine.rulesets.wyrd.marks import FIGHT, GEAR
from affray.engine.rulesets.wyrd.tables import CarriedPiece, Piece, Tables, gear
from affray.events import Event, Id, ItemAdded


def note_gear(own: Mapping[str, Piece], events: Iterable[Event]) -> Iterator[Event]:
    """Note each piece of an encounter file that no combatant carries yet.

    A carried piece is read from its owner, so that no note reveals a concealed combatant.
    """
    carried = {find_key(one.item) for one in events if isinstance(one, ItemAdded)}
    for key, piece in own.items():
        if key not in carried or key in gear():
            yield GEAR.set_on(FIGHT, piece, "WYR-T57", about=key)


def collect_tables(table: Table) -> Tables:
    """Return the gear that newcomers can have (WYR-T57)."""
    brought = {key: piece for id, piece in _list_brought(table) if (key := find_key(id)) not in gear()}
    return Tables({**gear(), **brought, **dict(GEAR.list_on(table, FIGHT))})


def find_key(item: Id) -> str:
    """Return the key of an item in an encounter file, without its owner."""
    return item.rpartition(".")[2]


def _list_brought(table: Table) -> Iterator[tuple[Id, Piece]]:
    for id, item in table.draft.items.items():
        if item.kind in ("weapon", "body", "head", "shield", "protection", "ammunition", "other"):
            numbers = {name: item.stats.get(name, 0) for name in ("hands", "slots", "damage")}
            yield (
                id,
                msgspec.convert(
                    {"name": item.name, "kind": item.kind, "die": item.base, "tags": item.traits, **numbers},
                    CarriedPiece,
                ),
            )

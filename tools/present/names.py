"""Names of combatants, items, counters and conditions, as people read them."""

from affray.engine.core.draft import Draft
from affray.engine.core.state import Combatant, State
from affray.engine.texts import name_said
from affray.events import Field, Option
from affray.tools.parse.typed_names import name_fields
from affray.tools.present.story.words import Names, borne, name_relation


def names_of_state(state: State | Draft) -> Names:
    """Return the names of all combatants and items."""
    names = Names(state.system)
    names.update((id, name_said(item.name)) for id, item in state.items.items())
    names.update((id, name_said(one.name)) for id, one in state.combatants.items())
    names.sides.update(one.side for one in state.combatants.values())
    for id, relation in state.relations.items():
        if id not in state.combatants:
            name_relation(names, id, relation.kind, relation.members)
    return names


def list_typed_fields(option: Option) -> list[str]:
    """Return the typed form of each field of an option."""
    return [_write_field(name, one) for name, one in name_fields(option).items()]


def _write_field(name: str, field: Field) -> str:
    values = {"int": f"{field.low}–{field.high}", "id": "|".join(field.among)}.get(field.kind, "…")
    return f"[{name}={values}]" if field.optional else f"{name}={values}"


def short_of(pool: str, names: Names) -> str:
    """Return the short name of a counter, for narrow places."""
    known = names.words.pools.get(pool)
    return (known.short if known is not None else "") or names.label("pools", pool)


def most_of(one: Combatant, pool: str, names: Names) -> int:
    """Return the most there can be in a counter; 0 where there is no such number."""
    known = names.words.pools.get(pool)
    return one.stats.get(known.most, 0) if known is not None else 0


def conditions_of(one: Combatant, names: Names) -> str:
    """Return a combatant's conditions in words, each with its ending."""
    said = (
        (borne(names, name, sum(counts.values())), *map(names.words.until, one.endings.get(name, {}).values()))
        for name, counts in one.conditions.items()
    )
    return ", ".join(map(" ".join, said))

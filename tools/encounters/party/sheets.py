"""A party as a page shows it: members, corrections, past fights and ways to rest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from affray.engine.core.state import Item, State
from affray.events import Id
from affray.tools.api.schemas.parties import FieldTold, FightTaken, LabelledOption, MemberTold, PartyTold, ThingTold
from affray.tools.present.story.words import Names, capital

from .members import ids_of, is_inborn, ruleset_of, state_of, whole_of
from .party_text import is_flag, otherwise
from .placement import is_out


def party_told(content: Mapping[str, Any]) -> PartyTold:
    """Return a party as people see it.

    Raises:
        Unusable: its members could not begin a fight.
    """
    ruleset, ids = ruleset_of(content), ids_of(content)
    now, whole, names = state_of(content), whole_of(content), Names(ruleset.name)
    members = [
        MemberTold(
            who,
            whole.combatants[who].name,
            whole.combatants[who].side,
            is_out(content["combatant"][nth], ruleset),
            list(_pools(now, whole, who, names)),
            list(_conditions(now, who, names)),
            list(_things(now, whole, who, names, ruleset.encounters.recovery.inborn)),
        )
        for who, nth in ids.items()
    ]
    fights = [
        FightTaken(str(one.get("fight", "")), str(one.get("when", "")), tuple(map(str, one.get("cost", ()))))
        for one in reversed(content.get("taken", []))
    ]
    lasting = sorted(ruleset.vocabulary.lasting("conditions") | ruleset.encounters.recovery.conditions)
    past = content.get("past", [])
    return PartyTold(
        str(content.get("name", "")),
        ruleset.title,
        members,
        fights,
        [LabelledOption(name, capital(names.label("conditions", name))) for name in lasting],
        [LabelledOption(kind, capital(kind)) for kind in ruleset.encounters.recovery.rests],
        str(past[-1].get("what", "")) if past else "",
    )


def _pools(now: State, whole: State, who: Id, names: Names) -> Iterator[FieldTold]:
    one, fresh = now.combatants[who], whole.combatants[who]
    for pool, value in one.pools.items():
        word = names.words.pools.get(pool)
        if word is not None and word.lasts:
            most = one.stats.get(word.most) if word.most else None
            yield FieldTold(pool, names.label("pools", pool), value, fresh.pools.get(pool, 0), most, word.rises)


def _conditions(now: State, who: Id, names: Names) -> Iterator[FieldTold]:
    for name, sources in now.combatants[who].conditions.items():
        yield FieldTold(name, capital(names.label("conditions", name)), sum(sources.values()), 0, None, rises=True)


def _things(now: State, whole: State, who: Id, names: Names, inborn: frozenset[str]) -> Iterator[ThingTold]:
    for id, item in whole.items.items():
        if item.owner == who:
            held = now.items.get(id)
            key = id.removeprefix(f"{who}.")
            told = "lost" if held is None else ", ".join(otherwise(item, held, names))
            fields = tuple(_counter_fields(key, held or item, item, names))
            lost = "" if is_inborn(key, item, inborn) else f"{key}.lost"
            yield ThingTold(item.name, lost, held is None, told, fields)
    for id, item in now.items.items():
        if item.owner == who and id not in whole.items:
            yield ThingTold(item.name, told="besides")


def _counter_fields(key: str, held: Item, fresh: Item, names: Names) -> Iterator[FieldTold]:
    lasting = names.words.lasting("counters")
    for name, value in held.counters.items():
        if name in lasting:
            says, before = names.label("counters", name), fresh.counters.get(name, 0)
            yield FieldTold(f"{key}.{name}", says, value, before, flag=is_flag(name, names))
    if fresh.base:
        yield FieldTold(f"{key}.die", "die", held.die or 0, fresh.die or 0, fresh.base)

"""A party as a page shows it: everybody with what can be corrected, what was before, and how they may rest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from affray.engine.core.state import Item, State
from affray.events import Id
from affray.tools.story.words import Names, capital

from .joining import is_out
from .members import ids_of, is_inborn, ruleset_of, state_of, whole_of
from .telling import is_flag, otherwise


class FieldTold(Struct, frozen=True, omit_defaults=True):
    """A number of somebody's that lasts from fight to fight.

    Attributes:
        field: By which it is corrected.
        says: What people call it.
        now, whole: What it is, and what it is when whole.
        most: The most it can be, where that is known.
        rises: Whether more of it is worse.
        flag: Whether it is 0 or 1: whether something is so.
    """

    field: str
    says: str
    now: int
    whole: int
    most: int | None = None
    rises: bool = False
    flag: bool = False


class ThingTold(Struct, frozen=True, omit_defaults=True):
    """A thing of somebody's.

    Attributes:
        name: What it is called.
        lost: By which field it is said to be lost; empty for what no entry gives, and what nobody can lose.
        gone: Whether it is lost.
        told: How it is, as far as that is otherwise than when whole; empty if it is as ever.
        fields: What about it lasts, such as its usage die.
    """

    name: str
    lost: str = ""
    gone: bool = False
    told: str = ""
    fields: tuple[FieldTold, ...] = ()


class MemberTold(Struct, frozen=True, omit_defaults=True):
    """A member of a party.

    Attributes:
        out: Whether they bear something with which nobody fights.
        pools: Counters that last.
        conditions: Conditions they bear.
        things: What they have, and what they no longer have.
    """

    id: Id
    name: str
    side: str
    out: bool
    pools: list[FieldTold]
    conditions: list[FieldTold]
    things: list[ThingTold]


class FightTaken(Struct, frozen=True, omit_defaults=True):
    """A fight whose cost a party bears, and which that was."""

    fight: str
    when: str = ""
    cost: tuple[str, ...] = ()


class Choice(Struct, frozen=True):
    """Something that can be chosen: its name, and what people call it."""

    name: str
    says: str


class PartyTold(Struct, frozen=True):
    """A party as people see it.

    Attributes:
        title: What it calls itself.
        system: Its rules, as people call them.
        fights: Those whose cost it bears, the latest first.
        conditions: All that somebody can bear and that lasts.
        rests: How they may rest.
        back: What can be taken back; empty if nothing can.
    """

    title: str
    system: str
    members: list[MemberTold]
    fights: list[FightTaken]
    conditions: list[Choice]
    rests: list[Choice]
    back: str


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
            list(_things(now, whole, who, names, ruleset.between.inborn)),
        )
        for who, nth in ids.items()
    ]
    fights = [
        FightTaken(str(one.get("fight", "")), str(one.get("when", "")), tuple(map(str, one.get("cost", ()))))
        for one in reversed(content.get("taken", []))
    ]
    lasting = sorted(ruleset.vocabulary.lasting("conditions") | ruleset.between.conditions)
    past = content.get("past", [])
    return PartyTold(
        str(content.get("name", "")),
        ruleset.title,
        members,
        fights,
        [Choice(name, capital(names.label("conditions", name))) for name in lasting],
        [Choice(kind, capital(kind)) for kind in ruleset.between.rests],
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
            fields = tuple(_counted(key, held or item, item, names))
            lost = "" if is_inborn(key, item, inborn) else f"{key}.lost"
            yield ThingTold(item.name, lost, held is None, told, fields)
    for id, item in now.items.items():
        if item.owner == who and id not in whole.items:
            yield ThingTold(item.name, told="besides")


def _counted(key: str, held: Item, fresh: Item, names: Names) -> Iterator[FieldTold]:
    lasting = names.words.lasting("counters")
    for name, value in held.counters.items():
        if name in lasting:
            says, before = names.label("counters", name), fresh.counters.get(name, 0)
            yield FieldTold(f"{key}.{name}", says, value, before, flag=is_flag(name, names))
    if fresh.base:
        yield FieldTold(f"{key}.die", "die", held.die or 0, fresh.die or 0, fresh.base)

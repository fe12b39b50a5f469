"""What a combatant's sheet says, who is able, and which states are borne, from which sources."""

from affray.engine.core.changes import condition_set
from affray.engine.core.effects import Rule
from affray.engine.core.endings import RULING, Ended, ending, endings, lasts_through
from affray.engine.core.state import Combatant
from affray.engine.errors import Refused
from affray.engine.kit.fight_end import foes_among, has_enemies
from affray.events import Clause, Id, Modifier

from .config import Table
from .marks import FELL
from .tables import ATTRIBUTES, skills

PC = "pc"
"""The trait of a player character."""

GIVES, LIST, CLASS = "gives:", "list:", "class:"
"""Begin the traits of a spell that gives a state or is on a class's list, and of whoever is of a class."""

OUT = frozenset({"slain", "down", "unable"})
"""Conditions of somebody who can do nothing."""

DEFENCELESS = frozenset({*OUT, "helpless"})
"""Conditions of somebody who cannot fight back: no answering roll, no evade."""

SHORT: tuple[str, ...] = tuple(ATTRIBUTES)
"""The attributes as stats call them."""

SKILLS: dict[str, str] = {key: skill.attribute for key, skill in skills().items()}
"""Each skill with its attribute."""


def refusal(rule: Clause, message: str, source: Id = "") -> Refused:
    """Return a refusal; its code is the number of the clause."""
    return Refused(rule, rule, message, source)


def stat(table: Table, who: Id, name: str) -> int:
    """Return a number of the sheet; what the sheet leaves out is 0."""
    return table[who].stats.get(name, 0)


def is_fit(one: Combatant) -> bool:
    """Tell whether somebody is neither slain nor down nor made unable."""
    return not one.conditions or OUT.isdisjoint(one.conditions)


def is_active(table: Table, who: Id) -> bool:
    """Tell whether somebody is in the fight and able to act."""
    one = table.draft.combatants.get(who)
    return one is not None and (not one.conditions or OUT.isdisjoint(one.conditions))


def is_able(table: Table, who: Id) -> bool:
    """Tell whether somebody may act in this round: who fell in it acts again from the next initiative on."""
    marks = table.draft.marks.get(who)
    return is_active(table, who) and (marks is None or marks.get(FELL.key) != table.draft.round)


def can_fight_back(table: Table, who: Id) -> bool:
    """Tell whether somebody can fight back and evade."""
    one = table.draft.combatants.get(who)
    return one is not None and (not one.conditions or DEFENCELESS.isdisjoint(one.conditions))


def is_pc(table: Table, who: Id) -> bool:
    """Tell a player character from the others."""
    return PC in table[who].traits


def list_able(table: Table) -> tuple[Id, ...]:
    """List the combatants who are neither slain nor down nor made unable, in joining order."""
    return tuple([one.id for one in table.draft.combatants.values() if is_fit(one)])


def list_able_pcs(table: Table) -> tuple[Id, ...]:
    """List the player characters among the able combatants, in joining order."""
    return tuple([who for who in table.derived(list_able) if is_pc(table, who)])


def is_contested(table: Table) -> bool:
    """Tell whether two known able combatants are enemies; allied sides count together."""
    return has_enemies(table, table.list_known(table.derived(list_able)))


def able_foes(table: Table) -> frozenset[tuple[Id, Id]]:
    """Return every pair of known able enemies."""
    return foes_among(table, table.derived(list_able))


def must_be_active(table: Table, who: Id) -> None:
    """Refuse somebody who can do nothing."""
    if not is_active(table, who):
        why = next(one for one in table[who].conditions if one in OUT)
        raise refusal("HEX-G03", f"{table.called(who)} is not able to act", f"{who}.{why}")


def modifiers_of(table: Table, who: Id, name: str, rule: Clause) -> tuple[Modifier, ...]:
    """Return what an attribute or a skill adds: the attribute, and the training if there is any (HEX-T01)."""
    attribute = SKILLS.get(name, name)
    stats = table[who].stats
    value = stats[attribute]
    terms = (Modifier(value=value, label=ATTRIBUTES[attribute], source=f"{who}.{attribute}", rule=rule),)  # type: ignore[index]
    trained = stats[name] if name != attribute else 0
    if not trained:
        return terms
    return (*terms, Modifier(value=trained, label=name, source=f"{who}.{name}", rule=rule))


SECONDS = "seconds"
"""The clock that counts the fight's seconds (HEX-002)."""

ROUND = 6
"""How many seconds a round lasts (HEX-002)."""

OLD_TIMER = "timer "
"""Begins the source of a state that ends by the clock, in versions 1 to 3; the second at which it does follows."""


def lasting_sources(table: Table, who: Id, condition: str) -> tuple[Id, ...]:
    """Return the sources of a state that nothing ends by itself."""
    one = table[who]
    sources = one.conditions.get(condition, ())
    return tuple(source for source in sources if not source.startswith(OLD_TIMER) and not one.ending(condition, source))


def bear(table: Table, who: Id, condition: str, *rules: Clause) -> Rule[None]:
    """Let somebody bear a state until something ends it, also if they bear it for a time already."""
    if not lasting_sources(table, who, condition):
        yield condition_set(table, who, condition, 1, *rules)


def bear_for(table: Table, who: Id, condition: str, seconds: int, *rules: Clause) -> Rule[None]:
    """Give a combatant a state for some seconds, to the end of a round; a longer one stays."""
    ends = ending(table, who, "end of round", -(-seconds // ROUND))
    if not lasts_through(table[who].ending(condition, RULING), ends.round):
        yield condition_set(table, who, condition, 1, *rules, "HEX-002", source=RULING, ends=ends)


def has_timed_state(table: Table) -> bool:
    """Tell whether a combatant has a state that ends with a round."""
    return any(one.moment == "end of round" for _, one in table.derived(endings)) or bool(_by_old_timers(table))


def states_due(table: Table) -> tuple[Ended, ...]:
    """Return every state that ends with the round that ends now."""
    number, now = table.draft.round, table.draft.clocks[SECONDS]
    ended = (one for one, end in table.derived(endings) if end.moment == "end of round" and end.round <= number)
    return (*ended, *(one for one in _by_old_timers(table) if int(one[2].removeprefix(OLD_TIMER)) <= now))


def _by_old_timers(table: Table) -> tuple[Ended, ...]:
    return tuple(
        (who, condition, source)
        for who, one in table.draft.combatants.items()
        for condition, sources in one.conditions.items()
        for source in sources
        if source.startswith(OLD_TIMER)
    )

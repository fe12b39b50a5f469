"""The sheet of a combatant: ability to act, numbers, and states with their sources."""

from affray.engine.core.changes import set_condition
from affray.engine.core.effects import Rule
from affray.engine.core.endings import RULING, Ended, ending, endings, lasts_through
from affray.engine.core.state import Combatant
from affray.engine.errors import Refused
from affray.engine.kit.fight_end import has_enemies, list_foes_among
from affray.engine.kit.sheets import is_pc, make_absence_check
from affray.events import AnySource, Clause, Id, Modifier

from .config import Table
from .marks import FELL
from .tables import ATTRIBUTES, skills

PC = "pc"
"""The trait of a player character."""

GIVES, LIST, CLASS = "gives", "list", "class"
"""The kinds of features of a spell's state, of a spell's class lists, and of a combatant's class."""

OUT = frozenset({"slain", "down", "unable"})
"""The conditions that make a combatant inactive."""

DEFENCELESS = frozenset({*OUT, "helpless"})
"""The conditions in which a combatant cannot fight back: no answering roll, no evade."""

SHORT: tuple[str, ...] = tuple(ATTRIBUTES)
"""The attributes by their short names, as in stats."""

SKILLS: dict[str, str] = {key: skill.attribute for key, skill in skills().items()}
"""Each skill with its attribute."""


def refusal(rule: Clause, reason: str, source: AnySource = "", *, example: str = "") -> Refused:
    """Return a refusal; its code is the number of the clause."""
    return Refused(rule, rule, reason, source, example=example)


def is_fit(one: Combatant) -> bool:
    """Return whether a combatant is neither slain nor down nor made unable."""
    return not one.conditions or OUT.isdisjoint(one.conditions)


is_active = make_absence_check(OUT)
"""Tells whether a combatant is in the fight and able to act."""

can_fight_back = make_absence_check(DEFENCELESS)
"""Tells whether a combatant can fight back and evade."""


def is_able(table: Table, who: Id) -> bool:
    """Return whether a combatant may act this round; a fallen one may from the next on."""
    marks = table.draft.marks.get(who)
    return is_active(table, who) and (marks is None or FELL.of(table, who) != table.draft.round)


def list_able(table: Table) -> tuple[Id, ...]:
    """List the combatants that are neither slain nor down nor unable, in joining order."""
    return tuple([one.id for one in table.draft.combatants.values() if is_fit(one)])


def list_able_pcs(table: Table) -> tuple[Id, ...]:
    """List the player characters among the able combatants, in joining order."""
    return tuple([who for who in table.derive(list_able) if is_pc(table, who)])


def is_contested(table: Table) -> bool:
    """Return whether two known able combatants are enemies; allied sides count together."""
    return has_enemies(table, table.list_known(table.derive(list_able)))


def list_active_foes(table: Table) -> frozenset[tuple[Id, Id]]:
    """Return every pair of known able enemies."""
    return list_foes_among(table, table.derive(list_able))


def must_be_active(table: Table, who: Id) -> None:
    """Refuse an inactive combatant."""
    if not is_active(table, who):
        condition = next(one for one in table[who].conditions if one in OUT)
        raise refusal("HEX-G03", f"{table.name_of(who)} is not able to act", f"{who}.{condition}")


def list_modifiers(table: Table, who: Id, name: str, rule: Clause) -> tuple[Modifier, ...]:
    """Return the modifiers of an attribute or a skill: attribute and training (HEX-T01)."""
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
"""The length of a round in seconds (HEX-002)."""

OLD_TIMER = "timer "
"""The prefix of the source of a timed state in versions 1 to 3; the second at which it ends follows."""


def list_lasting_sources(table: Table, who: Id, condition: str) -> tuple[Id, ...]:
    """Return the sources of a state that end only by an event."""
    one = table[who]
    sources = one.conditions.get(condition, ())
    return tuple(source for source in sources if not source.startswith(OLD_TIMER) and not one.ending(condition, source))


def give_state(table: Table, who: Id, condition: str, *rules: Clause) -> Rule[None]:
    """Give a combatant a state until an event ends it, also beside a timed one."""
    if not list_lasting_sources(table, who, condition):
        yield set_condition(table, who, condition, 1, *rules)


def give_timed_state(table: Table, who: Id, condition: str, seconds: int, *rules: Clause) -> Rule[None]:
    """Give a combatant a state for some seconds, rounded up to the end of a round.

    A longer one stays.
    """
    ends = ending(table, who, "end of round", -(-seconds // ROUND))
    if not lasts_through(table[who].ending(condition, RULING), ends.round):
        yield set_condition(table, who, condition, 1, *rules, "HEX-002", source=RULING, ends=ends)


def has_timed_state(table: Table) -> bool:
    """Return whether a combatant has a state that ends with a round."""
    return any(one.moment == "end of round" for _, one in table.derive(endings)) or bool(_list_old_timers(table))


def list_states_due(table: Table) -> tuple[Ended, ...]:
    """Return every state that ends with the round that ends now."""
    number, now = table.draft.round, table.draft.clock("", SECONDS)
    ended = (one for one, end in table.derive(endings) if end.moment == "end of round" and end.round <= number)
    return (*ended, *(one for one in _list_old_timers(table) if int(one[2].removeprefix(OLD_TIMER)) <= now))


def _list_old_timers(table: Table) -> tuple[Ended, ...]:
    return tuple(
        (who, condition, source)
        for who, one in table.draft.combatants.items()
        for condition, sources in one.conditions.items()
        for source in sources
        if source.startswith(OLD_TIMER)
    )

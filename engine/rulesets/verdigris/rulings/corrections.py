"""The consequences of a game master's correction."""

from affray.engine.core.effects import Rule
from affray.engine.kit.sheets import is_pc
from affray.engine.rulesets.verdigris.config import Table
from affray.engine.rulesets.verdigris.harm import conditions
from affray.engine.rulesets.verdigris.harm.injuries import lift_injury
from affray.engine.rulesets.verdigris.movement import melees
from affray.engine.rulesets.verdigris.movement.melees import end_grapples_of, leave_melee
from affray.engine.rulesets.verdigris.sheet import NOBODY, is_able, is_in_play
from affray.engine.rulesets.verdigris.tables import injuries
from affray.events import Id


def correct(table: Table, who: Id) -> Rule[None]:
    """Apply what follows on a game master's correction without a die."""
    if table[who].conditions or not table.pool(who, "hp"):
        yield from _fall_or_rise(table, who)
    if not is_able(table, who) or not table[who].has("readied"):
        yield from conditions.lose_readied(table, who)
    if table[who].has("unconscious"):
        yield from conditions.drop_all(table, who, "VER-S30")
        yield from end_grapples_of(table, who, "VER-S30")
    yield from conditions.drop_excess(table, who)
    yield from _end_slack_grapples(table, who)
    yield from _lift_struck_injuries(table, who)


def _fall_or_rise(table: Table, who: Id) -> Rule[None]:
    """Bring a combatant to Death's Door, out of it, or to death, by its hp and wounds.

    A combatant out of play lets go of all others.
    """
    one = table[who]
    hp, wounds = table.pool(who, "hp"), table.pool(who, "wounds")
    if one.has("deaths_door") and (hp or wounds):
        yield from conditions.leave_deaths_door(table, who, "VER-095", "VER-097")
    elif not hp and is_in_play(table, who) and not one.has("unable"):
        if not is_pc(table, who):
            yield from conditions.die(table, who, "slain", "VER-090")
        elif not wounds:
            yield from conditions.reach_deaths_door(table, who)
    if not is_in_play(table, who):
        yield from end_grapples_of(table, who)
        yield from leave_melee(table, who, "VER-031")
        yield from conditions.unhorse(table, who)


def tidy(table: Table) -> Rule[None]:
    """End the bonds that no longer hold, after a ruling."""
    yield from melees.tidy_bonds(table)
    for who in tuple(table.draft.combatants):
        yield from _end_slack_grapples(table, who)


def _end_slack_grapples(table: Table, who: Id) -> Rule[None]:
    """End grapples after the game master removed their last Entangled."""
    asked = table.draft.question
    if asked is None or asked.topic != "outcome":
        yield from melees.end_slack_grapples(table, who)


def _lift_struck_injuries(table: Table, who: Id) -> Rule[None]:
    """Remove the conditions of an injury that the game master struck out."""
    one = table[who]
    if not one.conditions:
        return
    borne = one.conditions.get("injured", NOBODY)
    sources = {source for held in one.conditions.values() for source in held if source}
    for injury in sorted((sources & {row.name for row in injuries().rows}) - set(borne)):
        yield from lift_injury(table, who, injury, "VER-093")

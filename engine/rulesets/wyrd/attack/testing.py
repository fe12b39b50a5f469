"""Tests: ability and gear dice, help and hindrance, the highest face, its band (WYR-014, WYR-041)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from msgspec.structs import replace

from affray.engine.core.changes import change_pool
from affray.engine.core.effects import Roll, Rule
from affray.engine.errors import Unusable
from affray.engine.kit.modifiers import list_granted, use_up_granted
from affray.engine.kit.rulings.verdicts import (
    CRITICAL,
    HIT,
    ON_ATTACKS,
    ON_TESTS,
    decide_attack,
    decide_test,
    is_under_verdict,
    overrule,
    use_up_verdicts,
)
from affray.engine.rulesets.wyrd.chapters.wear_and_tear import Pool, note_prompt, throw_dice, wear_down
from affray.engine.rulesets.wyrd.config import Table
from affray.engine.rulesets.wyrd.harm import tire
from affray.engine.rulesets.wyrd.sheet import (
    ABILITIES,
    find_ability,
    find_better_ability,
    hinder_size,
    is_active,
    must_be_active,
)
from affray.engine.rulesets.wyrd.turns.turn import PaidAction, can_help, is_undecided, must_be_able_to_help
from affray.events import Clause, CombatantId, Dice, Field, Id, Judged, Modifier, Option, Rolled, StatName

HELP = 6
"""The size of a help die, unless an ally helps with its own die (Terms, Help)."""

SETBACK, SUCCESS = 4, 6
"""The lowest faces of a setback and of a success (Terms, Result bands)."""

BANDS = {"failure": "WYR-T09", "setback": "WYR-T11", "success": "WYR-T09", "multiple success": "WYR-T10"}
"""The clause of each band of a test (Terms, Result bands, Succeeds, 6++)."""


class Support(NamedTuple):
    """The help with a test: an ally, and whether the tester pushes itself."""

    helper: Id = ""
    push: bool = False


ALONE = Support()
"""No help and no push."""


class AbilityTest(NamedTuple):
    """The result of a test.

    Attributes:
        outcome: ``failure``, ``setback``, ``success`` or ``multiple success``.
        succeeded: Whether the attempt works.
    """

    roll: Rolled
    outcome: str
    succeeded: bool

    @property
    def is_multiple(self) -> bool:
        """True if it is a 6++."""
        return self.outcome == "multiple success"


Gear = Callable[[], tuple[Dice, ...]]
"""The dice of the gear that is used, read from the table."""

Hindrances = Callable[[], Pool]
"""The modifiers that make the ability die smaller, read from the table."""

Cited = Callable[[], tuple[Clause, ...]]
"""The clauses of a roll that depend on the situation, read from the table."""


def roll_ability(
    table: Table,
    who: Id,
    name: str,
    gear: Gear,
    purpose: str,
    need: int | None,
    rules: tuple[Clause, ...],
    support: Support = ALONE,
    hindrances: Hindrances = tuple,
    versus: Id = "",
    cited: Cited = tuple,
) -> Rule[Rolled]:
    """Roll an ability with gear, help and hindrance; the highest die counts (WYR-014).

    Dice fall in the order ability, gear, help. Hindrance makes the ability die smaller, and help adds dice. The
    two do not cancel (Terms, Help and Hindrance).
    """

    def find_roll() -> Roll:
        must_be_active(table, who)
        if versus:
            must_be_active(table, versus)
        helps = Support(support.helper if is_active(table, support.helper) else "", support.push)
        situation = list_ruled_modifiers(table, who)
        pool = _list_modifiers(situation, helps, hindrances())
        by = -sum(one.value for one in pool if one.value < 0)
        name_tested = name or find_better_ability(table, who)
        own = find_ability(table, who, name_tested)
        sides = hinder_size(table.config, own.die, by) if by else own.die
        used = gear()
        dice = (
            Dice(count=1, sides=sides, kind="ability", item=own.id),
            *used,
            *list_help_dice(table, name_tested, situation, helps),
        )
        clauses = (*rules, *cited(), *_cite_several_pieces(used))
        return Roll(dice=dice, purpose=purpose, by=who, reading="highest", pool=pool, against=need, rules=clauses)

    roll = yield from throw_dice(table, find_roll)
    assert roll is not None
    yield from use_up_granted(table, who)
    return roll


def attempt(
    table: Table,
    who: Id,
    name: str,
    gear: Gear,
    *rules: Clause,
    foe: Id = "",
    versus: Id = "",
    support: Support = ALONE,
    hindrances: Hindrances = tuple,
    won: Clause = "",
    lost: Clause = "",
    cited: Cited = tuple,
    strikes: bool = False,
    threat: Id = "",
) -> Rule[AbilityTest]:
    """Test an ability: roll, find the band, wear down dice of 1, note a setback (WYR-T08).

    A 4 or 5 counts as succeeding unless the configuration says otherwise (Terms, Succeeds).

    Args:
        table: The fight.
        who: The combatant that tests.
        name: The ability; by default the larger of Power and Grace.
        gear: The dice of the gear that is used.
        rules: The clauses that call for the test.
        foe: The opponent that prompts name.
        versus: A combatant that must be up as well for the test to happen.
        support: The help, already paid for.
        hindrances: The modifiers that make the ability die smaller.
        won, lost: The clause of a success, and of a failure; by default the first of ``rules``.
        cited: Further clauses for the roll, as long as their condition holds.
        strikes: Whether it is an attack, so that verdicts on attacks apply.
        threat: The attacker that the test answers; a verdict on its attack applies.

    Raises:
        Refused: The tester, or ``versus``, is down before the dice have fallen.
    """
    need = SETBACK if table.config.setback_hits else SUCCESS
    roll = yield from roll_ability(
        table, who, name, gear, f"test:{who}", need, rules, support, hindrances, versus, cited
    )
    outcome = find_band(table, roll)
    succeeded = roll.total >= need
    rule = (won if succeeded else lost) or rules[0]
    judged = Judged(roll=roll.roll, outcome=outcome, margin=roll.total - need, rules=(rule, BANDS[outcome]))
    on = ON_ATTACKS + ON_TESTS if strikes else ON_TESTS
    if is_under_verdict(table, who, *on) or (threat and is_under_verdict(table, threat, HIT, CRITICAL)):
        outcome, succeeded = _apply_verdict(table, who, outcome, succeeded, strikes, threat)
        judged = overrule(judged, outcome, "WYR-T65")
    yield judged
    yield from use_up_verdicts(table, who, on, "WYR-T65")
    if threat and not succeeded and is_under_verdict(table, threat, HIT, CRITICAL):
        yield from use_up_verdicts(table, threat, (HIT, CRITICAL), "WYR-T65")
    yield from wear_down(table, roll)
    if outcome == "setback":
        yield note_prompt(table, "setback", "WYR-041", who, foe)
    return AbilityTest(roll, outcome, succeeded)


def _apply_verdict(table: Table, who: Id, outcome: str, succeeded: bool, strikes: bool, threat: Id) -> tuple[str, bool]:
    """Return the outcome and success of a test by the verdicts on it and on its threat."""
    critical, passes = outcome == "multiple success", decide_test(table, who, succeeded)
    if strikes:
        passes, critical = decide_attack(table, who, passes, critical)
    elif threat and is_under_verdict(table, threat, HIT, CRITICAL):
        passes = False
    if not passes:
        return outcome if not succeeded else "failure", False
    if critical:
        return "multiple success", True
    return outcome if succeeded and outcome != "multiple success" else "success", True


def _cite_several_pieces(used: tuple[Dice, ...]) -> tuple[Clause, ...]:
    """Return the clauses by which several pieces of gear join the ability."""
    if len(used) < 2:
        return ()
    if used[-1].kind == "ammunition":
        return ("WYR-G04",)
    return ("WYR-038", "WYR-T17") if used[0].kind == "armor" else ("WYR-034", "WYR-036", "WYR-T16")


def list_ruled_modifiers(table: Table, who: Id) -> Pool:
    """List the modifiers that the game master granted: help above 0, hindrance below."""
    found = list_granted(table, who, "WYR-T12")
    return tuple([replace(one, rule="WYR-T13") if one.value < 0 else one for one in found])


def _list_modifiers(situation: Pool, support: Support, hindrances: Pool) -> Pool:
    """List the modifiers of a test: hindrances, rulings, a push, a helper."""
    pool = (*hindrances, *situation)
    if support.push:
        pool = (*pool, Modifier(value=1, label="push", source="fatigue", rule="WYR-T12"))
    if support.helper:
        pool = (*pool, Modifier(value=1, label="help", source=support.helper, rule="WYR-T12"))
    return pool


def list_help_dice(table: Table, name: str, situation: Pool, support: Support) -> tuple[Dice, ...]:
    """Return the dice of help: those ruled, one for a push, the helper's ability (WYR-T12)."""
    count = sum(one.value for one in situation if one.value > 0) + support.push
    dice: tuple[Dice, ...] = (Dice(count=count, sides=HELP, kind="help"),) if count else ()
    if support.helper:
        own = find_ability(table, support.helper, name)
        dice = (*dice, Dice(count=1, sides=own.die, kind="help", item=own.id))
    return dice


def find_band(table: Table, roll: Rolled) -> str:
    """Return the band of a test by its highest face, or 6++ (WYR-T09, WYR-T10, WYR-T11).

    Two dice at 6 or above are a 6++.
    """
    if roll.total < SETBACK:
        return "failure"
    if roll.total < SUCCESS:
        return "setback"
    high = sum(face >= SUCCESS for group in roll.dice for face in group.counted)
    return "multiple success" if high >= table.config.multi_success_min_dice else "success"


FREE = Option(choice="free", says="it takes no test")

WHICH_TEST = Option(
    choice="test", says="it takes a test", fields=(Field(name="ability", kind="id", among=ABILITIES, optional=True),)
)


class AbilityAction(PaidAction, frozen=True, kw_only=True):
    """An action that takes a test.

    Attributes:
        ability: The ability that is tested.
        helper: A companion who helps with its own die and shares the risk.
        push: Whether to take 1 fatigue for a die of help.
    """

    ability: StatName = ""
    helper: CombatantId = ""
    push: bool = False

    def check_support(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse an unknown ability, and a helper who cannot help.

        Help that is lost later is merely missing.
        """
        must_be_ability(self.ability)
        if self.helper and manner != "pending":
            must_be_able_to_help(table, actor, self.helper)

    def check_ground(self, table: Table, actor: Id) -> None:
        """Refuse an action that could no longer be declared, as long as it had no effect."""
        if is_undecided(table):
            self.check(table, actor, "pending")

    def pay_support(self, table: Table, actor: Id) -> Rule[Support]:
        """Pay for help and a push; return the help that is left.

        The action is refused if paying made it impossible.
        """
        support = yield from pay_for_help(table, actor, Support(self.helper, self.push))
        if self.push:
            self.check(table, actor, "pending")
        return support


def must_be_ability(name: str) -> None:
    """Refuse a word that is no ability."""
    if name not in ("", *ABILITIES):
        raise Unusable(f"there is no ability {name}; there are {', '.join(ABILITIES)}", "ability")


def pay_for_help(table: Table, who: Id, support: Support) -> Rule[Support]:
    """Pay for help before the test; return the help that is left (WYR-T41).

    An ally pays with its action, a push costs fatigue. An ally who can no longer help does not.
    """
    helper = table.draft.combatants.get(support.helper)
    if helper is None or not can_help(table, who, helper):
        support = Support("", support.push)
    if support.helper:
        yield change_pool(table, support.helper, "actions", -1, "WYR-T47")
    if support.push:
        yield from tire(table, who, 1, "WYR-T12", "WYR-T41")
    return support

"""The morale of sides without player characters (WYR-G06)."""

from functools import partial
from typing import ClassVar, Literal

from affray.engine.core.actions import Action, declared_as
from affray.engine.core.changes import set_condition
from affray.engine.core.effects import Ask, Rule, choice
from affray.engine.errors import Refused
from affray.engine.kit.turn_order import find_first_known
from affray.engine.rulesets.wyrd.attack.testing import roll_ability
from affray.engine.rulesets.wyrd.config import Table
from affray.engine.rulesets.wyrd.harm import count_losses, note_morale_test
from affray.engine.rulesets.wyrd.marks import DEPARTED, FIGHT, MORALE, MORALE_PROMPT
from affray.engine.rulesets.wyrd.sheet import GUEST, is_active, is_member, list_pc_sides, must_be_active
from affray.engine.rulesets.wyrd.turns.turn import leave_turn_and_melee
from affray.events import Answered, CombatantId, Field, Id, Judged, Option, SideName

from .wear_and_tear import Waiting, wear_down

HOLDS = Option(choice="holds", says="they fight on, with no test")

FLEES = Option(choice="flees", says="they run")

PARLEYS = Option(choice="parleys", says="they lay down their arms and talk")

BROKEN = (Option(choice="flee", says="they run"), Option(choice="parley", says="they lay down their arms and talk"))

BECOMES = {"flees": "fled", "flee": "fled", "parleys": "yielded", "parley": "yielded"}
"""The condition of a side's members after it gives up."""

HOLDS_FROM = 4
"""The lowest face that passes a test of morale: only 1 to 3 fails."""


def ask_morale(table: Table, waiting: Waiting) -> Rule[None]:
    """Ask for the morale of a side: a test of Will, or the game master's word (WYR-G06)."""
    side = waiting.about
    reason = MORALE_PROMPT.of(table, FIGHT, side)
    answer = yield from choice(partial(_build_morale_question, table, waiting.topic, side))
    reason = MORALE_PROMPT.of(table, FIGHT, side) or reason
    yield waiting.clear()
    if answer is None:
        return
    become = BECOMES.get(answer.choice, "")
    if answer.choice == "test":
        spokesman = str(answer.fields.get("who") or find_first_known(table, list_active_members(table, side)))
        try:
            fails = yield from _test_will(table, side, spokesman)
        except Refused:  # the tester fell before its die did
            if not MORALE_PROMPT.of(table, FIGHT, side):
                yield MORALE_PROMPT.set_on(FIGHT, reason, "WYR-G06", about=side)
            yield from ask_morale(table, waiting)
            return
        if fails:
            asked = Ask(of=("gm",), about=f"broken:{side}", options=BROKEN, rules=("WYR-G06",))
            broken = yield from choice(lambda: asked if list_active_members(table, side) else None)
            become = BECOMES[broken.choice] if broken else ""
    if become:
        yield from give_up(table, side, become)


def list_active_members(table: Table, side: str) -> tuple[Id, ...]:
    """List the active members of a side; guests do not count."""
    people = table.draft.combatants.values()
    return tuple([one.id for one in people if is_member(one, side) and is_active(table, one.id)])


def _build_morale_question(table: Table, topic: str, side: str) -> Ask | None:
    """Return the question about a side's morale, as long as a member is up.

    It names the cause that was noted last.
    """
    members = list_active_members(table, side)
    if not members:
        return None
    who = Field(name="who", kind="id", among=members, optional=True)
    test = Option(
        choice="test", says=f"test the Will of the {side}: {MORALE_PROMPT.of(table, FIGHT, side)}", fields=(who,)
    )
    options = (test, HOLDS, FLEES, PARLEYS)
    return Ask(
        of=("gm",), about=topic, options=options, rules=("WYR-G06", "WYR-T30"), refuses=partial(_must_be_up, table)
    )


def _must_be_up(table: Table, answer: Answered) -> None:
    """Refuse to test the Will of a combatant that is down."""
    who = answer.fields.get("who")
    if isinstance(who, str) and who in table.draft.combatants:
        must_be_active(table, who)


def _test_will(table: Table, side: str, who: Id) -> Rule[bool]:
    roll = yield from roll_ability(table, who, "will", tuple, f"morale:{side}", HOLDS_FROM, ("WYR-G06",))
    fails = roll.total < HOLDS_FROM
    outcome, margin = "failure" if fails else "holds", roll.total - HOLDS_FROM
    yield Judged(roll=roll.roll, outcome=outcome, margin=margin, rules=("WYR-G06", "WYR-T30"))
    yield from wear_down(table, roll)
    return fails


def count_as_lost(table: Table, who: Id) -> Rule[None]:
    """Count a known combatant that leaves a side of foes as lost."""
    one = table[who]
    counts = table.draft.round and one.side not in table.derive(list_pc_sides) and GUEST not in one.traits
    if counts and table.is_known(who):
        yield DEPARTED.set_on(one.side, True, "WYR-T56", about=who)


def count_newcomer(table: Table, who: Id) -> Rule[None]:
    """Count a newcomer on its side, so that half its losses may be undone."""
    side = table[who].side
    yield from DEPARTED.end_on(table, side, "WYR-T56", about=who)
    strength, lost = count_losses(table, side)
    if MORALE.of(table, side) == "half" and lost * 2 < strength:
        yield MORALE.set_on(side, "first", "WYR-T56")


def give_up(table: Table, side: str, condition: str) -> Rule[None]:
    """Let all active combatants of a side flee or yield, and note its losses."""
    for who in list_active_members(table, side):
        yield set_condition(table, who, condition, 1, "WYR-G06")
        yield from leave_turn_and_melee(table, who)
    yield from note_morale_test(table, side)


@declared_as("morale", "a test of morale by ruling", "side")
class MoraleTest(Action, frozen=True, kw_only=True):
    """A test of a side's Will that the game master called for.

    Attributes:
        who: The member whose Will is tested; the first known one by default.
        broken: The effect of a failed test on the side.
    """

    by_rules: ClassVar[bool] = True

    side: SideName
    who: CombatantId = ""
    broken: Literal["flee", "parley"] = "flee"

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse it as a player's action; a ruling takes it after its own checks."""
        if manner == "standard":
            raise Refused("needs_ruling", "WYR-G06", "the game master calls for it", actor)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Test the Will of one member; if it fails, the whole side flees or parleys."""
        members = list_active_members(table, self.side)
        who = self.who if self.who in members else find_first_known(table, members)
        if (yield from _test_will(table, self.side, who)):
            yield from give_up(table, self.side, BECOMES[self.broken])

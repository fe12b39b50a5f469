"""Coming round, mending and rest (WYR-044, WYR-045, WYR-068, WYR-069)."""

from collections.abc import Iterable
from functools import partial
from typing import Annotated, Any, Literal, Self

from msgspec import field

from affray.engine.core.actions import Action, declared_as
from affray.engine.core.candidates import EACH, Target
from affray.engine.core.changes import change_pool, end_condition, set_clock, set_pool
from affray.engine.core.effects import Ask, Go, Roll, Rule, choice, throw
from affray.engine.errors import Refused
from affray.engine.rulesets.wyrd.attack.blows import note_multiple
from affray.engine.rulesets.wyrd.attack.testing import FREE, WHICH_TEST, AbilityAction, attempt
from affray.engine.rulesets.wyrd.config import Table
from affray.engine.rulesets.wyrd.gear.pieces import is_destroyed
from affray.engine.rulesets.wyrd.marks import REVIVAL_TEST, REVIVED
from affray.engine.rulesets.wyrd.movement.melee import must_be_in_reach
from affray.engine.rulesets.wyrd.sheet import find_ability, mend_size, must_be_ally
from affray.engine.rulesets.wyrd.turns.turn import must_be_able
from affray.events import Clause, Dice, DieStepped, Id, ItemId, Noted, Option


@declared_as("revive", "bring a companion round", "target", pays=("WYR-069",))
class Revive(AbilityAction, frozen=True, kw_only=True):
    """Bring an incapacitated companion round.

    Attributes:
        ability: The ability that is tested if the game master wants a test.
    """

    target: Target

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in rulebook order: active, budget, dead or not down, companion, reach."""
        must_be_able(table, actor, manner)
        self.check_support(table, actor, manner)
        must_be_down(table, self.target, "WYR-069")
        must_be_ally(table, actor, self.target, "WYR-069")
        must_be_in_reach(table, actor, self.target, "WYR-069")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Take the condition away; the companion may act from its next turn (WYR-069)."""
        name = REVIVAL_TEST.of(table, actor)
        if not name and table.config.revive_test == "gm":
            yield Go("submit", rules=("WYR-069",))
            answer = yield from choice(lambda: None if REVIVAL_TEST.is_on(table, actor) else REVIVAL_ASKED)
            yield Go("ruled", rules=("WYR-069",))
            if answer is None:
                name = REVIVAL_TEST.of(table, actor)
            elif answer.choice == "test":
                name = str(answer.fields.get("ability") or self.ability or "intellect")
        else:
            yield Go("carry_out", rules=("WYR-069",))
        support = yield from self.pay_support(table, actor)
        if name:
            tested = yield from attempt(table, actor, name, tuple, "WYR-069", "WYR-T08", support=support)
            yield from REVIVAL_TEST.end_on(table, actor)
            yield from note_multiple(table, tested, actor)
            if not tested.succeeded:
                return
        yield from come_round(table, self.target, "WYR-069")

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """List the combatants that are down."""
        if field == "target":
            return [who for who, one in table.draft.combatants.items() if one.conditions and one.has("incapacitated")]
        return super().values(table, actor, manner, field, so_far)


def must_be_down(table: Table, who: Id, rule: Clause) -> None:
    """Refuse to bring a combatant round that is dead, or not down."""
    must_be_alive(table, who, rule)
    if not table[who].has("incapacitated"):
        raise table.refuse(who, "is not incapacitated", rule, "not_incapacitated")


def come_round(table: Table, who: Id, rule: Clause) -> Rule[None]:
    """End the condition; the combatant waits for its own next turn (WYR-T29)."""
    yield from end_condition(table, who, "incapacitated", rule, "WYR-T29")
    yield REVIVED.set_on(who, rule, rule)


REVIVAL_ASKED = Ask(of=("gm",), about="revive", options=(FREE, WHICH_TEST), rules=("WYR-069",))

DAYS = Option(choice="days", says="there are materials, and it takes days")

WEEKS = Option(choice="weeks", says="there are materials, and it takes weeks")

NO = Option(choice="no", says="there are no materials")

MATERIALS = Ask(of=("gm",), about="materials", options=(DAYS, WEEKS, NO), rules=("WYR-044", "WYR-045"))


@declared_as("repair", "mend a piece by one size", "item", own_trigger="repair", throughout=True)
class Repair(Action, frozen=True, kw_only=True):
    """Mend a piece of gear by one size, once the game master confirms the materials."""

    item: ItemId

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse the dead, and a piece that is another's, destroyed or whole."""
        must_be_alive(table, actor, "WYR-044")
        item = table.item(self.item)
        if item.owner != actor or item.kind == "ability":
            raise table.refuse(actor, f"does not have {item.quoted_name}", "WYR-T50", "not_owned", item.id)
        if is_destroyed(item):
            raise Refused("destroyed", "WYR-045", f"the {item.quoted_name} is destroyed for good", source=item.id)
        if item.die >= item.base:
            raise Refused("at_base", "WYR-045", f"the {item.quoted_name} is whole", source=item.id)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Ask for materials and the unit of time; then mend the piece (WYR-044, WYR-045).

        It takes as many units as the die has sides.
        """
        answer = yield from choice(lambda: MATERIALS)
        item = table.item(self.item)
        if answer.choice == "no":
            yield Noted(kind="no_materials", parts={"what": item.id}, rules=("WYR-044",))
            return
        spent = table.draft.clock(item.id, answer.choice) + item.die
        yield set_clock(table, answer.choice, spent, "WYR-045", owner=item.id)
        after = mend_size(table.config, item.die, item.base)
        yield DieStepped(item=self.item, before=item.die, after=after, rules=("WYR-045", "WYR-044"))

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """List the worn pieces."""
        return [item.id for item in table.items_of(actor) if item.kind != "ability" and item.die < item.base]


@declared_as("rest", "rest for a night, or for all of downtime", "kind", own_trigger="rest", throughout=True)
class Rest(Action, frozen=True, kw_only=True):
    """Rest for a night or a downtime.

    A night ends as much fatigue as a Power roll shows, a downtime all of it.

    Attributes:
        length: Recorded as ``kind``: how long.
    """

    length: Annotated[Literal["night", "downtime"], EACH] = field(default="night", name="kind")

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse the dead, and a combatant without fatigue."""
        must_be_alive(table, actor, "WYR-T19")
        if not table.pool(actor, "fatigue"):
            raise Refused("no_change", "WYR-T19", f"{table.name_of(actor)} has no fatigue", source=f"{actor}.fatigue")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Take fatigue away."""
        if self.length == "downtime":
            yield set_pool(table, actor, "fatigue", 0, "WYR-T19")
            return
        roll = yield from throw(partial(_build_rest_roll, table, actor))
        assert roll is not None
        yield change_pool(table, actor, "fatigue", -roll.total, "WYR-T19")


def _build_rest_roll(table: Table, who: Id) -> Roll:
    """Return the roll of Power that measures the fatigue that a night ends."""
    power = find_ability(table, who, "power")
    dice = (Dice(count=1, sides=power.die, kind="ability", item=power.id),)
    return Roll(dice=dice, purpose="rest", by=who, reading="highest", rules=("WYR-T19",))


def must_be_alive(table: Table, who: Id, rule: Clause) -> None:
    """Refuse the dead."""
    if table[who].has("dead"):
        raise table.refuse(who, "is dead", rule, "dead")

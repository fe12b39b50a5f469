"""Breaking free of a grapple, a net or the like."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Self

from affray.engine.core.actions import declared_as
from affray.engine.core.changes import set_condition
from affray.engine.core.effects import Ask, Go, Rule, choice
from affray.engine.errors import Unusable
from affray.engine.kit.relations import end_relation
from affray.engine.kit.rulings.verdicts import judge_test
from affray.engine.rulesets.verdigris.attack.attacks import begin_action
from affray.engine.rulesets.verdigris.config import Table
from affray.engine.rulesets.verdigris.gear.things import is_empty_handed
from affray.engine.rulesets.verdigris.movement.melees import end_slack_grapples, grapples, list_grapples_on
from affray.engine.rulesets.verdigris.sheet import HELPLESS, NOBODY, is_able, must_be_able, refusal_by
from affray.engine.rulesets.verdigris.turns.order import Deed, done_for
from affray.events import Answered, CombatantId, Id, Judged, Option, RelationId

from .grappling import WRESTLING, list_brawling_dice, list_strong_back_dice, take_hold
from .panic import attempt
from .pools import Pool
from .pushing import Thrown
from .rolls import PASSED

FREE = Option(choice="free", says="breaks the grapple")
REVERSE = Option(choice="reverse", says="turns it round and holds the other")


def _build_outcome_question(table: Table, actor: Id, grapple: Id) -> Ask | None:
    """Return the choices of a combatant who has worked free of a grapple (VER-T58)."""
    if grapple not in table.draft.relations or not is_able(table, actor):
        return None
    empty = is_empty_handed(table, actor)
    options = (FREE, REVERSE) if empty else (FREE,)
    rules = ("VER-087", "VER-088") if empty else ("VER-087", "VER-T58")
    refuses = partial(_must_be_empty_handed, table, actor)
    return Ask(of=(actor,), about="outcome", options=options, rules=rules, refuses=refuses)


def _must_be_empty_handed(table: Table, actor: Id, answer: Answered) -> None:
    """Refuse to reverse a grapple with something in hand: it can only be broken."""
    if answer.choice == "reverse" and not is_empty_handed(table, actor):
        raise table.refuse(actor, "needs empty hands to turn it round, and can only break free", "VER-T58")


@declared_as("struggle", "struggle free", "grapple", own_trigger="attack")
@done_for("action", "VER-086")
class Struggle(Deed, frozen=True, kw_only=True):
    """Struggle free of a grapple, a net or the like: Brawling against Brawling.

    Attributes:
        grapple: The grapple; by default the first that holds the actor.
        source: Instead of a grapple: the thrower of a net, or another source of Entangled.
    """

    grapple: RelationId = ""
    source: CombatantId = ""

    def must_fit(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse a combatant who is not held."""
        if self.grapple and self.source:
            raise Unusable("say either a grapple or a source", "source")
        if self._find_hold(table, actor) is None:
            raise table.refuse(actor, "is not held by that", "VER-086", source=self.grapple or self.source or actor)

    def _find_hold(self, table: Table, actor: Id) -> tuple[str, Id, Id] | None:
        """Return the condition that holds the actor, its source and its holder, if any."""
        for one in list_grapples_on(table, actor):
            if not self.source and self.grapple in ("", one.id):
                return "entangled", one.id, one.members[0].who
        for condition in ("ensnared", "entangled"):
            for source in table[actor].conditions.get(condition, NOBODY):
                of_a_grapple = any(source == one.id for one in table.derive(grapples).get(actor, ()))
                if not of_a_grapple and not self.grapple and self.source in ("", source):
                    return condition, source, source
        return None

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Roll for both, and remove one condition for every net SL (VER-086, VER-T07)."""
        yield from begin_action(table, self, actor, free=True)
        hold = self._find_hold(table, actor)
        assert hold is not None  # checked just before, and again if anything came in between
        condition, source, holder = hold
        ground = partial(self._must_still_be_held, table, actor, source)
        own = yield from self._roll_brawling(table, actor, "struggle", ground)
        yield Go("aimed", rules=("VER-086",))
        opposing = 0
        if holder in table.draft.combatants and holder != actor and HELPLESS.isdisjoint(table[holder].conditions):
            opposing = (yield from self._roll_brawling(table, holder, "hold", ground)).sl
        net = own.sl - opposing
        judged = Judged(roll=own.roll, outcome=PASSED[net <= 0], margin=net, rules=("VER-086", "VER-T07"))
        freed = yield from judge_test(table, actor, judged, net > 0, PASSED, "VER-T80")
        yield Go("gripped", rules=("VER-086",))
        if freed:
            yield from self._loosen(table, actor, condition, source, max(1, net))

    def _must_still_be_held(self, table: Table, actor: Id, source: Id) -> None:
        must_be_able(table, actor)
        if all(source not in table[actor].conditions.get(one, NOBODY) for one in ("entangled", "ensnared")):
            raise refusal_by("VER-086", f"{table.name_of(actor)} is not held by that any more", source)

    def _roll_brawling(self, table: Table, who: Id, purpose: str, ground: Callable[[], None]) -> Rule[Thrown]:
        def base() -> Pool:
            changes = list_strong_back_dice(table, who)
            shares = list_brawling_dice(table, who)
            return Pool(who=who, purpose=purpose, shares=shares, changes=changes, needs=WRESTLING, rules=("VER-086",))

        return (yield from attempt(table, who, base, ground))

    def _loosen(self, table: Table, actor: Id, condition: str, source: Id, net: int) -> Rule[None]:
        """Remove conditions; without any left, break or reverse the grapple (VER-087, VER-088)."""
        now = table[actor].conditions.get(condition, NOBODY).get(source, 0)
        after = max(0, now - net) if condition == "entangled" else 0
        rule = "VER-086" if condition == "entangled" else "VER-S20"
        if now:
            yield set_condition(table, actor, condition, after, rule, source=source)
        grapple = table.draft.relations.get(source)
        if after or grapple is None or grapple.kind != "grapple":
            return
        answer = yield from choice(partial(_build_outcome_question, table, actor, source))
        if answer is None:  # the actor can no longer choose, but nothing holds it
            yield from end_slack_grapples(table, actor)
            return
        grapple = table.draft.relations[source]
        other, free = grapple.members[0].who, answer.choice == "free"
        yield from end_relation(table, grapple, "VER-087" if free else "VER-088")
        if not free:
            yield from take_hold(table, actor, other)

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """Return every grapple that holds the actor, else every other source that does."""
        match field:
            case "grapple":
                return [*(one.id for one in list_grapples_on(table, actor)), ""]
            case "source" if not so_far.grapple:
                now = table[actor].conditions
                return dict.fromkeys(source for held in ("ensnared", "entangled") for source in now.get(held, NOBODY))
            case _:
                return super().values(table, actor, manner, field, so_far)

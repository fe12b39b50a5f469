"""The check of an ordinary beast, its rider's answer, and bolting."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Annotated, Any, ClassVar, Literal, Self

from affray.engine.core.actions import Action, declared_as
from affray.engine.core.candidates import EACH
from affray.engine.core.changes import end_condition, set_condition, set_pool
from affray.engine.core.effects import Ask, Interrupted, Roll, Rule, choice, throw
from affray.engine.errors import Refused
from affray.engine.kit.riding import list_unit, mount_of, rider_of
from affray.engine.kit.rulings.verdicts import judge_test
from affray.engine.kit.sheets import stat
from affray.engine.kit.squares import DIRECTIONS
from affray.engine.rulesets.wwn.config import Table
from affray.engine.rulesets.wwn.marks import CHECKED, DIFFICULTY, MOUNTED, OBEYS
from affray.engine.rulesets.wwn.movement.board import find_occupant, find_straight_run, list_free_beside
from affray.engine.rulesets.wwn.movement.leaving import move_off_board, walk
from affray.engine.rulesets.wwn.sheet import attribute, find_gift, is_able, is_active, must_be_able
from affray.engine.rulesets.wwn.turns.acting import (
    find_check_kind,
    find_due_beast,
    must_afford_move,
    must_be_able_to_act,
    spend,
)
from affray.events import Answered, Clause, CombatantId, Dice, Field, Id, Judged, Option, Rolled

from .checks import try_check
from .riding import Dismount


def master_beasts(table: Table) -> Rule[str]:
    """Check the beasts of acting riders, one after the other; one that fails bolts."""
    while mount := find_due_beast(table):
        yield CHECKED.set_on(mount, table.draft.round, "WWN-060")
        yield from MOUNTED.end_on(table, mount, "WWN-060")
        yield from _master(table, mount)
    return "checked"


def _master(table: Table, mount: Id) -> Rule[None]:
    """Check a beast's nerve, let its rider deal with it, and let it bolt (WWN-T63)."""
    rider = rider_of(table, mount)
    roll = yield from throw(partial(_build_nerve_roll, table, mount))
    if roll is None:
        return
    holds = yield from _judge_nerve(table, mount, roll)
    first: tuple[tuple[Id, Action], ...] = ()
    if not holds:
        answer = yield from choice(partial(_build_choice, table, rider, mount))
        if answer is None:
            return
        if answer.choice == "obey":
            holds = yield from _force(table, rider, mount, str(answer.fields.get("attribute")))
        elif answer.choice == "dismount":
            yield from spend(table, rider, "standard", "move", "WWN-063")
            first = ((rider, Dismount()),)
    if not is_active(table, mount):
        return
    if not holds:
        yield Interrupted(by=(*first, (mount, Bolt())), manner="bolts", rules=("WWN-061",))
    else:
        yield from end_condition(table, mount, "bolting", "WWN-061", "WWN-T63")


def _build_nerve_roll(table: Table, mount: Id) -> Roll | None:
    """Return the Morale or Instinct roll of a beast that is still ridden."""
    if not is_active(table, mount) or not is_active(table, rider_of(table, mount)):
        return None
    kind = find_check_kind(table, mount)
    if kind == "none":
        return None
    score, rules = stat(table, mount, kind), ("WWN-060", "WWN-T31" if kind == "instinct" else "WWN-T30")
    gifted = find_gift(table, rider_of(table, mount), "mount_morale")
    if kind == "morale" and gifted:
        score = gifted.stats["mount_morale"]
    dice = Dice(count=1, sides=10, kind=kind) if kind == "instinct" else Dice(count=2, sides=6, kind=kind)
    return Roll(dice=(dice,), purpose=f"{kind}:{mount}", by=mount, against=score, rules=rules)


def _judge_nerve(table: Table, mount: Id, roll: Rolled) -> Rule[bool]:
    """Judge whether a beast holds: above Instinct, or up to its Morale (WWN-T30, WWN-T31)."""
    score = roll.against or 0
    margin = roll.total - score - 1 if find_check_kind(table, mount) == "instinct" else score - roll.total
    words = ("held", "failed")
    judged = Judged(roll=roll.roll, outcome=words[margin < 0], margin=margin, rules=("WWN-060",))
    return (yield from judge_test(table, mount, judged, margin >= 0, words, "WWN-T78"))


def _build_choice(table: Table, rider: Id, mount: Id) -> Ask | None:
    """Return the rider's question about a beast that would flee, while it rides it."""
    if not is_active(table, mount) or not is_active(table, rider) or mount_of(table, rider) != mount:
        return None
    attribute = Field(name="attribute", kind="id", among=("dex", "cha"))
    options = []
    if table.pool(rider, "move") and is_able(table, rider):
        options.append(Option(choice="obey", says="spends the Move Action to force it to obey", fields=(attribute,)))
        if _has_room(table, mount):
            options.append(Option(choice="dismount", says="spends the Move Action to get off; it flees alone"))
    options.append(Option(choice="bolt", says="lets it run"))
    rules = ("WWN-061", "WWN-062", "WWN-063")
    refuses = partial(_must_be_possible, table, rider, mount)
    return Ask(of=(rider,), about=f"bolting:{mount}", options=tuple(options), rules=rules, refuses=refuses)


def _has_room(table: Table, mount: Id) -> bool:
    """Tell whether there is a place to dismount to."""
    place = table[mount].place
    return not place or next(list_free_beside(table, place), None) is not None


def _must_be_possible(table: Table, rider: Id, mount: Id, answer: Answered) -> None:
    """Refuse an answer that the rider cannot carry out now (WWN-063).

    Forcing a beast or dismounting needs an able rider with a Move Action. Dismounting also needs room.
    """
    if answer.choice in ("obey", "dismount"):
        must_be_able(table, rider, "WWN-T65")
        must_afford_move(table, rider, "move", "WWN-063")
    if answer.choice == "dismount" and not _has_room(table, mount):
        raise Refused("occupied", "WWN-057", f"there is no room beside {table.name_of(mount)}", source=mount)


def _force(table: Table, rider: Id, mount: Id, way: str) -> Rule[bool]:
    """Spend the Move Action, then check Ride (WWN-062)."""
    yield from spend(table, rider, "standard", "move", "WWN-063")
    return (yield from _check_ride(table, rider, mount, way, "WWN-062"))


def _check_ride(table: Table, rider: Id, mount: Id, way: str, rule: Clause) -> Rule[bool]:
    """Check Ride against the difficulty of forcing this beast."""

    def difficulty() -> int:
        return DIFFICULTY.of(table, mount) or table.config.skill_difficulty

    purpose = f"check:{mount}"
    return (yield from try_check(table, rider, way, "ride", rule, difficulty=difficulty, purpose=purpose))


@declared_as("obey", "force an ordinary beast to obey, for the Move Action", "mount", "attribute")
class Obey(Action, frozen=True, kw_only=True):
    """Force the actor's ordinary beast to act against its nature, for the Move Action.

    Attributes:
        mount: The beast; the actor's mount if left out.
        attribute: The better of the two if left out.
    """

    mount: CombatantId = ""
    attribute: Annotated[Literal["", "dex", "cha"], EACH] = ""

    @classmethod
    def is_for(cls, table: Table, actor: Id) -> bool:
        """Offer it to the riders of ordinary beasts."""
        mount = mount_of(table, actor)
        return bool(mount) and "war_trained" not in table[mount].traits

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in the page's order: budget, no beast ridden, an obedient beast (WWN-T71)."""
        must_be_able_to_act(table, actor, manner)
        if manner != "pending":
            must_afford_move(table, actor, "move", "WWN-063")
        mount = mount_of(table, actor)
        if not mount or self.mount not in ("", mount):
            message = f"{table.name_of(actor)} does not ride {table.name_of(self.mount) if self.mount else 'a beast'}"
            raise Refused("not_riding", "WWN-T71", message, source=actor)
        if "war_trained" in table[mount].traits or OBEYS.of(table, mount) == table.draft.round:
            raise table.refuse(mount, "needs no forcing", "WWN-T71", "obeys_already")

    def check_ground(self, table: Table, actor: Id) -> None:
        """Refuse to go on once the actor no longer rides the beast."""
        self.check(table, actor, "pending")

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Spend the Move Action."""
        yield from spend(table, actor, manner, "move", "WWN-063")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Check Ride; on success the beast obeys this round and stops bolting."""
        mount = mount_of(table, actor)
        way = self.attribute or max("dex", "cha", key=lambda name: attribute(table, actor, name))
        if (yield from _check_ride(table, actor, mount, way, "WWN-T71")):
            yield OBEYS.set_on(mount, table.draft.round, "WWN-T71")
            yield from end_condition(table, mount, "bolting", "WWN-061", "WWN-T63")

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """Return the actor's mount, and each attribute."""
        return (mount_of(table, actor),) if field == "mount" else super().values(table, actor, manner, field, so_far)


@declared_as("bolt", "run away, rider and all", throughout=True)
class Bolt(Action, frozen=True, kw_only=True):
    """Bolt with Move and Main, the rider carried along; only the rules set it off."""

    by_rules: ClassVar[bool] = True

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse it as a declaration, and of a beast that is down by now."""
        if manner not in ("bolts", "pending"):
            raise Refused("not_an_action", "WWN-061", "a beast bolts when its check fails", source=actor)
        must_be_able_to_act(table, actor, manner)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Spend the beast's actions, and run where the game master says (WWN-061)."""
        if not table[actor].has("bolting"):
            yield set_condition(table, actor, "bolting", 1, "WWN-061")
        spent = table.pool(actor, "move") + table.pool(actor, "main")
        for pool in ("move", "main", "feet"):
            if table.pool(actor, pool):
                yield set_pool(table, actor, pool, 0, "WWN-061")

        def feet() -> int:
            """Return the feet it runs with the spent actions, by its present pace."""
            return stat(table, actor, "pace") * spent

        if not table[actor].place:
            yield from move_off_board(table, actor, feet, "WWN-061")
            return
        answer = yield from choice(partial(_build_flight_question, table, actor, feet))
        if answer is None:
            return
        ruled_feet = answer.fields.get("feet")
        far = ruled_feet if isinstance(ruled_feet, int) else feet()
        path = list(find_straight_run(table, actor, str(answer.fields["direction"]), far))
        while path and find_occupant(table, path[-1], but=(*list_unit(table, actor), *table.draft.concealed)):
            path.pop()
        yield from walk(table, actor, tuple(path), "WWN-061")


def _build_flight_question(table: Table, mount: Id, feet: Callable[[], int]) -> Ask | None:
    """Return the game master's question where a beast runs, if it can run at all."""
    if not feet():
        return None
    run = Field(name="feet", kind="int", low=0, high=feet(), optional=True)
    way = Field(name="direction", kind="id", among=tuple(DIRECTIONS))
    options = (Option(choice="flee", says=f"where {table.name_of(mount)} runs", fields=(way, run)),)
    return Ask(of=("gm",), about="flight", options=options, rules=("WWN-061",))

"""Beginning, taking turns, readying, delaying, forfeiting (VES-001 to 011, VES-040, 041, VES-050 to 056)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar, Literal, Self

from affray.engine.core.actions import Action
from affray.engine.core.changes import condition_set, marked, pool_moved, pool_set
from affray.engine.core.effects import Rule
from affray.engine.errors import Refused, Unusable
from affray.engine.kit.sides import enemies_of
from affray.events import CombatantId, Id, MemberDone, SideName, TurnBegan

from .attack import Attack
from .config import Table
from .harm import forfeit, may_forfeit, must_be_active
from .sheet import active, enough_ep, standing, tokens
from .slots import first_to_act, reinserted, set_aside, slot_with


class Begin(Action, frozen=True, kw_only=True):
    """Begin the fight; the game master's to declare (VES-001, VES-002, VES-G02).

    Attributes:
        cause: ``threat``: the parties have recognised each other; ``first_attack``: somebody just struck.
        attacker, target: Who struck whom, for ``first_attack``.
        surprising: The side that has a free round before initiative, if the game master gives it one; after a first
            blow, if there is one.
    """

    kind: ClassVar[str] = "begin"
    says: ClassVar[str] = "begin the fight"
    words: ClassVar[tuple[str, ...]] = ("cause", "attacker", "target")
    by_gm: ClassVar[bool] = True
    stacks: ClassVar[bool] = False

    cause: Literal["threat", "first_attack"] = "threat"
    attacker: CombatantId = ""
    target: CombatantId = ""
    surprising: SideName = ""

    def trigger(self, of_manner: str) -> str:
        """Return where the beginning leads: to initiative, to the first blow, or to the free round."""
        if self.cause == "first_attack":
            return "strike_first"
        return "surprise" if self.surprising else "begin"

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse a fight of one side, and a first blow that could not be struck."""
        if actor != "gm":
            raise Refused("not_your_turn", "VES-001", "the game master begins the fight", source=actor)
        if len(table.derived(standing)) < 2:
            raise Refused("need_two_sides", "VES-001", "a fight needs two sides with somebody active each", "sides")
        if self.cause == "first_attack":
            if not (self.attacker and self.target):
                raise Unusable("say who struck whom", "attacker" if not self.attacker else "target")
            Attack(target=self.target).check(table, self.attacker, "first")
        elif self.attacker or self.target:
            raise Unusable("only a beginning by first_attack has somebody who strikes", "cause")
        if self.surprising and self.surprising not in table.derived(standing):
            raise Unusable(f"there is no side {self.surprising} with somebody active", "surprising")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Note what the flow needs to know next."""
        if self.cause == "first_attack":
            yield marked("fight", "attacker", self.attacker, "VES-002")
            yield marked("fight", "target", self.target, "VES-002")
            if self.surprising:
                yield marked("fight", "surprising", self.surprising, "VES-G02")
        elif self.surprising:
            yield from free_round(table, self.surprising)

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """Return a threat that surprises nobody or one side, and every first blow between enemies."""
        first = field != "cause" and so_far.cause == "first_attack"
        match field:
            case "cause":
                return ("threat", "first_attack")
            case "surprising" if not first:
                return ("", *table.derived(standing))
            case "attacker" if first:
                return table.draft.combatants
            case "target" if first:
                return enemies_of(table, so_far.attacker)
            case _:
                return super().values(table, actor, manner, field, so_far)


def free_round(table: Table, side: str) -> Rule[None]:
    """Give a side's members two standard actions each before anybody rolls initiative (VES-G02)."""
    members = tuple(one.id for one in table.draft.combatants.values() if one.side == side and active(table, one.id))
    yield TurnBegan(slot="surprise", members=members, rules=("VES-G02",))
    for who in members:
        yield pool_set(table, who, "actions", 2, "VES-G02", "VES-009")


class EndTurn(Action, frozen=True, kw_only=True):
    """End one's own turn without readying (VES-051)."""

    kind: ClassVar[str] = "end_turn"
    says: ClassVar[str] = "end the turn"
    stacks: ClassVar[bool] = False
    own_trigger: ClassVar[str] = "end_turn"

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse somebody who is out of the fight."""
        must_be_active(table, actor)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Be done; the slot is when all its members are (VES-007)."""
        yield from done(table, actor, "VES-051")


def done(table: Table, actor: Id, *rules: str) -> Rule[None]:
    """End one member's turn, and note the round in which it ended."""
    yield marked(actor, "done", table.draft.round, *rules, until="the next round")
    yield MemberDone(who=actor, rules=rules)


class Ready(Action, frozen=True, kw_only=True):
    """Ready an action for 1 ep; this ends the turn (VES-010, VES-040)."""

    kind: ClassVar[str] = "ready"
    says: ClassVar[str] = "spend 1 ep to ready an action and end the turn"
    stacks: ClassVar[bool] = False
    own_trigger: ClassVar[str] = "ready"

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in the page's order: the actor, a token too many, too little ep."""
        must_be_active(table, actor)
        if tokens(table, actor) >= table.config.readied_max:
            raise Refused("already_readied", "VES-T26", f"{actor} already holds a readied action", f"{actor}.readied")
        enough_ep(table, actor, 1, "VES-040")

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Take the ep."""
        yield pool_moved(table, actor, "ep", -1, "VES-040")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Hold a token and be done; standard actions left over are lost (VES-010)."""
        held = table[actor].conditions.get("readied", {}).get("", 0)
        yield condition_set(table, actor, "readied", held + 1, "VES-040", "VES-041")
        yield from done(table, actor, "VES-010", "VES-051")


class Delay(Action, frozen=True, kw_only=True):
    """Set the turn aside until later in the order; a group delays as a whole (VES-052)."""

    kind: ClassVar[str] = "delay"
    says: ClassVar[str] = "set the turn aside until later"
    stacks: ClassVar[bool] = False
    own_trigger: ClassVar[str] = "delay"

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse after a standard action of anyone in the slot, or once a member is done."""
        must_be_active(table, actor)
        who = first_to_act(table)
        if who:
            raise Refused("already_acted", "VES-052", f"{who} has already acted this turn", source=f"{who}/acted")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Set the slot aside."""
        yield from set_aside(table, table.draft.up)


class Reinsert(Action, frozen=True, kw_only=True):
    """Take a delayed turn now, between turns (VES-054)."""

    kind: ClassVar[str] = "reinsert"
    says: ClassVar[str] = "take the delayed turn now"
    stacks: ClassVar[bool] = False
    own_trigger: ClassVar[str] = "reinsert"

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse who has not delayed, or whose old place comes after another's who may still ask."""
        must_be_active(table, actor)
        if not table[actor].has("delayed"):
            raise Refused("not_delayed", "VES-054", f"{actor} has not delayed", source=actor)
        window = table.draft.window
        order = table.draft.slots
        for slot in order[: order.index(slot_with(table, actor))]:
            if window is not None and not set(slot.members).isdisjoint(window.to):
                message = f"{slot.id} had the earlier place and may re-insert first"
                raise Refused("earlier_place_first", "VES-054", message, source=slot.id)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Move the slot directly behind the one that has just ended, and take its turn (VES-054)."""
        yield from reinserted(table, slot_with(table, actor), table.draft.up)


class Forfeit(Action, frozen=True, kw_only=True):
    """Leave the fight by choice while at the brink (VES-056)."""

    kind: ClassVar[str] = "forfeit"
    says: ClassVar[str] = "leave the fight, beaten but alive"
    stacks: ClassVar[bool] = False
    own_trigger: ClassVar[str] = "forfeit"

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse on another's turn, when out of the fight, or when not at the brink."""
        must_be_active(table, actor)
        may_forfeit(table, actor)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Forfeit."""
        yield from forfeit(table, actor)

"""Beginning, taking turns, readying, delaying, forfeiting (VES-001 to 011, VES-040, 041, VES-050 to 056)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal, Self

from affray.engine.actions import Action
from affray.engine.errors import Refused, Unusable
from affray.engine.facts import condition_set, marked, pool_moved, pool_set
from affray.engine.rule import Rule
from affray.engine.sides import enemies
from affray.engine.table import Table
from affray.events import Id, MemberDone, OrderSet, Slot, TurnBegan

from .attack import Attack
from .harm import forfeit, may_forfeit, must_be_active
from .sheet import active, enough_ep, had_turn, standing


class Begin(Action, frozen=True, kw_only=True):
    """Begin the fight; the game master's to declare (VES-001, VES-002, VES-G02).

    Attributes:
        cause: ``threat``: the parties have recognised each other; ``first_attack``: somebody just struck.
        attacker, target: Who struck whom, for ``first_attack``.
        surprising: The side that has a free round before initiative, if the game master gives it one.
    """

    kind: ClassVar[str] = "begin"
    says: ClassVar[str] = "begin the fight"
    words: ClassVar[tuple[str, ...]] = ("cause", "attacker", "target")
    people: ClassVar[tuple[str, ...]] = ("attacker", "target")
    by_gm: ClassVar[bool] = True
    stacks: ClassVar[bool] = False

    cause: Literal["threat", "first_attack"] = "threat"
    attacker: Id = ""
    target: Id = ""
    surprising: str = ""

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
        elif self.surprising and self.surprising not in table.derived(standing):
            raise Unusable(f"there is no side {self.surprising} with somebody active", "surprising")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Note what the flow needs to know next."""
        if self.cause == "first_attack":
            yield marked("fight", "attacker", self.attacker, "VES-002")
            yield marked("fight", "target", self.target, "VES-002")
        elif self.surprising:
            members = tuple(
                one.id
                for one in table.draft.combatants.values()
                if one.side == self.surprising and active(table, one.id)
            )
            yield TurnBegan(slot="surprise", members=members, rules=("VES-G02",))
            for who in members:
                yield pool_set(table, who, "actions", 2, "VES-G02", "VES-009")

    @classmethod
    def offers(cls, table: Table, actor: Id, manner: str) -> Iterator[Self]:
        """Yield a beginning by threat, by each possible first blow, and with each side surprising the others."""
        yield cls()
        for side in table.derived(standing):
            yield cls(surprising=side)
        for attacker in table.draft.combatants:
            for target in table.draft.combatants:
                if enemies(table, attacker, target):
                    yield cls(cause="first_attack", attacker=attacker, target=target)


class EndTurn(Action, frozen=True, kw_only=True):
    """End one's own turn without readying (VES-051)."""

    kind: ClassVar[str] = "end_turn"
    says: ClassVar[str] = "end the turn"
    stacks: ClassVar[bool] = False
    own_trigger: ClassVar[str] = "end_turn"

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
        must_be_active(table, actor, "VES-040")
        tokens = sum(table[actor].conditions.get("readied", {}).values())
        if tokens >= table.config.readied_max:
            raise Refused("already_readied", "VES-040", f"{actor} already holds a readied action", f"{actor}.readied")
        enough_ep(table, actor, 1, "VES-040")

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Take the ep."""
        yield pool_moved(table, actor, "ep", -1, "VES-040")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Hold a token and be done; standard actions left over are lost (VES-010)."""
        held = sum(table[actor].conditions.get("readied", {}).values())
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
        must_be_active(table, actor, "VES-052")
        for who in slot_of(table, table.draft.up).members:
            if table.draft.round in (table.mark(who, "acted"), table.mark(who, "done")):
                raise Refused("already_acted", "VES-052", f"{who} has already acted this turn", source=f"{who}/acted")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Set the slot aside."""
        yield from set_aside(table, table.draft.up)


def set_aside(table: Table, slot: Id) -> Rule[None]:
    """Delay a slot: its members have no turn until it is re-inserted (VES-052, VES-053)."""
    for who in table.draft.acting:
        yield condition_set(table, who, "delayed", 1, "VES-052")
        yield MemberDone(who=who, rules=("VES-052",))


class Reinsert(Action, frozen=True, kw_only=True):
    """Take a delayed turn now, between turns (VES-054)."""

    kind: ClassVar[str] = "reinsert"
    says: ClassVar[str] = "take the delayed turn now"
    stacks: ClassVar[bool] = False
    own_trigger: ClassVar[str] = "reinsert"

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse who has not delayed, or whose old place comes after another's who may still ask."""
        must_be_active(table, actor, "VES-054")
        if not table[actor].has("delayed"):
            raise Refused("not_delayed", "VES-054", f"{actor} has not delayed", source=actor)
        window = table.draft.window
        mine = slot_with(table, actor)
        for slot in table.draft.slots:
            if slot.id == mine.id:
                return
            if window is not None and not set(slot.members).isdisjoint(window.to):
                message = f"{slot.id} had the earlier place and may re-insert first"
                raise Refused("earlier_place_first", "VES-054", message, source=slot.id)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Move the slot directly behind the one that has just ended, and take its turn (VES-054)."""
        yield from reinserted(table, slot_with(table, actor), table.draft.up)


def reinserted(table: Table, slot: Slot, behind: Id) -> Rule[None]:
    """Put a delayed slot behind another one and let it take its turn, with no second start of it (VES-054).

    If the other one has left the fight meanwhile, it goes before the first slot that is still to come.
    """
    order = [one for one in table.draft.slots if one.id != slot.id]
    to_come = (index for index, one in enumerate(order) if not had_turn(table, one))
    at = next((index + 1 for index, one in enumerate(order) if one.id == behind), next(to_come, len(order)))
    yield OrderSet(slots=(*order[:at], slot, *order[at:]), rules=("VES-054",))
    members = tuple(who for who in slot.members if table[who].has("delayed") and active(table, who))
    for who in slot.members:
        if table[who].has("delayed"):
            yield condition_set(table, who, "delayed", 0, "VES-054")
    yield TurnBegan(slot=slot.id, members=members, rules=("VES-054",))


def slot_of(table: Table, id: Id) -> Slot:
    """Return a slot of the turn order by its id."""
    return next(slot for slot in table.draft.slots if slot.id == id)


def slot_with(table: Table, who: Id) -> Slot:
    """Return the slot of the turn order in which somebody acts."""
    return next(slot for slot in table.draft.slots if who in slot.members)


class Forfeit(Action, frozen=True, kw_only=True):
    """Leave the fight by choice while at the brink (VES-056)."""

    kind: ClassVar[str] = "forfeit"
    says: ClassVar[str] = "leave the fight, beaten but alive"
    stacks: ClassVar[bool] = False
    own_trigger: ClassVar[str] = "forfeit"

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse on another's turn, when out of the fight, or when not at the brink."""
        must_be_active(table, actor, "VES-056")
        may_forfeit(table, actor)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Forfeit."""
        yield from forfeit(table, actor)

"""Called shots (VER-052 to VER-059)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Annotated, Any, ClassVar, Literal, Self

from msgspec import Meta

from affray.engine.core.actions import Action
from affray.engine.core.changes import marked
from affray.engine.core.effects import Ask, Go, Rule, choice
from affray.engine.core.table import Table
from affray.engine.errors import Unusable
from affray.engine.kit.relations import bond
from affray.events import Answered, CombatantId, ConditionName, Field, Id, ItemId, Moved, Noted, Option

from .acting import begins
from .afflictions import afflict, drop
from .attack import Grip, arms, foes
from .exchange import exchange
from .fall import leaves_melee
from .gear import hands_for, held, is_melee
from .refusing import unless_allowed
from .riding import mount_under, rider_of
from .sheet import in_play
from .striking import Strike, blow, meant, shootable, strikable, strikes_at, wieldable
from .tables import conditions as condition_table
from .turns import manner_of, paid, playable, unforbidden

Text = Annotated[str, Meta(max_length=200)]


class CalledShot(Action, frozen=True, kw_only=True):
    """Aim at a weak spot for the most a weapon can do, or for an effect, with skill and gear alone (VER-052, VER-058).

    Attributes:
        target, weapon, strike, grip: As in ``Attack``.
        purpose: ``vital`` for damage (VER-054), ``effect`` for something else (VER-055).
        aim: At what, in plain words (VER-057).
        condition, count: A proposal for the effect, which the game master accepts or replaces.
    """

    kind: ClassVar[str] = "called_shot"
    says: ClassVar[str] = "aim at a weak spot, or for an effect"
    words: ClassVar[tuple[str, ...]] = ("target", "purpose", "aim")
    own_trigger: ClassVar[str] = "attack"

    target: CombatantId
    purpose: Literal["vital", "effect"]
    aim: Text = ""
    weapon: ItemId = ""
    strike: Strike = ""
    grip: Grip = ""
    condition: ConditionName = ""
    count: Annotated[int, Meta(ge=1, le=9)] = 1

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in the page's order: actor, budget, shot, weapon, target, reach."""
        if self.condition and self.condition not in condition_table():
            raise Unusable(f"there are the conditions {', '.join(condition_table())}", "condition")
        playable(table, actor, manner, "action", self.kind)
        weapon = meant(table, actor, self.target, self.weapon)
        shootable(table, actor, weapon)
        wieldable(table, actor, weapon, self.grip)
        if is_melee(weapon) and not table.config.called_shot_allow_melee:
            unless_allowed("VER-052", table, actor, f"the {weapon.name} cannot be aimed: shots are called", weapon.id)
        strikable(table, actor, self.target, weapon, self.strike, manner_of(table, manner))
        unforbidden(table, actor, manner, self.kind, "VER-052")

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Take the action."""
        yield from paid(table, actor, "action", "VER-052")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Shoot; after a hit for an effect the fight waits for the game master (VER-055)."""
        if not (yield from begins(table, self, actor)):
            return
        shot = blow(table, actor, self.target, self.weapon, strike=self.strike, grip=self.grip, aim=self.purpose)
        landed = yield from exchange(table, shot)
        if landed is not None and self.purpose == "effect" and in_play(table, shot.struck):
            yield Go("takes_effect", rules=("VER-055",))
            yield from self._takes_effect(table, shot.struck)
            yield Go("given", rules=("VER-057",))

    def _takes_effect(self, table: Table, struck: Id) -> Rule[None]:
        """Work the effect out with the game master (VER-055, VER-057)."""
        answer = yield from choice(partial(self._asked, table, struck))
        if answer is None:
            return
        if answer.choice == "accept":
            yield from afflict(table, struck, self.condition, self.count, "VER-055")
        else:
            yield from takes_effect(table, struck, answer)

    def _asked(self, table: Table, struck: Id) -> Ask | None:
        """Return the question what the effect is, as long as there is somebody to suffer it."""
        if not in_play(table, struck):
            return None
        options = effects(table, struck)
        if self.condition:
            says = f"{table[struck].name}: {self.condition} {self.count}"
            options = (Option(choice="accept", says=says), *options)
        return Ask(of=("gm",), about="effect", options=options, rules=("VER-055", "VER-057"))

    def targets(self) -> tuple[Id, ...]:
        """Return the one who is shot at."""
        return (self.target,)

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """Return every enemy, with every weapon in hand, for damage and for an effect."""
        match field:
            case "target":
                return foes(table, actor)
            case "purpose":
                return ("vital", "effect")
            case "aim" if so_far.purpose == "effect":
                return ("legs",)
            case "weapon":
                return arms(table, actor)
            case "strike":
                return strikes_at(table, so_far.target)
            case _:
                return super().values(table, actor, manner, field, so_far)


def effects(table: Table, who: Id) -> tuple[Option, ...]:
    """Return all that a game master can make of an effect on somebody (VER-055)."""
    condition = Field(name="condition", kind="id", among=tuple(condition_table()))
    number = Field(name="count", kind="int", low=1, high=9, optional=True)
    found = [Option(choice="condition", says="it suffers a condition", fields=(condition, number))]
    things = tuple(item.id for item in held(table, who) if hands_for(item))
    if things:
        thing = Field(name="item", kind="id", among=things)
        found.append(Option(choice="drop", says="it drops something", fields=(thing,)))
    exits = table.draft.places[table[who].place].exits if table[who].place in table.draft.places else ()
    if exits or bond(table, "melee", who) is not None:
        to = (Field(name="to", kind="id", among=exits, optional=True),) if exits else ()
        found.append(Option(choice="move", says="it is driven out of its melee, or to another zone", fields=to))
    what = Field(name="what", kind="id", among=("move", "action"))
    text = Field(name="text", kind="text")
    return (
        *found,
        Option(choice="lose", says="it loses its next move or action", fields=(what,)),
        Option(choice="text", says="something that no number shows", fields=(text,)),
        Option(choice="nothing", says="it has no effect"),
    )


def takes_effect(table: Table, who: Id, answer: Answered) -> Rule[None]:
    """Let happen what the game master made of it."""
    fields = answer.fields
    if answer.choice == "condition":
        yield from afflict(table, who, str(fields["condition"]), int(fields.get("count") or 1), "VER-055")
    elif answer.choice == "drop":
        yield from drop(table, str(fields["item"]), "VER-055")
    elif answer.choice == "move":
        mover = rider_of(table, who) or who
        yield from leaves_melee(table, mover, "VER-055")
        together = (mover, mount_under(table, mover)) if fields.get("to") else ()
        for one in filter(None, together):
            yield Moved(who=one, before=table[one].place, after=str(fields["to"]), rules=("VER-055",))
    elif answer.choice == "lose":
        yield marked(who, f"loses/{fields['what']}", True, "VER-055", until="the next turn")
    elif answer.choice == "text":
        yield Noted(text=str(fields["text"]), rules=("VER-055",))

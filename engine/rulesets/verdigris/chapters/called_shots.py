"""Called shots."""

from collections.abc import Iterable
from functools import partial
from typing import Annotated, Any, Literal, Self

from msgspec import Meta
from msgspec.structs import replace

from affray.engine.core.actions import declared_as
from affray.engine.core.effects import Ask, Go, Rule, choice
from affray.engine.errors import Unusable
from affray.engine.kit.relations import find_relation
from affray.engine.kit.riding import mount_of, rider_of
from affray.engine.rulesets.verdigris import marks, sheet
from affray.engine.rulesets.verdigris.attack.attacks import Arm, Foe, begin_action
from affray.engine.rulesets.verdigris.attack.exchange import exchange
from affray.engine.rulesets.verdigris.attack.striking import Grip, build_blow, choose_weapon, must_be_strikable
from affray.engine.rulesets.verdigris.config import Table
from affray.engine.rulesets.verdigris.gear.things import (
    count_hands_for,
    is_melee,
    list_held,
    must_be_loaded,
    must_be_wieldable,
)
from affray.engine.rulesets.verdigris.harm.conditions import afflict, drop
from affray.engine.rulesets.verdigris.movement.melees import leave_melee
from affray.engine.rulesets.verdigris.movement.moving import list_exits
from affray.engine.rulesets.verdigris.tables import conditions
from affray.engine.rulesets.verdigris.turns.order import Deed, done_for, find_manner
from affray.events import Answered, ConditionName, Field, Id, Moved, Noted, Option, Words


@declared_as("called_shot", "aim at a weak spot, or for an effect", "target", "purpose", "aim", own_trigger="attack")
@done_for("action", "VER-052")
class CalledShot(Deed, frozen=True, kw_only=True):
    """Aim at a weak spot for most damage, or for an effect, with skill and gear alone.

    Attributes:
        target, weapon, strike, grip: As in ``Attack``.
        purpose: ``vital`` for damage (VER-054), ``effect`` for an effect (VER-055).
        aim: The spot aimed at, in plain words (VER-057).
        condition, count: A proposal for the effect, which the game master accepts or replaces.
    """

    target: Foe
    purpose: Literal["vital", "effect"]
    aim: Annotated[Words, Meta(max_length=200)] = ""
    weapon: Arm = ""
    strike: sheet.Strike = ""
    grip: Grip = ""
    condition: ConditionName = ""
    count: Annotated[int, Meta(ge=1, le=9)] = 1

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse an unknown condition, and then what every action refuses."""
        if self.condition and self.condition not in conditions():
            raise Unusable(f"there are the conditions {', '.join(conditions())}", "condition")
        super().check(table, actor, manner)

    def must_fit(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse an unfit weapon, target or reach, in the page's order (VER-052)."""
        weapon = choose_weapon(table, actor, self.target, self.weapon)
        must_be_loaded(table, actor, weapon)
        must_be_wieldable(table, actor, weapon, self.grip)
        if is_melee(weapon) and not table.config.called_shot_allow_melee:
            message = f"the {weapon.quoted_name} cannot be aimed: shots are called"
            sheet.must_be_allowed("VER-052", table, actor, message, weapon.id)
        must_be_strikable(table, actor, self.target, weapon, self.strike, find_manner(table, manner))

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Shoot; after a hit for an effect, ask the game master for it."""
        if not (yield from begin_action(table, self, actor)):
            return
        shot = build_blow(table, actor, self.target, self.weapon, self.strike, self.grip)
        landed = yield from exchange(table, replace(shot, aim=self.purpose))
        if landed and self.purpose == "effect" and sheet.is_in_play(table, shot.struck):
            yield Go("takes_effect", rules=("VER-055",))
            answer = yield from choice(partial(self._build_effect_question, table, shot.struck))
            if answer is not None and answer.choice == "accept":
                yield from afflict(table, shot.struck, self.condition, self.count, "VER-055")
            elif answer is not None:
                yield from take_effect(table, shot.struck, answer)
            yield Go("given", rules=("VER-057",))

    def _build_effect_question(self, table: Table, struck: Id) -> Ask | None:
        """Return the question which effect it has, while the target is in play (VER-057)."""
        if not sheet.is_in_play(table, struck):
            return None
        options = list_effect_options(table, struck)
        if self.condition:
            says = f"{table.name_of(struck)}: {self.condition} {self.count}"
            options = (Option(choice="accept", says=says), *options)
        return Ask(of=("gm",), about="effect", options=options, rules=("VER-055", "VER-057"))

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """Return a spot to aim at for an effect, and both rider and mount."""
        match field:
            case "aim" if so_far.purpose == "effect":
                return ("legs",)
            case "strike":
                return sheet.strike_choices(table, so_far.target)
            case _:
                return super().values(table, actor, manner, field, so_far)


def list_effect_options(table: Table, who: Id) -> tuple[Option, ...]:
    """Return the game master's options for an effect on a combatant (VER-055)."""
    condition = Field(name="condition", kind="id", among=tuple(conditions()))
    number = Field(name="count", kind="int", low=1, high=9, optional=True)
    found = [Option(choice="condition", says="it suffers a condition", fields=(condition, number))]
    things = tuple(item.id for item in list_held(table, who) if count_hands_for(item))
    if things:
        thing = Field(name="item", kind="id", among=things)
        found.append(Option(choice="drop", says="it drops something", fields=(thing,)))
    exits = list_exits(table, who)
    if exits or find_relation(table, "melee", who) is not None:
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


def take_effect(table: Table, who: Id, answer: Answered) -> Rule[None]:
    """Apply the effect that the game master chose."""
    fields = answer.fields
    if answer.choice == "condition":
        yield from afflict(table, who, str(fields["condition"]), int(fields.get("count") or 1), "VER-055")
    elif answer.choice == "drop":
        yield from drop(table, str(fields["item"]), "VER-055")
    elif answer.choice == "move":
        mover = rider_of(table, who) or who
        yield from leave_melee(table, mover, "VER-055")
        together = (mover, mount_of(table, mover)) if fields.get("to") else ()
        for one in filter(None, together):
            yield Moved(who=one, before=table[one].place, after=str(fields["to"]), rules=("VER-055",))
    elif answer.choice == "lose":
        yield marks.LOSES.set_on(who, True, "VER-055", about=str(fields["what"]))
    elif answer.choice == "text":
        yield Noted(kind="outcome", parts={"outcome": fields["text"]}, rules=("VER-055",))

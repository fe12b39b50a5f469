"""Riding: getting on and off, control, the mount's attack, and its nerve.

Only mounts not trained for battle lose their nerve.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Annotated, Any, ClassVar, Self

from msgspec import Meta

from affray.engine.core.actions import Action, declared_as
from affray.engine.core.candidates import Among, Target
from affray.engine.core.changes import set_pool
from affray.engine.core.effects import Ask, Go, Rule, choice
from affray.engine.kit.relations import add_members, find_relation, remove_members, set_relation
from affray.engine.kit.riding import mount_of
from affray.engine.rulesets.verdigris import marks, sheet
from affray.engine.rulesets.verdigris.attack.attacks import hamper
from affray.engine.rulesets.verdigris.attack.exchange import exchange
from affray.engine.rulesets.verdigris.attack.striking import Blow, must_be_strikable
from affray.engine.rulesets.verdigris.config import Table
from affray.engine.rulesets.verdigris.movement.leaving import get_away
from affray.engine.rulesets.verdigris.movement.melees import dissolve, release_concealed
from affray.engine.rulesets.verdigris.movement.moving import must_be_free_to_move, step
from affray.engine.rulesets.verdigris.sheet import is_mount
from affray.engine.rulesets.verdigris.turns.order import Deed, done_for
from affray.events import Answered, CombatantId, Field, Id, Member, Option, Words

from .free_attacks import fire_readied
from .panic import try_test


def list_riderless(table: Table, actor: Id) -> list[Id]:
    """Return the mounts without a rider."""
    return [
        who for who in table.draft.combatants if is_mount(table, who) and find_relation(table, "mount", who) is None
    ]


class MountDeed(Deed, frozen=True, kw_only=True):
    """An action that needs a mount."""

    @classmethod
    def is_for(cls, table: Table, actor: Id) -> bool:
        """Offer it where the actor has a mount, or could have one."""
        return sheet.can_ride(table, actor)


@declared_as("mount", "get into the saddle", "mount", own_trigger="move")
@done_for("move", "VER-060")
class MountUp(MountDeed, frozen=True, kw_only=True):
    """Get into the saddle of a mount in the same zone, for the move."""

    mount: Annotated[CombatantId, Among(list_riderless)]

    def must_fit(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in the page's order: a hold on the actor, the mount."""
        must_be_free_to_move(table, actor, "VER-T30")
        if mount_of(table, actor):
            raise table.refuse(actor, "is in the saddle already", "VER-060")
        table[self.mount]
        taken = not is_mount(table, self.mount) or find_relation(table, "mount", self.mount) is not None
        out = not sheet.is_in_play(table, self.mount) or table[self.mount].has("unable")
        if taken or out or sheet.is_enemy(table, actor, self.mount):
            raise table.refuse(actor, f"cannot ride {table.name_of(self.mount)}", "VER-060", source=self.mount)
        if table[self.mount].place != table[actor].place:
            raise table.refuse(self.mount, "is in another zone", "VER-060")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Mount; the mount joins its rider, in a melee or out of it."""
        theirs, mine = sheet.melee_of(table, self.mount), sheet.melee_of(table, actor)
        if theirs is not None and theirs is not mine:
            yield from release_concealed(table, theirs, [self.mount])
            yield remove_members(table.draft.relations[theirs.id], self.mount, rules=("VER-060",))
            yield from dissolve(table, theirs.id)
        members = (Member(who=actor, role="rider"), Member(who=self.mount, role="mount"))
        yield set_relation(f"mount-{actor}", "mount", *members, rules=("VER-060",))
        mine = sheet.melee_of(table, actor)
        if mine is not None and theirs is not mine:
            yield add_members(mine, Member(who=self.mount, role="mount"), rules=("VER-060",))


@declared_as("dismount", "get out of the saddle", own_trigger="move")
@done_for("move", "VER-060")
class Dismount(MountDeed, frozen=True, kw_only=True):
    """Dismount, for the move."""

    def must_fit(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in the page's order: a hold on the actor, an actor on foot."""
        must_be_free_to_move(table, actor, "VER-T30")
        must_ride(table, actor)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Part rider and mount; the mount stays where it is."""
        ridden = find_relation(table, "mount", actor)
        assert ridden is not None  # checked just before, and nothing comes in between
        yield remove_members(ridden, rules=("VER-060",))


def must_ride(table: Table, actor: Id) -> Id:
    """Refuse a combatant on foot; return the mount."""
    mount = mount_of(table, actor)
    if not mount:
        raise table.refuse(actor, "rides nothing", "VER-060")
    return mount


@declared_as("control_mount", "make the mount do what it is not trained for", "task")
@done_for("free", "VER-062")
class ControlMount(MountDeed, frozen=True, kw_only=True):
    """Make a mount do an untrained task: Charisma and Riding, once a turn, for free.

    Attributes:
        task: The task in plain words.
    """

    task: Annotated[Words, Meta(max_length=200)] = "fight"

    def must_fit(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse a second attempt in a turn, and an actor on foot."""
        if manner != "pending" and marks.MOUNT_TRIED.of(table, actor) == table.draft.round:
            raise table.refuse(actor, "has tried this turn", "VER-062")
        must_ride(table, actor)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Test; on a failure the mount does not do it."""
        yield from control(table, actor, partial(self.check, table, actor, "pending"))


def control(table: Table, rider: Id, ground: Callable[[], None]) -> Rule[bool]:
    """Test Charisma and Riding, and note the result (VER-062)."""
    yield marks.MOUNT_TRIED.set_on(rider, table.draft.round, "VER-062")
    outcome = yield from try_test(table, rider, "control", "charisma", "riding", "VER-062", ground=ground)
    if outcome.sl >= 1:
        yield marks.MOUNT_CONTROLLED.set_on(rider, table.draft.round, "VER-062")
    return outcome.sl >= 1


@declared_as("mount_attack", "let the mount attack", "target", "strike", own_trigger="attack")
@done_for("free", "VER-063")
class MountAttack(MountDeed, frozen=True, kw_only=True):
    """Let the mount attack, once in its rider's turn, for free.

    Attributes:
        target: Combatant id; the game master chooses for a mount that is not trained for battle.
        strike: Whether rider or mount is struck; needed against a mounted target (VER-067).
    """

    target: Target = ""
    strike: sheet.Strike = ""

    def must_fit(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in order: a second attack, the mount, its training, the target (VER-063)."""
        if manner != "pending" and marks.MOUNT_STRUCK.of(table, actor) == table.draft.round:
            raise sheet.refusal_by("VER-063", "the mount has attacked this turn", actor)
        mount = must_ride(table, actor)
        if not sheet.is_able(table, mount):
            raise table.refuse(mount, "cannot attack", "VER-063")
        if not sheet.is_trained(table, mount):
            if marks.MOUNT_CONTROLLED.of(table, actor) != table.draft.round:
                raise table.refuse(mount, "is not trained for battle, and not under control", "VER-063")
            if not sheet.list_opponents(table, mount):
                raise table.refuse(mount, "has no enemy within reach", "VER-032")
        else:
            must_be_strikable(table, mount, self.target, table.item(f"{mount}.unarmed"), self.strike, "standard")

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Note the mount's attack."""
        yield marks.MOUNT_STRUCK.set_on(actor, table.draft.round, "VER-063")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Strike with Quality and bonus, unless the mount is ensnared and fails."""
        mount = must_ride(table, actor)
        if (yield from hamper(table, mount)):
            return
        target, strike = self.target, str(self.strike)
        if not sheet.is_trained(table, mount):
            answer = yield from choice(partial(_build_target_question, table, actor, mount))
            if answer is None:
                return
            target, strike = str(answer.fields["target"]), str(answer.fields.get("strike") or "rider")
        struck = sheet.find_struck(table, target, strike)
        yield from exchange(table, Blow(attacker=mount, struck=struck, weapon=f"{mount}.unarmed", melee=True))

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """Return every enemy in the melee, both rider and mount.

        Return no target if the game master chooses.
        """
        mount = mount_of(table, actor)
        match field:
            case "target" if mount and sheet.is_trained(table, mount):
                return sheet.list_opponents(table, mount)
            case "strike":
                return sheet.strike_choices(table, so_far.target)
            case _:
                return super().values(table, actor, manner, field, so_far)


def _build_target_question(table: Table, rider: Id, mount: Id) -> Ask | None:
    """Return the question which target an untrained mount strikes, if it has any."""
    rides = mount_of(table, rider) == mount and sheet.is_able(table, mount)
    among = sheet.list_opponents(table, mount) if rides else ()
    if not among:
        return None
    fields: tuple[Field, ...] = (Field(name="target", kind="id", among=among),)
    if any(mount_of(table, one) for one in among):
        fields = (*fields, Field(name="strike", kind="id", among=("rider", "mount"), optional=True))
    options = (Option(choice="strikes", says=f"whom {table.name_of(mount)} attacks", fields=fields),)
    refuses = partial(_must_reach, table, mount)
    return Ask(of=("gm",), about="target", options=options, rules=("VER-063",), refuses=refuses)


def _must_reach(table: Table, mount: Id, answer: Answered) -> None:
    target = str(answer.fields.get("target") or "")
    if target in table.draft.combatants and target not in sheet.list_opponents(table, mount):
        raise table.refuse(target, f"takes no part in a melee with {table.name_of(mount)}", "VER-032")


IN_DANGER = Option(choice="danger", says="its instinct is to flee")
CALM = Option(choice="calm", says="it sees no danger")
RIDING = Field(name="riding", kind="id", among=("yes", "no"))
BREAKS_OUT = Option(choice="breaks_out", says="it breaks out of the melee; does Riding help?", fields=(RIDING,))
STAYS = Option(choice="stays", says="it stays where it is")


def is_in_danger(table: Table, rider: Id) -> bool:
    """Tell whether a mount may feel in danger (VER-061).

    It may in a melee, after an attack, or with enemies in its zone. Concealed enemies do not count, in the zone or as
    the only ones in the melee.
    """
    mount = mount_of(table, rider)
    if not mount or sheet.is_trained(table, mount) or not sheet.is_in_play(table, mount):
        return False
    if sheet.shown_melee(table, rider) is not None or marks.MOUNT_ALARMED.is_on(table, rider):
        return True
    place = table[rider].place
    near = table.list_known(table.at(place) if place else table.draft.combatants)
    return any(sheet.is_enemy(table, rider, one) and sheet.is_active(table, one) for one in near)


def _build_danger_question(table: Table, rider: Id) -> Ask | None:
    if rider not in table.draft.combatants or not is_in_danger(table, rider):
        return None
    return Ask(of=("gm",), about="danger", options=(IN_DANGER, CALM), rules=("VER-061",))


def _build_direction_question(table: Table, rider: Id) -> Ask | None:
    """Return the question where a bolting mount runs (VER-T73).

    Out of a melee, the question is also whether Riding helps.
    """
    mount = mount_of(table, rider) if rider in table.draft.combatants else ""
    if not mount or any(table[one].has("ensnared") or table[one].has("entangled") for one in (rider, mount)):
        return None
    if sheet.shown_melee(table, rider) is not None:
        return Ask(of=("gm",), about="bolt", options=(BREAKS_OUT, STAYS), rules=("VER-061", "VER-039", "VER-T73"))
    place = table.draft.places.get(table[rider].place)
    if place is None or not place.exits:
        return None
    goes = Option(choice="goes", says="it runs", fields=(Field(name="to", kind="id", among=place.exits),))
    return Ask(of=("gm",), about="bolt", options=(goes, STAYS), rules=("VER-061",))


def _can_run(table: Table, rider: Id, to: Id) -> bool:
    """Tell whether a bolting mount can run to a zone from its present place."""
    ask = _build_direction_question(table, rider) if sheet.is_in_play(table, rider) else None
    return ask is not None and any(field.name == "to" and to in field.among for field in ask.options[0].fields)


@declared_as("nerve", "test whether the mount bolts")
class Nerve(Action, frozen=True, kw_only=True):
    """Test whether an untrained mount bolts at the start of its rider's turn.

    The rules set it off; it cannot be declared.
    """

    by_rules: ClassVar[bool] = True

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse it as a declaration."""
        if manner == "standard":
            raise sheet.refusal_by("VER-061", "a mount's nerve is tried at the start of a turn", actor)
        must_ride(table, actor)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Ask for the danger; then the rider controls the mount, or it bolts."""
        answer = yield from choice(partial(_build_danger_question, table, actor))
        if answer is None or answer.choice == "calm":
            return
        ground = partial(self.check, table, actor, "pending")
        if sheet.is_able(table, actor) and (yield from control(table, actor, ground)):
            return
        if table.pool(actor, "move"):
            yield set_pool(table, actor, "move", 0, "VER-061")
        answer = yield from choice(partial(_build_direction_question, table, actor))
        if answer is None or answer.choice == "stays":
            return
        if answer.choice == "breaks_out":
            yield Go("bolts", rules=("VER-061",))
            skill = "riding" if answer.fields["riding"] == "yes" else ""
            yield from get_away(table, actor, skill, ground)
        else:
            yield from self._bolt_to(table, actor, str(answer.fields["to"]))

    def _bolt_to(self, table: Table, rider: Id, to: Id) -> Rule[None]:
        goes = partial(_can_run, table, rider, to)
        yield from fire_readied(table, rider, "leaves_zone", through=to, goes=goes)
        if goes():
            yield from step(table, rider, to, "VER-061")
            yield from fire_readied(table, rider, "enters_zone")

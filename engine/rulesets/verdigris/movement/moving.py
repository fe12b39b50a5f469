"""Moves between zones and into melees."""

from collections.abc import Iterable
from functools import partial
from typing import Annotated, Any, Self

from affray.engine.core.actions import declared_as
from affray.engine.core.candidates import EACH, Among
from affray.engine.core.effects import Ask, Rule, choice
from affray.engine.errors import Unusable
from affray.engine.kit.distances import stated_view
from affray.engine.kit.riding import mount_of, rider_of
from affray.engine.kit.sheets import stat
from affray.engine.rulesets.verdigris import marks, sheet
from affray.engine.rulesets.verdigris.chapters.free_attacks import (
    can_strike,
    fire_readied,
    free_attack,
    list_attack_fields,
    read_attack,
)
from affray.engine.rulesets.verdigris.config import Table
from affray.engine.rulesets.verdigris.sheet import is_mount
from affray.engine.rulesets.verdigris.turns.order import Deed, done_for
from affray.events import Answered, Clause, CombatantId, Field, Id, Moved, Option, PlaceId, RelationId, Source

from .melees import engage, grapples


class Going(Deed, frozen=True, kw_only=True):
    """A move into a zone, into a melee, or out of one."""

    def costs(self, table: Table, actor: Id) -> str:
        """Return the cost: a move, or move and action for a crawling combatant (table 5.4)."""
        one = table[actor]
        return "crawl" if one.has("crawling") or one.has("leg_out") else "move"


def must_be_free_to_move(table: Table, actor: Id, rule: Clause) -> None:
    """Refuse a combatant who is entangled or ensnared."""
    one = table[actor]
    if one.has("entangled"):
        held = table.derive(grapples).get(actor, ())
        raise table.refuse(actor, "is entangled", rule, source=held[0].id if held else f"{actor}.entangled")
    if one.has("ensnared"):
        raise sheet.refusal_by("VER-S20", f"{table.name_of(actor)} is ensnared", f"{actor}.ensnared")


def must_be_free_to_go(table: Table, actor: Id, rule: Clause) -> None:
    """Refuse to go while actor or mount is held, or the mount stands still."""
    must_be_free_to_move(table, actor, rule)
    mount = mount_of(table, actor)
    if mount:
        must_be_free_to_move(table, mount, rule)
        if marks.STANDS_STILL.is_on(table, actor):
            raise table.refuse(
                mount, f"stands still this turn, for {table.name_of(actor)} to reload", "VER-066", source=actor
            )


def list_exits(table: Table, actor: Id) -> tuple[Id, ...]:
    """Return the zones adjacent to the actor's."""
    here = table.draft.places.get(table[actor].place)
    return here.exits if here is not None else ()


@declared_as("move", "go to an adjacent zone", "to", own_trigger="move")
@done_for("move", "VER-018")
class Move(Going, frozen=True, kw_only=True):
    """Go to an adjacent zone.

    Attributes:
        cautious: Whether the mover gives enemies no opportunity (VER-074).
    """

    to: Annotated[PlaceId, Among(list_exits)]
    cautious: Annotated[bool, EACH] = False

    def must_fit(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in the page's order: a hold on the mover, the way (VER-018)."""
        must_be_free_to_go(table, actor, "VER-018")
        melee = sheet.melee_of(table, actor)
        if melee is not None:
            raise sheet.refusal_by("VER-018", f"{table.name_of(actor)} is in a melee and must leave it first", melee.id)
        if self.to not in table.draft.places:
            known = ", ".join(table.draft.places) or "none"
            raise Unusable(f"there is no zone {self.to}; there are {known}", "to")
        if self.to not in list_exits(table, actor):
            message = f"no way leads from {table[actor].place} to {self.to}"
            sheet.must_be_allowed("VER-018", table, actor, message, self.to)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Step; attacks readied for leaving come before, those for entering after."""
        answer = (
            None if self.cautious else (yield from choice(partial(_build_opportunity_question, table, actor, self.to)))
        )
        granted = answer if answer is not None and answer.choice == "grant" else None
        by, when = (str(granted.fields["attacker"]), granted.fields["when"]) if granted else ("", "")
        if granted and when == "before":
            yield free_attack(by, read_attack(table, granted, by, actor, "granted"), "granted")
        yield from fire_readied(table, actor, "leaves_zone", through=self.to)
        yield from step(table, actor, self.to, "VER-018")
        if table.config.move_transitions_per_move == 2:
            yield marks.TRANSITION_LEFT.set_on(actor, True, "VER-019")
        yield from fire_readied(table, actor, "enters_zone")
        if granted and when == "after" and can_strike(table, by, actor, "granted"):
            yield free_attack(by, read_attack(table, granted, by, actor, "granted"), "granted")

    def check_ground(self, table: Table, actor: Id) -> None:
        """Check the step's requirements again until the mover has arrived."""
        if table[actor].place != self.to:
            self.check(table, actor, "pending")


def step(table: Table, actor: Id, to: Id, *rules: Clause) -> Rule[None]:
    """Change the zone of a combatant and its mount (VER-017)."""
    mount = mount_of(table, actor)
    for who in (actor, mount) if mount else (actor,):
        here = table[who].place
        yield Moved(who=who, before=here, after=to, path=(to,), cost=1, rules=("VER-017", *rules))


def list_threats(table: Table, mover: Id, there: Id) -> tuple[Id, ...]:
    """Return the known able enemies near a step who could strike the mover."""
    near = dict.fromkeys(table.list_known((*table.at(table[mover].place), *table.at(there))))
    foes = (one for one in near if sheet.is_enemy(table, mover, one) and not is_mount(table, one))
    return tuple(one for one in foes if sheet.is_able(table, one) and can_strike(table, one, mover, "granted"))


def _build_opportunity_question(table: Table, mover: Id, there: Id) -> Ask | None:
    """Return the question whether a step gives an enemy a free attack (VER-074)."""
    able = list_threats(table, mover, there)
    if not able:
        return None
    who = Field(name="attacker", kind="id", among=able)
    when = Field(name="when", kind="id", among=("before", "after"))
    fields = (who, when, *list_attack_fields(table, able, mover))
    options = (
        Option(choice="pass", says="nothing comes of it"),
        Option(choice="grant", says="one of them has a free attack, before or after the step", fields=fields),
    )
    refuses = partial(_must_have_opportunity, table, mover, there)
    return Ask(of=("gm",), about="opportunity", options=options, rules=("VER-074", "VER-076"), refuses=refuses)


def _must_have_opportunity(table: Table, mover: Id, there: Id, answer: Answered) -> None:
    attacker = str(answer.fields.get("attacker") or "")
    if answer.choice == "grant" and attacker in table.draft.combatants:
        if attacker not in list_threats(table, mover, there):
            raise table.refuse(attacker, f"has no opportunity to strike at {table.name_of(mover)}", "VER-074")
        sheet.must_name_rider_or_mount(table, mover, str(answer.fields.get("strike") or ""))


@declared_as("enter_melee", "begin or join a melee in the same zone", "target", own_trigger="move")
@done_for("move", "VER-019")
class EnterMelee(Going, frozen=True, kw_only=True):
    """Begin a melee in the same zone, or join one.

    Attributes:
        melee: The id of a melee, instead of a target.
    """

    target: CombatantId = ""
    melee: RelationId = ""

    def costs(self, table: Table, actor: Id) -> str:
        """Return the cost: nothing if the step into the zone has already paid for it."""
        return "free" if marks.TRANSITION_LEFT.is_on(table, actor) else super().costs(table, actor)

    def must_fit(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in the page's order: a hold on the mover, the target, the zone (VER-019)."""
        must_be_free_to_go(table, actor, "VER-T30")
        engaged = sheet.melee_of(table, actor)
        if engaged is not None:
            raise sheet.refusal_by("VER-019", f"{table.name_of(actor)} is in a melee already", engaged.id)
        target = self._target(table, actor)
        if table[target].place != table[actor].place:
            raise table.refuse(target, "is in another zone", "VER-019")
        if stated_view(table, actor, target) == "unreachable":
            sheet.must_be_allowed(
                "VER-019",
                table,
                actor,
                f"{table.name_of(actor)} cannot reach {table.name_of(target)}",
                Source(of=actor, to=target),
            )

    def _target(self, table: Table, actor: Id) -> Id:
        """Return the combatant to engage: the target, or a member of the named melee."""
        if bool(self.target) == bool(self.melee):
            raise Unusable("say either a target or a melee", "target")
        if self.target:
            table[self.target]
            if self.target == actor or not sheet.is_in_play(table, self.target):
                raise sheet.refusal_by("VER-019", f"nobody can close with {table.name_of(self.target)}", self.target)
            fighter = rider_of(table, self.target) if is_mount(table, self.target) else self.target
            foe = fighter and sheet.is_enemy(table, actor, fighter) and sheet.is_participant(table, fighter)
            if not foe and sheet.melee_of(table, self.target) is None:
                raise sheet.refusal_by(
                    "VER-031", f"a melee with {table.name_of(self.target)} would have one side only", self.target
                )
            return self.target
        members = _melees_to_join(table).get(self.melee)
        if members is None:
            known = ", ".join(_melees_to_join(table)) or "none"
            raise Unusable(f"there is no melee {self.melee}; there are {known}", "melee")
        return members[0]

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Pay the cost, or use up what the step has already paid."""
        yield from super().pay(table, actor, manner)
        yield from marks.TRANSITION_LEFT.end_on(table, actor, "VER-019")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Enter the melee; attacks readied for that come after it."""
        yield from engage(table, actor, self._target(table, actor), "VER-019")
        for talent, mark in (("berserk-charge", marks.CHARGING), ("pike-push", marks.PUSHING)):
            if stat(table, actor, talent):
                yield mark.set_on(actor, True, "VER-019")
        yield from fire_readied(table, actor, "enters_melee")

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """Return every enemy in the zone, and every melee."""
        match field:
            case "target":
                here = table[actor].place
                near = table.at(here) if here else table.draft.combatants
                return [*(who for who in near if sheet.is_enemy(table, actor, who)), ""]
            case "melee" if not so_far.target:
                return _melees_to_join(table)
            case _:
                return super().values(table, actor, manner, field, so_far)


def _melees_to_join(table: Table) -> dict[Id, tuple[Id, ...]]:
    """Return the melees known to all viewers, each with its known members."""
    melees = (one for one in table.draft.relations.values() if one.kind == "melee" and sheet.is_shown(table, one))
    return {one.id: sheet.list_known_members(table, one) for one in melees}

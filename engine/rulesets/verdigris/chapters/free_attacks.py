"""Free attacks, and readied attacks that fire."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from typing import ClassVar

from msgspec import convert
from msgspec.structs import replace

from affray.engine.core.actions import Action, declared_as
from affray.engine.core.candidates import Target
from affray.engine.core.effects import Ask, Interrupted, Rule, choice
from affray.engine.errors import Refused
from affray.engine.kit.riding import mount_of
from affray.engine.rulesets.verdigris import marks, sheet
from affray.engine.rulesets.verdigris.attack.exchange import exchange
from affray.engine.rulesets.verdigris.attack.striking import (
    Grip,
    Mighty,
    build_blow,
    choose_weapon,
    find_most_stress,
    must_be_bold_enough,
    must_be_strikable,
)
from affray.engine.rulesets.verdigris.config import Table
from affray.engine.rulesets.verdigris.flow import FLOW
from affray.engine.rulesets.verdigris.gear.things import is_melee, list_held, must_be_loaded, must_be_wieldable
from affray.engine.rulesets.verdigris.harm.conditions import lose_readied
from affray.engine.rulesets.verdigris.turns.order import find_manner
from affray.events import Answered, Clause, Field, Id, ItemId, Option

CITED: dict[str, tuple[Clause, ...]] = {
    "free": ("VER-041", "VER-070"),
    "readied": ("VER-072", "VER-075"),
    "granted": ("VER-071",),
    "panicked": ("VER-S12",),
}
"""The clauses of a free attack, by its manner."""


@declared_as("free_attack", "an attack outside the own turn", "target", "weapon")
class FreeAttack(Action, frozen=True, kw_only=True):
    """Attack outside the own turn, at no cost.

    The rules and the game master set it off; it cannot be declared.

    Attributes:
        weapon: A weapon in hand; a fitting one by default.
        strike, grip, mighty, background: As in ``Attack``.
    """

    by_rules: ClassVar[bool] = True

    target: Target
    weapon: ItemId = ""
    strike: sheet.Strike = ""
    grip: Grip = ""
    mighty: Mighty = 0
    background: bool = False

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse it as a declaration, and as any attack is refused (VER-076)."""
        if manner == "standard":
            raise sheet.refusal_by("VER-076", "a free attack is made when the rules or the game master say so", actor)
        sheet.must_be_able(table, actor)
        manner = find_manner(table, manner)
        weapon = choose_weapon(table, actor, self.target, self.weapon, manner, strike=self.strike, grip=self.grip)
        must_be_loaded(table, actor, weapon)
        must_be_wieldable(table, actor, weapon, self.grip)
        sheet.must_have_background(table, actor, self.background)
        must_be_bold_enough(table, actor, self.mighty, weapon)
        must_be_strikable(table, actor, self.target, weapon, self.strike, manner)

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Use up the readied attack, if it was one."""
        if manner == "readied":
            yield from lose_readied(table, actor)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Strike the target."""
        pending = table.pending()
        manner = pending.manner if pending is not None else "granted"
        strike = build_blow(table, actor, self.target, self.weapon, self.strike, self.grip, manner)
        yield from exchange(table, replace(strike, mighty=self.mighty, fits=self.background))


def free_attack(attacker: Id, action: FreeAttack, manner: str) -> Interrupted:
    """Put a free attack before the action under way."""
    return Interrupted(by=((attacker, action),), manner=manner, rules=CITED[manner])


def build_readied_attack(table: Table, owner: Id, target: Id, strike: object = "") -> FreeAttack:
    """Return a combatant's readied attack, on a target."""
    return FreeAttack(
        target=target,
        weapon=marks.READIED_WEAPON.of(table, owner),
        strike=convert(strike or "", sheet.Strike),
        grip=convert(marks.READIED_GRIP.of(table, owner), Grip),
        mighty=marks.READIED_MIGHTY.of(table, owner),
        background=marks.READIED_BACKGROUND.of(table, owner),
    )


def list_attack_fields(table: Table, attackers: Collection[Id], target: Id) -> tuple[Field, ...]:
    """Return the fields of an answer for an attack by one of these attackers.

    The blow ignores fields that the attacker has no use for, such as a second hand on a dagger.
    """
    found = list(sheet.strike_field(table, target))
    if any("flexible" in item.traits for one in attackers for item in list_held(table, one)):
        found.append(Field(name="grip", kind="id", among=("one", "two"), optional=True))
    boldest = max((find_most_stress(table, one) for one in attackers), default=0)
    if boldest:
        found.append(Field(name="mighty", kind="int", low=0, high=boldest, optional=True))
    if any(sheet.background_of(table, one) for one in attackers):
        found.append(Field(name="background", kind="id", among=("no", "yes"), optional=True))
    return tuple(found)


def read_attack(table: Table, answer: Answered, attacker: Id, target: Id, manner: str) -> FreeAttack:
    """Return the attack that an answer describes, as far as the attacker is able."""
    fields = answer.fields
    strike = convert(fields.get("strike") or "", sheet.Strike)
    grip = convert(fields.get("grip") or "", Grip)
    if grip == "two" and not can_strike(table, attacker, target, manner, strike=strike, grip=grip):
        grip = ""
    weapon = choose_weapon(table, attacker, target, "", manner, strike=strike, grip=grip)
    mighty = min(int(fields.get("mighty") or 0), find_most_stress(table, attacker)) if is_melee(weapon) else 0
    fits = fields.get("background") == "yes" and bool(sheet.background_of(table, attacker))
    return FreeAttack(target=target, strike=strike, grip=grip, mighty=mighty, background=fits)


def can_strike(
    table: Table,
    attacker: Id,
    target: Id,
    manner: str,
    weapon: Id = "",
    *,
    strike: sheet.Strike = "",
    grip: Grip = "",
) -> bool:
    """Tell whether a free attack is possible.

    Without ``strike`` it is an attack at the rider of a mounted target.
    """
    if not strike and mount_of(table, target):
        strike = "rider"
    try:
        FreeAttack(target=target, weapon=weapon, strike=strike, grip=grip).check(table, attacker, manner)
    except Refused:
        return False
    return True


def fire_readied(
    table: Table, mover: Id, trigger: str, through: Id = "", goes: Callable[[], bool] = lambda: True
) -> Rule[bool]:
    """Let readied attacks with this trigger come first (VER-072).

    They come in the order in which they were readied, each if the game master confirms it.

    Args:
        mover: The combatant whose act may fire them, in its present zone.
        trigger: Its act, as in ``Ready``.
        through: The destination of a step out of a zone.
        goes: Tells whether the act is still to come, where the pending action cannot tell.

    Returns:
        Whether a question was asked; the mover may have changed since (VER-072, VER-073, VER-076).
    """

    def waits(owner: Id) -> bool:
        return goes() and _is_waiting_for(table, owner, mover, trigger, through)

    asked = False
    past: list[Id] = []
    while owner := _find_first_owner(table, waits, past):
        past.append(owner)
        if not _can_fire(table, owner, mover):
            continue
        asked = True
        answer = yield from choice(
            partial(_build_trigger_question, table, owner, mover, trigger, partial(waits, owner))
        )
        if answer is not None and answer.choice == "confirm":
            action = build_readied_attack(table, owner, mover, answer.fields.get("strike"))
            yield free_attack(owner, action, "readied")
    return asked


def _find_first_owner(table: Table, waits: Callable[[Id], bool], past: Collection[Id]) -> Id:
    """Return the first waiting owner in readying order, without past ones; else empty."""
    waiting = [one for one in table.derive(sheet.list_readied) if one not in past and waits(one)]
    return min(waiting, key=lambda one: (marks.READIED_ORDER.of(table, one), not table.is_known(one)), default="")


def _can_fire(table: Table, owner: Id, mover: Id) -> bool:
    weapon, grip = marks.READIED_WEAPON.of(table, owner), convert(marks.READIED_GRIP.of(table, owner), Grip)
    return sheet.is_able(table, mover) and can_strike(table, owner, mover, "readied", weapon, grip=grip)


def _is_waiting_for(table: Table, owner: Id, mover: Id, trigger: str, through: Id) -> bool:
    """Tell whether trigger, place and mover fit a readied attack."""
    if owner == mover or marks.READIED_TRIGGER.of(table, owner) != trigger or not sheet.is_able(table, owner):
        return False
    whom = marks.READIED_WHOM.of(table, owner)
    if (whom != mover) if whom else not sheet.is_enemy(table, owner, mover):
        return False
    zone = "" if trigger == "acts" else table[mover].place
    readied_for = (marks.READIED_ZONE.of(table, owner), marks.READIED_THROUGH.of(table, owner))
    return all(not want or want == found for want, found in zip(readied_for, (zone, through), strict=True))


def _build_trigger_question(table: Table, owner: Id, mover: Id, trigger: str, still: Callable[[], bool]) -> Ask | None:
    """Ask the game master whether a trigger is fulfilled (VER-T61, VER-T70)."""
    if not still() or not _can_fire(table, owner, mover):
        return None
    says = f"{table.name_of(owner)} makes the readied attack on {table.name_of(mover)}"
    options = (
        Option(choice="confirm", says=says, fields=sheet.strike_field(table, mover)),
        Option(choice="deny", says="this is not what was waited for"),
    )
    refuses = partial(_must_name_strike, table, mover)
    rules = ("VER-072", "VER-076", "VER-T70", *(("VER-T61",) if trigger == "leaves_melee" else ()))
    return Ask(of=("gm",), about=f"trigger:{owner}", options=options, rules=rules, refuses=refuses)


def _must_name_strike(table: Table, mover: Id, answer: Answered) -> None:
    if answer.choice == "confirm":
        sheet.must_name_rider_or_mount(table, mover, str(answer.fields.get("strike") or ""))


def lash_out(table: Table, attacker: Id) -> Rule[None]:
    """Let a combatant in panic strike its chosen target."""
    target = marks.LASHES.of(table, attacker)
    yield marks.LASHES.clear_on(marks.FIGHT, "VER-S12")
    yield marks.LASHES.clear_on(attacker, "VER-S12")
    possible = (table.draft.phase, "lash_out") in FLOW.table and attacker in table.draft.combatants
    if possible and sheet.is_able(table, attacker) and target in table.draft.combatants:
        strike: sheet.Strike = "rider" if mount_of(table, target) else ""
        yield free_attack(attacker, FreeAttack(target=target, strike=strike), "panicked")

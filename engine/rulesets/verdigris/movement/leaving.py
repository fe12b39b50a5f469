"""Leaving a melee: the test, one free attack, and the escape."""

from collections.abc import Callable
from functools import partial
from typing import Annotated, Literal

from affray.engine.core.actions import declared_as
from affray.engine.core.candidates import Among
from affray.engine.core.effects import Ask, Go, Rule, choice
from affray.engine.kit.riding import mount_of
from affray.engine.kit.sheets import is_pc
from affray.engine.rulesets.verdigris import marks, sheet
from affray.engine.rulesets.verdigris.chapters.free_attacks import (
    can_strike,
    fire_readied,
    free_attack,
    list_attack_fields,
    read_attack,
)
from affray.engine.rulesets.verdigris.chapters.panic import try_test
from affray.engine.rulesets.verdigris.config import Table
from affray.engine.rulesets.verdigris.sheet import is_mount
from affray.engine.rulesets.verdigris.turns.order import done_for
from affray.events import Answered, Field, Id, Option

from .melees import leave_melee
from .moving import Going, must_be_free_to_go


def list_helping_skills(table: Table, actor: Id) -> tuple[str, ...]:
    """Return the plain attempt, and the skills that may help it."""
    return ("", "acrobatics", "riding") if mount_of(table, actor) else ("", "acrobatics")


NIMBLE = frozenset({"flight", "movement"})
"""The needs of getting away: a broken combatant is not hampered in flight."""


@declared_as("leave_melee", "try to get out of the melee; one enemy may strike", "skill", own_trigger="leave_melee")
@done_for("move", "VER-039", paid_by=("VER-020", "VER-039"))
class LeaveMelee(Going, frozen=True, kw_only=True):
    """Try to leave a melee: an Agility test, and one enemy may strike.

    Attributes:
        skill: The skill that helps, if the game master agrees.
        background: Whether the background fits (VER-S01).
    """

    skill: Annotated[Literal["", "acrobatics", "riding"], Among(list_helping_skills)] = ""
    background: bool = False

    def must_fit(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in the page's order: a hold on the mover, no melee (VER-020)."""
        must_be_free_to_go(table, actor, "VER-039")
        sheet.must_have_background(table, actor, self.background)
        if sheet.melee_of(table, actor) is None:
            raise table.refuse(actor, "is in no melee", "VER-020")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Test, let an enemy strike, and get away or stay."""
        ground = partial(self.check, table, actor, "pending")
        yield from get_away(table, actor, self.skill, ground, fits=self.background)


def get_away(table: Table, actor: Id, skill: str, ground: Callable[[], None], *, fits: bool = False) -> Rule[bool]:
    """Leave the melee on a passed test (VER-039, VER-040, VER-042, VER-T60).

    The free attack comes first, then readied attacks, then the movement. The result of the free attack does not change
    it. A failed attempt also uses up the move.
    """
    of = ("agility", skill)
    outcome = yield from try_test(table, actor, "leave", *of, "VER-039", ground=ground, fits=fits, needs=NIMBLE)
    passed = outcome.sl >= 1
    at_risk = passed or table.config.leave_melee_free_attack_on_failed_test
    offered = at_risk and (yield from _offer_free_attack(table, actor))
    if passed:
        yield from fire_readied(table, actor, "leaves_melee")
        yield from leave_melee(table, actor, "VER-042", "VER-020", *(() if offered else ("VER-T60",)))
    else:
        yield marks.HELD_BACK.set_on(actor, table.draft.round, "VER-040")
    return passed


def _offer_free_attack(table: Table, leaver: Id) -> Rule[bool]:
    """Offer one enemy of the melee a free attack on the leaver (VER-033, VER-041).

    Return whether there was an enemy to offer it to.
    """
    if not list_candidates(table, leaver):
        return False
    yield Go("offered", rules=("VER-033", "VER-041"))
    answer = yield from choice(partial(_build_offer, table, leaver))
    if answer is None or answer.choice == "decline":
        yield Go("let_go", rules=("VER-041",))
        return True
    attacker = str(answer.fields["attacker"])
    if table.config.free_attack_limit_per_round != "none":
        yield marks.FREE_ATTACKS.set_on(attacker, _read_free_attacks(table, attacker) + 1, "VER-041")
    yield free_attack(attacker, read_attack(table, answer, attacker, leaver, "free"), "free")
    return True


def list_candidates(table: Table, leaver: Id) -> tuple[Id, ...]:
    """Return the opponents in a melee who could strike at a leaver."""
    return tuple(one for one in sheet.list_opponents(table, leaver) if _can_strike(table, one, leaver))


def _build_offer(table: Table, leaver: Id) -> Ask | None:
    """Return the offer of the free attack, while an enemy could make it (VER-070)."""
    able = list_candidates(table, leaver)
    if not able:
        return None
    fields = (Field(name="attacker", kind="id", among=able), *list_attack_fields(table, able, leaver))
    claim = Option(choice="claim", says=f"one strikes at {table.name_of(leaver)}", fields=fields)
    options = (claim, Option(choice="decline", says="lets it go"))
    of = tuple(one for one in able if is_pc(table, one)) or ("gm",)
    rules, refuses = ("VER-033", "VER-041", "VER-070"), partial(_must_have_free_attack, table, leaver)
    return Ask(of=of, about="free_attack", options=options, rules=rules, refuses=refuses)


def _must_have_free_attack(table: Table, leaver: Id, answer: Answered) -> None:
    attacker = str(answer.fields.get("attacker") or "")
    if answer.choice == "claim" and attacker in table.draft.combatants:
        if attacker not in list_candidates(table, leaver):
            raise table.refuse(attacker, f"cannot strike at {table.name_of(leaver)}", "VER-041")
        sheet.must_name_rider_or_mount(table, leaver, str(answer.fields.get("strike") or ""))


def _can_strike(table: Table, enemy: Id, leaver: Id) -> bool:
    """Tell whether an enemy could make the free attack.

    It must be able to fight, below its limit for the round, and have a fit weapon.
    """
    if is_mount(table, enemy) or not sheet.is_able(table, enemy):
        return False
    most = table.config.free_attack_limit_per_round
    spent = most != "none" and _read_free_attacks(table, enemy) % 100 >= most
    return not spent and can_strike(table, enemy, leaver, "free")


def _read_free_attacks(table: Table, who: Id) -> int:
    """Return the mark of free attacks: the round times a hundred, plus their number."""
    return max(marks.FREE_ATTACKS.of(table, who), table.draft.round * 100)

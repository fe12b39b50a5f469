"""Grapples: taking hold and letting go."""

from collections.abc import Iterable
from functools import partial
from typing import Annotated, Any, Self

from msgspec.structs import replace

from affray.engine.core.actions import declared_as
from affray.engine.core.candidates import Among, Target
from affray.engine.core.changes import change_pool, set_condition
from affray.engine.core.effects import Go, Rule
from affray.engine.core.state import Relation
from affray.engine.kit.relations import end_relation, set_relation
from affray.engine.kit.riding import mount_of
from affray.engine.kit.rulings.verdicts import judge_test
from affray.engine.kit.sheets import stat
from affray.engine.rulesets.verdigris import sheet
from affray.engine.rulesets.verdigris.attack.attacks import begin_action
from affray.engine.rulesets.verdigris.attack.exchange import list_number_dice
from affray.engine.rulesets.verdigris.config import Table
from affray.engine.rulesets.verdigris.gear.things import is_empty_handed
from affray.engine.rulesets.verdigris.harm.damage import exhaust_dodger, list_target_dice, roll_dodge
from affray.engine.rulesets.verdigris.movement.melees import list_grapples_by
from affray.engine.rulesets.verdigris.turns.order import Deed, done_for
from affray.events import Clause, Id, Judged, Member, Modifier, RelationId

from .panic import attempt
from .pools import Pool, Share, attribute, background, skill
from .pushing import Thrown

WRESTLING = frozenset({"tests", "strength", "bodily"})
"""The needs of a Brawling test."""


def list_brawling_dice(table: Table, who: Id, *, fits: bool = False) -> list[Share]:
    """Return the dice of a Brawling test: Strength and the skill (VER-T25)."""
    shares = [attribute(table, who, "strength", "VER-T25"), skill(table, who, "brawling", "VER-T25")]
    return [*shares, background(table, who)] if fits else shares


def list_strong_back_dice(table: Table, who: Id) -> list[Modifier]:
    """List the dice of a strong back, for grapples and opposed Strength tests (table 5.7)."""
    level = stat(table, who, "strong-back")
    return [sheet.make_talent_modifier(who, "strong-back", level)] if level else []


@declared_as("grapple", "hold an enemy with bare hands", "target", own_trigger="attack")
@done_for("action", "VER-081")
class Grapple(Deed, frozen=True, kw_only=True):
    """Hold an enemy of the same melee with bare hands.

    Attributes:
        strike: Whether rider or mount is held; needed against a mounted target (VER-067).
        wild: Whether it is the one wild tackle of the fight, which cannot be dodged.
        background: Whether the background fits (VER-S01).
    """

    target: Target
    strike: sheet.Strike = ""
    wild: bool = False
    background: bool = False

    def must_fit(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in the page's order: hands, target, melee (VER-081)."""
        if self.wild and manner != "pending" and not table.pool(actor, "wild-tackle"):
            raise sheet.refusal_by("VER-T29", f"{table.name_of(actor)} has no wild tackle left", f"{actor}.wild-tackle")
        if not is_empty_handed(table, actor):
            sheet.must_be_allowed("VER-081", table, actor, f"{table.name_of(actor)} needs empty hands to grapple")
        if mount_of(table, actor):
            sheet.must_be_allowed("VER-065", table, actor, f"{table.name_of(actor)} cannot grapple from the saddle")
        sheet.must_have_background(table, actor, self.background)
        sheet.must_name_rider_or_mount(table, self.target, self.strike)
        held = sheet.find_struck(table, self.target, self.strike)
        if held == actor or not sheet.is_in_play(table, held) or not sheet.is_enemy(table, actor, held):
            table[self.target]
            raise sheet.refusal_by("VER-081", f"{table.name_of(actor)} cannot grapple {table.name_of(held)}", held)
        if any(one.members[-1].who == held for one in list_grapples_by(table, actor)):
            raise sheet.refusal_by("VER-083", f"{table.name_of(actor)} holds {table.name_of(held)} already", held)
        if sheet.shared_melee(table, actor, held) is None or not sheet.is_participant(table, held):
            raise table.refuse(held, f"takes no part in a melee with {table.name_of(actor)}", "VER-081")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Test Brawling against the Dodge save; it does no damage (VER-082)."""
        if not (yield from begin_action(table, self, actor)):
            return
        held = sheet.find_struck(table, self.target, self.strike)
        ground = partial(self.check, table, actor, "pending")
        grip = yield from attempt(table, actor, partial(self._build_pool, table, actor, held), ground)
        yield Go("aimed", rules=("VER-082",))
        dodge = yield from self._roll_dodge(table, actor, held)
        net = grip.sl - (dodge.sl if dodge else 0)
        words = ("held", "miss")
        judged = Judged(roll=grip.roll, outcome=words[net <= 0], margin=net, rules=("VER-082", "VER-T07"))
        if (yield from judge_test(table, actor, judged, net > 0, words, "VER-T80")):
            if dodge:
                yield from exhaust_dodger(table, held, dodge)
            yield Go("gripped", rules=("VER-083", "VER-084"))
            yield from take_hold(table, actor, held)
        else:
            yield Go("missed", rules=("VER-082",))

    def _build_pool(self, table: Table, actor: Id, held: Id) -> Pool:
        shares, changes = list_brawling_dice(table, actor, fits=self.background), self._list_changes(table, actor, held)
        rules = ("VER-082", *self._list_number_clauses(table, actor, held))
        return Pool(who=actor, purpose="grapple", shares=shares, changes=changes, needs=WRESTLING, rules=rules)

    def _list_number_clauses(self, table: Table, actor: Id, held: Id) -> tuple[Clause, ...]:
        """Return the clauses by which numbers and a prone target count, if they do (VER-T59)."""
        melee = sheet.melee_of(table, actor) if table.config.grapple_counts_as_attack_for_numbers else None
        if melee is None:
            return ()
        prone = ("VER-T59",) if table[held].has("prone") else ()
        return ("VER-038", *sheet.clauses_counting(table, melee.id), *prone)

    def _list_changes(self, table: Table, actor: Id, held: Id) -> list[Modifier]:
        """List a grapple's modifiers: numbers and a prone target as in an attack (VER-038)."""
        found = list_strong_back_dice(table, actor)
        if table.config.grapple_counts_as_attack_for_numbers:
            melee = sheet.melee_of(table, actor)
            numbers = list_number_dice(table, melee.id, actor, held) if melee is not None else []
            found += [replace(one, rule="VER-038") for one in numbers] + list_target_dice(table, held, melee=True)
        if mount_of(table, actor):
            found.append(Modifier(value=1, label="mounted", source=actor, rule="VER-065"))
        return found

    def _roll_dodge(self, table: Table, actor: Id, held: Id) -> Rule[Thrown | None]:
        """Let the target or its rider dodge.

        The helpless do not dodge, nor does anything dodge a wild tackle.
        """
        if self.wild:
            yield change_pool(table, actor, "wild-tackle", -1, "VER-T29")
            return None
        if not sheet.HELPLESS.isdisjoint(table[held].conditions):
            return None
        ground = partial(self.check, table, actor, "pending")
        return (yield from roll_dodge(table, held, actor, table.item(f"{actor}.unarmed"), ground, "VER-082"))

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """Return every enemy, both rider and mount, and a wild tackle if one is left."""
        match field:
            case "target":
                return [who for who in table.draft.combatants if sheet.is_enemy(table, actor, who)]
            case "strike":
                return sheet.strike_choices(table, so_far.target)
            case "wild" if table.pool(actor, "wild-tackle"):
                return (False, True)
            case _:
                return super().values(table, actor, manner, field, so_far)


def take_hold(table: Table, grappler: Id, held: Id) -> Rule[None]:
    """Begin a grapple: one Entangled for the grappler, two for the held (VER-083, VER-084)."""
    grapple = f"grapple:{grappler}:{held}"
    roles = (Member(who=grappler, role="grappler"), Member(who=held, role="held"))
    yield set_relation(grapple, "grapple", *roles, rules=("VER-083", "VER-084"))
    yield set_condition(table, grappler, "entangled", 1, "VER-083", source=grapple)
    yield set_condition(table, held, "entangled", 2, "VER-084", source=grapple)


def list_grips(table: Table, actor: Id) -> list[Id]:
    """Return the ids of the grapples that a combatant holds."""
    return [one.id for one in list_grapples_by(table, actor)]


@declared_as("break_grapple", "let go of a held combatant", "grapple", own_trigger="manage", stacks=False)
@done_for("free", "VER-085")
class BreakGrapple(Deed, frozen=True, kw_only=True):
    """Let go of a held combatant, for free, in the own turn."""

    grapple: Annotated[RelationId, Among(list_grips)] = ""

    def must_fit(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse a combatant who holds no other."""
        self._find_grapple(table, actor)

    def _find_grapple(self, table: Table, actor: Id) -> Relation:
        for one in list_grapples_by(table, actor):
            if self.grapple in ("", one.id):
                return one
        raise sheet.refusal_by("VER-085", f"{table.name_of(actor)} holds nobody", self.grapple or actor)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Let go: both lose the conditions of that grapple (VER-085)."""
        yield from end_relation(table, self._find_grapple(table, actor), "VER-085")

"""The procedures of a fight: its beginning, the aftermath of an action, its reopening."""

from collections.abc import Iterable, Iterator
from typing import Any, Literal, Self

from affray.engine.core.actions import Action, declared_as
from affray.engine.core.changes import set_pool
from affray.engine.core.effects import Interrupted, Rule
from affray.engine.errors import Refused, Unusable
from affray.engine.kit.fight_end import has_enemies, reopen_fight
from affray.engine.rulesets.vestige.attack import Attack, Ep
from affray.engine.rulesets.vestige.chapters.delay import end_delayed_turns
from affray.engine.rulesets.vestige.chapters.ready import offer_announcements
from affray.engine.rulesets.vestige.chapters.skills import Skill, find_skill, list_attack_skills
from affray.engine.rulesets.vestige.config import Table
from affray.engine.rulesets.vestige.flow import OPEN
from affray.engine.rulesets.vestige.harm import end_if_over, list_victors, take_back_morale
from affray.engine.rulesets.vestige.marks import (
    ATTACKER,
    FIGHT,
    FIRST_EP,
    FIRST_SKILL,
    FREE_ROUND,
    SURPRISING,
    TARGET,
)
from affray.engine.rulesets.vestige.sheet import is_active, is_contested, list_able, list_standing_sides, list_targets
from affray.engine.rulesets.vestige.turns.order import find_first_to_act, let_latecomers_act, regroup
from affray.events import CombatantId, Id, ItemId, SideName, StatName, TurnBegan, TurnEnded


@declared_as("begin", "begin the fight", "cause", "attacker", "target", by_gm=True, stacks=False)
class Begin(Action, frozen=True, kw_only=True):
    """Begin the fight; only the game master declares it.

    Attributes:
        cause: ``threat``: the parties have recognised each other; ``first_attack``: a combatant has just struck.
        attacker, target: The combatants of the opening blow, for ``first_attack``.
        weapon, skill, ep: As in ``Attack`` and ``Skill``; by default, the weapon in hand.
        surprising: The side that has a free round before initiative, if any; it comes after an opening blow.
    """

    cause: Literal["threat", "first_attack"] = "threat"
    attacker: CombatantId = ""
    target: CombatantId = ""
    surprising: SideName = ""
    weapon: ItemId = ""
    skill: StatName = ""
    ep: Ep = 0

    def trigger(self, of_manner: str) -> str:
        """Return the trigger: to initiative, to the opening blow, or to the free round."""
        if self.cause == "first_attack":
            return "strike_first"
        return "surprise" if self.surprising else "begin"

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse a fight of one side, and an opening blow that is not possible (VES-001)."""
        if actor != "gm":
            raise Refused("not_your_turn", "VES-001", "the game master begins the fight", source=actor)
        if not has_enemies(table, table.derive(list_able)):
            message = "a fight needs two hostile sides with somebody active each"
            raise Refused("need_two_sides", "VES-001", message, "sides")
        if self.cause == "first_attack":
            if not (self.attacker and self.target):
                raise Unusable("say who struck whom", "attacker" if not self.attacker else "target")
            self._must_attack(table)
            build_opening_blow(self.target, self.skill, self.ep, self.weapon).check(table, self.attacker, "first")
        elif self.attacker or self.target or self.weapon or self.skill or self.ep:
            raise Unusable("only a beginning by first_attack has somebody who strikes", "cause")
        if self.surprising and self.surprising not in table.derive(list_standing_sides):
            raise Unusable(f"there is no side {self.surprising} with somebody active", "surprising")

    def _must_attack(self, table: Table) -> None:
        """Refuse an opening blow by a skill that is no attack, or with another weapon."""
        if not self.skill:
            return
        skill = find_skill(table, self.attacker, self.skill)
        if "move" in skill.traits:
            raise Unusable(f"{skill.quoted_name} is no attack", "skill")
        if self.weapon:
            raise Unusable("a skill is used with the weapon in hand; leave weapon out", "weapon")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Note the opening blow, or give the free round."""
        if self.cause == "first_attack":
            yield ATTACKER.set_on(FIGHT, self.attacker, "VES-002")
            yield TARGET.set_on(self.attacker, self.target, "VES-002")
            if self.skill:
                yield FIRST_SKILL.set_on(self.attacker, self.skill, "VES-002")
            if self.ep:
                yield FIRST_EP.set_on(self.attacker, self.ep, "VES-002")
            if self.surprising:
                yield SURPRISING.set_on(FIGHT, self.surprising, "VES-G02")
        elif self.surprising:
            yield from give_free_round(table, self.surprising)

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """List the candidates of a field, for a threat or for an opening blow."""
        if field == "cause":
            return ("threat", "first_attack")
        if so_far.cause == "threat":
            sides = ("", *table.derive(list_standing_sides))
            return sides if field == "surprising" else super().values(table, actor, manner, field, so_far)
        if field == "attacker":
            return table.draft.combatants
        return _list_opening_blows(table, so_far.attacker, field) or super().values(table, actor, manner, field, so_far)


def _list_opening_blows(table: Table, attacker: Id, field: str) -> Iterable[Any]:
    """Return the candidates for a field of the opening blow; none for other fields."""
    match field:
        case "target":
            return list_targets(table, attacker)
        case "skill":
            return ("", *list_attack_skills(table, attacker))
        case "ep":
            return range(table.pool(attacker, "ep") + 1)
        case _:
            return ()


def build_opening_blow(target: Id, skill: Id, ep: int, weapon: Id = "") -> Attack | Skill:
    """Return the attack that opens a fight: a basic attack or a skill."""
    if skill:
        return Skill(skill=skill, target=target, ep=ep)
    return Attack(target=target, weapon=weapon, ep=ep)


def give_free_round(table: Table, side: str) -> Rule[None]:
    """Give a side's members two standard actions each before initiative (VES-G02)."""
    members = tuple(one.id for one in table.draft.combatants.values() if one.side == side and is_active(table, one.id))
    yield TurnBegan(slot="surprise", members=members, rules=("VES-G02",))
    for who in members:
        yield set_pool(table, who, "actions", 2, "VES-G02", "VES-009")


def strike_first(table: Table) -> Rule[str]:
    """Let the opening blow come first, outside the order and at no cost (VES-002).

    A free round comes after it (VES-G02).
    """
    surprising = SURPRISING.of(table, FIGHT)
    if surprising:
        yield FREE_ROUND.set_on(FIGHT, surprising, "VES-G02")
    attacker = ATTACKER.of(table, FIGHT)
    blow = build_opening_blow(TARGET.of(table, attacker), FIRST_SKILL.of(table, attacker), FIRST_EP.of(table, attacker))
    yield Interrupted(by=((attacker, blow),), manner="first", rules=("VES-002",))
    return "resume"


def aftermath(table: Table) -> Rule[str]:
    """End the fight or the turn if it is over; otherwise resume what lies beneath (VES-047)."""
    draft = table.draft
    if draft.phases[""] in OPEN and not table.derive(is_contested) and (yield from end_if_over(table)):
        return "over"
    first = draft.phases[""] == "first_strike" and not draft.stack
    if first and FREE_ROUND.of(table, FIGHT) in table.derive(list_standing_sides):
        yield from give_free_round(table, FREE_ROUND.of(table, FIGHT))
        return "surprise"
    in_a_turn = not draft.stack and draft.phases[""] in ("turn", "surprise")
    if in_a_turn and not [who for who in draft.acting if is_active(table, who)]:
        yield TurnEnded(slot=draft.up, rules=("VES-051",))
        return "spent"
    return "resume"


def reopen(table: Table) -> Rule[str]:
    """Reopen a fight in a new round, or in setup without a turn order (VES-T53)."""
    victors = list_victors(table)
    yield from reopen_fight(table, "VES-T53")
    yield from take_back_morale(table, victors)
    if table.draft.acting:
        yield TurnEnded(slot=table.draft.up, rules=("VES-051",))
    return "reopen" if table.draft.slots else "begin_anew"


def tidy(table: Table) -> Rule[None]:
    """Match the groups and the turn to what a ruling changed."""
    draft = table.draft
    if not draft.slots:
        yield from regroup(table)
    if draft.phases[""] in OPEN:
        yield from end_delayed_turns(table)
    if draft.phases[""] == "turn":
        yield from let_latecomers_act(table)


def list_movers(table: Table) -> Iterator[tuple[Id, str]]:
    """Yield each combatant that may declare an action now, and its manner."""
    draft = table.draft
    phase = draft.phase
    if phase == "setup":
        yield "gm", "standard"
    if not draft.stack:
        for who in draft.acting:
            yield who, "standard"
    if draft.window is not None:
        for who in draft.window.to:
            yield who, "readied" if draft.window.what == "announce" else "standard"
    elif phase == "turn":
        for who in offer_announcements(table).to:
            yield who, "readied"
    if phase in ("gap", "reinsertion", "lull") or (phase == "turn" and not find_first_to_act(table)):
        for who, one in draft.combatants.items():
            asks = one.has("brink") or not table.config.forfeit_only_at_brink
            if asks and is_active(table, who) and who not in draft.acting and not _is_in_window(table, who):
                yield who, "standard"


def _is_in_window(table: Table, who: Id) -> bool:
    return table.draft.window is not None and who in table.draft.window.to

"""What the game master settles: improvised maneuvers and spells (WWN-052, WWN-065 to WWN-070)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Self

from msgspec import Meta

from affray.engine.actions import Action
from affray.engine.errors import Refused
from affray.engine.facts import condition_set, pool_moved
from affray.engine.rule import Ask, Rule
from affray.engine.sides import enemies
from affray.engine.table import Table
from affray.events import Answered, Clause, Field, Id, Modifier, Noted, Option

from .arms import usable
from .blow import announced, dealt, rolled_damage, strike
from .budgets import denied
from .checks import checked, opposed
from .hit import Blow
from .kit import arms_of
from .play import met, paid, playable
from .sheet import ATTRIBUTES, active, in_own_turn, mount_of
from .tables import skills

Text = Annotated[str, Meta(min_length=1, max_length=200)]

EFFECTS = ("harm", "hinder", "both", "none")
"""What a maneuver that works does to its target."""

PAINLESS = ("hinder", "none")
"""Those of them that take no weapon."""

REWARD = 2
"""The least that a good idea should add to usual damage (WWN-068)."""


class Improvise(Action, frozen=True, kw_only=True):
    """Try something the rules have no word for; the game master says how it is settled (WWN-065).

    Attributes:
        what: In plain words.
        target: Combatant id of whom it is aimed at, if anybody.
    """

    kind: ClassVar[str] = "improvise"
    says: ClassVar[str] = "try something else, as the game master rules"
    words: ClassVar[tuple[str, ...]] = ("what", "target")
    people: ClassVar[tuple[str, ...]] = ("target",)

    what: Text
    target: Id = ""

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in the page's order: actor, budget, a target out of the fight."""
        playable(table, actor, manner, "WWN-065", main=True)
        here = self.target in table.draft.combatants
        if self.target and not active(table, self.target) and not (here and manner == "pending" and met(table)):
            raise Refused("target_out", "WWN-065", f"{self.target} is out of the fight", source=self.target)

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Take the Main Action (WWN-065)."""
        yield from paid(table, actor, manner, "main", "WWN-065")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Ask the game master, and let happen what is answered (WWN-065 to WWN-070)."""
        answer = yield _question(table, actor, self.target)
        if answer.choice == "refuse":
            yield pool_moved(table, actor, "main", 1, "WWN-065")
            yield Noted(text=f"{actor} cannot: {answer.fields['why']}", rules=("WWN-065",))
        elif answer.choice == "settled":
            yield Noted(text=f"{actor}: {self.what}: {answer.fields['outcome']}", rules=("WWN-065",))
        elif answer.choice == "attack":
            yield from _by_attack(table, actor, self.target, answer)
        else:
            yield from _by_check(table, actor, self.target, answer)

    def targets(self) -> tuple[Id, ...]:
        """Return whom it is aimed at."""
        return (self.target,) if self.target else ()

    @classmethod
    def offers(cls, table: Table, actor: Id, manner: str) -> Iterator[Self]:
        """Yield a stunt, at nobody and at every enemy."""
        if manner == "standard" and in_own_turn(table, actor):
            yield cls(what="a stunt")
            for other in table.draft.combatants:
                if enemies(table, actor, other):
                    yield cls(what="a stunt", target=other)


def _question(table: Table, actor: Id, target: Id) -> Ask:
    """Return what the game master is asked: how it is settled, and what comes of it (WWN-065)."""
    check = (
        Field(name="attribute", kind="id", among=ATTRIBUTES),
        Field(name="skill", kind="id", among=tuple(skills())),
    )
    arms = tuple(item.id for item in arms_of(table, actor))
    effect = _effect_fields(EFFECTS if arms else PAINLESS) if target else ()
    options = [
        Option(choice="skill", says="is a skill check", fields=(*check, _number("difficulty", 2, 20), *effect)),
        Option(choice="settled", says="comes out like this", fields=(Field(name="outcome", kind="text"),)),
        Option(choice="refuse", says="is not possible", fields=(Field(name="why", kind="text"),)),
    ]
    if target:
        pair = (
            Field(name="against_attribute", kind="id", among=ATTRIBUTES, optional=True),
            Field(name="against_skill", kind="id", among=tuple(skills()), optional=True),
            _number("against", -5, 20),
        )
        options.insert(1, Option(choice="opposed", says="is an opposed check", fields=(*check, *pair, *effect)))
    if target and arms and enemies(table, actor, target):
        object_ = (_number("count", 1, 10), _number("sides", 2, 20))
        fields = (Field(name="weapon", kind="id", among=arms, optional=True), _number("by", -10, 10), *object_, *effect)
        options.insert(0, Option(choice="attack", says="is an attack", fields=fields))
    return Ask(of=("gm",), about="maneuver", options=tuple(options), rules=("WWN-065",))


def _number(name: str, low: int, high: int) -> Field:
    return Field(name=name, kind="int", low=low, high=high, optional=True)


def _effect_fields(effects: tuple[str, ...]) -> tuple[Field, ...]:
    return (
        Field(name="effect", kind="id", among=effects, optional=True),
        _number("bonus", 0, 20),
        Field(name="deny", kind="id", among=("move", "main"), optional=True),
        Field(name="condition", kind="text", optional=True),
    )


def _by_attack(table: Table, actor: Id, target: Id, answer: Answered) -> Rule[None]:
    """Settle it by an ordinary attack roll, with a weapon or a thing the game master names (WWN-066)."""
    fields = answer.fields
    effect = str(fields.get("effect") or "harm")
    usual = _usual_weapon(table, actor)
    sides, by = _whole(fields.get("sides")), _whole(fields.get("by"))
    bonus = yield from _reward(effect, _whole(fields.get("bonus")))
    blow = Blow(
        target,
        str(fields.get("weapon") or usual),
        "melee",
        extra=(Modifier(value=by, label="ruling", source="gm", rule="WWN-066"),) if by else (),
        bonus=bonus,
        dice=(_whole(fields.get("count")) or 1, sides) if sides else None,
        harmless=effect in ("hinder", "none"),
        rules=("WWN-066",),
    )
    if table.config.announce_ac:
        yield announced(table, actor, blow)
    hit = yield from strike(table, actor, blow)
    if hit:
        yield from _hindered(table, target, effect, answer)


def _by_check(table: Table, actor: Id, target: Id, answer: Answered) -> Rule[None]:
    """Settle it by a skill check or an opposed one (WWN-067)."""
    fields = answer.fields
    pair = (str(fields["attribute"]), str(fields["skill"]))
    if answer.choice == "opposed":
        other = (str(fields.get("against_attribute") or "str"), str(fields.get("against_skill") or "exert"))
        against = fields.get("against")
        bonus = against if isinstance(against, int) else None
        worked = yield from opposed(table, actor, pair, target, other, "WWN-067", resisting=target, bonus=bonus)
    else:
        told = fields.get("difficulty")
        difficulty = told if isinstance(told, int) else int(table.config.skill_difficulty)
        roll = yield from checked(table, actor, *pair, "WWN-067", difficulty=difficulty)
        worked = roll.total >= difficulty
    if not (worked and target):
        return
    effect = str(fields.get("effect") or "none")
    if effect in ("harm", "both"):
        bonus_terms = yield from _reward(effect, _whole(fields.get("bonus")))
        yield from _usual_damage(table, actor, target, bonus_terms)
    yield from _hindered(table, target, effect, answer)


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) else None


def _usual_weapon(table: Table, actor: Id) -> Id:
    weapon = usable(table, actor, "melee")
    return weapon.id if weapon else ""


def _reward(effect: str, told: int | None) -> Rule[tuple[Modifier, ...]]:
    """Come to what a good idea adds to the damage, and warn if that is little (WWN-068, WWN-070)."""
    if effect not in ("harm", "both"):
        return ()
    bonus = told if told is not None else REWARD if effect == "harm" else 0
    if effect == "harm" and bonus < REWARD:
        yield Noted(text=f"a maneuver that harms should add at least {REWARD} to the damage", rules=("WWN-068",))
    rule: Clause = "WWN-068" if effect == "harm" else "WWN-070"
    return (Modifier(value=bonus, label="maneuver", source="gm", rule=rule),) if bonus else ()


def _usual_damage(table: Table, actor: Id, target: Id, bonus: tuple[Modifier, ...]) -> Rule[None]:
    """Do the damage of the usual weapon, without Shock (WWN-068)."""
    blow = Blow(target, _usual_weapon(table, actor), "melee", bonus=bonus)
    terms = yield from rolled_damage(table, actor, blow)
    yield from dealt(table, blow, terms, "WWN-025", "WWN-068")


def _hindered(table: Table, target: Id, effect: str, answer: Answered) -> Rule[None]:
    """Take the target's next Main or Move Action, or give it a condition (WWN-069, WWN-070)."""
    if effect in ("hinder", "both"):
        rules: tuple[Clause, ...] = ("WWN-069",) if effect == "hinder" else ("WWN-069", "WWN-070")
        yield from denied(table, target, str(answer.fields.get("deny") or "move"), *rules)
    condition = answer.fields.get("condition")
    if condition and not table[target].has(str(condition)):
        yield condition_set(table, target, str(condition), 1, "WWN-065")


class Cast(Action, frozen=True, kw_only=True):
    """Cast a spell, whose effect the game master settles; not while riding (WWN-052).

    Attributes:
        spell: Its name.
        target: Combatant id of whom it is aimed at, if anybody.
    """

    kind: ClassVar[str] = "cast"
    says: ClassVar[str] = "cast a spell, not while riding"
    words: ClassVar[tuple[str, ...]] = ("spell", "target")
    people: ClassVar[tuple[str, ...]] = ("target",)

    spell: Text
    target: Id = ""

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in the page's order: actor, budget, riding (WWN-052)."""
        playable(table, actor, manner, "WWN-052", main=True)
        mount = mount_of(table, actor)
        if mount:
            raise Refused("unusable_while_riding", "WWN-052", "nobody casts spells while riding", source=mount)
        if self.target and self.target not in table.draft.combatants:
            raise Refused("target_out", "WWN-052", f"{self.target} is not in the fight", source=self.target)

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Take the Main Action."""
        yield from paid(table, actor, manner, "main", "WWN-052")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Ask the game master for the outcome."""
        outcome = Field(name="outcome", kind="text")
        says = f"{actor} casts {self.spell}: say what comes of it, and rule its effects"
        option = Option(choice="settled", says=says, fields=(outcome,))
        answer = yield Ask(of=("gm",), about="outcome", options=(option,), rules=("WWN-052",))
        yield Noted(text=f"{actor} casts {self.spell}: {answer.fields['outcome']}", rules=("WWN-052",))

    def targets(self) -> tuple[Id, ...]:
        """Return whom it is aimed at."""
        return (self.target,) if self.target else ()

    @classmethod
    def offers(cls, table: Table, actor: Id, manner: str) -> Iterator[Self]:
        """Yield a spell."""
        if manner == "standard" and in_own_turn(table, actor):
            yield cls(spell="a spell")

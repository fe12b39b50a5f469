"""Stunts, and unlisted actions (WYR-011, WYR-012, WYR-046 to WYR-049)."""

from collections.abc import Iterable
from functools import partial
from typing import Annotated, Literal

from msgspec import Meta

from affray.engine.core.actions import declared_as
from affray.engine.core.candidates import Among
from affray.engine.core.changes import change_pool, move_item, set_condition
from affray.engine.core.effects import Ask, Go, Rule, choice
from affray.engine.core.state import Item
from affray.engine.errors import Unusable
from affray.engine.kit.sides import Enemy
from affray.engine.rulesets.wyrd.attack.blows import MELEE_ABILITIES, note_multiple
from affray.engine.rulesets.wyrd.attack.testing import WHICH_TEST, AbilityAction, attempt
from affray.engine.rulesets.wyrd.config import Table
from affray.engine.rulesets.wyrd.gear.pieces import list_held, list_item_dice, list_worn, must_be_usable
from affray.engine.rulesets.wyrd.marks import DISARMED
from affray.engine.rulesets.wyrd.movement.melee import must_be_in_reach
from affray.engine.rulesets.wyrd.sheet import must_be_enemy
from affray.engine.rulesets.wyrd.tables import stunts
from affray.engine.rulesets.wyrd.turns.turn import must_be_able, spend
from affray.events import Id, ItemId, Noted, Option, Words

from .foes import announce_maneuver, is_test_left_to, must_leave_the_test
from .wear_and_tear import note_prompt, step_down

RULES = ("WYR-047", "WYR-046", "WYR-048")

FORBID = Option(choice="forbid", says="it cannot be done; the action is not spent")

STUNT_ASKED = Ask(of=("gm",), about="stunt", options=(WHICH_TEST, FORBID), rules=("WYR-047",))


def list_effects(table: Table, actor: Id) -> Iterable[str]:
    """Return the named effects."""
    return stunts()


Effect = Annotated[Literal["shoved", "prone", "disarmed", "armor_step_down", "other"], Among(list_effects)]


@declared_as(
    "stunt", "try a maneuver: shove, trip, disarm, sunder armour or something else", "effect", "target", "what"
)
class Stunt(AbilityAction, frozen=True, kw_only=True):
    """Shove, trip, disarm, sunder armor, or try another maneuver.

    Attributes:
        effect: A named effect, or ``other``, which waits for a ruling.
        what: The maneuver in plain words, for ``other``.
        ability: Power by default.
        item: The item used for it; its die joins the test and does no damage.
        piece: The piece of armor to be sundered; by default the first that is worn.
    """

    effect: Effect
    target: Enemy = ""
    what: Annotated[Words, Meta(max_length=200)] = ""
    item: ItemId = ""
    piece: ItemId = ""

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in rulebook order: active, budget, item, target, reach, no weapon or armor."""
        must_be_able(table, actor, manner)
        self.check_support(table, actor, manner)
        must_leave_the_test(table, actor, self.target, self)
        if self.item:
            must_be_usable(table, table.item(self.item), actor)
        if self.effect == "other":
            if not self.what.strip():
                raise Unusable("say what is tried", "what")
            if self.target:
                table[self.target]
            return
        if not self.target:
            raise Unusable("say against whom", "target")
        must_be_enemy(table, actor, self.target, "WYR-T50")
        must_be_in_reach(table, actor, self.target, "WYR-047")
        if self.effect == "disarmed" and not list_held(table, self.target):
            raise table.refuse(self.target, "has nothing in hand", "WYR-046", "not_armed")
        if self.effect == "armor_step_down":
            self._find_armor(table)

    def _find_armor(self, table: Table) -> Item:
        """Return the piece of armor that is aimed at."""
        pieces = list_worn(table, self.target)
        named = [one for one in pieces if self.piece in ("", one.id, one.id.removeprefix(f"{self.target}."))]
        if not named:
            raise table.refuse(self.target, "wears no such armour", "WYR-046", "no_armor")
        return named[0]

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Take the action (WYR-011, WYR-T25)."""
        yield from spend(table, actor, "WYR-011", "WYR-T25")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Test: 4 or more works, and the game master judges anything less (WYR-047).

        A foe's stunt against a player character is a test of that player (WYR-T59).
        """
        if is_test_left_to(table, actor, self.target):
            yield from self._announce(table, actor)
            return
        name = self.ability or "power"
        if self.effect == "other":
            yield Go("submit", rules=("WYR-047",))
            what = f"{table[actor].name} tries: {self.what}"
            answer = yield from choice(lambda: STUNT_ASKED)
            yield Go("ruled", rules=("WYR-047",))
            if answer.choice == "forbid":
                yield from forbid_attempt(table, actor, what)
                return
            name = str(answer.fields.get("ability") or name)
        else:
            yield Go("carry_out", rules=("WYR-011",))
        support = yield from self.pay_support(table, actor)
        gear = partial(list_item_dice, table, self.item)
        tested = yield from attempt(table, actor, name, gear, *RULES, foe=self.target, support=support)
        if not tested.succeeded:
            yield note_prompt(table, "consequence", "WYR-047", actor, self.target, support.helper)
            return
        yield from note_multiple(table, tested, actor, self.target)
        if self.effect == "other":
            yield note_prompt(table, "outcome", "WYR-047", what=f"{table[actor].name} tries: {self.what}")
        else:
            yield from self._take_effect(table)

    def _announce(self, table: Table, actor: Id) -> Rule[None]:
        """Let the target test; if it fails, the game master says whether the effect happens."""
        people = f"{table[actor].name} against {table[self.target].name}"
        effect = None if self.effect == "other" else partial(self._take_effect, table)
        what = f"{people}: {self.what or stunts()[self.effect].name}"
        yield from announce_maneuver(table, actor, self, self.target, what, effect, MELEE_ABILITIES)

    def _take_effect(self, table: Table) -> Rule[None]:
        """Apply the effect, which is no damage (WYR-046, WYR-048)."""
        effect = stunts()[self.effect]
        if effect.condition and "" not in table[self.target].conditions.get(effect.condition, {}):
            yield set_condition(table, self.target, effect.condition, 1, *RULES)
        if effect.condition == "disarmed":
            yield from knock_away(table, self.target)
        for _ in range(effect.steps):
            yield step_down(table, self._find_armor(table).id, *RULES)


def forbid_attempt(table: Table, actor: Id, what: str) -> Rule[None]:
    """Give the action back for an attempt that the game master forbids."""
    yield change_pool(table, actor, "actions", 1, "WYR-012")
    yield Noted(kind="outcome", parts={"what": what, "forbidden": True}, rules=("WYR-012",))


def knock_away(table: Table, who: Id) -> Rule[None]:
    """Knock the weapons out of a combatant's hands; they return when the condition ends."""
    if not DISARMED.of(table, who):
        yield DISARMED.set_on(who, True, "WYR-046")
    for item in list_held(table, who):
        yield move_item(table, item.id, "dropped", "WYR-046")


ALLOW = Option(choice="allow", says="it works without a test")

IMPROVISE_ASKED = Ask(of=("gm",), about="improvise", options=(ALLOW, WHICH_TEST, FORBID), rules=("WYR-012",))

Remark = Annotated[Words, Meta(min_length=1, max_length=200)]


@declared_as("improvise", "do something else, as the game master rules", "what", "item", pays=("WYR-012",))
class Improvise(AbilityAction, frozen=True, kw_only=True):
    """Do something that is on no list; the game master rules on all of it.

    Attributes:
        ability: The ability that the player proposes to test.
        item: The item used for it; a single-use item is used up.
    """

    what: Remark
    item: ItemId = ""

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in rulebook order: active, budget, item."""
        must_be_able(table, actor, manner)
        self.check_support(table, actor, manner)
        if self.item:
            must_be_usable(table, table.item(self.item), actor)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Wait for the ruling: forbidden, allowed or tested, and its outcome (WYR-012)."""
        what = f"{table[actor].name}: {self.what}"
        yield Go("submit", rules=("WYR-012",))
        answer = yield from choice(lambda: IMPROVISE_ASKED)
        yield Go("ruled", rules=("WYR-012",))
        if answer.choice == "forbid":
            yield from forbid_attempt(table, actor, what)
            return
        if answer.choice == "allow":
            if self.item and table.item(self.item).die == 1:
                yield step_down(table, self.item, "WYR-012")
            yield note_prompt(table, "outcome", "WYR-012", what=what)
            return
        support = yield from self.pay_support(table, actor)
        name, gear = str(answer.fields.get("ability") or self.ability), partial(list_item_dice, table, self.item)
        tested = yield from attempt(table, actor, name, gear, "WYR-012", "WYR-T08", support=support)
        if tested.succeeded:
            yield from note_multiple(table, tested, actor)
            yield note_prompt(table, "outcome", "WYR-012", what=what)
        else:
            yield note_prompt(table, "consequence", "WYR-012", actor, support.helper)

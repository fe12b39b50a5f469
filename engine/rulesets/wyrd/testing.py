"""What every action that takes a test has in common: its ability, who helps, pushing oneself, a 6++ (WYR-014, 043)."""

from __future__ import annotations

from functools import partial

from affray.engine.core.actions import Action
from affray.engine.core.changes import pool_moved
from affray.engine.core.effects import Ask, Rule, choice
from affray.engine.core.state import Combatant
from affray.engine.core.table import Table
from affray.engine.errors import Refused, Unusable
from affray.engine.kit.sides import enemies
from affray.events import CombatantId, Dice, Field, Id, Option, StatName

from . import prompts
from .fatigue import tired
from .gear import die, worn
from .play import an_action, came_round, undecided, waits
from .rolling import Support, Tested
from .sheet import ABILITIES, active, an_ally, hurtable, must_be_active

FREE = Option(choice="free", says="it takes no test")
WHICH_TEST = Option(
    choice="test",
    says="it takes a test",
    fields=(Field(name="ability", kind="id", among=ABILITIES, optional=True),),
)
AFTER = Option(choice="after", says="what it brings comes after the damage")
BEFORE = Option(choice="before", says="what it brings comes before the damage")


class Trying(Action, frozen=True, kw_only=True):
    """An action that takes a test.

    Attributes:
        ability: Which one is tested.
        helper: A companion who helps with the own die and shares the risk.
        push: Whether to take 1 fatigue for a die of help.
    """

    ability: StatName = ""
    helper: CombatantId = ""
    push: bool = False

    @property
    def support(self) -> Support:
        """Who helps and how."""
        return Support(self.helper, self.push)

    def check_support(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse an ability there is not, and a helper who cannot help; later on, help that falls away is missed."""
        known_ability(self.ability)
        if self.helper and manner != "pending":
            can_help(table, actor, self.helper)

    def check_ground(self, table: Table, actor: Id) -> None:
        """Refuse to go on with what could no longer be declared, as long as nothing has come of it."""
        if undecided(table):
            self.check(table, actor, "pending")

    def braced(self, table: Table, actor: Id) -> Rule[Support]:
        """Pay for help and a push; come to who still helps, if what was declared can still be done (Terms, Help)."""
        support = yield from backed(table, actor, self.support)
        if self.push:
            self.check(table, actor, "pending")
        return support


def known_ability(name: str) -> None:
    """Refuse a word that is no ability."""
    if name not in ("", *ABILITIES):
        raise Unusable(f"there is no ability {name}; there are {', '.join(ABILITIES)}", "ability")


def can_help(table: Table, who: Id, helper: Id) -> None:
    """Refuse the help of somebody who is down, no companion, or without an action left (Terms, Help)."""
    must_be_active(table, helper, "WYR-T12")
    an_ally(table, who, helper, "WYR-T12")
    if waits(table, helper):
        message = f"{helper} came round and waits for its next turn"
        raise Refused("no_action", came_round(table, helper), message, source=helper)
    an_action(table, helper, "WYR-T47")


def helpers(table: Table, who: Id) -> tuple[Id, ...]:
    """Return everybody who could help with a test."""
    people = table.draft.combatants.items()
    return tuple([id for id, one in people if one.pools.get("actions") and _can_lend(table, who, one)])


def _can_lend(table: Table, who: Id, one: Combatant) -> bool:
    """Tell whether somebody has an action for helping and may spend it on that."""
    if not one.pools.get("actions") or one.id == who or not active(table, one.id):
        return False
    return not enemies(table, who, one.id) and not waits(table, one.id)


def backed(table: Table, who: Id, support: Support) -> Rule[Support]:
    """Pay for help before the test: the ally's action, and the fatigue of a push; come to what there is of it.

    An ally who cannot help any more does not.
    """
    helper = table.draft.combatants.get(support.helper)
    if helper is None or not _can_lend(table, who, helper):
        support = Support("", support.push)
    if support.helper:
        yield pool_moved(table, support.helper, "actions", -1, "WYR-T47")
    if support.push:
        yield from tired(table, who, 1, "WYR-T12", "WYR-T41")
    return support


def critical(table: Table, tested: Tested, who: Id, foe: Id) -> Rule[None]:
    """On a 6++ that is about to hurt, ask whether what it brings comes before the damage (WYR-043)."""
    if not tested.multiple:
        return
    answer = yield from choice(partial(_before_or_after, table, foe))
    note = prompts.due(table, "wear", f"{foe}>{who}", "WYR-043")
    yield note
    if answer is not None and answer.choice == "before":
        yield from prompts.wear(table, *prompts.waiting(table)[0])


def _before_or_after(table: Table, foe: Id) -> Ask | None:
    """Return what the game master is asked, unless there is nobody left to hurt."""
    if not hurtable(table, foe):
        return None
    return Ask(of=("gm",), about="critical", options=(AFTER, BEFORE), rules=("WYR-041", "WYR-043", "WYR-T40"))


def bonus(table: Table, tested: Tested, who: Id, foe: Id = "") -> Rule[None]:
    """Note a 6++ that hurts nobody for the game master (WYR-041)."""
    if tested.multiple:
        yield prompts.due(table, "wear", f"{foe}>{who}" if foe else who, "WYR-043")


def used(table: Table, item: Id) -> tuple[Dice, ...]:
    """Return the die of a piece that is used in a test; none if it has none."""
    if not item:
        return ()
    piece = table.item(item)
    return (die(table, piece),) if piece.die else ()


def guarding(table: Table, who: Id) -> tuple[Dice, ...]:
    """Return the dice of all protection somebody wears, at full size (WYR-031)."""
    return tuple([die(table, one, kind="armor") for one in worn(table, who)])

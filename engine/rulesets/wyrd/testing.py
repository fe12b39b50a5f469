"""What every action that takes a test has in common: its ability, who helps, pushing oneself, a 6++ (WYR-014, 043)."""

from __future__ import annotations

from typing import ClassVar

from affray.engine.actions import Action
from affray.engine.errors import Refused, Unusable
from affray.engine.facts import pool_moved
from affray.engine.rule import Ask, Rule
from affray.engine.sides import enemies
from affray.engine.table import Table
from affray.events import Dice, Field, Id, Option

from . import prompts
from .fatigue import tired
from .gear import die, worn
from .play import an_action, waits
from .rolling import Support, Tested
from .sheet import ABILITIES, active, an_ally, must_be_active

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

    people: ClassVar[tuple[str, ...]] = ("helper",)

    ability: str = ""
    helper: Id = ""
    push: bool = False

    @property
    def support(self) -> Support:
        """Who helps and how."""
        return Support(self.helper, self.push)

    def check_support(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse an ability there is not, and a helper who cannot help."""
        known_ability(self.ability)
        if self.helper:
            can_help(table, actor, self.helper)


def known_ability(name: str) -> None:
    """Refuse a word that is no ability."""
    if name not in ("", *ABILITIES):
        raise Unusable(f"there is no ability {name}; there are {', '.join(ABILITIES)}", "ability")


def can_help(table: Table, who: Id, helper: Id) -> None:
    """Refuse the help of somebody who is down, no companion, or without an action left (Terms, Help)."""
    must_be_active(table, helper, "WYR-007")
    an_ally(table, who, helper, "WYR-007")
    if waits(table, helper):
        raise Refused("no_action", "WYR-069", f"{helper} was revived just now and waits for its next turn", helper)
    an_action(table, helper)


def helpers(table: Table, who: Id) -> tuple[Id, ...]:
    """Return everybody who could help with a test."""
    return tuple(
        [
            id
            for id, one in table.draft.combatants.items()
            if one.pools.get("actions", 0)
            and id != who
            and not enemies(table, who, id)
            and active(table, id)
            and not waits(table, id)
        ]
    )


def backed(table: Table, who: Id, support: Support) -> Rule[bool]:
    """Pay for help before the test: the ally's action, and the fatigue of a push. Tell whether one can still test.

    Who is down already, by a ruling in the middle, pays for nothing.
    """
    if not active(table, who):
        return False
    if support.helper:
        yield pool_moved(table, support.helper, "actions", -1, "WYR-007")
    if support.push:
        yield from tired(table, who, 1, "WYR-014")
    return active(table, who)


def critical(table: Table, tested: Tested, who: Id, foe: Id) -> Rule[None]:
    """On a 6++ that is about to hurt, ask whether what it brings comes before the damage (WYR-043)."""
    if not tested.multiple:
        return
    answer = yield Ask(of=("gm",), about="critical", options=(AFTER, BEFORE), rules=("WYR-041", "WYR-043"))
    note = prompts.due(table, "wear", f"{foe}>{who}", "WYR-043")
    yield note
    if answer.choice == "before":
        yield from prompts.wear(table, *prompts.waiting(table)[0])


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


def lost(who: Id) -> Refused:
    """Return why an action comes to nothing: its push was too much (Terms, Fatigue)."""
    return Refused("incapacitated", "WYR-063", f"{who} broke down before it could be done", source=who)

"""Dice notation, ``2d6+1``, and the ruling that throws dice in the open."""

import re
from collections.abc import Callable
from typing import Annotated, ClassVar, NamedTuple

from msgspec import field
from msgspec.structs import replace

from affray import events as facts
from affray.engine.core.actions import Ruling, ruled_as
from affray.engine.core.effects import Roll, Rule, throw
from affray.engine.core.table import Table
from affray.engine.errors import Unusable
from affray.events import Clause, Dice, Id, Modifier

from .values import BRIEF

_DICE = re.compile(r"([1-9]\d?)?d([1-9]\d{0,2})(?: ?([+-]) ?(\d{1,2}))?")

_PARTING = re.compile(r"[:/#@]+ ?")
"""The characters that separate the parts of a roll's name. Texts that people write must not contain them."""

DiceText = Annotated[facts.Text, BRIEF]
"""Dice of one size, and a modifier: ``d20``, ``2d6+1``."""


class DiceNotation(NamedTuple):
    """The dice and the modifier of a dice notation."""

    dice: Dice
    plus: int

    def list_modifiers(self, more: int = 0) -> tuple[Modifier, ...]:
        """Return the modifier of the dice, plus a further number of the ruling."""
        plus = self.plus + more
        return (Modifier(value=plus, label="ruling"),) if plus else ()


def read_dice(text: str, name: str = "dice") -> DiceNotation:
    """Parse dice notation.

    Args:
        name: The field with the text.

    Raises:
        Unusable: the text is no dice notation.
    """
    said = _DICE.fullmatch(text.strip().lower())
    if said is None:
        raise Unusable("must be 1 to 99 dice of one size up to 999, and perhaps a number, such as 2d6+1", name)
    count, sides, sign, plus = said.groups()
    return DiceNotation(Dice(count=int(count or 1), sides=int(sides)), int(f"{sign or ''}{plus or 0}"))


def throw_harm(dice: str, purpose: str, find_roller: Callable[[], Id], rule: Clause) -> Rule[int]:
    """Throw dice of harm, and return their sum, at least 0.

    Args:
        find_roller: Returns the id of the combatant that rolls; a ruling can change it while the dice are awaited.
    """
    thrown = read_dice(dice)
    group, modifiers = (replace(thrown.dice, kind="harm"),), thrown.list_modifiers()

    def build_roll() -> Roll:
        return Roll(dice=group, purpose=purpose, by=find_roller(), modifiers=modifiers, rules=(rule,))

    rolled = yield from throw(build_roll)
    return max(0, rolled.total) if rolled is not None else 0


def check_purpose(purpose: str, name: str) -> None:
    """Refuse a purpose of a roll that contains separators of roll names.

    Args:
        name: The field with the purpose.

    Raises:
        Unusable: the purpose contains such a character.
    """
    if _PARTING.search(purpose):
        plain = _PARTING.sub(" ", purpose).strip() or "luck"
        raise Unusable(f'must be words without : / # and @, such as "{plain}"', name)


@ruled_as("roll", "let a combatant throw dice in the open, without consequences", "who", "dice", "for")
class FreeRoll(Ruling, frozen=True, kw_only=True):
    """Let a combatant or the game master throw dice in the open, without consequences.

    ``secret_roll`` hides the dice.

    Attributes:
        dice: The dice, such as ``2d6+1``.
        purpose: The purpose of the dice; recorded as ``for``.
    """

    only_recorded: ClassVar[bool] = True

    who: facts.CombatantId
    dice: DiceText
    purpose: Annotated[facts.PurposeName, BRIEF] = field(name="for")

    def may_name(self, table: Table, who: Id) -> bool:
        """Tell whether ``who`` can throw the dice. The game master can, too."""
        return who == "gm" or super().may_name(table, who)

    def check_new(self, table: Table) -> None:
        """Refuse a purpose that contains separators of roll names."""
        check_purpose(self.purpose, "for")

    def check(self, table: Table) -> None:
        """Refuse malformed dice."""
        read_dice(self.dice)

    def decide(self, table: Table) -> Rule[None]:
        """Throw the dice."""
        thrown = read_dice(self.dice)
        yield Roll(dice=(thrown.dice,), purpose=self.purpose, by=self.who, modifiers=thrown.list_modifiers())

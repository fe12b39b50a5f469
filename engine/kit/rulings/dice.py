"""Dice that a game master has thrown, and how they are written: ``2d6+1``."""

import re
from typing import Annotated, ClassVar, NamedTuple

from msgspec import field

from affray import events as facts
from affray.engine.core.actions import Ruling, ruled_as
from affray.engine.core.effects import Roll, Rule
from affray.engine.core.table import Table
from affray.engine.errors import Unusable
from affray.events import Dice, Id, Modifier

from .words import BRIEF

_DICE = re.compile(r"([1-9]\d?)?d([1-9]\d{0,2})(?: ?([+-]) ?(\d{1,2}))?")

_PARTING = re.compile(r"[:/#@]+ ?")
"""What parts the name of a roll; no words of people hold any of it."""

DiceText = Annotated[facts.Text, BRIEF]
"""Dice of one size, and what is added: ``d20``, ``2d6+1``."""


class Thrown(NamedTuple):
    """What a text of dice says: the dice, and what is added to them."""

    dice: Dice
    plus: int

    def modifiers(self, more: int = 0) -> tuple[Modifier, ...]:
        """Return what is added to the dice, with a further number of the ruling."""
        plus = self.plus + more
        return (Modifier(value=plus, label="ruling"),) if plus else ()


def read_dice(text: str, name: str = "dice") -> Thrown:
    """Read dice as they are written.

    Args:
        name: The field in which they stand.

    Raises:
        Unusable: they are none.
    """
    said = _DICE.fullmatch(text.strip().lower())
    if said is None:
        raise Unusable("must be 1 to 99 dice of one size up to 999, and perhaps a number, such as 2d6+1", name)
    count, sides, sign, plus = said.groups()
    return Thrown(Dice(count=int(count or 1), sides=int(sides)), int(f"{sign or ''}{plus or 0}"))


def check_purpose(purpose: str, name: str) -> None:
    """Refuse what a roll is for if it would read as the name of another roll.

    Args:
        name: The field in which they stand.

    Raises:
        Unusable: the words hold a character that parts the name of a roll.
    """
    if _PARTING.search(purpose):
        plain = _PARTING.sub(" ", purpose).strip() or "luck"
        raise Unusable(f'must be words without : / # and @, such as "{plain}"', name)


@ruled_as("roll", "let somebody throw dice in the open, from which nothing follows", "who", "dice", "for")
class FreeRoll(Ruling, frozen=True, kw_only=True):
    """Let a combatant, or the game master, throw dice in the open. Nothing follows; ``secret_roll`` hides them.

    Attributes:
        dice: Such as ``2d6+1``.
        purpose: Recorded as ``for``: what they are thrown for.
    """

    only_recorded: ClassVar[bool] = True

    who: facts.CombatantId
    dice: DiceText
    purpose: Annotated[facts.PurposeName, BRIEF] = field(name="for")

    def may_name(self, table: Table, who: Id) -> bool:
        """Tell whether a combatant can be meant; the game master throws dice, too."""
        return who == "gm" or super().may_name(table, who)

    def check_new(self, table: Table) -> None:
        """Refuse words that read as the name of another roll."""
        check_purpose(self.purpose, "for")

    def check(self, table: Table) -> None:
        """Refuse what are no dice."""
        read_dice(self.dice)

    def decide(self, table: Table) -> Rule[None]:
        """Throw them."""
        thrown = read_dice(self.dice)
        yield Roll(dice=(thrown.dice,), purpose=self.purpose, by=self.who, modifiers=thrown.modifiers())

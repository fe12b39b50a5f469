"""The derivation of each die of a roll from its name, for checking by hand."""

from collections.abc import Iterator

from msgspec import Struct

from affray.engine.errors import Unusable
from affray.engine.runtime.dice import RANGE, NamedDice
from affray.events import Rolled


class Derived(Struct, frozen=True, kw_only=True):
    """The derivation of a die.

    Attributes:
        sides, kind: As in ``Dice``.
        block: The name whose HMAC-SHA-256 contains its word.
        nth: The index of its word among the block's eight words; the first is 0.
        word: The word, a number of 32 bits.
        rejected: The number of words that were discarded before it, being too large to be fair.
        face: The word modulo the sides, plus one.
        recorded: The face in the log.
    """

    sides: int
    kind: str
    block: str
    nth: int
    word: int
    rejected: int
    face: int
    recorded: int


def derive_dice(roll: Rolled, dice: NamedDice) -> Iterator[Derived]:
    """Yield the derivation of every engine die in a roll, in the order of their names.

    Raises:
        Unusable: a die has an impossible number of sides.
    """
    for group in roll.dice:
        if not group.thrown:
            continue
        if not 0 < group.sides <= RANGE:
            raise Unusable(f"there is no die of {group.sides} sides")
        name = f"{roll.roll}/{group.kind}{group.item and ':' + group.item}/d{group.sides}"
        limit = RANGE - RANGE % group.sides
        for index, recorded in enumerate(group.faces):
            block, nth, rejected = f"{name}#{index // 8}", index % 8, 0
            while (word := _word(dice.block(block), nth)) >= limit:
                rejected += 1
                block, nth = f"{name}#{index}!{rejected}", 0
            yield Derived(
                sides=group.sides,
                kind=group.kind,
                block=block,
                nth=nth,
                word=word,
                rejected=rejected,
                face=word % group.sides + 1,
                recorded=recorded,
            )


def _word(block: bytes, nth: int) -> int:
    return int.from_bytes(block[4 * nth : 4 * nth + 4], "big")

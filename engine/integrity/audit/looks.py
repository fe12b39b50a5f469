"""The check of recorded previews: their dice have valid names and were unseen."""

import re
from collections.abc import Iterator

from affray.engine.integrity.commitment import Promise
from affray.engine.limits import MOST_DICE, MOST_SIDES
from affray.engine.runtime.dice import KnownDice
from affray.engine.texts import id_said, quote, word_said
from affray.events import Id, Previewed, Recorded, ShownDice

_ROLL = re.compile(r"(?:g[1-9]\d*:)?\d+(?:/[^/]+)+", re.ASCII)
"""The name of a roll: the generation of its dice (none for the first), the round, and the rest of the path."""


class Looks:
    """Follows which dice are known under the present key.

    Args:
        any: Whether the log holds any preview; else nothing is followed.
    """

    def __init__(self, *, any: bool) -> None:
        self._any = any
        self._known = KnownDice()
        self._looked_at: set[Id] = set()
        self._since = 0

    def follow(self, one: Recorded, promise: Promise) -> Iterator[tuple[str, str]]:
        """Add a roll or a preview; yield the expected and the found text of each fault.

        Args:
            promise: The promise of the dice before it.
        """
        if not self._any:
            return
        if promise.since != self._since:
            self._known, self._looked_at, self._since = KnownDice(), set(), promise.since
        if not isinstance(one.event, Previewed):
            self._known.follow(one.event)
            return
        if not promise.commitment:
            yield "no look at dice, for no seed is promised", "one"
        yield from self._check_rolls(one.event)
        yield from self._check_dice(one.event)
        self._looked_at.update(one.event.rolls)

    def _check_rolls(self, look: Previewed) -> Iterator[tuple[str, str]]:
        due = tuple(dict.fromkeys(one.roll for one in look.dice) if look.dice else dict.fromkeys(look.rolls))
        if look.rolls != due or not due:
            yield (
                f"the rolls of its dice, each once: {', '.join(map(id_said, due)) or 'one at least'}",
                ", ".join(map(id_said, look.rolls)) or "none",
            )
        for roll in due:
            if not _ROLL.fullmatch(roll):
                yield "the name of a roll", quote(roll)
            elif not look.dice and roll in self._looked_at:
                yield "a roll that was not looked at before", id_said(roll)

    def _check_dice(self, look: Previewed) -> Iterator[tuple[str, str]]:
        for one in look.dice:
            if not (1 <= one.count <= MOST_DICE and 1 <= one.sides <= MOST_SIDES):
                yield f"1 to {MOST_DICE} dice of 1 to {MOST_SIDES} sides", _name_dice(one)
            elif not self._known.add(one.roll, one):
                yield "dice that nobody had seen", _name_dice(one)


def _name_dice(one: ShownDice) -> str:
    return f"{one.count}d{one.sides} {word_said(one.kind)} {id_said(one.item)}".strip() + f" of {id_said(one.roll)}"

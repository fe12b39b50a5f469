"""The second layer: every face derived again from its name, every sum added up, no roll counted twice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from affray.engine.dice import NamedDice, commitment
from affray.engine.reading import READINGS
from affray.events import (
    Closed,
    Dice,
    DiceEntered,
    EntropyAdded,
    Event,
    FightOpened,
    Forked,
    Id,
    Recorded,
    Rolled,
    RoundBegan,
)

from .findings import DiceChecked, Finding

Fallen = tuple[frozenset[Id], frozenset[Id]]
"""The rolls that count in the round before and in this one."""


class DiceLayer:
    """Looks at every roll of a log.

    Args:
        seed: The seed, if it is known.

    Attributes:
        findings: What was found.
        checked: What became of the rolls.
    """

    def __init__(self, seed: bytes | None) -> None:
        self.findings: list[Finding] = []
        self.checked = DiceChecked(known=seed is not None)
        self._seed = seed
        self._promised = commitment(seed) if seed is not None else ""
        self._committed = ""
        self._words: list[str] = []
        self._named: NamedDice | None = None
        self._fell = 0
        self._before: set[Id] = set()
        self._now: set[Id] = set()
        self._entered: DiceEntered | None = None
        self._looks: dict[type[Event], Callable[[Any, int, int], None]] = {
            Rolled: self._look_at_roll,
            DiceEntered: self._enter,
            RoundBegan: self._begin_round,
            FightOpened: self._commit,
            Forked: self._commit,
            EntropyAdded: self._stir,
            Closed: self._reveal,
        }

    def look(self, one: Recorded, number: int) -> None:
        """Look at one event."""
        looks = self._looks.get(type(one.event))
        if looks is not None:
            looks(one.event, one.position, number)

    def fallen(self) -> Fallen:
        """Return which rolls count now, to come back to."""
        return frozenset(self._before), frozenset(self._now)

    def go_back(self, fallen: Fallen) -> None:
        """Count again only what counted at an earlier moment."""
        self._before, self._now = set(fallen[0]), set(fallen[1])

    def _enter(self, event: DiceEntered, position: int, number: int) -> None:
        self._entered = event

    def _begin_round(self, event: RoundBegan, position: int, number: int) -> None:
        self._before, self._now = self._now, set()

    def _commit(self, event: FightOpened | Forked, position: int, number: int) -> None:
        if event.commitment != self._committed:
            self._committed, self._words, self._fell, self._named = event.commitment, [], 0, None

    def _stir(self, event: EntropyAdded, position: int, number: int) -> None:
        if self._fell:
            expected = f"no words stirred in after the first die fell, at position {self._fell}"
            self._find(position, number, "stirred_late", expected, f"“{event.words}”")
        self._words.append(event.words)

    def _reveal(self, event: Closed, position: int, number: int) -> None:
        try:
            revealed = commitment(bytes.fromhex(event.seed)) if event.seed else ""
        except ValueError:
            revealed = "no hexadecimal number"
        if revealed != self._committed:
            expected = f"the seed whose SHA-256 is {self._committed}" if self._committed else "no seed"
            self._find(position, number, "seed", expected, f"one whose SHA-256 is {revealed}" if revealed else "none")

    def _look_at_roll(self, event: Rolled, position: int, number: int) -> None:
        if event.roll in self._now or event.roll in self._before:
            self._find(position, number, "twice", "dice that had not fallen yet", f"the dice of {event.roll} again")
        self._now.add(event.roll)
        self._add_up(event, position, number)
        if event.source == "engine":
            self._derive(event, position, number)
        else:
            self._compare_entered(event, position, number)

    def _add_up(self, event: Rolled, position: int, number: int) -> None:
        reading = READINGS.get(event.reading)
        if reading is None:
            self._find(position, number, "reading", f"one of {', '.join(READINGS)}", event.reading)
            return
        shown = [face for group in event.dice for face in group.counted]
        total = reading(shown) + sum(modifier.value for modifier in event.modifiers)
        if total != event.total:
            said = f"{event.reading} of {_faces(shown)}"
            added = "".join(f" {one.value:+d} {one.label}" for one in event.modifiers)
            self._find(position, number, "total", f"{total}: {said}{added}", str(event.total))

    def _derive(self, event: Rolled, position: int, number: int) -> None:
        thrown = [group for group in event.dice if group.thrown]
        if not thrown:
            return
        self._fell = self._fell or position
        if self._seed is None:
            self.checked.unchecked += 1
            return
        if self._committed != self._promised:
            self.checked.parents += 1
            return
        if self._named is None:
            self._named = NamedDice(self._seed, self._words)
        dice = tuple(
            Dice(count=len(group.faces), sides=group.sides, kind=group.kind, item=group.item) for group in thrown
        )
        due = self._named.faces(event.roll, dice) if all(group.sides > 0 for group in thrown) else ()
        found = tuple(group.faces for group in thrown)
        self.checked.checked += 1
        if due != found:
            expected = f"{_groups(due)}, which {event.roll} comes to under the seed"
            self._find(position, number, "face", expected, _groups(found))

    def _compare_entered(self, event: Rolled, position: int, number: int) -> None:
        self.checked.entered += 1
        entered, self._entered = self._entered, None
        faces = tuple(face for group in event.dice if group.thrown for face in group.faces)
        if entered is None or entered.roll != event.roll:
            self._find(position, number, "not_entered", f"faces entered for {event.roll}", "none that anybody entered")
        elif entered.faces != faces:
            self._find(position, number, "face", f"{_faces(entered.faces)}, as entered", _faces(faces))

    def _find(self, position: int, number: int, code: str, expected: str, found: str) -> None:
        self.findings.append(
            Finding(layer="dice", position=position, line=number, code=code, expected=expected, found=found)
        )


def _faces(faces: Sequence[int]) -> str:
    return " ".join(map(str, faces)) or "no die"


def _groups(groups: Sequence[Sequence[int]]) -> str:
    return " and ".join(_faces(group) for group in groups) or "no die"

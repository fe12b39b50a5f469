"""The dice layer: derives faces, adds up sums, finds rolls that are counted twice."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from affray import events as facts
from affray.engine.commands import MANY
from affray.engine.integrity.commitment import Promise
from affray.engine.runtime.dice import PROMISED, RANGE, SEED_BYTES, NamedDice
from affray.engine.runtime.rolls import READINGS
from affray.engine.texts import id_said, is_word, name_said, quote, word_said
from affray.events import FORMAT, Event, Id, Recorded, dice_scheme_of

from .findings import DiceChecked, Findings, Missing
from .looks import Looks

_COMMITMENT = re.compile(r"[0-9a-f]{64}", re.ASCII)

Fallen = tuple[frozenset[Id], frozenset[Id]]
"""The rolls that count, of the previous round and of this one."""


class DiceLayer:
    """Checks every roll of a log.

    Args:
        seeds: The known seeds: revealed by the log, kept beside it, revealed by its parents.
        key: The seed kept beside the log, if there is one.
        looks: Whether dice were previewed before they fell.

    Attributes:
        checked: The numbers of rolls by result.
    """

    def __init__(self, found: Findings, seeds: Iterable[bytes], key: bytes | None, *, looks: bool = False) -> None:
        self.checked = DiceChecked()
        self._found = found
        self._known = tuple(seeds)
        self._key = key
        self._format = FORMAT
        self._promise = Promise()
        self._looks_at_dice = Looks(any=looks)
        self._promised_in = 1
        self._at = (1, 1)
        self._named: NamedDice | None = None
        self._unchecked: Counter[str] = Counter()
        self._before: set[Id] = set()
        self._now: set[Id] = set()
        self._entered: facts.DiceEntered | None = None
        self._looks: dict[type[Event], Callable[[Any], None]] = {
            facts.Rolled: self._check_roll,
            facts.DiceEntered: self._enter,
            facts.RoundBegan: self._begin_round,
            facts.FightOpened: self._open,
            facts.FormatRaised: self._raise,
            facts.Forked: self._fork,
            facts.EntropyAdded: self._stir,
            facts.Closed: self._reveal,
        }

    def check(self, one: Recorded, number: int) -> None:
        """Check one event."""
        self._at = one.position, number
        looks = self._looks.get(type(one.event))
        if looks is not None:
            looks(one.event)
        for due, found in self._looks_at_dice.follow(one, self._promise):
            self._find("preview", due, found)
        self._promise.follow(one)
        if self._promise.position == one.position:
            self._promised_in = number

    def end(self, *, whole: bool) -> Iterator[Missing]:
        """Count the rolls that were not checked, and yield what they need.

        Args:
            whole: Whether the log was read to its end, so that the last promise is known.
        """
        checked, unchecked, committed = self.checked, self._unchecked, self._promise.commitment
        checked.known = self._find_seed() is not None
        checked.unchecked = unchecked.pop(committed, 0)
        checked.parents = unchecked.total()
        judged = whole and not self._promise.committing
        if judged and self._key is not None and self._promise.commit_to(self._key) != committed:
            expected = self._describe_due(committed) if committed else "none, for none is promised"
            found = f"one whose commitment is {self._promise.commit_to(self._key)}, kept beside the log"
            self._at = self._promise.position, self._promised_in
            self._find("key", expected, found)
        if checked.unchecked:
            remedy = "the key of the fight beside the log, or closing the fight, which reveals the seed"
            yield Missing(layer="dice", what=f"{rolls_in_words(checked.unchecked)} under a secret seed", remedy=remedy)
        if checked.parents:
            what = f"{rolls_in_words(checked.parents)} under the seed of a fight that this one is a fork of"
            yield Missing(layer="dice", what=what, remedy="--parent FIGHT, with that fight closed or its key beside it")

    @property
    def committed(self) -> str:
        """The present commitment to a seed; empty where all dice are entered."""
        return self._promise.commitment

    def restore_point(self) -> Fallen:
        """Return the rolls that count now, as a restore point."""
        return frozenset(self._before), frozenset(self._now)

    def go_back(self, fallen: Fallen) -> None:
        """Restore the rolls that counted at an earlier moment."""
        self._before, self._now = set(fallen[0]), set(fallen[1])

    def _find(self, code: str, expected: str, found: str) -> None:
        self._found.note("dice", *self._at, code, expected, found)

    def _enter(self, event: facts.DiceEntered) -> None:
        self._entered = event

    def _begin_round(self, event: facts.RoundBegan) -> None:
        self._before, self._now = self._now, set()

    def _open(self, event: facts.FightOpened) -> None:
        self._format = event.format
        due = dice_scheme_of(event.format)
        if event.dice_scheme != due:
            expected = f"dice scheme {due}, as in every fight that was opened in format {event.format}"
            self._find("dice_scheme", expected, f"dice scheme {event.dice_scheme}")
        self._commit(event.commitment)

    def _describe_due(self, committed: str) -> str:
        """Return what a seed must come to, in words."""
        covered = f" and the lines up to {self._promise.position}" if self._promise.format >= PROMISED else ""
        return f"the seed{covered} whose commitment is {committed}"

    def _find_seed(self) -> bytes | None:
        """Return the known seed that the present promise commits to."""
        return next((seed for seed in self._known if self._promise.is_kept_by(seed)), None)

    def _raise(self, event: facts.FormatRaised) -> None:
        self._format = event.format

    def _fork(self, event: facts.Forked) -> None:
        """Go on under the fork's own seed.

        The fork has a seed if its parent has one.
        """
        committed = self._promise.commitment
        if bool(event.commitment) != bool(committed):
            due = "a commitment of its own" if committed else "none, as in the fight before it"
            self._find("commitment", due, event.commitment or "none")
        self._commit(event.commitment)

    def _commit(self, commitment: str) -> None:
        if commitment and not _COMMITMENT.fullmatch(commitment):
            self._find("commitment", "a SHA-256 as 64 figures", commitment)
        if commitment != self._promise.commitment:
            self._named = None

    def _stir(self, event: facts.EntropyAdded) -> None:
        if self._promise.seen:
            how = "the first die fell" if self._promise.fell else "a preview showed the first die"
            expected = f"no words stirred in after {how}, at position {self._promise.seen}"
            self._find("stirred_late", expected, quote(event.words))
        if not self._promise.commitment:
            self._find("no_seed", "no words stirred in, for no seed is promised", quote(event.words))
        if not is_word(event.words, MANY, self._format):
            self._find("words", f"1 to {MANY} visible characters", repr(event.words))

    def _reveal(self, event: facts.Closed) -> None:
        try:
            seed = bytes.fromhex(event.seed)
            revealed = self._promise.commit_to(seed) if seed else ""
        except ValueError:
            seed, revealed = b"", "no hexadecimal number"
        if event.seed != seed.hex():
            self._find("spelling", "the seed in small hexadecimal figures", event.seed)
        if seed and len(seed) != SEED_BYTES and self._promise.format >= PROMISED:
            self._find("seed", f"a seed of {SEED_BYTES} bytes", f"one of {len(seed)}")
        committed = self._promise.commitment
        if revealed != committed:
            expected = self._describe_due(committed) if committed else "no seed"
            found = f"one whose commitment is {revealed}" if revealed else "none"
            self._find("seed", expected, found)

    def _check_roll(self, event: facts.Rolled) -> None:
        if event.roll in self._now or event.roll in self._before:
            self._find("twice", "dice that had not fallen yet", f"the dice of {id_said(event.roll)} again")
        self._now.add(event.roll)
        self._add_up(event)
        if event.source == "engine":
            self._derive(event)
        else:
            self._compare_entered(event)

    def _add_up(self, event: facts.Rolled) -> None:
        reading = READINGS.get(event.reading)
        if reading is None:
            self._find("reading", f"one of {', '.join(READINGS)}", word_said(event.reading))
            return
        counted = [face for group in event.dice for face in group.counted]
        total = reading(counted) + sum(modifier.value for modifier in event.modifiers)
        if total != event.total:
            said = f"{event.reading} of {_faces(counted)}"
            added = "".join(f" {one.value:+d} {name_said(one.label)}" for one in event.modifiers)
            self._find("total", f"{total}: {said}{added}", str(event.total))

    def _derive(self, event: facts.Rolled) -> None:
        thrown = [group for group in event.dice if group.thrown]
        if not thrown:
            return
        committed = self._promise.commitment
        if not committed:
            self._find("unpromised", "no dice of the engine's, for no seed is promised", "some")
            return
        if self._named is None:
            seed = self._find_seed()
            if seed is None:
                self._unchecked[committed] += 1
                return
            self._named = self._promise.dice(seed)
        dice = tuple(
            facts.Dice(count=len(group.faces), sides=group.sides, kind=group.kind, item=group.item) for group in thrown
        )
        due = self._named.faces(event.roll, dice) if all(0 < group.sides <= RANGE for group in thrown) else ()
        found = tuple(group.faces for group in thrown)
        self.checked.checked += 1
        if due != found:
            expected = f"{dice_in_words(due)}, which {id_said(event.roll)} comes to under the seed"
            self._find("face", expected, dice_in_words(found))

    def _compare_entered(self, event: facts.Rolled) -> None:
        self.checked.entered += 1
        entered, self._entered = self._entered, None
        faces = tuple(face for group in event.dice if group.thrown for face in group.faces)
        if entered is None or entered.roll != event.roll:
            self._find("not_entered", f"faces entered for {id_said(event.roll)}", "none that anybody entered")
        elif entered.faces != faces:
            self._find("face", f"{_faces(entered.faces)}, as entered", _faces(faces))


def rolls_in_words(number: int) -> str:
    """Return a number of rolls in words."""
    return "1 roll" if number == 1 else f"{number} rolls"


def _faces(faces: Sequence[int]) -> str:
    return " ".join(map(str, faces)) or "no die"


def dice_in_words(groups: Sequence[Sequence[int]]) -> str:
    """Return the faces of groups of dice in words."""
    return " and ".join(_faces(group) for group in groups) or "no die"

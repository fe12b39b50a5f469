"""Named dice: every face is derived from a key and the name of its die.

The name of a roll is a path: round, actor, the declaration's kind and number, purpose. For a procedure it is round,
phase, purpose, and the active slot where several turns may ask for the same roll. In dice scheme 1 the number alone
names the declaration. A group of dice adds its kind, item and size. A block is the HMAC-SHA-256 of ``name#block`` under
the key. It holds eight words of 32 bits, the first for the block's first die. A word at or above the largest multiple
of the size is discarded, and the die takes the first word of ``name#index!1``, ``!2`` … instead. So all faces are
equally likely.
"""

import hmac
from collections.abc import Mapping, Sequence
from hashlib import sha256
from secrets import token_bytes
from struct import Struct
from typing import Protocol

from affray.engine.errors import LostSeed, Unusable
from affray.events import Dice, Event, Id, Previewed, Rolled, ShownDice

Faces = tuple[tuple[int, ...], ...]
"""The faces of a roll, by group of dice."""

_WORDS = 8
_words = Struct(f">{_WORDS}I").unpack
_INNER = bytes([byte ^ 0x36 for byte in range(256)])
_OUTER = bytes([byte ^ 0x5C for byte in range(256)])
RANGE = 1 << 32
"""The number of values of a word, and so the maximum of a die's sides."""


def derive_key(seed: bytes, words: Sequence[str] = (), bound: str = "") -> bytes:
    """Derive the key of the dice from the seed.

    It is the HMAC-SHA-256, with the seed as key, of the bound hash and all added words, one a line. With neither it is
    the seed itself.

    Args:
        words: The texts that players added (``EntropyAdded``).
        bound: In dice scheme 2 the commitment; before format 6 the hash of the last line of the command that made it.
    """
    lines = (bound, *words) if bound else words
    return hmac.digest(seed, "\n".join(lines).encode(), "sha256") if lines else seed


class DiceSource(Protocol):
    """A source of faces."""

    def faces(self, roll: Id, dice: tuple[Dice, ...]) -> Faces | None:
        """Return the faces of a roll, or ``None`` if they must be entered."""
        ...


class NamedDice:
    """The engine's dice under one seed.

    Args:
        seed: 32 secret bytes.
        words, bound: As in ``derive_key``.
    """

    def __init__(self, seed: bytes, words: Sequence[str] = (), bound: str = "") -> None:
        padded = derive_key(seed, words, bound).ljust(64, b"\0")
        self._inner = sha256(padded.translate(_INNER))
        self._outer = sha256(padded.translate(_OUTER))

    def faces(self, roll: Id, dice: tuple[Dice, ...]) -> Faces:
        """Return the faces of a roll; the same roll always has the same faces."""
        return (self._group(roll, dice[0]),) if len(dice) == 1 else tuple([self._group(roll, one) for one in dice])

    def _group(self, roll: Id, dice: Dice) -> tuple[int, ...]:
        sides, count = dice.sides, dice.count
        name = f"{roll}/{dice.kind}:{dice.item}/d{sides}" if dice.item else f"{roll}/{dice.kind}/d{sides}"
        if not 0 < sides <= RANGE:  # only forged logs have such dice
            raise Unusable(f"must have 1 to {RANGE} sides", "dice")
        limit = RANGE - RANGE % sides
        words = _words(self.block(f"{name}#0"))
        if count == 1 and words[0] < limit:
            return (words[0] % sides + 1,)
        faces: list[int] = []
        for first in range(0, count, _WORDS):
            if first:
                words = _words(self.block(f"{name}#{first // _WORDS}"))
            for word in words[: count - first]:
                fair = word if word < limit else self._draw_again(f"{name}#{len(faces)}", limit)
                faces.append(fair % sides + 1)
        return tuple(faces)

    def _draw_again(self, name: str, limit: int) -> int:
        """Return the first word of the next blocks that is below the limit."""
        again, word = 0, limit
        while word >= limit:
            again += 1
            word = _words(self.block(f"{name}!{again}"))[0]
        return word

    def block(self, name: str) -> bytes:
        """Return HMAC-SHA-256(key, name), from the two halves prepared once."""
        inner = self._inner.copy()
        inner.update(name.encode())
        outer = self._outer.copy()
        outer.update(inner.digest())
        return outer.digest()


class KnownDice:
    """The dice with known faces under one key: how many of each group."""

    def __init__(self) -> None:
        self._counts: dict[tuple[Id, str, Id, int], int] = {}

    def add(self, roll: Id, dice: Dice | ShownDice) -> bool:
        """Add the dice of a group; tell whether any of them was unknown."""
        name = roll, dice.kind, dice.item, dice.sides
        unknown = dice.count > self._counts.get(name, 0)
        if unknown:
            self._counts[name] = dice.count
        return unknown

    def follow(self, event: Event) -> None:
        """Add the dice that an event shows: a roll of the engine's, or a preview."""
        if isinstance(event, Rolled) and event.source == "engine":
            for group in event.dice:
                if group.thrown:
                    self.add(
                        event.roll, Dice(count=len(group.faces), sides=group.sides, kind=group.kind, item=group.item)
                    )
        elif isinstance(event, Previewed):
            for shown in event.dice:
                self.add(shown.roll, shown)


class SeenDice:
    """The dice that a log shows, with another source for all others.

    Args:
        seen: Rolls by id, from every lane.
        otherwise: The source of all other dice.
        known: All dice whose faces are known; newly drawn dice are added.

    Attributes:
        drawn: The dice that were drawn and had been unknown.
    """

    def __init__(self, seen: Mapping[Id, Rolled], otherwise: DiceSource, known: KnownDice | None = None) -> None:
        self._seen = seen
        self._otherwise = otherwise
        self._known = known or KnownDice()
        self.drawn: list[ShownDice] = []

    @property
    def rolls_drawn(self) -> tuple[Id, ...]:
        """Ids of the rolls that the drawn dice belong to."""
        return tuple(dict.fromkeys(one.roll for one in self.drawn))

    def faces(self, roll: Id, dice: tuple[Dice, ...]) -> Faces | None:
        """Return the recorded faces of these dice, or draw them from the other source."""
        seen = _match_recorded(self._seen.get(roll), dice)
        if seen is not None:
            return seen
        faces = self._otherwise.faces(roll, dice)
        if faces is not None:
            self.drawn += [
                ShownDice(roll=roll, count=one.count, sides=one.sides, kind=one.kind, item=one.item)
                for one in dice
                if self._known.add(roll, one)
            ]
        return faces


class EnteredDice:
    """The dice of a fight without a seed: every roll waits for entered faces."""

    def faces(self, roll: Id, dice: tuple[Dice, ...]) -> None:
        """Return ``None``, so that the fight waits."""
        return


class LostDice:
    """The dice of a fight that committed to a seed not stored here."""

    def faces(self, roll: Id, dice: tuple[Dice, ...]) -> None:
        """Refuse every roll.

        Real dice can replace them only after a recorded ruling.

        Raises:
            LostSeed: always.
        """
        raise LostSeed(
            f"the seed of the dice for {roll} is not kept here; the game master can rule that real ones are entered, "
            "as in: rule dice * entered",
            "dice",
        )


class RecordedDice:
    """The dice that a log shows, for deciding its commands again.

    Args:
        rolled: Rolls by id.
    """

    def __init__(self, rolled: Mapping[Id, Rolled]) -> None:
        self._rolled = rolled

    def faces(self, roll: Id, dice: tuple[Dice, ...]) -> Faces | None:
        """Return the recorded faces of a roll.

        It is ``None`` if the log has no engine roll with this id and exactly these dice.
        """
        return _match_recorded(self._rolled.get(roll), dice)


def _match_recorded(rolled: Rolled | None, dice: tuple[Dice, ...]) -> Faces | None:
    """Return the faces of an engine's roll if it has exactly these dice."""
    if rolled is None or rolled.source != "engine":
        return None
    thrown = [group for group in rolled.dice if group.thrown]
    if len(thrown) != len(dice):
        return None
    for group, wanted in zip(thrown, dice, strict=True):
        asked = wanted.sides, wanted.count, wanted.kind, wanted.item
        if (group.sides, len(group.faces), group.kind, group.item) != asked:
            return None
    return tuple([group.faces for group in thrown])


def commitment_of(seed: bytes, covered: str = "") -> str:
    """Compute the commitment to a secret seed of a fight, as hex.

    From format 6 on it is the HMAC-SHA-256 of a hash with the seed as key, in earlier formats the SHA-256 of the seed.

    Args:
        covered: The result of ``hash_uncommitted`` for the command that commits to the seed; empty in earlier formats.
    """
    return hmac.digest(seed, covered.encode(), "sha256").hex() if covered else sha256(seed).hexdigest()


PROMISED = 6
"""The first format whose promise covers the opening, so that another opening cannot be played under it."""

SEED_BYTES = 32
"""The length of a seed."""


def draw_seed() -> bytes:
    """Draw a secret seed, from which all dice of the engine follow."""
    return token_bytes(SEED_BYTES)


def check_seed(seed: bytes | None) -> None:
    """Refuse a seed of another length: as a key, a shorter one would be the same as one that ends in zeros.

    Raises:
        Unusable: it has another length.
    """
    if seed is not None and len(seed) != SEED_BYTES:
        raise Unusable(f"a seed has {SEED_BYTES} bytes, not {len(seed)}", "seed")


def decode_seed(written: str) -> bytes | None:
    """Decode the seed that a log reveals as hex; ``None`` if empty or malformed."""
    try:
        return bytes.fromhex(written) or None
    except ValueError:
        return None

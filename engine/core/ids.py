"""Ids: made from names, never reserved words, and unique."""

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from string import ascii_lowercase
from unicodedata import category, normalize

from affray.engine.appearance import appearance
from affray.engine.errors import Unusable
from affray.engine.texts import BLANK
from affray.events import Id

RESERVED = frozenset({"gm", "fight", "surprise"})
"""Ids that combatants cannot have, since the log uses them otherwise."""


MORE_TO_COME = "more_to_come"
"""The id that stands, concealed, for those who may still join a fight; no name gives it."""


_ACCENTS = (
    range(0x300, 0x370),
    range(0x1AB0, 0x1B00),
    range(0x1DC0, 0x1E00),
    range(0x20D0, 0x2100),
    range(0xFE20, 0xFE30),
)
"""Combining accents of no script of their own. One that forms no character with its letter has never stood in an id."""


_EARLIER = ContextVar("earlier", default=False)


@contextmanager
def ids_of_scheme(dice_scheme: int) -> Iterator[None]:
    """Give names the ids of fights in a dice scheme; those in scheme 1 were opened before ids kept vowel signs."""
    before = _EARLIER.set(dice_scheme == 1)
    try:
        yield
    finally:
        _EARLIER.reset(before)


def id_of(name: str) -> Id:
    """Return the id a name gives: lower case, with single dashes for all but letters, vowel signs and digits."""
    earlier = _EARLIER.get()
    kept: list[str] = []
    for letter in name.lower():
        belongs = letter.isalnum() or (not earlier and kept[-1:] not in ([], [" "]) and _is_sign(letter))
        kept.append(letter if belongs else " ")
    return "-".join("".join(kept).split())


def _is_sign(letter: str) -> bool:
    """Tell whether a character is a sign of the script of the letter before it, such as a vowel sign."""
    if category(letter) not in ("Mn", "Mc") or letter in BLANK:
        return False
    return not any(ord(letter) in block for block in _ACCENTS)


class Taken(set[Id]):
    """The ids of a fight under way, in which newcomers go on with the letters of those who are called alike.

    Args:
        present: Combatants, and whatever else has an id.
        departed: Combatants that left.
        unknown: Those of both that not every viewer may know of.
        sealed: The fields of newcomers that are concealed, whose letters tell nothing.
    """

    def __init__(
        self, present: Iterable[Id], departed: Collection[Id], unknown: Iterable[Id], sealed: Collection[str]
    ) -> None:
        super().__init__(present)
        self.departed, self.unknown, self.sealed = departed, {*unknown}, sealed

    def give(self, who: Id, field: str) -> None:
        """Take an id for the newcomer of an entry."""
        self.add(who)
        if field in self.sealed:
            self.unknown.add(who)


def named(name: str, count: int, field: str, taken: set[Id]) -> Iterator[tuple[Id, str]]:
    """Yield id and name of each of so many combatants who are called alike: ``guard-a`` and ``Guard A`` …

    Args:
        count: How many there are; one alone keeps the name as it is, unless others have letters already.
        field: Where the entry stands.
        taken: The ids that others have; those that are given are added.

    Raises:
        Unusable: the name gives no id, or one that is taken.
    """
    base = id_of(name)
    if not base:
        raise Unusable("a name needs a letter or a digit", f"{field}.name")
    first = _first_letter(name, base, field, taken) if isinstance(taken, Taken) and base not in taken else 0
    for nth in range(first, first + count):
        lettered = count > 1 or first
        who = f"{base}-{suffix(nth)}" if lettered else base
        if who in taken or who in RESERVED:
            raise Unusable(f"the name gives the id {who}, which is taken already", f"{field}.name")
        if alike := find_alike(who, (*taken, *RESERVED), _letters):
            another = f'another name, such as name="New {name}"'
            raise Unusable(f"{name} looks the same as {alike}, and is another; give {another}", f"{field}.name")
        if isinstance(taken, Taken):
            taken.give(who, field)
        else:
            taken.add(who)
        yield who, f"{name} {suffix(nth).upper()}" if lettered else name


def find_alike(id: Id, others: Iterable[Id], look: Callable[[Id], str] = appearance) -> Id:
    """Return which of others looks the same as an id and is another; nothing if none does.

    Args:
        look: Returns the same for ids that look the same.
    """
    plain, looks = id.isascii(), look(id)  # two of ASCII letters look different
    return next((one for one in others if one != id and not (plain and one.isascii()) and look(one) == looks), "")


def _letters(id: Id) -> str:
    """Return an id with one form for each letter; by more, recorded newcomers would be refused when decided again."""
    return id if id.isascii() else normalize("NFKC", id).lower()


def _first_letter(name: str, base: Id, field: str, taken: Taken) -> int:
    """Return which letter a newcomer gets, behind all who are called alike; 0 where there is none.

    A letter left out would tell of a concealed combatant: behind one, a newcomer needs a name of its own.
    """
    letters = {f"{base}-{suffix(nth)}": nth for nth in range(len(taken) + 26)}
    used = [who for who in (*taken, *taken.departed) if who in letters]
    first = max((letters[who] + 1 for who in used), default=0)
    if field not in taken.sealed and first > max(
        (letters[who] + 1 for who in used if who not in taken.unknown), default=0
    ):
        another = f'another name, such as name="New {name}"'
        raise Unusable(f"the next letter would tell of a concealed combatant; give {another}", f"{field}.name")
    return first


def suffix(nth: int) -> str:
    """Return the letters that count alike combatants: a … z, aa, ab …"""
    letters = ascii_lowercase[nth % 26]
    return suffix(nth // 26 - 1) + letters if nth >= 26 else letters

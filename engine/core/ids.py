"""Ids of combatants: made from names, never reserved words, and unique."""

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from string import ascii_lowercase
from unicodedata import category

from affray.engine.appearance import appearance
from affray.engine.errors import Unusable
from affray.engine.texts import BLANK, compose
from affray.events import Id

RESERVED = frozenset({"gm", "fight", "surprise"})
"""Ids that combatants cannot have, because the log uses them for other things."""

MORE_TO_COME = "more_to_come"
"""The concealed id that stands for combatants who may still join; no name leads to it."""

_ACCENTS = (
    range(0x300, 0x370),
    range(0x1AB0, 0x1B00),
    range(0x1DC0, 0x1E00),
    range(0x20D0, 0x2100),
    range(0xFE20, 0xFE30),
)
"""Combining accents that belong to no script. Ids leave them out unless they form one character with their letter."""

_EARLIER = ContextVar("earlier", default=False)


@contextmanager
def ids_of_scheme(dice_scheme: int) -> Iterator[None]:
    """Make ids as fights in a dice scheme do; ids of scheme 1 have no vowel signs."""
    before = _EARLIER.set(dice_scheme == 1)
    try:
        yield
    finally:
        _EARLIER.reset(before)


def id_of(name: str) -> Id:
    """Make an id from a name: lower case, single dashes for other characters.

    Letters, vowel signs and digits are kept.
    """
    earlier = _EARLIER.get()
    kept: list[str] = []
    for letter in name.lower():
        belongs = letter.isalnum() or (not earlier and kept[-1:] not in ([], [" "]) and _is_sign(letter))
        kept.append(letter if belongs else " ")
    return "-".join("".join(kept).split())


def _is_sign(letter: str) -> bool:
    """Tell whether a character is a sign of its script, such as a vowel sign."""
    if category(letter) not in ("Mn", "Mc") or letter in BLANK:
        return False
    return not any(ord(letter) in block for block in _ACCENTS)


class TakenIds(set[Id]):
    """The ids in use in a fight under way.

    A newcomer whose name others share gets the letter behind theirs.

    Args:
        present: Ids of combatants, and of other things.
        departed: Ids of combatants that left.
        unknown: The ids of both kinds that some viewers may not know.
        sealed: The fields of concealed newcomers, whose letters are not readable by other viewers.
    """

    def __init__(
        self, present: Iterable[Id], departed: Collection[Id], unknown: Iterable[Id], sealed: Collection[str]
    ) -> None:
        super().__init__(present)
        self.departed, self.unknown, self.sealed = departed, {*unknown}, sealed

    def give(self, who: Id, field: str) -> None:
        """Add the id of the newcomer from a field of the encounter."""
        self.add(who)
        if field in self.sealed:
            self.unknown.add(who)


def name_combatants(name: str, count: int, field: str, taken: set[Id]) -> Iterator[tuple[Id, str]]:
    """Yield id and name of combatants that share a name: ``guard-a``, ``Guard A`` …

    Args:
        count: The number of combatants; a single one keeps its name, unless others have letters already.
        field: The field of the entry.
        taken: The ids in use; new ids are added.

    Raises:
        Unusable: the name leads to no id, or to a taken one.
    """
    base = id_of(name)
    if not base:
        raise Unusable("a name needs a letter or a digit", f"{field}.name")
    first = _first_letter(name, base, field, taken) if isinstance(taken, TakenIds) and base not in taken else 0
    for nth in range(first, first + count):
        lettered = count > 1 or first
        who = f"{base}-{suffix(nth)}" if lettered else base
        if who in taken or who in RESERVED:
            raise Unusable(f"the name gives the id {who}, which is taken already", f"{field}.name")
        if alike := find_alike(who, (*taken, *RESERVED), _letters):
            another = f'another name, such as name="New {name}"'
            raise Unusable(f"{name} looks the same as {alike}, and is another; give {another}", f"{field}.name")
        if isinstance(taken, TakenIds):
            taken.give(who, field)
        else:
            taken.add(who)
        yield who, f"{name} {suffix(nth).upper()}" if lettered else name


def find_alike(id: Id, others: Iterable[Id], look: Callable[[Id], str] = appearance) -> Id:
    """Find an id that looks the same as another; empty if there is none.

    Args:
        look: Returns the same text for ids that look the same.
    """
    plain, looks = id.isascii(), look(id)  # two different ASCII ids look different
    return next((one for one in others if one != id and not (plain and one.isascii()) and look(one) == looks), "")


def _letters(id: Id) -> str:
    """Normalize an id to one form for each letter.

    A stricter form would refuse recorded newcomers when they are decided again.
    """
    return id if id.isascii() else compose("NFKC", id).lower()


def _first_letter(name: str, base: Id, field: str, taken: TakenIds) -> int:
    """Return the number of a newcomer's letter, behind all that share the name.

    A skipped letter would give away a concealed combatant. Then the newcomer needs another name.
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
    """Return the letters that number combatants of one name: a … z, aa, ab …"""
    letters = ascii_lowercase[nth % 26]
    return suffix(nth // 26 - 1) + letters if nth >= 26 else letters

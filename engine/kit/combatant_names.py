"""Checks that no two combatants have names that look the same."""

from collections.abc import Iterable, Iterator

from affray.engine.appearance import appearance
from affray.engine.core.ids import id_of, suffix
from affray.engine.errors import Unusable


def check_names(said: Iterable[tuple[str, str, int]], there: Iterable[str]) -> None:
    """Refuse a combatant's name that looks like another combatant's name.

    Two names that give the same id are not compared. Either one is refused elsewhere, or both get letters.

    Args:
        said: Each field with its name, and with the number of combatants that share the name.
        there: The names that are taken.

    Raises:
        Unusable: names the field, and ends with a name that would work.
    """
    looks = {appearance(name): name for name in there}
    for field, base, count in said:
        for name in _names(base, count):
            other = looks.setdefault(appearance(name), name)
            if id_of(other) != id_of(name):
                another = f'another name, such as name="New {base}"'
                raise Unusable(f"{name} looks the same as {other}, and is another; give {another}", field)


def _names(base: str, count: int) -> Iterator[str]:
    """Yield a name, then the lettered names of the combatants that share it."""
    yield base
    for nth in range(count if count > 1 else 0):
        yield f"{base} {suffix(nth).upper()}"

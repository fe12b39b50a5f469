"""Names of combatants, told apart by what people see."""

from collections.abc import Iterable, Iterator

from affray.engine.appearance import appearance
from affray.engine.core.ids import id_of, suffix
from affray.engine.errors import Unusable


def check_names(said: Iterable[tuple[str, str, int]], there: Iterable[str]) -> None:
    """Refuse the name of a combatant that looks the same as that of another, and is another.

    Two names that give one id are not looked at: either is refused or goes on with letters.

    Args:
        said: Fields, each with the name that it gives, and to how many.
        there: The names that there are.

    Raises:
        Unusable: says in which field, and ends with a name that would work.
    """
    looks = {appearance(name): name for name in there}
    for field, base, count in said:
        for name in _names(base, count):
            other = looks.setdefault(appearance(name), name)
            if id_of(other) != id_of(name):
                another = f'another name, such as name="New {base}"'
                raise Unusable(f"{name} looks the same as {other}, and is another; give {another}", field)


def _names(base: str, count: int) -> Iterator[str]:
    """Yield a name, and what those are called who share it."""
    yield base
    for nth in range(count if count > 1 else 0):
        yield f"{base} {suffix(nth).upper()}"

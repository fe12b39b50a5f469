"""The table: the present state as rules read it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable
from typing import TYPE_CHECKING, Any, Generic

from affray.engine.errors import NotInFight, Refused
from affray.events import AnySource, Clause, Id

from .draft import Draft
from .state import Combatant, Item, Pending

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    C = TypeVar("C", default=Any)
else:
    from typing import TypeVar

    C = TypeVar("C")

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)


class Table(Generic[C]):
    """The state as rules read it.

    ``table[who]`` is a combatant's present state; it must be read again after a yield. A ruleset names its own table
    type once, in ``config.py``: ``Table = table.Table[Config]``.

    Attributes:
        draft: The state under construction.
        config: The ruleset's own struct of configuration values.
    """

    __slots__ = ("_carried", "_derived", "_memories", "config", "draft")

    def __init__(self, draft: Draft, config: C) -> None:
        self.draft = draft
        self.config = config
        self._carried = draft.carried
        self._derived = draft.derived
        self._memories: defaultdict[Hashable, dict[Any, Any]] = defaultdict(dict)

    def __getitem__(self, who: Id) -> Combatant:
        """Return a combatant.

        Raises:
            NotInFight: no combatant of that id is in the fight.
        """
        try:
            return self.draft.combatants[who]
        except KeyError:
            known = ", ".join(self.draft.combatants)
            raise NotInFight(f"there is no {who} in this fight; there are {known}") from None

    def name_of(self, id: Id) -> str:
        """Return a combatant's name for a sentence, or the id if it is not there."""
        found = self.draft.combatants.get(id)
        return found.quoted_name if found is not None else id

    def refuse(
        self, who: Id, says: str, rule: Clause, code: str = "", source: AnySource = "", *, example: str = ""
    ) -> Refused:
        """Return the refusal that a sentence about a combatant or thing explains.

        Args:
            says: The sentence without its subject, such as ``is out of the fight``.
            code: The reason in one word; the clause if not given.
            source: The cause; the combatant if not given.
            example: A line that would work instead.
        """
        return Refused(code or rule, rule, f"{self.name_of(who)} {says}", source or who, example=example)

    def pool(self, who: Id, pool: str) -> int:
        """Return a counter of a combatant; 0 if it has none of that name."""
        try:
            return self.draft.combatants[who].pools.get(pool, 0)
        except KeyError:
            return self[who].pools[pool]

    def item(self, item: Id) -> Item:
        """Return a thing.

        Raises:
            NotInFight: there is none of that name.
        """
        found = self.draft.items.get(item)
        if found is None:
            raise NotInFight(f"there is no {item} in this fight")
        return found

    def items_of(self, who: Id) -> tuple[Item, ...]:
        """List the items that a combatant owns, in alphabetical order."""
        return tuple(map(self.draft.items.__getitem__, self.draft.owned_items.get(who, ())))

    def dice_of(self, who: Id) -> str:
        """Return the source of a roll's dice: ``engine`` or ``entered``.

        The setting of a combatant takes precedence over that of its side, and that over the setting for all.

        Args:
            who: The roller: a combatant, a side, or ``gm`` for a roll of none of them.
        """
        draft = self.draft
        sources, sides = draft.dice_sources, draft.side_dice
        one = draft.combatants.get(who)
        side = who if one is None else one.side
        return sources.get(who) or sides.get(side) or sources.get("*", "engine")

    def at(self, place: Id) -> tuple[Id, ...]:
        """List the combatants at a place, in alphabetical order."""
        return self.draft.occupants.get(place, ())

    def is_known(self, who: Id) -> bool:
        """Tell whether every viewer may know of a combatant.

        Rules write what they count, list or choose around a combatant into events that every viewer reads. So they
        count known combatants only: a concealed combatant counts from its revelation on.
        """
        return who not in self.draft.concealed

    def is_combatant(self, id: Id) -> bool:
        """Tell whether an id that may be a side's is a combatant's.

        Where a combatant and a side share it, a known combatant takes precedence over the side, and the side over a
        concealed combatant. So the meaning of a viewer's text does not depend on combatants that the viewer does not
        know of.
        """
        people = self.draft.combatants
        if id not in people or self.is_known(id):
            return id in people
        return not any(one.side == id for who, one in people.items() if self.is_known(who))

    def list_known(self, people: Iterable[Id]) -> tuple[Id, ...]:
        """List the combatants that every viewer may know of, in the given order."""
        concealed = self.draft.concealed
        return tuple([who for who in people if who not in concealed] if concealed else people)

    def pending(self) -> Pending | None:
        """Return the pending action that resolves next."""
        return self.draft.stack[-1] if self.draft.stack else None

    def derive(self, compute: Callable[[Table], T]) -> T:
        """Return a function's result for the table, cached until combatants change.

        The function may read combatants, their sides, traits, conditions, relations and concealment, and nothing else.
        """
        try:
            return self._derived[compute]  # type: ignore[no-any-return]
        except KeyError:
            value = self._derived[compute] = compute(self)
            return value

    def derive_from_things(self, compute: Callable[[Table, Id], T], who: Id) -> T:
        """Return a function's result for a combatant, cached until its things change.

        The function may read what the combatant owns, the positions of these things and their constant fields, nothing
        else. The cache is dropped when a thing comes, goes or moves.
        """
        try:
            return self._carried[who][compute]  # type: ignore[no-any-return]
        except KeyError:
            value = self._carried.setdefault(who, {})[compute] = compute(self, who)
            return value


class Memory(Generic[K, T]):
    """A cache that a ruleset keeps for speed.

    It may vanish at any time, and no decision may depend on it.
    """

    __slots__ = ()

    def of(self, table: Table) -> dict[K, T]:
        """Return the cache of a fight, for reading and writing."""
        return table._memories[self]

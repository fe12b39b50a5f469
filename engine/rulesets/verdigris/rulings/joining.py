"""The ruling that brings combatants into a fight: gear, mounts, seats and melees."""

from collections.abc import Iterator, Sequence

from affray.engine.core.actions import ruled_as
from affray.engine.core.effects import Rule
from affray.engine.core.state import Combatant, Relation
from affray.engine.kit.encounters import MeleeEntry, read_views
from affray.engine.kit.relations import find_relation, set_relation
from affray.engine.kit.rulings.joining import Joining, Newcomers
from affray.engine.kit.sheets import is_pc
from affray.engine.rulesets.verdigris import marks
from affray.engine.rulesets.verdigris.config import Table
from affray.engine.rulesets.verdigris.encounter.file import Spec, View
from affray.engine.rulesets.verdigris.encounter.setup import bond_melees, enter
from affray.engine.rulesets.verdigris.encounter.stock import arsenal_of, note_own_weapons
from affray.engine.rulesets.verdigris.sheet import PARTY
from affray.engine.rulesets.verdigris.tables import Weapon
from affray.events import Event, Id, Joined, Member, NewCombatantId, RelationSet


@ruled_as("join", "bring combatants into the fight, or back, written as in an encounter file", "combatant")
class Join(Joining, frozen=True, kw_only=True):
    """Bring combatants into the fight, as an encounter file does, or back into it.

    Attributes:
        combatant: A ``[[combatant]]`` of an encounter file, several of them, or the id of a combatant that left.
        acts: Whether they have a turn in this round; ``turn`` gives them the next one.
        melee, view, weapon: The same as in an encounter file.
    """

    combatant: Spec | tuple[Spec, ...] | NewCombatantId
    acts: bool = True
    melee: tuple[MeleeEntry, ...] = ()
    view: tuple[View, ...] = ()
    weapon: dict[str, Weapon] = {}

    def open(self, table: Table, newcomers: Sequence[Newcomers]) -> Iterator[Event]:
        """Yield the events that an encounter file with these entries would add.

        No note tells of a concealed combatant's weapon.
        """
        entries = [(one.entry, one.field) for one in newcomers]
        arsenal, known = {**arsenal_of(table), **self.weapon}, table.draft.relations
        events = list(enter(entries, arsenal, tuple(table.draft.places), self.list_taken_ids(table), known))
        yield from events
        people: dict[Id, Combatant | Joined] = dict(table.draft.combatants)
        people |= {one.who: one for one in events if isinstance(one, Joined)}
        saddles = [one for one in (*known.values(), *events) if isinstance(one, Relation | RelationSet)]
        ridden = [one for one in saddles if one.kind == "mount"]
        yield from bond_melees(self.melee, people, ridden)
        yield from read_views(self.view, sorted(people), "VER-021")
        if not self.is_concealed:
            yield from note_own_weapons(self.weapon, events)

    def take_turns(self, table: Table, newcomers: Newcomers) -> Rule[None]:
        """Let newcomers wait for the next round if ruled so.

        A player character that comes back takes its seat.
        """
        for who in newcomers.who:
            comes_back = newcomers.entry is None and is_pc(table, who) and table[who].side == PARTY
            if comes_back and find_relation(table, "seat", who) is None:
                yield set_relation(f"seat-{who}", "seat", Member(who=who), rules=("VER-011",))
        for who in newcomers.who if not self.acts and not self.turn else ():
            yield marks.WAITS.set_on(who, table.draft.round, "VER-002")

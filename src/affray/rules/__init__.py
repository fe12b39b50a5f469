"""The public surface for authors of rule systems.

A rule system imports from here alone; ``engine/rulesets/README.md`` teaches how to write one. Each name stays until one
minor version after a replacement is there. All other modules are internal and may move without notice; the five bundled
systems are part of the program, and import them. The chances for the book of a system are in ``affray.rules.odds``.
"""

from typing import TYPE_CHECKING

from affray.engine.core.actions import Action, Ruling, declared_as, ruled_as
from affray.engine.core.candidates import EACH, Among, Target
from affray.engine.core.changes import (
    change_pool, end_condition, move_item, set_condition, set_item_counter, set_mark, set_pool,
)  # fmt: skip
from affray.engine.core.coordinates import cell_label, parse_cell
from affray.engine.core.effects import Ask, Go, Interrupted, Roll, Rule, choice, throw
from affray.engine.core.flow import Flow, Forbidden, Step
from affray.engine.core.groups import (
    BoardRules, CorrectionRules, EncounterRules, FighterPolicy, Presentation, TurnRules,
)  # fmt: skip
from affray.engine.core.groups.board import Saddle
from affray.engine.core.groups.fighter import Reply
from affray.engine.core.groups.turns import Offer
from affray.engine.core.ids import id_of, name_combatants
from affray.engine.core.library import Layout, Section, Shelf
from affray.engine.core.marks import ListMark, Mark, StructMark, collect_marks
from affray.engine.core.preview import NOTHING_KNOWN, Glance, HarmDone, Prospect, Provoked
from affray.engine.core.recovery import RecoveryRules
from affray.engine.core.ruleset import Ruleset, by_kind
from affray.engine.core.state import Combatant, Item, Pending, Place, Question, Relation
from affray.engine.core.table import Memory, Table
from affray.engine.errors import NoSuch, Refused, Unusable
from affray.engine.kit.data_tables import make_table_reader
from affray.engine.kit.distances import set_distance, stated_distance
from affray.engine.kit.encounters import (
    CombatantEntry, DistanceEntry, EncounterFile, Name, add_item, decode_encounter, fill_from_block, find_row,
    find_stat_block, join_fight, read_pair,
)  # fmt: skip
from affray.engine.kit.fight_end import (
    FightEnd, has_enemies, list_foes_among, record_fight_end, reopen_fight, settle_end,
)  # fmt: skip
from affray.engine.kit.hexes import hex_distance, hex_neighbours
from affray.engine.kit.modifiers import grant_modifier, list_granted, use_up_granted
from affray.engine.kit.relations import find_relation, leave_relation, set_relation
from affray.engine.kit.rulings import EVERYWHERE
from affray.engine.kit.rulings.flow import CloseWindow
from affray.engine.kit.rulings.harm_and_end import End, RuledHarm
from affray.engine.kit.rulings.joining import Joining, Newcomers
from affray.engine.kit.rulings.turns import TurnRuling
from affray.engine.kit.rulings.values import Change, Count, Word
from affray.engine.kit.sheets import is_pc, stat
from affray.engine.kit.sides import Enemy, are_enemies, list_enemies, list_sides_with
from affray.engine.kit.squares import square_coordinates, square_distance, square_neighbours
from affray.engine.kit.turn_order import (
    find_called_up_slot, has_had_turn, is_turn_bookkeeping, list_called_up, must_be_acting, remove_called_up,
)  # fmt: skip
from affray.events import (
    Answered, Clause, ClockSet, CombatantId, ConditionChanged, ConditionName, Damaged, Dice, DieStepped, DistanceSet,
    Ending, Event, Faces, Feature, Field, FightEnded, FightReopened, Id, ItemAdded, ItemCounted, ItemId, ItemMoved,
    ItemRemoved, Joined, Judged, MarkSet, Member, MemberDone, Modifier, Moved, NewCombatantId, Noted, Option, OrderSet,
    PlaceId, PlaceSet, PoolChanged, PoolName, RelationId, RelationSet, Rolled, RoundBegan, Scalar, SideChanged,
    SideName, SideTrait, Slot, SlotId, Source, StatChanged, StatName, TraitChanged, TraitName, TurnBegan, TurnEnded,
    ViewSet, Words,
)  # fmt: skip

__all__ = [
    "Action", "Among", "Answered", "Ask", "BoardRules", "Change", "Clause", "ClockSet", "CloseWindow", "Combatant",
    "CombatantEntry", "CombatantId", "ConditionChanged", "ConditionName", "CorrectionRules", "Count", "Damaged", "Dice",
    "DieStepped", "DistanceEntry", "DistanceSet", "EACH", "EVERYWHERE", "EncounterFile", "EncounterRules", "End",
    "Ending", "Enemy", "Event", "Faces", "Feature", "Field", "FightEnd", "FightEnded", "FightReopened", "FighterPolicy",
    "Flow", "Forbidden", "Glance", "Go", "HarmDone", "Id", "Interrupted", "Item", "ItemAdded", "ItemCounted", "ItemId",
    "ItemMoved", "ItemRemoved", "Joined", "Joining", "Judged", "Layout", "ListMark", "Mark", "MarkSet", "Member",
    "MemberDone", "Memory", "Modifier", "Moved", "NOTHING_KNOWN", "Name", "NewCombatantId", "Newcomers", "NoSuch",
    "Noted", "Offer", "Option", "OrderSet", "Pending", "Place", "PlaceId", "PlaceSet", "PoolChanged", "PoolName",
    "Presentation", "Prospect", "Provoked", "Question", "RecoveryRules", "Refused", "Relation", "RelationId",
    "RelationSet", "Reply", "Roll", "Rolled", "RoundBegan", "Rule", "RuledHarm", "Ruleset", "Ruling", "Saddle",
    "Scalar", "Section", "Shelf", "SideChanged", "SideName", "SideTrait", "Slot", "SlotId", "Source", "StatChanged",
    "StatName", "Step", "StructMark", "Table", "Target", "TraitChanged", "TraitName", "TurnBegan", "TurnEnded",
    "TurnRules", "TurnRuling", "Unusable", "ViewSet", "Word", "Words", "add_item", "are_enemies", "by_kind",
    "cell_label", "change_pool", "choice", "collect_marks", "declared_as", "decode_encounter", "end_condition",
    "fill_from_block", "find_called_up_slot", "find_relation", "find_row", "find_stat_block", "grant_modifier",
    "has_enemies", "has_had_turn", "hex_distance", "hex_neighbours", "id_of", "is_pc", "is_turn_bookkeeping",
    "join_fight", "leave_relation", "list_called_up", "list_enemies", "list_foes_among", "list_granted",
    "list_sides_with", "make_table_reader", "move_item", "must_be_acting", "name_combatants", "parse_cell", "read_pair",
    "record_fight_end", "remove_called_up", "reopen_fight", "ruled_as", "set_condition", "set_distance",
    "set_item_counter", "set_mark", "set_pool", "set_relation", "settle_end", "square_coordinates", "square_distance",
    "square_neighbours", "stat", "stated_distance", "throw", "use_up_granted",
]  # fmt: skip

if not TYPE_CHECKING:  # to a type checker, a module with this function would hold every name

    def __getattr__(name: str) -> object:
        """Find a name that has another name now."""
        from affray._surface import find_old_name  # noqa: PLC0415 - only old names need it

        return find_old_name(__name__, name)

"""The vocabulary of the log: every event, its envelope, and their encoding."""

from .chain import FORMAT, FRAMED, GENESIS, content_of, digest_of, hash_line, readers_of, sender_of
from .consequences import (
    ClockSet, ConditionChanged, Damaged, DieStepped, DistanceSet, Ending, Feature, ItemAdded, ItemCounted,
    ItemMoved, ItemRemoved, Joined, Left, MarkSet, Member, Moment, Moved, PlaceSet, PoolChanged, RelationSet,
    SideChanged, SideTrait, StatChanged, TraitChanged, ViewSet, find_word,
)  # fmt: skip
from .declarations import (
    EVERYBODY, STANDARD, Answered, Asked, AskingSet, AttemptRefused, Attempted, Declared, Dropped, Field, Fizzled,
    Option, Passed, PassedFor, Resolved, Ruled, Stacked, WhenAsked, Withdrawn, find_value, give_values,
)  # fmt: skip
from .earlier import (
    STRUCTURED, split_clock, split_sides, split_traits, write_clock, write_feature, write_field, write_mark,
    write_side, write_source, write_trait,
)  # fmt: skip
from .envelope import (
    NO_SEALS, UNREADABLE, RawRecorded, Recorded, Sealed, Seals, build_schema, decode_line, decode_payload, hash_new,
    hash_of, hash_uncommitted, read_line, seal, verify,
)  # fmt: skip
from .errors import ChainBroken, LogError, Malformed, Senseless, UnknownFormat
from .flow import (
    FightEnded, FightReopened, MemberDone, OfferDeclined, OrderSet, PhaseEntered, RoundBegan, Slot, TurnBegan,
    TurnEnded, WindowClosed, WindowOpened,
)  # fmt: skip
from .hiding import Concealed, FoeDetail, FoesSet, Released, Veiled
from .paths import APART, about_of, is_declaration, name_of_path, owner_of, pending_of, question_topic, topic_of
from .record import (
    DICE_SCHEME, Amended, Closed, DiceRenewed, DiceSourceSet, EntropyAdded, FightOpened, Forked, FormatRaised,
    Noted, PlayerUndo, PlayerUndoSet, Previewed, Restored, Rewound, RulesetAdopted, UndoDeclined, UndoRequested,
    dice_scheme_of,
)  # fmt: skip
from .refs import (
    ActionName, Clause, ClockName, CombatantId, CommandId, ConditionName, CounterName, EndingName, Id, ItemId,
    ItemKind, MannerName, MarkName, NewCombatantId, NewPlaceId, NoteKind, OptionName, PendingId, Person, PhaseName,
    PlaceId, PoolName, PositionName, PurposeName, QuestionId, RelationId, RelationKind, RollId, SeveralId, SideName,
    SlotId, SourceId, StatName, SubjectId, Text, ThingName, TopicName, TraitName, TriggerName, ViewName, WindowId,
    Words, list_naming_fields, names, names_recorded,
)  # fmt: skip
from .rolls import (
    DISCARDED, KEPT, SET_ASIDE, AnySource, Dice, DiceAwaited, DiceEntered, Faces, Judged, Modifier, Rolled, ShownDice,
    Source,
)  # fmt: skip
from .root import Event, MarkPart, Scalar
from .sameness import LOOSE, are_same, is_same
from .upcast import AS_IT_WAS, OLDEST, UPCASTERS, Upcaster, check_raise, choose_decoder, format_behind, format_of
from .vocabulary import ABOUT_THE_RECORD, EVENTS, INPUTS, SETTING_UP, STARTS, VOIDING

__all__ = [
    "ABOUT_THE_RECORD", "APART", "AS_IT_WAS", "ActionName", "Amended", "Answered", "AnySource", "Asked", "AskingSet",
    "AttemptRefused", "Attempted", "ChainBroken", "Clause", "ClockName", "ClockSet", "Closed", "CombatantId",
    "CommandId", "Concealed", "ConditionChanged", "ConditionName", "CounterName", "DICE_SCHEME", "DISCARDED",
    "Damaged", "Declared", "Dice", "DiceAwaited", "DiceEntered", "DiceRenewed", "DiceSourceSet", "DieStepped",
    "DistanceSet", "Dropped", "EVENTS", "EVERYBODY", "Ending", "EndingName", "EntropyAdded", "Event", "FORMAT",
    "FRAMED", "Faces", "Feature", "Field", "FightEnded", "FightOpened", "FightReopened", "Fizzled", "FoeDetail",
    "FoesSet", "Forked", "FormatRaised", "GENESIS", "INPUTS", "Id", "ItemAdded", "ItemCounted", "ItemId", "ItemKind",
    "ItemMoved", "ItemRemoved", "Joined", "Judged", "KEPT", "LOOSE", "Left", "LogError", "Malformed", "MannerName",
    "MarkName", "MarkPart", "MarkSet", "Member", "MemberDone", "Modifier", "Moment", "Moved", "NO_SEALS",
    "NewCombatantId", "NewPlaceId", "NoteKind", "Noted", "OLDEST", "OfferDeclined", "Option", "OptionName",
    "OrderSet", "Passed", "PassedFor", "PendingId", "Person", "PhaseEntered", "PhaseName", "PlaceId", "PlaceSet",
    "PlayerUndo", "PlayerUndoSet", "PoolChanged", "PoolName", "PositionName", "Previewed", "PurposeName",
    "QuestionId", "RawRecorded", "Recorded", "RelationId", "RelationKind", "RelationSet", "Released", "Resolved",
    "Restored", "Rewound", "RollId", "Rolled", "RoundBegan", "Ruled", "RulesetAdopted", "SETTING_UP", "SET_ASIDE",
    "STANDARD", "STARTS", "STRUCTURED", "Scalar", "Sealed", "Seals", "Senseless", "SeveralId", "ShownDice",
    "SideChanged", "SideName", "SideTrait", "Slot", "SlotId", "Source", "SourceId", "Stacked", "StatChanged",
    "StatName", "SubjectId", "Text", "ThingName", "TopicName", "TraitChanged", "TraitName", "TriggerName",
    "TurnBegan", "TurnEnded", "UNREADABLE", "UPCASTERS", "UndoDeclined", "UndoRequested", "UnknownFormat",
    "Upcaster", "VOIDING", "Veiled", "ViewName", "ViewSet", "WhenAsked", "WindowClosed", "WindowId", "WindowOpened",
    "Withdrawn", "Words", "about_of", "are_same", "build_schema", "check_raise", "choose_decoder", "content_of",
    "decode_line", "decode_payload", "dice_scheme_of", "digest_of", "find_value", "find_word", "format_behind",
    "format_of", "give_values", "hash_line", "hash_new", "hash_of", "hash_uncommitted", "is_declaration", "is_same",
    "list_naming_fields", "name_of_path", "names", "names_recorded", "owner_of", "pending_of", "question_topic",
    "read_line", "readers_of", "seal", "sender_of", "split_clock", "split_sides", "split_traits", "topic_of",
    "verify", "write_clock", "write_feature", "write_field", "write_mark", "write_side", "write_source",
    "write_trait",
]  # fmt: skip

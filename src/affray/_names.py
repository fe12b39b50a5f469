"""The public names of ``affray``, which loads this module when the first of them is used."""

from affray.engine.analysis.playing import play
from affray.engine.analysis.policies import (
    DecidesFor, Playable, Policy, choose_anything, choose_sensibly, list_legal_choices, make_input,
)  # fmt: skip
from affray.engine.analysis.search import choose_by_search
from affray.engine.commands import (
    Amend, AnswerUndo, Close, Command, Intent, Outcome, Redo, Stir, Undo, declare, rule,
)  # fmt: skip
from affray.engine.core.evolve.fold import fold
from affray.engine.core.ruleset import Ruleset
from affray.engine.core.loading import available as list_rulesets
from affray.engine.core.loading import load as load_ruleset
from affray.engine.core.loading import template as read_template
from affray.engine.core.state import (
    Awaited, Combatant, Item, Pending, Place, Postponed, Question, Relation, State, Window,
)  # fmt: skip
from affray.engine.core.state import digest as digest_state
from affray.engine.errors import (
    Altered, Diverged, Endless, EngineError, Exists, LostSeed, NoFight, NoSuch, NotInFight, OutOfDate, Refused,
    Reused, StoreFailed, Unsure, Unusable,
)  # fmt: skip
from affray.engine.fight import Fight
from affray.engine.history.log import read_log, verify_chain
from affray.engine.history.timeline import History
from affray.engine.integrity.audit.audit import audit
from affray.engine.integrity.audit.findings import Finding
from affray.engine.integrity.audit.findings import Report as AuditReport
from affray.engine.opening import begin_fight, open_fight
from affray.engine.runtime.dice import draw_seed
from affray.engine.runtime.offers import AwaitedDice, Legal, LegalAction, OpenPass, OpenQuestion
from affray.engine.stores.files import FileStore
from affray.engine.stores.protocol import Store
from affray.engine.stores.sqlite import SqliteStore
from affray.events import (
    Amended, Answered, Asked, AskingSet, AttemptRefused, Attempted, ChainBroken, ClockSet, Closed, Concealed,
    ConditionChanged, Damaged, Declared, Dice, DiceAwaited, DiceEntered, DiceRenewed, DiceSourceSet, DieStepped,
    DistanceSet, Dropped, Ending, EntropyAdded, Event, Faces, Feature, Field, FightEnded, FightOpened, FightReopened,
    Fizzled, FoesSet, Forked, FormatRaised, ItemAdded, ItemCounted, ItemMoved, ItemRemoved, Joined, Judged, Left,
    LogError, Malformed, MarkSet, Member, MemberDone, Modifier, Moved, Noted, OfferDeclined, Option, OrderSet,
    Passed, PhaseEntered, PlaceSet, PlayerUndoSet, PoolChanged, Previewed, Recorded, RelationSet, Released, Resolved,
    Restored, Rewound, Rolled, RoundBegan, Ruled, RulesetAdopted, Senseless, ShownDice, SideChanged, SideTrait, Slot,
    Source, Stacked, StatChanged, TraitChanged, TurnBegan, TurnEnded, UndoDeclined, UndoRequested, UnknownFormat,
    Veiled, ViewSet, WindowClosed, WindowOpened, Withdrawn,
)  # fmt: skip
from affray.tools.api.store_url import store_of as open_store
from affray.tools.parse.encounter_file import load_encounter
from affray.tools.parse.intent_parser import intent as parse_intent
from affray.tools.present.audit_text import summarise_audit
from affray.tools.present.story.narration import tell_all

__all__ = [
    "Altered", "Amend", "Amended", "AnswerUndo", "Answered", "Asked", "AskingSet", "AttemptRefused", "Attempted",
    "AuditReport", "Awaited", "AwaitedDice", "ChainBroken", "ClockSet", "Close", "Closed", "Combatant", "Command",
    "Concealed", "ConditionChanged", "Damaged", "DecidesFor", "Declared", "Dice", "DiceAwaited", "DiceEntered",
    "DiceRenewed", "DiceSourceSet", "DieStepped", "DistanceSet", "Diverged", "Dropped", "Ending", "Endless",
    "EngineError", "EntropyAdded", "Event", "Exists", "Faces", "Feature", "Field", "Fight", "FightEnded",
    "FightOpened", "FightReopened", "FileStore", "Finding", "Fizzled", "FoesSet", "Forked", "FormatRaised",
    "History", "Intent", "Item", "ItemAdded", "ItemCounted", "ItemMoved", "ItemRemoved", "Joined", "Judged", "Left",
    "Legal", "LegalAction", "LogError", "LostSeed", "Malformed", "MarkSet", "Member", "MemberDone", "Modifier",
    "Moved", "NoFight", "NoSuch", "NotInFight", "Noted", "OfferDeclined", "OpenPass", "OpenQuestion", "Option",
    "OrderSet", "OutOfDate", "Outcome", "Passed", "Pending", "PhaseEntered", "Place", "PlaceSet", "Playable",
    "PlayerUndoSet", "Policy", "PoolChanged", "Postponed", "Previewed", "Question", "Recorded", "Redo", "Refused",
    "Relation", "RelationSet", "Released", "Resolved", "Restored", "Reused", "Rewound", "Rolled", "RoundBegan",
    "Ruled", "Ruleset", "RulesetAdopted", "Senseless", "ShownDice", "SideChanged", "SideTrait", "Slot", "Source",
    "SqliteStore", "Stacked", "StatChanged", "State", "Stir", "Store", "StoreFailed", "TraitChanged", "TurnBegan",
    "TurnEnded", "Undo", "UndoDeclined", "UndoRequested", "UnknownFormat", "Unsure", "Unusable", "Veiled",
    "ViewSet", "Window", "WindowClosed", "WindowOpened", "Withdrawn", "audit", "begin_fight", "choose_anything",
    "choose_by_search", "choose_sensibly", "declare", "digest_state", "draw_seed", "fold", "list_legal_choices",
    "list_rulesets", "load_encounter", "load_ruleset", "make_input", "open_fight", "open_store", "parse_intent",
    "play", "read_log", "read_template", "rule", "summarise_audit", "tell_all", "verify_chain",
]  # fmt: skip

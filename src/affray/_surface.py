"""The loading of public names, each when it is first used, and of renamed ones with a warning."""

from collections.abc import Mapping
from importlib import import_module
from typing import NamedTuple
from warnings import warn

HOMES: Mapping[str, str] = {
    "affray.engine.analysis.playing": "play",
    "affray.engine.analysis.policies": (
        "DecidesFor Playable Policy choose_anything choose_sensibly list_legal_choices make_input"
    ),
    "affray.engine.analysis.search": "choose_by_search",
    "affray.engine.commands": "Amend AnswerUndo Close Command Intent Outcome Redo Stir Undo declare rule",
    "affray.engine.core.evolve.fold": "fold",
    "affray.engine.core.loading": "list_rulesets=available load_ruleset=load read_template=template",
    "affray.engine.core.ruleset": "Ruleset",
    "affray.engine.core.state": (
        "Awaited Combatant Item Pending Place Question Relation State Window digest_state=digest"
    ),
    "affray.engine.errors": (
        "Altered Diverged Endless EngineError Exists LostSeed NoFight NoSuch NotInFight OutOfDate Refused Reused "
        "StoreFailed Unsure Unusable"
    ),
    "affray.engine.fight": "Fight",
    "affray.engine.history.log": "read_log verify_chain",
    "affray.engine.history.timeline": "History",
    "affray.engine.integrity.audit.audit": "audit",
    "affray.engine.integrity.audit.findings": "AuditReport=Report Finding",
    "affray.engine.opening": "begin_fight open_fight",
    "affray.engine.runtime.dice": "draw_seed",
    "affray.engine.runtime.offers": "AwaitedDice Legal LegalAction OpenPass OpenQuestion",
    "affray.engine.stores.files": "FileStore",
    "affray.engine.stores.protocol": "Store",
    "affray.engine.stores.sqlite": "SqliteStore",
    "affray.events": (
        "Amended Answered Asked AskingSet AttemptRefused Attempted ChainBroken ClockSet Closed Concealed "
        "ConditionChanged Damaged Declared Dice DiceAwaited DiceEntered DiceRenewed DiceSourceSet DieStepped "
        "DistanceSet Dropped Ending EntropyAdded Event Faces Field FightEnded FightOpened FightReopened Fizzled "
        "Forked FormatRaised ItemAdded ItemCounted ItemMoved ItemRemoved Joined Judged Left LogError Malformed "
        "MarkSet Member MemberDone Modifier Moved Noted OfferDeclined Option OrderSet Passed PhaseEntered PlaceSet "
        "PlayerUndoSet PoolChanged Previewed Recorded RelationSet Released Resolved Restored Rewound Rolled "
        "RoundBegan Ruled RulesetAdopted Senseless SideChanged Slot Stacked StatChanged TraitChanged TurnBegan "
        "TurnEnded UndoDeclined UndoRequested UnknownFormat Veiled ViewSet WindowClosed WindowOpened Withdrawn"
    ),
    "affray.tools.api.store_url": "open_store=store_of",
    "affray.tools.lab.environment": "env",
    "affray.tools.parse.encounter_file": "load_encounter",
    "affray.tools.parse.intent_parser": "parse_intent=intent",
    "affray.tools.present.audit_text": "summarise_audit",
    "affray.tools.present.story.narration": "tell_all",
}
"""The public names of ``affray``, by module; ``list_rulesets=available`` is called otherwise there."""


class Renamed(NamedTuple):
    """A public name that has another name now.

    Attributes:
        now: The present name in the same module.
        until: The version that drops the old one: the one after the next minor version.
    """

    now: str
    until: str


RENAMED: Mapping[str, Mapping[str, Renamed]] = {
    "affray": {},
    "affray.client": {},
    "affray.rules": {},
    "affray.rules.odds": {},
}
"""The renamed public names of each module, by their old name.

A type checker must know an old name too. So it is imported beside the new one where only a type checker looks.
"""


def find_public_name(module: str, name: str, homes: Mapping[str, str] = {}) -> object:
    """Return the value of a name that a public module has not loaded yet, and keep it there.

    Args:
        module: The public module.
        name: The name.
        homes: The names that are loaded when they are first used; see ``HOMES``.

    Raises:
        AttributeError: the module has no such name.
    """
    public = import_module(module)
    renamed = RENAMED[module].get(name)
    if renamed is not None:
        old, new = f"{module}.{name}", f"{module}.{renamed.now}"
        warn(f"{old} is now {new}; Affray {renamed.until} drops the old name", DeprecationWarning, stacklevel=3)
        return getattr(public, renamed.now)
    for home, names in homes.items():
        for public_name, _, own_name in (one.partition("=") for one in names.split()):
            if public_name == name:
                value: object = getattr(import_module(home), own_name or name)
                setattr(public, name, value)
                return value
    raise AttributeError(f"module {module!r} has no attribute {name!r}", name=name, obj=public)

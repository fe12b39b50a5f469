"""The Wyrd rule system, assembled from its parts."""

from functools import partial

from affray.engine.core.actions import Action, Ruling
from affray.engine.core.groups import (
    BoardRules,
    CorrectionRules,
    EncounterRules,
    FighterPolicy,
    Presentation,
    TurnRules,
)
from affray.engine.core.marks import collect_marks
from affray.engine.core.ruleset import Renamed, Ruleset, by_kind
from affray.engine.kit import fight_end, modifiers, turn_order
from affray.engine.kit.rulings import EVERYWHERE

from . import marks
from .attack.engage import Engage
from .attack.foe_attacks import Attack
from .attack.shots import Fire
from .chapters.morale import MoraleTest, ask_morale
from .chapters.recovery import Repair, Rest, Revive
from .chapters.spells import Spell
from .chapters.stunts import Improvise, Stunt
from .config import Config
from .encounter.file import Encounter, Spec
from .encounter.recovery import RECOVERY
from .encounter.setup import encounter
from .flow import FLOW
from .gear.handling import Reload, Wear
from .library import LAYOUT, LIBRARY
from .movement.moving import Move
from .policy import answer_question, appraise, fitness, prefers
from .preview import moves_to_help, prospect
from .rulings import coming_tests, fight, gear, roster, tests
from .sheet import list_active_foes
from .tables import PACKAGE
from .turns.sides import Begin, decide_surprise, end_round, next_slot
from .turns.turn import MANNERS, EndTurn, aftermath, list_movers, refuse_unknown_action, reopen

ACTIONS: tuple[type[Action], ...] = (
    Attack, Begin, EndTurn, Engage, Fire, fight.Blast, fight.Harm, Improvise, Move, Reload, Repair, Rest, Revive,
    Spell, Stunt, tests.Trial, MoraleTest, Wear,
)  # fmt: skip

RULINGS: tuple[type[Ruling], ...] = (
    *EVERYWHERE, coming_tests.Allow, coming_tests.Blow, coming_tests.Consequence, fight.End, gear.Gear, gear.Give,
    fight.Grant, roster.Join, roster.Leave, fight.Morale, gear.Recover, roster.Reorder, gear.SafeMoment, roster.Side,
    gear.Repair, gear.Step, coming_tests.Stray, gear.Tag, coming_tests.Revival, tests.Test, fight.Turn,
    coming_tests.Unaware, coming_tests.Verdict, fight.Damage, fight.Wound,
)  # fmt: skip

RULESET = Ruleset(
    name="wyrd",
    version="3",
    first_format=4,
    title="Wyrd",
    package=PACKAGE,
    flow=FLOW,
    config=Config,
    actions=by_kind(*ACTIONS),
    rulings=by_kind(*RULINGS),
    renamed={"test": Renamed("revival", ("1", "2"))},
    encounters=EncounterRules(encounter, sheet=Spec, form=Encounter, library=LIBRARY, layout=LAYOUT, recovery=RECOVERY),
    turns=TurnRules(
        manners=MANNERS,
        procedures={"surprise": decide_surprise, "upcoming": next_slot, "round_end": end_round},
        resolving=frozenset({"declared", "resolution", "downtime"}),
        refuse_unknown=refuse_unknown_action,
        aftermath=partial(aftermath, ask_morale=ask_morale),
        list_movers=list_movers,
    ),
    corrections=CorrectionRules(
        list_foes=list_active_foes,
        reopen=reopen,
        correct=fight.correct,
        tidy=fight.tidy,
        relations=("allies", "melee"),
        set_condition_until=fight.set_condition_until,
    ),
    board=BoardRules(kind="zones"),
    fighter=FighterPolicy(appraise=appraise, prefer=prefers, fitness=fitness, answer=answer_question),
    presentation=Presentation(preview=prospect, moves_to_help=moves_to_help),
    marks={**collect_marks(marks, fight_end, modifiers, turn_order), **marks.PROMPT_MARKS},
)
"""Wyrd: players roll, every ability and piece of gear is a usage die, and sides take turns without initiative."""

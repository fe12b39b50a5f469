"""The Vestige rule system, assembled from its parts."""

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
from affray.engine.core.ruleset import Ruleset, by_kind
from affray.engine.kit import fight_end, modifiers, turn_groups, turn_order
from affray.engine.kit.rulings import EVERYWHERE

from . import marks
from .attack import Attack
from .chapters.delay import Delay, Reinsert, is_delayed, offer_reinsertions
from .chapters.ready import Ready, offer_announcements, precedence
from .chapters.skills import Improvise, Skill
from .config import Config
from .encounter.file import Encounter, Spec
from .encounter.recovery import RECOVERY
from .encounter.setup import encounter
from .flow import FLOW
from .gear import Reload, Swap
from .harm import Blast, Forfeit, Harm, correct
from .library import LAYOUT, LIBRARY
from .movement.board import metres
from .movement.moving import Move, Shift
from .policy import appraise, prefers
from .preview import glance, prospect
from .rulings.actions import Allow, Close, Give, Grant, LateDelay, PlaceSlot, Waive
from .rulings.outcomes import Brink, Condition, Damage, End, GiveUp, Side, Unable, Verdict, Wound, set_condition_until
from .rulings.roster import Gear, Group, Join, Leave, Split, Turn
from .rulings.tests import Test, Trial
from .sheet import list_active_foes
from .tables import PACKAGE
from .turns.economy import FIZZLES, MANNERS, refuse_unknown_action
from .turns.order import EndTurn, end_round, next_slot, roll_initiative
from .turns.procedures import Begin, aftermath, list_movers, reopen, strike_first, tidy
from .turns.stalemate import is_passing

RULINGS: tuple[type[Ruling], ...] = (
    *EVERYWHERE, Allow, Brink, Close, Condition, Damage, End, Gear, Give, GiveUp, Grant, Group, Join, LateDelay, Leave,
    PlaceSlot, Side, Split, Test, Turn, Unable, Verdict, Waive, Wound,
)  # fmt: skip

ACTIONS: tuple[type[Action], ...] = (
    Attack, Begin, Blast, Delay, EndTurn, Forfeit, Harm, Improvise, Move, Ready, Reinsert, Reload, Shift, Skill, Swap,
    Trial,
)  # fmt: skip

RULESET = Ruleset(
    name="vestige",
    version="4",
    first_format=4,
    title="Vestige",
    package=PACKAGE,
    flow=FLOW,
    config=Config,
    actions=by_kind(*ACTIONS),
    rulings=by_kind(*RULINGS),
    encounters=EncounterRules(encounter, sheet=Spec, form=Encounter, library=LIBRARY, layout=LAYOUT, recovery=RECOVERY),
    turns=TurnRules(
        manners=MANNERS,
        declarable=("standard", "readied"),
        procedures={
            "first_strike": strike_first,
            "initiative": roll_initiative,
            "upcoming": next_slot,
            "round_end": end_round,
        },
        windows={
            "window": offer_announcements,
            "gap": offer_announcements,
            "lull": offer_announcements,
            "reinsertion": offer_reinsertions,
        },
        resolving=frozenset({"resolution", "brink", "arrival"}),
        refuse_unknown=refuse_unknown_action,
        precedence=precedence,
        aftermath=aftermath,
        list_movers=list_movers,
        is_passing=is_passing,
        fizzles=FIZZLES,
        keeps_turn=is_delayed,
    ),
    corrections=CorrectionRules(
        list_foes=list_active_foes,
        reopen=reopen,
        correct=correct,
        tidy=tidy,
        set_condition_until=set_condition_until,
    ),
    board=BoardRules(measure=metres, kind="squares"),
    fighter=FighterPolicy(appraise=appraise, prefer=prefers),
    presentation=Presentation(preview=prospect, glance=glance),
    marks=collect_marks(marks, fight_end, modifiers, turn_groups, turn_order),
)

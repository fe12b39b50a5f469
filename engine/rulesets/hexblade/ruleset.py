"""The Hexblade rule system, assembled from its parts."""

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
from affray.engine.kit import fight_end, modifiers, turn_groups, turn_order
from affray.engine.kit.rulings import EVERYWHERE

from . import marks
from .attack.melee import Attack
from .attack.shots import Shoot
from .chapters.disarm import Disarm
from .chapters.downtime import RecoverAmmo, Repair
from .chapters.grapple import BreakFree, Grapple
from .chapters.knock_prone import KnockProne
from .chapters.maneuvers import Cast, Maneuver, Use
from .config import Config
from .encounter.file import Encounter, Spec
from .encounter.recovery import RECOVERY
from .encounter.setup import encounter
from .flow import FLOW
from .gear import Draw
from .harm import correct, tidy
from .library import LAYOUT, LIBRARY
from .movement.board import distance_in_feet
from .movement.moving import Move, Sprint, Stand
from .policy import appraise, prefers
from .preview import glance, prospect
from .rulings import items, outcomes, roster, tests
from .sheet import list_active_foes
from .tables import PACKAGE
from .turns.order import MANNERS, aftermath, list_movers, refuse_unknown_action
from .turns.procedures import Begin, BeginTurn, EndTurn, RollInitiative, end_round, end_turn, reopen
from .turns.stalemate import is_passing

ACTIONS: tuple[type[Action], ...] = (
    Attack, Begin, BeginTurn, BreakFree, Cast, Disarm, Draw, EndTurn, Grapple, outcomes.Blast, outcomes.Harm,
    KnockProne, Maneuver, Move, RecoverAmmo, Repair, RollInitiative, Shoot, Sprint, Stand, tests.Trial, Use,
)  # fmt: skip

RULINGS: tuple[type[Ruling], ...] = (
    *EVERYWHERE, roster.Allow, items.Counter, items.Drop, outcomes.Effect, outcomes.End, outcomes.FreeAttack,
    items.Gear, items.Give, roster.Grant, roster.Initiative, roster.Join, outcomes.Outcome, roster.Place,
    items.Recoverable, items.Repair, roster.SideCover, tests.NextDc, tests.Test, roster.Turn, outcomes.Unable,
    outcomes.Verdict, items.Wear, outcomes.Damage, outcomes.Wound,
)  # fmt: skip

RULESET = Ruleset(
    name="hexblade",
    version="4",
    first_format=4,
    title="Hexblade",
    package=PACKAGE,
    flow=FLOW,
    config=Config,
    actions=by_kind(*ACTIONS),
    rulings=by_kind(*RULINGS),
    renamed={"test": Renamed("dc", ("1", "2", "3"))},
    encounters=EncounterRules(encounter, sheet=Spec, form=Encounter, library=LIBRARY, layout=LAYOUT, recovery=RECOVERY),
    turns=TurnRules(
        manners=MANNERS,
        procedures={"turn_end": end_turn, "round_end": end_round},
        resolving=frozenset({"exchange", "ruling", "consequences"}),
        refuse_unknown=refuse_unknown_action,
        aftermath=aftermath,
        list_movers=list_movers,
        is_passing=is_passing,
    ),
    corrections=CorrectionRules(
        list_foes=list_active_foes,
        reopen=reopen,
        correct=correct,
        tidy=tidy,
        set_condition_until=outcomes.set_condition_until,
    ),
    board=BoardRules(measure=distance_in_feet, kind="hexes", always=True),
    fighter=FighterPolicy(appraise=appraise, prefer=prefers),
    presentation=Presentation(preview=prospect, glance=glance),
    marks=collect_marks(marks, fight_end, modifiers, turn_groups, turn_order),
)

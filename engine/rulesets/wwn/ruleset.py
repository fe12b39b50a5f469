"""The ruleset of Worlds Without Number: all its parts in one ``Ruleset``."""

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
from affray.engine.kit import fight_end, modifiers, riding, turn_groups, turn_order
from affray.engine.kit.rulings import EVERYWHERE

from . import marks
from .attack.declaring import Attack
from .attack.legality import offer_snaps
from .chapters.beasts import Bolt, Obey
from .chapters.checks import MoraleCheck, SkillCheck, Stabilize
from .chapters.maneuvers import Improvise
from .chapters.riding import Dismount, Mount, tidy
from .chapters.spells import Cast
from .config import Config
from .encounter.file import Encounter, Spec
from .encounter.recovery import RECOVERY
from .encounter.setup import encounter
from .flow import FLOW
from .gear.handling import Draw, Drop, Ready, Reload, Stow
from .harm import correct
from .library import LAYOUT, LIBRARY
from .movement.board import measure_places
from .movement.moving import Move, Prone, Stand, Withdraw
from .policy import appraise, prefers
from .preview import glance, moves_to_help, prospect
from .rulings import actions, beasts, gear, joining, outcomes, positions, roster
from .sheet import SADDLE, able_foes
from .tables import PACKAGE
from .turns.acting import MANNERS, aftermath, movers, precedence, refuse_unknown_action, reopen
from .turns.order import check_ridden_beasts, end_round, next_slot, roll_initiative, settle_surprise
from .turns.rounds import Begin, EndTurn
from .turns.stalemate import is_passing

OURS: dict[str, type[Ruling]] = by_kind(
    outcomes.Condition,
    gear.Give,
    joining.Leave,
    positions.Relate,
    positions.Side,
)
"""The rulings of every system that check more here."""

RULINGS: tuple[type[Ruling], ...] = (
    *[one for one in EVERYWHERE if one.kind not in OURS],
    *OURS.values(),
    beasts.Allow, actions.CircumstanceRuled, actions.Close, actions.Deny, outcomes.End, outcomes.Fate,
    gear.Gear, actions.Grant, roster.Group, joining.Join, roster.Loose, positions.Melee, outcomes.Morale,
    beasts.MountCheck, roster.Quick, outcomes.Damage, outcomes.Test, roster.Turn, outcomes.Unable,
    outcomes.Verdict, outcomes.Wound,
)  # fmt: skip
"""All rulings in a fight of Worlds Without Number."""

ACTIONS: tuple[type[Action], ...] = (
    Attack, Begin, Bolt, Cast, Dismount, Draw, Drop, EndTurn, outcomes.Blast, outcomes.Harm, Improvise, MoraleCheck,
    Mount, Move, Obey, Prone, Ready, Reload, Stabilize, Stand, Stow, SkillCheck, Withdraw,
)  # fmt: skip

RULESET = Ruleset(
    name="wwn",
    version="3",
    first_format=4,
    title="Worlds Without Number",
    package=PACKAGE,
    flow=FLOW,
    config=Config,
    actions=by_kind(*ACTIONS),
    rulings=by_kind(*RULINGS),
    encounters=EncounterRules(encounter, sheet=Spec, form=Encounter, library=LIBRARY, layout=LAYOUT, recovery=RECOVERY),
    turns=TurnRules(
        manners=MANNERS,
        declarable=("standard", "snap"),
        procedures={
            "surprise": settle_surprise,
            "initiative": roll_initiative,
            "upcoming": next_slot,
            "mount_check": check_ridden_beasts,
            "round_end": end_round,
        },
        windows={"window": offer_snaps},
        passes_hold=True,
        resolving=frozenset({"resolution"}),
        refuse_unknown=refuse_unknown_action,
        precedence=precedence,
        aftermath=aftermath,
        list_movers=movers,
        is_passing=is_passing,
    ),
    corrections=CorrectionRules(
        list_foes=able_foes,
        reopen=reopen,
        correct=correct,
        tidy=tidy,
        set_condition_until=outcomes.set_condition_until,
    ),
    board=BoardRules(measure=measure_places, kind="squares", moves_with=SADDLE),
    fighter=FighterPolicy(appraise=appraise, prefer=prefers),
    presentation=Presentation(preview=prospect, glance=glance, moves_to_help=moves_to_help),
    marks=collect_marks(marks, fight_end, modifiers, riding, turn_groups, turn_order),
)

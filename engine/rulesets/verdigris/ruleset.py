"""The Verdigris ruleset: all its parts in one ``Ruleset``."""

from functools import partial

from affray.engine.core.actions import Ruling
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
from affray.engine.kit.rulings.flow import Reorder

from . import marks
from .chapters.free_attacks import lash_out
from .config import Config
from .encounter.file import Encounter, Spec
from .encounter.recovery import RECOVERY
from .encounter.setup import encounter
from .flow import FLOW, IN_THE_MIDDLE
from .library import LAYOUT, LIBRARY
from .policy import appraise, fitness, prefers
from .preview import moves_to_help, prospect
from .rulings import (
    afflictions,
    ambushes,
    blasts,
    corrections,
    exits,
    free_attacks,
    gear,
    harm,
    joining,
    permissions,
    roster,
    tests,
    verdicts,
)
from .sheet import SADDLE, able_foes
from .tables import PACKAGE
from .turns.actions import ACTIONS
from .turns.order import MANNERS, aftermath, refuse_unknown_action
from .turns.stalemate import is_passing
from .turns.turn import end_round, end_turn, movers, next_slot, reopen, settle_end, start_turn, try_deaths_door

RULINGS: tuple[type[Ruling], ...] = (
    *[one for one in EVERYWHERE if one is not Reorder], afflictions.Afflict, permissions.Allow, harm.ChooseInjury,
    roster.Depart, roster.Due, exits.End, free_attacks.FireTrigger, permissions.Forbid, free_attacks.FreeAttackRuled,
    gear.Gear, permissions.Grant, roster.HandOver, blasts.Damage, harm.HarmRuled, tests.CallTest, tests.Morale,
    joining.Join, roster.Melee, roster.Put, roster.Repair, roster.Seat, exits.Stabilize, harm.Stray,
    ambushes.Surprise, roster.Switch, roster.Turn, exits.Unable, verdicts.Verdict, roster.Zone,
)  # fmt: skip
"""All rulings in a fight of Verdigris. A side's members act in any order, so nothing is reordered."""

RULESET = Ruleset(
    name="verdigris",
    version="4",
    first_format=4,
    title="Verdigris",
    package=PACKAGE,
    flow=FLOW,
    config=Config,
    actions=by_kind(*ACTIONS),
    rulings=by_kind(*RULINGS),
    encounters=EncounterRules(encounter, sheet=Spec, form=Encounter, library=LIBRARY, layout=LAYOUT, recovery=RECOVERY),
    turns=TurnRules(
        manners=MANNERS,
        procedures={
            "upcoming": next_slot,
            "turn_start": start_turn,
            "deaths_door": try_deaths_door,
            "turn_end": end_turn,
            "round_end": end_round,
            "ending": settle_end,
        },
        resolving=frozenset({"acting", "moving", "melee_exit", "attack_roll", "nerve", *IN_THE_MIDDLE}),
        refuse_unknown=refuse_unknown_action,
        aftermath=partial(aftermath, lash_out=lash_out),
        list_movers=movers,
        is_passing=is_passing,
    ),
    corrections=CorrectionRules(
        list_foes=able_foes,
        reopen=reopen,
        correct=corrections.correct,
        tidy=corrections.tidy,
        set_condition_until=afflictions.set_condition_until,
    ),
    board=BoardRules(kind="zones", moves_with=SADDLE),
    fighter=FighterPolicy(appraise=appraise, prefer=prefers, fitness=fitness),
    presentation=Presentation(preview=prospect, moves_to_help=moves_to_help),
    marks=collect_marks(marks, fight_end, modifiers, riding, turn_groups, turn_order),
)
